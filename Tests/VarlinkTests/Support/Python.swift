import Foundation
import Testing

/// The interpreter that has PyPI's `varlink`, a client that nobody here wrote.
enum Python {
  static let interpreter: String? = {
    guard let path = ProcessInfo.processInfo.environment["FORCETOUCH_PYTHON"],
      access(path, X_OK) == 0
    else { return nil }
    return path
  }()

  static let missing: Comment =
    "FORCETOUCH_PYTHON names no interpreter (make test prepares one with varlink 31.0.0)"

  /// Runs a script and gives the lines it prints, errors included.
  static func run(_ script: String, _ arguments: String...) throws -> [String] {
    let process = Process()
    process.executableURL = URL(filePath: try #require(interpreter))
    process.arguments = ["-c", script] + arguments
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
  }
}
