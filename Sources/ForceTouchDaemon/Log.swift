import ForceTouchModel

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
  private let output = LogOutput.current()
  private var told: Set<String> = []

  /// So many lines about troubles, and so many others, are written in each ``window``; more are left
  /// out, and counted. A device with a loose plug, or a client that comes again and again, must not
  /// fill a disk. Thirty devices that come at once are told whole. Debugging lines are not counted:
  /// who asks for them wants them all.
  private static let mostLines = 200
  private static let window = Interval.milliseconds(10_000)
  private var windowEnd = MonotonicTime.now() + window
  private var lineCounts = (troubles: 0, others: 0)
  private var leftOutCount = 0

  /// Of troubles that are told once, so many are remembered at once.
  private static let mostSubjects = 10_000

  init(isVerbose: Bool) {
    self.isVerbose = isVerbose
  }

  func write(
    _ level: Level, _ origin: Origin, _ text: @autoclosure () -> String,
    _ fields: @autoclosure () -> [Field] = []
  ) {
    if level == .debug {
      guard isVerbose else { return }
    } else {
      guard hasRoom(isTrouble: level.rawValue <= Level.warning.rawValue) else { return }
    }
    if !send(level, origin, text(), fields()) { leftOutCount += 1 }
  }

  /// Whether a line may be written now. Tells first how many could not be.
  private func hasRoom(isTrouble: Bool) -> Bool {
    let now = MonotonicTime.now()
    if now >= windowEnd {
      windowEnd = now + Self.window
      lineCounts = (0, 0)
      let text = "\(leftOutCount) lines were left out here: too many, or nobody read"
      if leftOutCount > 0, send(.warning, .daemon, text, []) { leftOutCount = 0 }
    }
    let count: Int
    if isTrouble {
      lineCounts.troubles += 1
      count = lineCounts.troubles
    } else {
      lineCounts.others += 1
      count = lineCounts.others
    }
    if count > Self.mostLines { leftOutCount += 1 }
    return count <= Self.mostLines
  }

  private func send(_ level: Level, _ origin: Origin, _ text: String, _ fields: [Field]) -> Bool {
    let line = Self.clean(text)
    return output.write(
      "forcetouchd: \(origin.rawValue): \(line)",
      [("PRIORITY", "\(level.rawValue)"), ("MESSAGE", line)]
        + ([Field("ORIGIN", origin.rawValue)] + fields).map {
          ("FORCETOUCHD_" + $0.name, Self.clean($0.value))
        })
  }

  /// Names come from devices and keys from files: no line may pretend to be two, nor tell a
  /// terminal what to do.
  private static func clean(_ text: String) -> String {
    String(text.map { $0.isNewline || isControl($0) ? " " : $0 })
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
    guard told.count < Self.mostSubjects, told.insert(subject).inserted else { return }
    write(level, origin, text(), fields())
  }

  /// The trouble with `subject` is over: a new one will be told.
  func forget(_ subject: String) {
    told.remove(subject)
  }
}
