import CSystemd
import Glibc

/// Lines for the journal, or for the terminal that started the daemon. Each says whose fault it
/// is; the same trouble with the same thing is told once, not a thousand times.
final class Log {
  enum Level: Int {
    case error = 3
    case warning = 4
    case info = 6
    case debug = 7
  }

  /// Whose fault, or whose doing.
  enum Origin: String {
    case kernel, device, client, settings, daemon
  }

  /// Something about a line that a program can look for: in the journal `FORCETOUCHD_NAME=value`.
  struct Field {
    let name: String
    let value: String

    init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  private let isVerbose: Bool
  private let hasJournal = Log.standardErrorIsJournal()
  private var told: Set<String> = []

  init(isVerbose: Bool) {
    self.isVerbose = isVerbose
  }

  func write(
    _ level: Level, _ origin: Origin, _ text: @autoclosure () -> String,
    _ fields: @autoclosure () -> [Field] = []
  ) {
    guard level != .debug || isVerbose else { return }
    // Names come from devices and keys from files: no line may pretend to be two, nor tell a
    // terminal what to do.
    let line = String(text().map { $0.isNewline || Self.isControl($0) ? " " : $0 })
    if hasJournal {
      send(
        [("PRIORITY", "\(level.rawValue)"), ("MESSAGE", line)]
          + ([Field("ORIGIN", origin.rawValue)] + fields()).map {
            ("FORCETOUCHD_" + $0.name, $0.value)
          })
    } else {
      let bytes = Array("forcetouchd: \(origin.rawValue): \(line)\n".utf8)
      _ = bytes.withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
  }

  private static func isControl(_ character: Character) -> Bool {
    character.unicodeScalars.contains { $0.properties.generalCategory == .control }
  }

  /// As `write`, but only the first time for `subject` until ``forget(_:)``.
  func once(
    _ level: Level, _ origin: Origin, about subject: String, _ text: @autoclosure () -> String,
    _ fields: @autoclosure () -> [Field] = []
  ) {
    // What is told once must not itself grow without bound.
    guard told.count < 10_000, told.insert(subject).inserted else { return }
    write(level, origin, text(), fields())
  }

  /// The trouble with `subject` is over: a new one will be told.
  func forget(_ subject: String) {
    told.remove(subject)
  }

  // MARK: Journal

  /// Whether systemd connected standard error to the journal: JOURNAL_STREAM names the device and
  /// inode of that stream (`systemd.exec(5)`), and a child may have been given another since.
  private static func standardErrorIsJournal() -> Bool {
    guard let variable = getenv("JOURNAL_STREAM") else { return false }
    var status = stat()
    return fstat(STDERR_FILENO, &status) == 0
      && String(cString: variable) == "\(status.st_dev):\(status.st_ino)"
  }

  private func send(_ fields: [(name: String, value: String)]) {
    var bytes: [UInt8] = []
    var ends: [Int] = []
    for field in fields {
      bytes.append(contentsOf: "\(field.name)=\(field.value)".utf8)
      ends.append(bytes.count)
    }
    bytes.withUnsafeMutableBytes { buffer in
      var start = 0
      let vectors = ends.map { end in
        defer { start = end }
        return iovec(iov_base: buffer.baseAddress.map { $0 + start }, iov_len: end - start)
      }
      _ = sd_journal_sendv(vectors, Int32(vectors.count))
    }
  }
}
