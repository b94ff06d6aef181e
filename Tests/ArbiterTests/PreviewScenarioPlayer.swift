import ForceTouchModel
import ForceTouchRecognition
import TestSupport

/// Plays a scenario: fingers through a recognizer for each device, its events and what programs do
/// through the arbiter.
struct PreviewScenarioPlayer {
  /// A device with its fingers.
  private struct Player {
    var recognizer: Recognizer
    /// By the scenario's number.
    var contacts: [(name: Int, contact: Contact)] = []
    var lastID: UInt32 = 0
    var isButtonHeld = false
    var clock: Interval
  }

  struct Received {
    var text: String
    var details: Set<String> = []
    var isProgress = false

    func matches(_ expectation: PreviewScenario.Expectation) -> Bool {
      text == expectation.text && details.isSuperset(of: expectation.details)
    }
  }

  private let scenario: PreviewScenario
  private var arbiter: PreviewArbiter
  private var devices: [Player] = []
  private var lastQuestions: [PreviewingContextID: InteractionID] = [:]
  private var contactEvents: [ContactEvent] = []
  private var events: [PreviewEvent] = []
  private(set) var received: [Received] = []
  private(set) var checker = PreviewChecker()

  init(_ scenario: PreviewScenario) throws {
    self.scenario = scenario
    arbiter = PreviewArbiter(settings: scenario.settings)
    let axes = (
      x: Axis(minimum: 0, maximum: 4000, resolution: 40),
      y: Axis(minimum: 0, maximum: 4000, resolution: 40)
    )
    var configuration = RecognizerConfiguration()
    configuration.peeksBesideOtherContacts = scenario.settings.peeksBesideOtherContacts
    let profile = try ForceProfile(floor: 0, average: 150, ceiling: 1000)
    for (index, device) in scenario.devices.enumerated() {
      arbiter.add(
        PreviewDevice(
          id: DeviceID(rawValue: UInt32(index)), kind: device.kind, seat: device.seat,
          screen: device.kind == .touchscreen ? ScreenMapping(axes: axes) : nil))
      devices.append(
        Player(
          recognizer: Recognizer(
            configuration: configuration,
            device: RecognizedDevice(kind: device.kind, profile: profile, positionAxes: axes)),
          clock: .milliseconds(device.clock)))
    }
  }

  mutating func play() {
    for input in scenario.inputs {
      let now = Timestamp(microseconds: input.milliseconds * 1000)
      meetDeadlines(until: now)
      play(input.action, at: now)
      take(at: now)
    }
    meetDeadlines(until: Timestamp(microseconds: 1_000_000_000))
  }

  private mutating func play(_ action: PreviewScenario.Action, at now: Timestamp) {
    switch action {
    case .wait: break
    case .frame(let device, let verbs):
      let frame = frame(of: device, verbs, at: now)
      devices[device].recognizer.process(frame, into: &contactEvents)
      process(device, at: now)
    case .cancel(let device, let reason): cancel(device, reason, at: now)
    case .remove(let device, let cancelsFirst):
      if cancelsFirst { cancel(device, .deviceRemoved, at: now) }
      arbiter.remove(DeviceID(rawValue: UInt32(device)), at: now, into: &events)
    case .register(let context):
      checker.register(context.id)
      arbiter.register(context, at: now, into: &events)
    case .context(let index, let verb):
      let context = PreviewingContextID(rawValue: UInt64(index))
      do {
        try call(verb, of: context, at: now)
      } catch let error as AnswerError {
        refuse(context, "\(error)", at: now)
      } catch let error as ClaimError {
        refuse(context, "\(error)", at: now)
      } catch {
        refuse(context, "unknown: \(error)", at: now)
      }
    }
  }

  private mutating func call(
    _ verb: PreviewScenario.ContextVerb, of context: PreviewingContextID, at now: Timestamp
  ) throws {
    switch verb {
    case .unregister: arbiter.unregister(context, at: now, into: &events)
    case .setActive(let isActive):
      arbiter.setActive(isActive, context, at: now, into: &events)
    case .setDormant(let isDormant):
      arbiter.setDormant(isDormant, context, at: now, into: &events)
    case .claim(let milliseconds):
      try arbiter.claim(
        UInt32(truncatingIfNeeded: milliseconds), by: context, at: now, into: &events)
    case .answer(let number, let answer):
      let interaction =
        number.map { InteractionID(rawValue: UInt64($0)) } ?? lastQuestions[context]
        ?? InteractionID(rawValue: 1)
      try arbiter.answer(interaction, of: context, with: answer, at: now, into: &events)
      checker.answer(context, interaction, answer, at: now)
    }
  }

  /// A refusal stands after what the call caused before it was refused.
  private mutating func refuse(
    _ context: PreviewingContextID, _ error: String, at now: Timestamp
  ) {
    take(at: now)
    received.append(Received(text: "\(text(now)) \(name(context)) refused(\(error))"))
  }

  private mutating func cancel(_ device: Int, _ reason: CancelReason, at now: Timestamp) {
    devices[device].recognizer.cancel(
      reason, at: now + devices[device].clock, into: &contactEvents)
    process(device, at: now)
  }

  private mutating func process(_ device: Int, at now: Timestamp) {
    arbiter.process(
      contactEvents, of: DeviceID(rawValue: UInt32(device)), at: now, into: &events)
    contactEvents.removeAll()
  }

  private mutating func frame(
    of device: Int, _ verbs: [(contact: Int, verb: PreviewScenario.FingerVerb)], at now: Timestamp
  ) -> ContactFrame {
    devices[device].contacts.removeAll { $0.contact.phase != .began && $0.contact.phase != .stayed }
    for index in devices[device].contacts.indices {
      devices[device].contacts[index].contact.phase = .stayed
    }
    for (name, verb) in verbs {
      func change(_ change: (inout Contact) -> Void) {
        guard let index = devices[device].contacts.firstIndex(where: { $0.name == name }) else {
          return
        }
        change(&devices[device].contacts[index].contact)
      }
      switch verb {
      case .down, .alreadyDown:
        devices[device].lastID += 1
        var contact = Contact(
          id: ContactID(rawValue: devices[device].lastID), slot: Int32(name - 1),
          position: Position(x: 2000, y: 2000), rawPressure: 50)
        if case .alreadyDown = verb { contact.wasAlreadyDown = true }
        devices[device].contacts.append((name, contact))
      case .up: change { $0.phase = .ended }
      case .lost: change { $0.phase = .cancelled(.dropped) }
      case .pressure(let pressure): change { $0.rawPressure = Int32((pressure * 1000).rounded()) }
      case .at(let x, let y):
        change { $0.position = Position(x: Int32(x * 4000), y: Int32(y * 4000)) }
      case .nowhere: change { $0.position = nil }
      case .tool(let tool): change { $0.tool = tool }
      case .button(let isDown): devices[device].isButtonHeld = isDown
      }
    }
    devices[device].contacts.sort { $0.contact.slot < $1.contact.slot }
    return ContactFrame(
      time: now + devices[device].clock, isButtonHeld: devices[device].isButtonHeld,
      contacts: devices[device].contacts.map(\.contact))
  }

  private mutating func meetDeadlines(until now: Timestamp) {
    while true {
      var due: (device: Int?, time: Timestamp)?
      if let deadline = arbiter.deadline { due = (nil, deadline) }
      for (index, device) in devices.enumerated() {
        guard let deadline = device.recognizer.deadline else { continue }
        let time = Timestamp(
          microseconds: deadline.microseconds - device.clock.microseconds)
        if time < due?.time ?? Timestamp(microseconds: .max) { due = (index, time) }
      }
      guard let due, due.time <= now else { return }
      if let device = due.device {
        devices[device].recognizer.timeout(
          at: due.time + devices[device].clock, into: &contactEvents)
        process(device, at: due.time)
      } else {
        arbiter.timeout(at: due.time, into: &events)
      }
      take(at: due.time)
      // A deadline that stays would be met for ever.
      if due.device == nil && arbiter.deadline == due.time { return }
    }
  }

  // MARK: What was heard

  private mutating func take(at now: Timestamp) {
    checker.take(events, at: now)
    for event in events {
      if case .question = event.kind { lastQuestions[event.context] = event.interaction }
      let heard = describe(event, at: now)
      if scenario.comparesProgress || !heard.isProgress { received.append(heard) }
    }
    events.removeAll()
  }

  private func describe(_ event: PreviewEvent, at now: Timestamp) -> Received {
    let clock = devices[Int(event.device.rawValue)].clock.microseconds
    var heard = Received(text: "\(text(now)) \(name(event.context)) ")
    heard.details = [
      "#\(event.interaction.rawValue)",
      "pressed \((event.time.microseconds - clock) / 1000)ms",
    ]
    var claim = ""
    switch event.kind {
    case .question(let timeout, let claimed):
      heard.text += "question"
      heard.details.insert("timeout \(timeout.microseconds / 1000)ms")
      if let claimed { claim = " claimed \(claimed)ms" }
    case .peekProgress(let progress):
      heard.text += "peekProgress \(progress.inHundredths)"
      heard.isProgress = true
    case .popProgress(let progress):
      heard.text += "popProgress \(progress.inHundredths)"
      heard.isProgress = true
    case .peek: heard.text += "peek"
    case .pop: heard.text += "pop"
    case .peekEnded: heard.text += "peekEnded"
    case .peekCancelled(let reason): heard.text += "peekCancelled(\(reason.rawValue))"
    }
    if let location = event.location {
      heard.text += " at \(location.x.inHundredths),\(location.y.inHundredths)"
    }
    heard.text += claim
    return heard
  }

  private func text(_ time: Timestamp) -> String { "\(time.microseconds / 1000)ms" }

  private func name(_ context: PreviewingContextID) -> String {
    scenario.contextNames[Int(context.rawValue)]
  }

  /// Expected and received side by side.
  static func table(_ expected: [PreviewScenario.Expectation], _ received: [Received]) -> String {
    func text(_ expectation: PreviewScenario.Expectation) -> String {
      ([expectation.text] + expectation.details.sorted()).joined(separator: " ")
    }
    let width = 1 + max(8, expected.map { text($0).count }.max() ?? 0)
    func row(_ mark: String, _ left: String, _ right: String) -> String {
      mark + " " + left + String(repeating: " ", count: width - left.count) + right
    }
    var rows = [row(" ", "expected", "received")]
    for index in 0..<max(expected.count, received.count) {
      let left = index < expected.count ? expected[index] : nil
      let right = index < received.count ? received[index] : nil
      let isSame = if let left, let right { right.matches(left) } else { false }
      let heard = right.map { ([$0.text] + $0.details.sorted()).joined(separator: " ") }
      rows.append(row(isSame ? " " : "✗", left.map(text) ?? "", heard ?? ""))
    }
    return rows.joined(separator: "\n")
  }
}
