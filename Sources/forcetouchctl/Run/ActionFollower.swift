import ForceTouchActions
import ForceTouchModel
import Glibc

/// Starts the commands of the rules that something is a matter for, and says what goes wrong with
/// them: once for each rule, until it goes right or differently wrong.
struct ActionFollower {
  private struct Followed {
    var rule: ActionRule
    var rate: ActionRate
    var complaint: String?
  }

  private var followed: [Followed] = []
  /// Counts up with every reading of the file: an older command is no rule's any more.
  private var generation = 0
  private(set) var processes = CommandProcesses()
  private var isFullTold = false
  /// What commands inherit.
  private let environment: [String]

  init(_ rules: [ActionRule]) {
    // What is left of a press in whose command we run ourselves would be mistaken for this one's.
    // Whom we tell that we are ready is nobody else's business.
    let ours = ActionPress.variables.union(["NOTIFY_SOCKET"])
    environment = Self.inheritedEnvironment().filter { entry in
      !ours.contains(String(entry.prefix { $0 != "=" }))
    }
    self.rules = rules
  }

  var rules: [ActionRule] {
    get { followed.map(\.rule) }
    set {
      followed = newValue.map { Followed(rule: $0, rate: ActionRate(interval: $0.interval)) }
      generation += 1
    }
  }

  func answer(for device: ActionDevice) -> ActionAnswer {
    rules.answer(for: device, resolve: LiveNode.resolve)
  }

  /// Starts what the rules want for this.
  mutating func follow(
    _ trigger: ActionTrigger, of press: ActionPress, reason: String? = nil, at now: Timestamp
  ) {
    for index in followed.indices {
      let rule = followed[index].rule
      guard rule.triggers.contains(trigger),
        rule.concerns(press.device, resolve: LiveNode.resolve)
      else { continue }
      guard !processes.isFull else {
        if !isFullTold {
          Output.complain(
            "\(CommandProcesses.limit) commands are running already; until one ends, no other starts"
          )
        }
        isFullTold = true
        return
      }
      guard followed[index].rate.allows(at: now) else { continue }
      let variables = press.environment(of: trigger, reason: reason).map {
        "\($0.name)=\($0.value)"
      }
      let code = processes.start(
        rule.command.arguments, environment: environment + variables,
        tag: generation << 32 | index, until: now + rule.timeout)
      if code != 0 {
        complain(
          index, "cannot start \(rule.command.arguments[0]): \(String(cString: strerror(code)))")
      }
    }
  }

  /// Takes the commands that ended, and ends those whose time is up.
  mutating func advance(at now: Timestamp) {
    for (tag, end) in processes.advance(at: now) {
      isFullTold = false
      let index = tag & 0xffff_ffff
      guard tag >> 32 == generation, followed.indices.contains(index) else { continue }
      switch end {
      case .exited(0): followed[index].complaint = nil
      case .exited(let status): complain(index, "the command failed with status \(status)")
      case .signaled(let number):
        complain(
          index, "the command was ended by signal \(number): \(String(cString: strsignal(number)))")
      case .ended:
        complain(index, "the command took too long and was ended")
      }
    }
  }

  mutating func endCommands(at now: Timestamp) {
    // What ends now ends because we wanted it to.
    generation += 1
    processes.end(at: now)
  }

  private mutating func complain(_ index: Int, _ text: String) {
    guard followed[index].complaint != text else { return }
    followed[index].complaint = text
    Output.complain("\(followed[index].rule.mark): \(text)")
  }

  private static func inheritedEnvironment() -> [String] {
    var entries: [String] = []
    var next = environ
    while let entry = next.pointee {
      entries.append(String(cString: entry))
      next += 1
    }
    return entries
  }
}
