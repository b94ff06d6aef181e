import ForceTouchModel
import ForceTouchRecognition
import Foundation
import TestSupport
import Testing

/// Whatever fingers, programs and sessions do, and in whatever order, the rules hold.
@Suite struct RandomPreviewTests {
  static let steps =
    ProcessInfo.processInfo.environment["FORCETOUCH_LONG_TESTS"] == "1" ? 1_000_000 : 40_000

  @Test(arguments: [UInt64(1), 2, 3, 4])
  func randomInterleavingsKeepToTheRules(seed: UInt64) {
    var world = RandomPreviews(
      seed: seed, peeksBesideOtherContacts: seed % 2 == 0, isPunctual: seed <= 2)
    for step in 0..<Self.steps / 4 {
      world.step()
      guard world.rules.problems.isEmpty, world.checker.problems.isEmpty else {
        Issue.record("step \(step): \(world.rules.problems) \(world.checker.problems)")
        return
      }
    }
    world.finish()
    #expect(world.rules.problems.isEmpty, "\(world.rules.problems)")
    #expect(world.checker.problems.isEmpty, "\(world.checker.problems)")
    // A property that nothing exercises proves nothing.
    var expected = [
      "question", "next question", "claimed question", "silence", "suspension", "no", "yes",
      "late yes", "missed", "peek", "pop", "peekEnded",
    ]
    let reasons: [PreviewCancelReason] = [
      .lifted, .unregistered, .sessionInactive, .deviceRemoved, .suspended, .dropped, .moved,
      .palm,
    ]
    expected += reasons.map(\.rawValue)
    if seed % 2 == 1 { expected.append("otherContact") }
    for what in expected { #expect(world.rules.seen[what, default: 0] >= 3, "\(what)") }
  }
}

/// Fingers, programs and sessions that do at random what they may.
struct RandomPreviews {
  private(set) var rules: PreviewRules
  private(set) var checker = PreviewChecker()
  private var arbiter: PreviewArbiter
  private var generator: SeededGenerator
  private var now = Timestamp(microseconds: 1_000_000)
  private var devices: [PreviewDevice] = []
  private var lastDevice: UInt32 = 0
  private var lastContext: UInt64 = 0
  private var lastFinger: UInt32 = 0
  private var events: [PreviewEvent] = []
  /// The last touches on screens, to be claimed.
  private var touches: [UInt32] = []

  init(seed: UInt64, peeksBesideOtherContacts: Bool, isPunctual: Bool) {
    generator = SeededGenerator(seed: seed)
    var settings = PreviewSettings()
    settings.peeksBesideOtherContacts = peeksBesideOtherContacts
    settings.wrongClaims = 3
    rules = PreviewRules(settings: settings, isPunctual: isPunctual)
    arbiter = PreviewArbiter(settings: settings)
    for _ in 0..<3 { addDevice() }
    for _ in 0..<4 { register() }
  }

  private mutating func chance(_ oneIn: Int) -> Bool { generator.chance(oneIn) }

  mutating func step() {
    if chance(2) { pass(Int64.random(in: 0...15_000, using: &generator)) }
    if chance(60) { pass(70_000) }
    switch Int.random(in: 0..<100, using: &generator) {
    case 0..<50: frame()
    case 50..<75: answer()
    case 75..<83: claim()
    case 83..<90: setActive()
    case 90..<93: setDormant()
    case 93..<95: if rules.contexts.count < 7 { register() }
    case 95..<97: if rules.contexts.count > 3 { unregister() }
    case 97..<98: replaceDevice()
    default: cancelDevice()
    }
  }

  mutating func finish() {
    for device in devices { remove(device) }
    for finger in rules.fingers { Issue.record("\(finger) is left") }
    checker.finish()
    #expect(arbiter.deadline == nil)
  }

  // MARK: Inputs

  private mutating func take(reasons: Set<PreviewCancelReason>) {
    rules.take(events, at: now, reasons: reasons)
    checker.take(events, at: now)
    events.removeAll(keepingCapacity: true)
    let due = rules.fingers.compactMap { $0.open }.filter { $0.allowsPop == nil }.map(\.until).min()
    if due != arbiter.deadline {
      Issue.record("deadline \(arbiter.deadline as Any), not \(due as Any)")
    }
  }

  /// Time passes. A deadline is met on its own, so that what follows is judged on its own.
  private mutating func pass(_ microseconds: Int64) {
    let end = now + Interval(microseconds: microseconds)
    while let deadline = arbiter.deadline, deadline <= end {
      now = rules.isPunctual ? max(now, deadline) : end
      // Without, the next input gives the same before anything else.
      var late = arbiter
      var lateEvents: [PreviewEvent] = []
      late.setActive(true, PreviewingContextID(rawValue: 0), at: now, into: &lateEvents)
      rules.endSilences(at: now)
      arbiter.timeout(at: now, into: &events)
      if events != lateEvents { Issue.record("\(lateEvents) instead of \(events)") }
      take(reasons: [])
      if arbiter.deadline == deadline {
        Issue.record("a deadline that stays")
        return
      }
    }
    now = end
  }

  private mutating func addDevice() {
    lastDevice += 1
    let isScreen = lastDevice % 2 == 0
    let axis = Axis(minimum: 0, maximum: 4000)
    let device = PreviewDevice(
      id: DeviceID(rawValue: lastDevice), kind: isScreen ? .touchscreen : .trackpad,
      seat: chance(8) ? (chance(2) ? "seat1" : nil) : "seat0",
      screen: isScreen ? ScreenMapping(axes: (axis, axis)) : nil)
    devices.append(device)
    arbiter.add(device)
  }

  private mutating func remove(_ device: PreviewDevice) {
    rules.gone = rules.fingers.filter { $0.device.id == device.id }
    rules.fingers.removeAll { $0.device.id == device.id }
    arbiter.remove(device.id, at: now, into: &events)
    devices.removeAll { $0.id == device.id }
    take(reasons: [.deviceRemoved])
  }

  private mutating func replaceDevice() {
    guard let device = devices.randomElement(using: &generator) else { return }
    remove(device)
    addDevice()
  }

  private mutating func cancelDevice() {
    guard let device = devices.randomElement(using: &generator) else { return }
    let cancelled = rules.fingers.filter { $0.device.id == device.id }
    rules.gone = cancelled
    rules.fingers.removeAll { $0.device.id == device.id }
    arbiter.process(
      cancelled.map { event(.cancelled(.suspended), $0) }, of: device.id, at: now, into: &events)
    take(reasons: [.suspended])
  }

  private mutating func register() {
    lastContext += 1
    let coverage: PreviewingContext.Coverage
    switch Int.random(in: 0..<6, using: &generator) {
    case 0:
      let region = ScreenRegion(
        x: chance(2) ? 0 : 0.4, y: 0, width: chance(2) ? 1 : 0.6, height: chance(2) ? 1 : 0.5)
      coverage = .region(region ?? .wholeScreen, size: .unit)
    case 1: coverage = .everything(includingTouchscreens: chance(2))
    default: coverage = .view(size: nil)
    }
    let context = PreviewingContext(
      id: PreviewingContextID(rawValue: lastContext), coverage: coverage,
      device: chance(8) ? devices.randomElement(using: &generator)?.id : nil,
      seat: chance(6) ? (chance(2) ? nil : "seat1") : "seat0",
      user: UInt32.random(in: 0..<2, using: &generator), isActive: chance(2) ? true : nil,
      isDormant: chance(10))
    rules.register(context)
    checker.register(context.id)
    arbiter.register(context, at: now, into: &events)
    take(reasons: [])
  }

  /// Some programs hang: they hardly ever answer or call.
  private mutating func hangs(_ context: PreviewingContextID) -> Bool {
    context.rawValue % 3 == 0 && !chance(20)
  }

  private mutating func someContext() -> PreviewingContextID {
    if chance(100) { return PreviewingContextID(rawValue: 0) }
    return rules.contexts.randomElement(using: &generator)?.context.id
      ?? PreviewingContextID(rawValue: 0)
  }

  private mutating func unregister() {
    let context = someContext()
    rules.unregister(context, at: now)
    arbiter.unregister(context, at: now, into: &events)
    take(reasons: [.unregistered])
  }

  private mutating func setActive() {
    let context = someContext()
    guard !hangs(context) else { return }
    let isActive = !chance(3)
    rules.setActive(isActive, context)
    arbiter.setActive(isActive, context, at: now, into: &events)
    take(reasons: [])
  }

  private mutating func setDormant() {
    let context = someContext()
    let isDormant = chance(3)
    rules.setDormant(isDormant, context)
    arbiter.setDormant(isDormant, context, at: now, into: &events)
    take(reasons: [.sessionInactive])
  }

  private mutating func answer() {
    let asked = rules.fingers.compactMap { $0.open }.filter { $0.allowsPop == nil }.map(\.context)
    let context = chance(15) ? someContext() : asked.randomElement(using: &generator)
    guard let context, !hangs(context) else { return }
    let last = rules.contexts.first { $0.context.id == context }?.questions ?? 0
    let number = chance(20) ? UInt64.random(in: 0...(last + 1), using: &generator) : last
    let answer: PreviewAnswer
    switch Int.random(in: 0..<10, using: &generator) {
    case 0..<4: answer = .decline
    case 4:
      answer = .preview(sourceRect: ViewRect(x: 0, y: 0, width: -1, height: 1), allowsPop: true)
    case 5..<7: answer = .preview(sourceRect: nil, allowsPop: false)
    default: answer = .preview(sourceRect: nil, allowsPop: true)
    }
    let interaction = InteractionID(rawValue: number)
    let expected = rules.refusal(of: interaction, context, answer)
    rules.hear(from: context)
    var refusal: AnswerError?
    do throws(AnswerError) {
      try arbiter.answer(interaction, of: context, with: answer, at: now, into: &events)
      rules.accept(answer, of: context, at: now)
      checker.answer(context, interaction, answer, at: now)
    } catch {
      refusal = error
      rules.see("\(error)")
    }
    if refusal != expected { Issue.record("\(refusal as Any) instead of \(expected as Any)") }
    take(reasons: [])
  }

  private mutating func claim() {
    let context = someContext()
    guard !hangs(context) else { return }
    let time = chance(8) ? UInt32.random(in: 0..<100_000, using: &generator) : touches.last ?? 0
    let expected = rules.claim(time, by: context, at: now)
    var refusal: ClaimError?
    do throws(ClaimError) {
      try arbiter.claim(time, by: context, at: now, into: &events)
    } catch {
      refusal = error
      rules.see("\(error)")
    }
    if refusal != expected { Issue.record("\(refusal as Any) instead of \(expected as Any)") }
    take(reasons: [])
  }

  // MARK: Fingers

  private func event(_ kind: ContactEvent.Kind, _ finger: PreviewRules.Finger) -> ContactEvent {
    ContactEvent(
      kind: kind, contact: ContactID(rawValue: UInt32(finger.number)), time: now,
      position: finger.position,
      force: ForceSample(
        pressure: 0.5, force: 1, grams: Grams(raw: finger.number, resolution: 1)),
      peekProgress: finger.peekProgress, popProgress: finger.popProgress,
      isArmed: finger.isArmed)
  }

  /// A frame as the recognizer may give it: contacts that end, that stay, that begin.
  private mutating func frame() {
    guard let device = devices.randomElement(using: &generator) else { return }
    var contactEvents: [ContactEvent] = []
    var reasons: Set<PreviewCancelReason> = []
    for index in rules.fingers.indices.reversed() where rules.fingers[index].device.id == device.id
    {
      guard chance(12) else { continue }
      let finger = rules.fingers.remove(at: index)
      rules.gone.append(finger)
      let isLost = chance(4)
      reasons.insert(isLost ? .dropped : .lifted)
      if finger.peekedAt != nil && finger.poppedAt == nil && !finger.isOver {
        contactEvents.append(event(isLost ? .peekCancelled(.dropped) : .peekEnded, finger))
      }
      contactEvents.append(event(isLost ? .cancelled(.dropped) : .ended, finger))
    }
    for index in rules.fingers.indices where rules.fingers[index].device.id == device.id {
      if chance(2) { stay(index, &contactEvents, &reasons) }
    }
    if rules.fingers.count(where: { $0.device.id == device.id }) < (chance(6) ? 3 : 1) {
      begin(on: device, &contactEvents, &reasons)
    }
    arbiter.process(contactEvents, of: device.id, at: now, into: &events)
    take(reasons: reasons)
  }

  private mutating func stay(
    _ index: Int, _ contactEvents: inout [ContactEvent], _ reasons: inout Set<PreviewCancelReason>
  ) {
    let hasPeek = rules.fingers[index].peekedAt != nil
    rules.fingers[index].peekProgress =
      chance(3) ? 0 : Double.random(in: 0...1, using: &generator)
    rules.fingers[index].popProgress = hasPeek ? Double.random(in: 0...1, using: &generator) : 0
    rules.fingers[index].isArmed = !hasPeek && !rules.fingers[index].hasFailed && !chance(5)
    if chance(4), rules.fingers[index].position != nil {
      rules.fingers[index].position = Position(
        x: Int32.random(in: 0...4000, using: &generator), y: 1000)
    }
    var changed = event(.changed, rules.fingers[index])
    if !rules.fingers[index].hasFailed && chance(12) {
      let reason: FailureReason = chance(2) ? .palm : .moved
      changed.failure = reason
      changed.isArmed = false
      rules.fingers[index].hasFailed = true
      rules.fingers[index].isArmed = false
      if !hasPeek || reason == .palm {
        reasons.insert(PreviewCancelReason(reason))
        close(index)
      }
    }
    contactEvents.append(changed)
    guard !rules.fingers[index].hasFailed else { return }
    if !hasPeek && chance(5) {
      rules.fingers[index].peekedAt = now
      rules.fingers[index].isArmed = false
      contactEvents.append(event(.peek, rules.fingers[index]))
    }
    if rules.fingers[index].peekedAt != nil && rules.fingers[index].poppedAt == nil && chance(6) {
      rules.fingers[index].poppedAt = now
      contactEvents.append(event(.pop, rules.fingers[index]))
    }
  }

  /// What is open of the finger must be closed by the input; there will be nothing more.
  private mutating func close(_ index: Int) {
    rules.fingers[index].isOver = true
  }

  private mutating func begin(
    on device: PreviewDevice, _ contactEvents: inout [ContactEvent],
    _ reasons: inout Set<PreviewCancelReason>
  ) {
    if !rules.settings.peeksBesideOtherContacts {
      for index in rules.fingers.indices where rules.fingers[index].device.id == device.id {
        rules.fingers[index].isArmed = false
        guard rules.fingers[index].open != nil else { continue }
        reasons.insert(.otherContact)
        close(index)
      }
    }
    lastFinger += 1
    var finger = PreviewRules.Finger(
      number: Int32(lastFinger), device: device, heard: now,
      position: chance(10) ? nil : Position(x: 1000, y: 1000))
    finger.isArmed = !chance(4)
    finger.peekProgress = chance(3) ? 0.5 : 0
    var began = event(.began, finger)
    began.wasAlreadyDown = chance(10)
    if !began.wasAlreadyDown {
      finger.touchTime = UInt32(now.microseconds / 1000)
      touches.append(UInt32(now.microseconds / 1000))
    }
    rules.fingers.append(finger)
    contactEvents.append(began)
  }
}
