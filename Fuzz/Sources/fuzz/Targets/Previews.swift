import ForceTouchModel
import ForceTouchProtocol
import ForceTouchRecognition

@testable import TestSupport
@testable import Varlink

/// Two devices, and programs that register, answer, claim and go as they like: each context hears
/// whole conversations.
func fuzzPreviews(_ bytes: [UInt8]) {
  var input = InputBytes(bytes)
  var world = FuzzedPreviews(&input)
  while !input.isAtEnd { world.step(&input) }
  world.finish()
}

private struct FuzzedPreviews {
  private var devices: [(id: DeviceID, device: FuzzedDevice)] = []
  private var arbiter: PreviewArbiter
  private var checker = PreviewChecker()
  private var now = Timestamp(microseconds: 5_000_000)
  private var contexts: [PreviewingContextID] = []
  private var lastInteraction: [PreviewingContextID: UInt64] = [:]
  private var events: [PreviewEvent] = []
  private var touchTime: UInt32 = 0
  private var lastContext: UInt64 = 0
  private var lastDevice: UInt32 = 0

  init(_ input: inout InputBytes) {
    var settings = PreviewSettings()
    settings.peeksBesideOtherContacts = input.bool()
    settings.silencesBeforeSuspension = input.choice(3) + 1
    settings.wrongClaims = input.choice(3) + 1
    arbiter = PreviewArbiter(settings: settings)
    for _ in 0..<2 { addDevice(&input) }
  }

  mutating func step(_ input: inout InputBytes) {
    switch input.choice(16) {
    case 0..<7: move(&input)
    case 7: pass(Interval.milliseconds(Int64(input.byte())))
    case 8: register(&input)
    case 9, 10, 11: answer(&input)
    case 12: claim(&input)
    case 13:
      guard let context = someContext(&input) else { return }
      arbiter.setActive(input.bool(), context, at: now, into: &events)
      take()
    case 14:
      guard let context = someContext(&input) else { return }
      arbiter.setDormant(input.bool(), context, at: now, into: &events)
      take()
    default:
      if input.bool() {
        guard let context = someContext(&input) else { return }
        contexts.removeAll { $0 == context }
        arbiter.unregister(context, at: now, into: &events)
        take()
      } else {
        removeDevice(input.choice(devices.count))
        addDevice(&input)
      }
    }
  }

  mutating func finish() {
    while !devices.isEmpty { removeDevice(0) }
    checker.finish()
    checkGrammar()
    check(arbiter.deadline == nil, "a deadline of nothing")
  }

  private mutating func take() {
    checker.take(events, at: now)
    checkGrammar()
    for event in events {
      note("\(event.context.rawValue) \(event.interaction.rawValue) \(event.kind)")
      lastInteraction[event.context] = event.interaction.rawValue
      var buffer = JSONBuffer()
      EventEncoder.encode(event, device: "d1", maximumPossibleForce: 5, into: &buffer)
      let reply = try? JSON.decode(
        PreviewingMessage.RegisterReply.self, from: buffer.bytes[...])
      check(
        reply?.event
          == PreviewingMessage.Event(event, device: "d1", maximumPossibleForce: 5),
        "\(String(decoding: buffer.bytes, as: UTF8.self)) of \(event)")
    }
    events.removeAll()
    if let deadline = arbiter.deadline { check(deadline > now, "a deadline that is past") }
  }

  private func checkGrammar() { check(checker.problems.isEmpty, "\(checker.problems)") }

  private mutating func pass(_ interval: Interval) {
    let end = now + interval
    while let deadline = arbiter.deadline, deadline <= end {
      now = deadline
      arbiter.timeout(at: now, into: &events)
      take()
      check(arbiter.deadline != deadline, "a deadline that stays")
    }
    now = end
  }

  private mutating func addDevice(_ input: inout InputBytes) {
    lastDevice += 1
    let device = FuzzedDevice(&input)
    let id = DeviceID(rawValue: lastDevice)
    devices.append((id, device))
    let kind = device.engine.verdict.touchKind ?? .touchscreen
    arbiter.add(
      PreviewDevice(
        id: id, kind: kind, seat: input.bool() ? nil : "seat0",
        screen: kind == .touchscreen
          ? device.description.positionAxes.flatMap { ScreenMapping(axes: $0) } : nil))
  }

  private mutating func removeDevice(_ index: Int) {
    arbiter.process(
      devices[index].device.cancel(.deviceRemoved), of: devices[index].id, at: now, into: &events)
    take()
    arbiter.remove(devices[index].id, at: now, into: &events)
    take()
    devices.remove(at: index)
  }

  /// A device sends something.
  private mutating func move(_ input: inout InputBytes) {
    let index = input.choice(devices.count)
    for said in devices[index].device.step(&input) {
      for event in said where event.kind == .began {
        touchTime = UInt32(truncatingIfNeeded: event.time.microseconds / 1000)
      }
      arbiter.process(said, of: devices[index].id, at: now, into: &events)
      take()
    }
  }

  private mutating func register(_ input: inout InputBytes) {
    guard contexts.count < 6 else { return }
    lastContext += 1
    let coverage: PreviewingContext.Coverage
    switch input.choice(4) {
    case 0, 1: coverage = .view(size: input.bool() ? .unit : nil)
    case 2:
      let region = ScreenRegion(
        x: Double(input.byte()) / 255, y: 0, width: Double(input.byte()) / 255, height: 1)
      coverage = .region(region ?? .wholeScreen, size: .unit)
    default: coverage = .everything(includingTouchscreens: input.bool())
    }
    let context = PreviewingContext(
      id: PreviewingContextID(rawValue: lastContext), coverage: coverage,
      device: input.choice(4) == 0 ? devices.first?.id : nil,
      seat: input.choice(4) == 0 ? "seat0" : nil, user: UInt32(input.byte() % 2),
      isActive: input.bool() ? true : nil, isDormant: input.choice(8) == 0)
    contexts.append(context.id)
    checker.register(context.id)
    arbiter.register(context, at: now, into: &events)
    take()
  }

  /// Now and then one that is not there (any more).
  private func someContext(_ input: inout InputBytes) -> PreviewingContextID? {
    let number = input.byte()
    if number == 255 { return PreviewingContextID(rawValue: 0) }
    return contexts.isEmpty ? nil : contexts[Int(number) % contexts.count]
  }

  private mutating func answer(_ input: inout InputBytes) {
    guard let context = someContext(&input) else { return }
    let last = lastInteraction[context] ?? 0
    let number = InteractionID(rawValue: input.choice(8) == 0 ? UInt64(input.byte()) : last)
    let answer: PreviewAnswer
    switch input.choice(6) {
    case 0: answer = .decline
    case 1:
      let rect = ViewRect(
        x: Double(input.int16()), y: 0, width: Double(input.int16()), height: .infinity)
      answer = .preview(sourceRect: rect, allowsPop: true)
    case 2: answer = .preview(sourceRect: nil, allowsPop: false)
    default: answer = .preview(sourceRect: nil, allowsPop: true)
    }
    do throws(AnswerError) {
      try arbiter.answer(number, of: context, with: answer, at: now, into: &events)
      checker.answer(context, number, answer, at: now)
    } catch {
      check(events.isEmpty, "a refused answer had consequences: \(events)")
    }
    take()
  }

  private mutating func claim(_ input: inout InputBytes) {
    guard let context = someContext(&input) else { return }
    let time = input.choice(6) == 0 ? UInt32(input.byte()) : touchTime
    do throws(ClaimError) {
      try arbiter.claim(time, by: context, at: now, into: &events)
    } catch {
      check(contexts.contains(context) || error == .noSuchContext, "\(error)")
    }
    take()
  }
}
