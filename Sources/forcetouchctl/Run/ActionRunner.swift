import ForceTouch
import ForceTouchActions
import ForceTouchModel
import ForceTouchProtocol
import Glibc

/// Follows the rules of an actions file until a signal ends it: one thread and one `poll(2)`, which
/// wakes for the daemon, for signals (of commands that ended among them) and for deadlines.
final class ActionRunner {
  private let path: String
  private let socket: String
  private let signals: Signals
  /// Started by a person at a terminal, whose hangup is then no wish to reload.
  private let hasTerminal = isatty(STDIN_FILENO) == 1
  private var follower: ActionFollower

  private var context: ActionContext?
  /// From when on the daemon, which is back, counts as there to stay.
  private var settleTime: Timestamp?
  /// That the daemon is away was said, and not yet that it is back.
  private var isAbsenceTold = false
  private var isReadyTold = false
  private var isLackOfTouchscreensTold = false
  /// When to be gone, whatever is left.
  private var endTime: Timestamp?

  private static let youth = Interval.milliseconds(1000)

  init(path: String, rules: [ActionRule], socket: String) throws(CommandError) {
    self.path = path
    self.socket = socket
    follower = ActionFollower(rules)
    signals = try Signals([SIGTERM, SIGINT, SIGHUP, SIGCHLD])
    do throws(ForceTouchError) {
      context = try ActionContext(
        socket: socket, answer: { [unowned self] in follower.answer(for: $0) },
        follow: { [unowned self] in follower.follow($0, of: $1, reason: $2, at: .now()) })
    } catch {
      throw .failed("\(error)")
    }
  }

  /// - Throws: What waiting does not make better.
  func run() throws(CommandError) {
    do throws(CommandError) {
      try follow()
    } catch {
      beginEnd()
      finish()
      throw error
    }
    finish()
  }

  /// Until a signal says that it is enough.
  private func follow() throws(CommandError) {
    while endTime == nil {
      context?.dispatch()
      try tellState(at: .now())
      follower.advance(at: .now())
      wait(until: [settleTime, follower.processes.deadline].compactMap(\.self).min())
      takeSignals()
    }
  }

  /// Until no command is left.
  private func finish() {
    while let endTime, .now() < endTime, !follower.processes.isEmpty {
      wait(until: min(endTime, follower.processes.deadline ?? endTime))
      takeSignals()
      follower.advance(at: .now())
    }
  }

  private func beginEnd() {
    guard endTime == nil else { return }
    let now = Timestamp.now()
    // The daemon hears it by the connection, and asks others from now on.
    context = nil
    follower.endCommands(at: now)
    endTime = now + CommandProcesses.grace + .milliseconds(1000)
  }

  private func wait(until deadline: Timestamp?) {
    var waited = ([signals.descriptor] + (context?.descriptors ?? [])).map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    let rest = deadline.map { $0 - .now() }
    _ = poll(&waited, nfds_t(waited.count), rest?.timeout ?? -1)
  }

  // MARK: Signals

  private func takeSignals() {
    let pending = signals.take()
    let isHungUp = pending.contains(SIGHUP) && hasTerminal && isatty(STDIN_FILENO) == 0
    if pending.contains(SIGTERM) || pending.contains(SIGINT) || isHungUp { return beginEnd() }
    if pending.contains(SIGHUP) && endTime == nil { reload() }
  }

  /// A file that is not right in every line changes nothing: who reloads has a state that works.
  private func reload() {
    let file = ActionsFile(contentsOf: path)
    guard file.problems.isEmpty else {
      for problem in file.problems { Output.complain(problem.description) }
      Output.complain("\(path) is not right; the rules of before stay in force")
      return
    }
    follower.rules = file.rules
    Output.complain("\(rulesInForce) now")
  }

  private var rulesInForce: String {
    "\(counted(follower.rules.count, "rule")) of \(path) in force"
  }

  // MARK: The daemon

  /// Says once what became of the daemon: that it is away, that it is back, what it refuses.
  private func tellState(at now: Timestamp) throws(CommandError) {
    guard let context else { return }
    if let refusal = context.refusal ?? context.connectionError?.refusal {
      throw .failed("\(refusal); does the daemon have another version?")
    }
    if let error = context.connectionError {
      settleTime = nil
      if !isAbsenceTold {
        Output.complain("\(error); \(Connection.hint(socket)); trying again until it is there")
      }
      isAbsenceTold = true
    } else if context.isRegistered {
      tellReadiness(context)
      if isAbsenceTold { tellReturn(at: now) }
      tellLackOfTouchscreens()
    }
  }

  private func tellReadiness(_ context: ActionContext) {
    guard !isReadyTold else { return }
    isReadyTold = true
    let wait =
      context.isDormant ? "; they wait, for this user is not in front of an unlocked screen" : ""
    Output.complain(rulesInForce + wait)
  }

  /// A daemon that comes and goes is not told of each time.
  private func tellReturn(at now: Timestamp) {
    let settleTime = settleTime ?? now + Self.youth
    self.settleTime = settleTime
    guard now >= settleTime else { return }
    self.settleTime = nil
    isAbsenceTold = false
    Output.complain("the daemon is there")
  }

  /// Said when it is more than a thought: where there is a touchscreen that some rule is for.
  private func tellLackOfTouchscreens() {
    guard let context, !context.hasTouchscreens, !isLackOfTouchscreensTold else { return }
    let missed = context.devices.first { device in
      device.kind == .touchscreen && (device.capability == .available || device.estimated)
        && follower.answer(for: ActionDevice(device)).preview
    }
    guard let missed else { return }
    isLackOfTouchscreensTold = true
    Output.complain(
      "\(missed.name) is left out: touchscreens need membership in the group forcetouch: "
        + "`sudo usermod -aG forcetouch $USER` and log in again")
  }
}

extension ForceTouchError {
  /// Itself, where waiting makes nothing better.
  fileprivate var refusal: ForceTouchError? {
    if case .refused = self { self } else { nil }
  }
}
