import ForceTouchActions
import ForceTouchModel
import ForceTouchProtocol
import Glibc
import Varlink

/// Follows the rules of an actions file until a signal ends it: one thread and one `poll(2)`, which
/// wakes for the daemon, for signals (of commands that ended among them) and for deadlines.
final class ActionRunner {
  private let path: String
  private let socket: String
  private let signals: Signals
  /// Started by a person at a terminal, whose hangup is then no wish to reload.
  private let hasTerminal = isatty(STDIN_FILENO) == 1
  private var follower: ActionFollower
  /// The press that was said yes to; a context has one at a time.
  private var press: ActionPress?

  private var link: PreviewingLink?
  private var registration: Registration = .none
  /// When to connect again.
  private var retryTime = Timestamp.zero
  private var backOff = ActionRunner.shortestBackOff
  /// That the daemon is away was said, and not yet that it is back.
  private var isAbsenceTold = false
  private var isReadyTold = false
  /// Touchscreens are not for us: it was refused.
  private var isWithoutTouchscreens = false
  private var isLackOfTouchscreensTold = false
  /// When to be gone, whatever is left.
  private var endTime: Timestamp?

  private enum Registration {
    case none
    case asked
    /// Registered; from this time on the daemon counts as there to stay.
    case young(until: Timestamp)
    case settled
  }

  private static let shortestBackOff = Interval.milliseconds(200)
  private static let longestBackOff = Interval.milliseconds(10_000)
  private static let youth = Interval.milliseconds(1000)

  init(path: String, rules: [ActionRule], socket: String) throws(CommandError) {
    self.path = path
    self.socket = socket
    follower = ActionFollower(rules)
    signals = try Signals([SIGTERM, SIGINT, SIGHUP, SIGCHLD])
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
      let now = Self.now()
      follower.advance(at: now)
      try keepLink(at: now)
      if wait(for: link, until: deadline) { try hear() }
      takeSignals()
    }
  }

  /// Until no command is left.
  private func finish() {
    while let endTime, Self.now() < endTime, !follower.processes.isEmpty {
      _ = wait(for: nil, until: min(endTime, follower.processes.deadline ?? endTime))
      takeSignals()
      follower.advance(at: Self.now())
    }
  }

  private func beginEnd() {
    guard endTime == nil else { return }
    let now = Self.now()
    // The daemon hears it by the connection, and asks others from now on.
    link = nil
    follower.endCommands(at: now)
    endTime = now + CommandProcesses.grace + .milliseconds(1000)
  }

  private var deadline: Timestamp? {
    var deadlines = [follower.processes.deadline]
    switch registration {
    case .none: deadlines.append(retryTime)
    case .young(let time): deadlines.append(time)
    case .asked, .settled: break
    }
    return deadlines.compactMap(\.self).min()
  }

  /// - Returns: Whether the link has something to hear.
  private func wait(for link: PreviewingLink?, until deadline: Timestamp?) -> Bool {
    var waited = [pollfd(fd: signals.descriptor, events: Int16(POLLIN), revents: 0)]
    if let link { waited.append(pollfd(fd: link.descriptor, events: Int16(POLLIN), revents: 0)) }
    // Rounded up, so that it is not early.
    let timeout = deadline.map { deadline in
      Int32(clamping: max(0, (deadline - Self.now()).microseconds) / 1000 + 1)
    }
    return poll(&waited, nfds_t(waited.count), timeout ?? -1) > 0
      && waited.count > 1 && waited[1].revents != 0
  }

  private static func now() -> Timestamp {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Timestamp(seconds: Int64(time.tv_sec), microseconds: Int64(time.tv_nsec) / 1000)
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
      for problem in file.problems { Output.complain(printable(problem.description)) }
      Output.complain("\(path) is not right; the rules of before stay in force")
      return
    }
    follower.rules = file.rules
    Output.complain("\(rulesInForce) now")
    tellLackOfTouchscreens()
  }

  private var rulesInForce: String {
    let count = follower.rules.count
    return printable("\(count) \(count == 1 ? "rule" : "rules") of \(path) in force")
  }

  // MARK: The daemon

  /// Connects when it is time to, and notices that a connection lasts.
  private func keepLink(at now: Timestamp) throws(CommandError) {
    switch registration {
    case .none:
      guard now >= retryTime else { return }
      do throws(ClientError) {
        let link = try PreviewingLink(socket: socket)
        try link.register(touchscreens: !isWithoutTouchscreens)
        self.link = link
        registration = .asked
      } catch {
        try lose(error)
      }
    case .young(let time):
      guard now >= time else { return }
      registration = .settled
      backOff = Self.shortestBackOff
      if isAbsenceTold { Output.complain("the daemon is there again") }
      isAbsenceTold = false
    case .asked, .settled: break
    }
  }

  /// Everything the daemon sent.
  private func hear() throws(CommandError) {
    guard let link else { return }
    do throws(ClientError) {
      try link.receive()
      while let message = try link.next() { try hear(message, link) }
    } catch {
      try lose(error)
    }
  }

  private func hear(
    _ message: PreviewingMessage.RegisterReply, _ link: PreviewingLink
  ) throws(ClientError) {
    if let snapshot = message.snapshot {
      registration = .young(until: Self.now() + Self.youth)
      if !isReadyTold {
        let wait =
          snapshot.active ? "" : "; they wait, for this user is not in front of an unlocked screen"
        Output.complain(rulesInForce + wait)
      }
      isReadyTold = true
      tellLackOfTouchscreens()
    }
    if let event = message.event { try hear(event, link) }
  }

  private func hear(
    _ event: PreviewingMessage.Event, _ link: PreviewingLink
  ) throws(ClientError) {
    switch event.event {
    case .question:
      let device = try link.device(event.device)
      let answer =
        device.map(follower.answer) ?? ActionAnswer(preview: false, allowsPop: false)
      let isTaken = try link.answer(event.interaction, with: answer)
      press =
        answer.preview && isTaken ? device.map { ActionPress(event, of: $0) } : nil
    case .peekProgress, .popProgress: press?.take(ActionPress.Sample(event))
    case .peek: tell(.peek, event)
    case .pop:
      tell(.pop, event)
      press = nil
    case .peekEnded:
      tell(.peekEnded, event)
      press = nil
    case .peekCancelled:
      tell(.peekCancelled, event)
      press = nil
    }
  }

  private func tell(_ trigger: ActionTrigger, _ event: PreviewingMessage.Event) {
    guard press?.interaction == event.interaction else { return }
    press?.take(ActionPress.Sample(event))
    tell(trigger, reason: event.reason?.rawValue)
  }

  private func tell(_ trigger: ActionTrigger, reason: String?) {
    guard var told = press, told.isWorthTelling(trigger) else { return }
    press = told
    follower.follow(trigger, of: told, reason: reason, at: Self.now())
  }

  /// The connection is gone, or never came to be: what is open is closed, and it is tried again.
  private func lose(_ error: ClientError) throws(CommandError) {
    if case .service(let name, _) = error {
      guard name == PermissionDenied.error(of: PreviewingMessage.interface),
        !isWithoutTouchscreens
      else {
        throw .failed("the daemon answered \(error); does it have another version?")
      }
      isWithoutTouchscreens = true
      link = nil
      registration = .none
      return
    }
    tell(.peekCancelled, reason: "connectionLost")
    press = nil
    link = nil
    registration = .none
    retryTime = Self.now() + backOff
    backOff = min(Interval(microseconds: backOff.microseconds * 2), Self.longestBackOff)
    if !isAbsenceTold {
      Output.complain("\(error); \(Connection.hint(socket)); trying again until it is there")
    }
    isAbsenceTold = true
  }

  /// Said when it is more than a thought: where there is a touchscreen that some rule is for.
  private func tellLackOfTouchscreens() {
    guard isWithoutTouchscreens, !isLackOfTouchscreensTold, let link else { return }
    let missed = link.devices.first { device in
      device.kind == .touchscreen && (device.capability == .available || device.estimated)
        && follower.answer(for: ActionDevice(device)).preview
    }
    guard let missed else { return }
    isLackOfTouchscreensTold = true
    Output.complain(
      "\(printable(missed.name)) is left out: touchscreens need membership in the group forcetouch: "
        + "`sudo usermod -aG forcetouch $USER` and log in again")
  }
}

extension ActionPress {
  init(_ event: PreviewingMessage.Event, of device: ActionDevice) {
    self.init(
      device: device, interaction: event.interaction,
      maximumPossibleForce: event.maximumPossibleForce, isEstimated: event.estimated ?? false,
      sample: Sample(event))
  }
}

extension ActionPress.Sample {
  init(_ event: PreviewingMessage.Event) {
    self.init(
      time: Timestamp(microseconds: event.time), pressure: event.pressure, force: event.force,
      grams: event.grams, location: event.location.map { ViewPoint(x: $0.x, y: $0.y) })
  }
}
