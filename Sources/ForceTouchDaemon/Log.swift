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

  private let isVerbose: Bool
  /// systemd reads the level from a `<n>` in front of the line.
  private let hasJournal = getenv("JOURNAL_STREAM") != nil
  private var told: Set<String> = []

  init(isVerbose: Bool) {
    self.isVerbose = isVerbose
  }

  func write(_ level: Level, _ origin: Origin, _ text: @autoclosure () -> String) {
    guard level != .debug || isVerbose else { return }
    let prefix = hasJournal ? "<\(level.rawValue)>" : "forcetouchd: "
    // Names come from devices and paths from clients: no line may pretend to be two.
    let line = text().map { $0.isNewline || $0 == "\u{1b}" ? " " : $0 }
    let bytes = Array((prefix + origin.rawValue + ": " + String(line) + "\n").utf8)
    _ = bytes.withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }

  /// As `write`, but only the first time for `subject` until ``forget(_:)``.
  func once(
    _ level: Level, _ origin: Origin, about subject: String, _ text: @autoclosure () -> String
  ) {
    // What is told once must not itself grow without bound.
    guard told.count < 10_000, told.insert(subject).inserted else { return }
    write(level, origin, text())
  }

  /// The trouble with `subject` is over: a new one will be told.
  func forget(_ subject: String) {
    told.remove(subject)
  }
}
