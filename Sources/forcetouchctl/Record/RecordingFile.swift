/// The file a recording is written to. What was recorded before a full disk, or a crash, is kept.
final class RecordingFile {
  /// What was to be written would make it larger than it may be; nothing of that is written.
  struct LimitReached: Error {}

  private let file: OutputFile
  private let limit: Int
  /// In bytes.
  private(set) var size = 0

  /// - Parameters:
  ///   - path: nil: standard output.
  ///   - limit: How many bytes it may have.
  init(path: String?, limit: Int) throws(CommandError) {
    file = try OutputFile(path: path, keepsPart: true)
    self.limit = limit
  }

  func write(_ bytes: [UInt8]) throws {
    guard bytes.count <= limit - size else { throw LimitReached() }
    try file.write(bytes)
    size += bytes.count
  }

  func close() throws(CommandError) { try file.close() }
}
