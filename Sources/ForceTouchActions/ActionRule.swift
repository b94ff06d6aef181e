public import ForceTouchModel
public import YAML

/// What a command can be run on. Raw values: the words of the file, which are those of the wire.
public enum ActionTrigger: String, Sendable, CaseIterable {
  case peek
  case pop
  /// The finger lifted after a peek without a pop.
  case peekEnded
  /// The other end of a peek: it was taken back, and the finger may still be down.
  case peekCancelled
}

/// What a rule runs.
public enum ActionCommand: Equatable, Sendable {
  /// A program with its arguments, as they are.
  case program([String])
  /// A line for `/bin/sh`.
  case shell(String)

  /// The argument list to start; its first is the program, looked for in `PATH` unless it has a
  /// slash.
  public var arguments: [String] {
    switch self {
    case .program(let arguments): arguments
    case .shell(let line): ["/bin/sh", "-c", line]
    }
  }
}

/// A device as rules name it.
public struct ActionDevice: Equatable, Sendable {
  /// Its name at the daemon, as `d1`.
  public var id: String
  /// Its own name.
  public var name: String
  /// In `/dev/input`; nil for a recording.
  public var node: String?

  public init(id: String, name: String, node: String? = nil) {
    self.id = id
    self.name = name
    self.node = node
  }
}

/// A rule of an actions file: what to run when, for which device.
public struct ActionRule: Equatable, Sendable {
  public var triggers: [ActionTrigger]
  /// Its name at the daemon, its node or a link to that, or its own name; nil: any device.
  public var device: String?
  public var command: ActionCommand
  /// How long the command may run.
  public var timeout = ActionRule.defaultTimeout
  /// The shortest time between two starts; nil: no limit.
  public var interval: Interval?
  /// Where it stands.
  public var mark: YAMLMark

  public static let defaultTimeout = Interval.milliseconds(10_000)

  public init(
    triggers: [ActionTrigger], device: String? = nil, command: ActionCommand, mark: YAMLMark
  ) {
    self.triggers = triggers
    self.device = device
    self.command = command
    self.mark = mark
  }

  /// - Parameter resolve: Follows a link to a node; gives back what is no link.
  public func concerns(_ device: ActionDevice, resolve: (String) -> String) -> Bool {
    guard let wanted = self.device else { return true }
    if wanted == device.id || wanted == device.name { return true }
    return wanted.hasPrefix("/") && resolve(wanted) == device.node
  }

  /// What it does, in a sentence.
  public var meaning: String {
    let what =
      switch command {
      case .program(let arguments):
        "run [" + arguments.map(YAMLNode.quoted).joined(separator: ", ") + "]"
      case .shell(let line): "let the shell run " + YAMLNode.quoted(line)
      }
    let limit = interval.map { ", at most every \($0.microseconds / 1000) ms" } ?? ""
    return "on " + triggers.map(\.rawValue).joined(separator: " or ") + " of "
      + (device.map(YAMLNode.quoted) ?? "any device") + ": " + what
      + ", for \(seconds(timeout)) s at most" + limit
  }

  private func seconds(_ interval: Interval) -> String {
    let milliseconds = interval.microseconds / 1000
    return milliseconds % 1000 == 0
      ? "\(milliseconds / 1000)" : "\(Double(milliseconds) / 1000)"
  }
}

/// What a question is answered with.
public struct ActionAnswer: Equatable, Sendable {
  public var preview: Bool
  public var allowsPop: Bool

  public init(preview: Bool, allowsPop: Bool) {
    self.preview = preview
    self.allowsPop = allowsPop
  }
}

extension [ActionRule] {
  /// Yes only if some rule may follow, so that others are asked where none does; the pop only if
  /// some rule is for it, so that the peek otherwise stays until the finger lifts.
  public func answer(for device: ActionDevice, resolve: (String) -> String) -> ActionAnswer {
    let rules = filter { $0.concerns(device, resolve: resolve) }
    return ActionAnswer(
      preview: !rules.isEmpty, allowsPop: rules.contains { $0.triggers.contains(.pop) })
  }
}

/// How often a rule may start its command.
public struct ActionRate: Sendable {
  private let interval: Interval?
  private var last: Timestamp?

  public init(interval: Interval?) { self.interval = interval }

  /// Whether the command may start at this time; if so, the next may not for the interval.
  public mutating func allows(at time: Timestamp) -> Bool {
    if let interval, let last, time - last < interval { return false }
    last = time
    return true
  }
}
