internal import ForceTouchModel
public import YAML

/// The rules of an actions file, and what is wrong with it.
public struct ActionsFile: Equatable, Sendable {
  public private(set) var rules: [ActionRule] = []
  /// In the order of the file. A rule with a problem is no rule.
  public private(set) var problems: [YAMLError] = []
  /// Whether it is a list of rules at all; if not, the problem is the file's.
  public private(set) var isReadable = true

  public init(contentsOf path: String) {
    self.init(name: path) { () throws(YAMLError) in try YAMLNode(contentsOf: path) }
  }

  /// - Parameter file: The name that places carry.
  public init(file: String, bytes: [UInt8]) {
    self.init(name: file) { () throws(YAMLError) in try YAMLNode(file: file, bytes: bytes) }
  }

  private init(name: String, read: () throws(YAMLError) -> YAMLNode?) {
    do throws(YAMLError) {
      for element in try read()?.elements() ?? [] { take(element) }
      if rules.isEmpty && problems.isEmpty {
        problems.append(YAMLError("there is no rule in \(name)", at: nil))
      }
    } catch {
      problems.append(error)
      isReadable = false
    }
  }

  private mutating func take(_ node: YAMLNode) {
    var reader = RuleReader(mark: node.mark)
    reader.read(node)
    problems += reader.problems.sorted { $0.place < $1.place }
    if let rule = reader.rule { rules.append(rule) }
  }
}

/// Reads one rule, to its end whatever is wrong, so that all of it is said at once.
private struct RuleReader {
  let mark: YAMLMark
  private var triggers: [ActionTrigger] = []
  private var device: String?
  private var commands: [ActionCommand] = []
  private var timeout = ActionRule.defaultTimeout
  private var interval: Interval?
  private(set) var problems: [YAMLError] = []

  init(mark: YAMLMark) { self.mark = mark }

  /// nil when something is wrong.
  var rule: ActionRule? {
    guard problems.isEmpty, let command = commands.first else { return nil }
    var rule = ActionRule(triggers: triggers, device: device, command: command, mark: mark)
    rule.timeout = timeout
    rule.interval = interval
    return rule
  }

  mutating func read(_ node: YAMLNode) {
    let entries: [YAMLNode.Entry]
    do throws(YAMLError) {
      entries = try node.entries()
    } catch {
      problems.append(error)
      return
    }
    for entry in entries {
      do throws(YAMLError) {
        try take(entry)
      } catch {
        problems.append(error)
      }
    }
    let keys = Set(entries.map(\.key))
    if !keys.contains("on") { problems.append(YAMLError("on is missing", at: mark)) }
    switch (keys.contains("run"), keys.contains("shell")) {
    case (false, false): problems.append(YAMLError("run is missing, or shell", at: mark))
    case (true, true): problems.append(YAMLError("either run or shell, not both", at: mark))
    case (true, false), (false, true): break
    }
  }

  private enum Key: String, CaseIterable {
    case on, device, run, shell
    case timeout = "timeout-s"
    case interval = "at-most-every-ms"
  }

  private mutating func take(_ entry: YAMLNode.Entry) throws(YAMLError) {
    guard let key = Key(rawValue: entry.key) else {
      throw .unknownKey(entry, among: Key.allCases.map(\.rawValue))
    }
    switch key {
    case .on: triggers = try triggers(entry.value)
    case .device: device = try text(entry.value)
    case .run: commands.append(.program(try arguments(entry.value)))
    case .shell: commands.append(.shell(try text(entry.value)))
    case .timeout:
      let seconds = try entry.value.number()
      guard (0.1...86_400).contains(seconds) else {
        throw YAMLError("must lie between 0.1 and 86400", at: entry.value.mark)
      }
      timeout = .milliseconds(Int64((seconds * 1000).rounded()))
    case .interval:
      interval = .milliseconds(try entry.value.integer(in: 1...3_600_000))
    }
  }

  /// One event, or a list of some.
  private func triggers(_ node: YAMLNode) throws(YAMLError) -> [ActionTrigger] {
    var nodes = [node]
    if case .sequence(let elements) = node.content { nodes = elements }
    if nodes.isEmpty { throw YAMLError("expected an event", at: node.mark) }
    var triggers: [ActionTrigger] = []
    for node in nodes {
      guard let trigger = ActionTrigger(rawValue: try node.string()) else {
        throw YAMLError("expected peek, pop, peekEnded or peekCancelled", at: node.mark)
      }
      guard !triggers.contains(trigger) else {
        throw YAMLError("\(trigger.rawValue) stands here twice", at: node.mark)
      }
      triggers.append(trigger)
    }
    return triggers
  }

  private func arguments(_ node: YAMLNode) throws(YAMLError) -> [String] {
    guard case .sequence(let elements) = node.content else {
      throw YAMLError(
        "expected a list, as [notify-send, Peek]; a line for the shell goes under shell",
        at: node.mark)
    }
    guard let program = elements.first else {
      throw YAMLError("the command is empty", at: node.mark)
    }
    var arguments = [try text(program)]
    for element in elements.dropFirst() {
      arguments.append(try withoutNUL(try element.string(), element))
    }
    return arguments
  }

  /// A text that is more than spaces.
  private func text(_ node: YAMLNode) throws(YAMLError) -> String {
    let text = try node.string()
    guard text.contains(where: { !$0.isWhitespace }) else {
      throw YAMLError("must not be empty", at: node.mark)
    }
    return try withoutNUL(text, node)
  }

  /// For the kernel a text ends there.
  private func withoutNUL(_ text: String, _ node: YAMLNode) throws(YAMLError) -> String {
    guard !text.unicodeScalars.contains("\0") else {
      throw YAMLError("must not hold a NUL", at: node.mark)
    }
    return text
  }
}

extension YAMLError {
  fileprivate var place: (Int, Int) { mark.map { ($0.line, $0.column) } ?? (0, 0) }
}
