import ForceTouchDevices
import ForceTouchEngine
import ForceTouchModel
import ForceTouchProtocol
import ForceTouchRecognition
import ForceTouchSettings

@testable import TestSupport
@testable import Varlink

/// A device and what it sends, sense or not: contacts and events keep the grammar, a deadline lies
/// ahead, and what is closed stays closed.
func fuzzEvents(_ bytes: [UInt8]) {
  var input = InputBytes(bytes)
  var device = FuzzedDevice(&input)
  while !input.isAtEnd { device.step(&input) }
  device.finish()
}

/// One device with its engine, held against the grammar.
struct FuzzedDevice {
  let description: DeviceDescription
  private(set) var engine: DeviceEngine
  private var judge: Judge
  private var checker = GrammarChecker()
  private var frame = Frame()
  private(set) var time = Timestamp(microseconds: 1_000_000)
  private var encoded = 0

  init(_ input: inout InputBytes) {
    description = fuzzedDescription(&input)
    var settings = Settings()
    settings.recognition = fuzzedConfiguration(&input)
    var profiles = CalibratedProfiles()
    if input.bool(), let axis = description.pressureAxis,
      let profile = try? ForceProfile(floor: Double(axis.minimum), ceiling: Double(axis.maximum))
    {
      profiles.set(profile, for: description)
    }
    judge = Judge(table: DeviceTable(), settings: settings, profiles: profiles)
    engine = DeviceEngine(
      description: description, judge: judge, estimates: input.bool(),
      initialState: fuzzedState(&input))
  }

  /// Takes the next of the input. Gives what the engine said of it, call by call.
  @discardableResult
  mutating func step(_ input: inout InputBytes) -> [[ContactEvent]] {
    switch input.choice(16) {
    case 0..<5:
      append(EventType.absolute, axes[input.choice(axes.count)], value(&input))
    case 5..<8: append(EventType.absolute, AxisCode.trackingID, Int32(input.byte() % 6) - 1)
    case 8: append(EventType.absolute, AxisCode.slot, Int32(input.byte() % 6))
    case 9:
      append(EventType.key, keys[input.choice(keys.count)], Int32(input.byte() & 1))
    case 10: append(EventType.synchronization, SynchronizationCode.multitouchReport, 0)
    case 11:
      append(
        UInt16(bitPattern: input.int16()), UInt16(bitPattern: input.int16()), input.int32())
    case 12, 13: return endFrame(Interval.milliseconds(Int64(input.byte())))
    case 14: return endFrame(Interval.milliseconds(Int64(input.int16())))
    default:
      switch input.choice(4) {
      case 0: frame.isResynchronized = true
      case 1: return [cancel(.suspended)]
      case 2:
        let said = cancel(.unobserved)
        engine.reopen(initialState: fuzzedState(&input))
        return [said]
      default:
        let time = time
        judge.settings.recognition = fuzzedConfiguration(&input)
        let judge = judge
        let said = hear { $0.take(judge, at: time, into: &$1) }
        return [said]
      }
    }
    return []
  }

  mutating func finish() {
    _ = cancel(.stopping)
    checker.finish()
    checkGrammar()
  }

  /// Time passes without a frame, which ends at the time given.
  private mutating func endFrame(_ interval: Interval) -> [[ContactEvent]] {
    time = time + interval
    frame.time = time
    var said: [[ContactEvent]] = []
    while let deadline = engine.deadline, deadline <= time {
      said.append(hear { $0.timeout(at: deadline, into: &$1) })
      check(engine.deadline != deadline, "a deadline that stays")
    }
    let frame = frame
    said.append(hear { $0.process(frame, into: &$1) })
    if let deadline = engine.deadline { check(deadline > time, "a deadline that is past") }
    checkOpenContacts()
    checkStatistics()
    self.frame.removeAll()
    return said
  }

  mutating func cancel(_ reason: CancelReason) -> [ContactEvent] {
    let time = time
    let said = hear { $0.cancel(reason, at: time, into: &$1) }
    // A contact that is down all the same may still fall silent; nobody hears of that.
    check(checker.open.isEmpty, "something is open after \(reason)")
    return said
  }

  private mutating func hear(
    _ work: (inout DeviceEngine, inout [ContactEvent]) -> Void
  ) -> [ContactEvent] {
    var events: [ContactEvent] = []
    work(&engine, &events)
    for event in events {
      note("\(event.time.microseconds) \(event.contact.rawValue) \(event.kind)")
    }
    checker.take(events)
    checkGrammar()
    for event in events where encoded < 24 {
      encoded += 1
      checkEncoding(event)
    }
    return events
  }

  private func checkGrammar() {
    check(checker.problems.isEmpty, "\(checker.problems)")
  }

  /// A listener that comes late hears of what is open, and of nothing else.
  private func checkOpenContacts() {
    var events: [ContactEvent] = []
    engine.appendOpenContacts(to: &events)
    var late = GrammarChecker()
    for var event in events {
      // It may have failed after its peek; who comes late hears that first.
      event.failure = nil
      late.take([event])
    }
    check(late.problems.isEmpty, "\(late.problems)")
    check(Set(late.open.keys) == Set(checker.open.keys), "\(late.open) instead of \(checker.open)")
  }

  private func checkStatistics() {
    guard let seen = engine.statistics else { return }
    check(
      seen.contactCount <= seen.sampleCount && seen.distinctCount <= seen.sampleCount
        && seen.longestStuckRun <= seen.sampleCount && seen.outsideCount <= seen.sampleCount
        && (seen.observed == nil) == (seen.sampleCount == 0),
      "\(seen)")
    for share in [seen.equalShare, seen.stuckShare] {
      check((0...1).contains(share ?? 0), "\(seen)")
    }
    for correlation in [seen.majorCorrelation, seen.minorCorrelation] {
      check((-1...1).contains(correlation ?? 0), "\(seen)")
    }
  }

  private mutating func append(_ type: UInt16, _ code: UInt16, _ value: Int32) {
    frame.events.append(InputEvent(time: time, type: type, code: code, value: value))
  }
}

private let axes = [
  AxisCode.positionX, AxisCode.positionY, AxisCode.multitouchPressure,
  AxisCode.multitouchPressure, AxisCode.toolType, AxisCode.touchMajor, AxisCode.x, AxisCode.y,
  AxisCode.pressure, AxisCode.touchMinor,
]
private let keys = [KeyCode.touch, KeyCode.left, KeyCode.toolFinger, KeyCode.toolPen]

/// Mostly what a device may send.
private func value(_ input: inout InputBytes) -> Int32 {
  switch input.choice(8) {
  case 0: [Int32.min, .max, -1, 0, 1, 2, 64, 65536][input.choice(8)]
  case 1: Int32(input.byte() % 4)
  case 2, 3: Int32(input.int16())
  default: Int32(input.byte()) * 4
  }
}

private func fuzzedAxis(_ input: inout InputBytes, _ standard: Axis) -> Axis {
  switch input.choice(4) {
  case 0:
    Axis(
      minimum: input.int32(), maximum: input.int32(), resolution: Int32(input.byte()) - 1)
  case 1: Axis(minimum: standard.minimum, maximum: standard.maximum, resolution: 1)
  default: standard
  }
}

private func fuzzedDescription(_ input: inout InputBytes) -> DeviceDescription {
  var description = DeviceDescription(name: "Pad")
  let position = fuzzedAxis(&input, Axis(minimum: 0, maximum: 1023, resolution: 10))
  let pressure = fuzzedAxis(&input, Axis(minimum: 0, maximum: 1023))
  switch input.choice(5) {
  case 0, 1:
    description.axes[AxisCode.slot] = Axis(minimum: 0, maximum: 4)
    description.axes[AxisCode.trackingID] = Axis(minimum: 0, maximum: 65535)
    fallthrough
  case 2:
    description.axes[AxisCode.positionX] = position
    description.axes[AxisCode.positionY] = position
    description.axes[AxisCode.multitouchPressure] = pressure
  case 3: description.isInferred = true
  default:
    description.axes[AxisCode.x] = position
    description.axes[AxisCode.y] = position
    description.axes[AxisCode.pressure] = pressure
  }
  description.keys = [KeyCode.touch, KeyCode.toolFinger]
  description.udevClass = .touch(input.bool() ? .touchscreen : .trackpad)
  if input.bool() { description.properties.insert(InputProperty.buttonPad) }
  return description
}

private func fuzzedConfiguration(_ input: inout InputBytes) -> RecognizerConfiguration {
  var configuration = RecognizerConfiguration()
  configuration.sensitivity = Sensitivity.allCases[input.choice(3)]
  let off = UInt16(bitPattern: input.int16())
  for (bit, rule) in RejectionRule.allCases.enumerated() where off >> bit & 1 == 1 {
    switch rule {
    // Without these a peek may be where the grammar has none.
    case .nowhere, .dropped: break
    default: configuration.rules.remove(rule)
    }
  }
  return configuration
}

private func fuzzedState(_ input: inout InputBytes) -> ContactTracker.InitialState {
  guard input.bool() else { return .unknown }
  var state = DeviceState(currentSlot: Int32(input.byte() % 6))
  for slot in 0..<Int32(input.byte() % 4) {
    state.slots.append(
      DeviceState.Slot(
        slot: slot, trackingID: Int32(input.byte() % 4) - 1,
        values: [AxisCode.multitouchPressure: value(&input), AxisCode.positionX: value(&input)]))
  }
  if input.bool() { state.keys.insert(KeyCode.touch) }
  return .known(state)
}

/// What is written for a stream decodes to the message that the interface declares.
private func checkEncoding(_ event: ContactEvent) {
  var buffer = JSONBuffer()
  EventEncoder.encode(event, device: "d1", into: &buffer)
  let message = try? JSON.decode(MonitorMessage.WatchReply.self, from: buffer.bytes[...])
  check(
    message?.event == EventMessage(event, device: "d1"),
    "\(String(decoding: buffer.bytes, as: UTF8.self)) of \(event)")
}
