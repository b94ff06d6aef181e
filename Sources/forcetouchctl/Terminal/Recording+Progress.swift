import ForceTouchRecordings

extension Recording {
  /// Opens the recording of a command line, with the description that is given beside it. How far
  /// it is read stands on `line`.
  convenience init(
    _ path: String, _ arguments: Arguments, progress line: LiveLine
  ) throws(RecordingError) {
    let name = path == "-" ? "standard input" : path
    try self.init(path: path, descriptionPath: arguments["--description"]) { share in
      line.show("\(name): \(Int(share * 100)) %")
    }
  }
}
