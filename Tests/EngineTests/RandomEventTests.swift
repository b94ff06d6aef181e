import ForceTouchDevices
import ForceTouchEngine
import ForceTouchModel
import ForceTouchRecognition
import TestSupport
import Testing

/// Whatever a device sends, sense or not, what is said of it keeps to the grammar and nothing
/// traps.
@Suite struct RandomEventTests {
  private static let codes: [(type: UInt16, code: UInt16)] = [
    (EventType.absolute, AxisCode.slot), (EventType.absolute, AxisCode.trackingID),
    (EventType.absolute, AxisCode.trackingID), (EventType.absolute, AxisCode.positionX),
    (EventType.absolute, AxisCode.positionY), (EventType.absolute, AxisCode.multitouchPressure),
    (EventType.absolute, AxisCode.multitouchPressure), (EventType.absolute, AxisCode.toolType),
    (EventType.absolute, AxisCode.touchMajor), (EventType.absolute, AxisCode.x),
    (EventType.absolute, AxisCode.y), (EventType.absolute, AxisCode.pressure),
    (EventType.key, KeyCode.touch), (EventType.key, KeyCode.left),
    (EventType.key, KeyCode.toolFinger), (EventType.synchronization, 2),
    (EventType.miscellaneous, 5), (0xffff, 0xffff),
  ]

  @Test(
    arguments: ["B", "A", "A-without-ids", "single"],
    ["capability table", "capability estimated", "capability none", "device touchscreen"])
  func randomEventsKeepTheGrammar(touchProtocol: String, header: String) throws {
    let scenario = try Scenario(
      "# Anything.\nprotocol \(touchProtocol)\n\(header)\n--\n", name: "anything.force")
    var generator = SeededGenerator(seed: UInt64(touchProtocol.count * 100 + header.count))
    var engine = DeviceEngine(scenario, initialState: .unknown)
    var checker = GrammarChecker()
    var events: [ContactEvent] = []
    var time = Timestamp.zero
    for _ in 0..<4000 {
      time = time + Interval(microseconds: Int64.random(in: -2_000...30_000, using: &generator))
      let frame = Self.frame(at: time, &generator)
      while let deadline = engine.deadline, deadline <= time {
        engine.timeout(at: deadline, into: &events)
        Self.take(&events, &checker)
        guard engine.deadline != deadline else { break }
      }
      engine.process(frame, into: &events)
      Self.take(&events, &checker)
      if let deadline = engine.deadline { #expect(deadline > time) }
      if generator.chance(200) {
        engine.cancel(.unobserved, at: time, into: &events)
        Self.take(&events, &checker)
        #expect(checker.open.isEmpty)
        if generator.chance(2) { engine.reopen(initialState: .unknown) }
      }
    }
    engine.cancel(.stopping, at: time, into: &events)
    Self.take(&events, &checker)
    checker.finish()
    #expect(checker.problems.isEmpty, "\(checker.problems.prefix(5))")
    // A property that nothing exercises proves nothing. At random, IDs of type A change before an
    // estimate knows what level a contact has.
    let isShort = touchProtocol == "A" && header == "capability estimated"
    if header != "capability none" && !isShort { #expect(checker.peeks > 0) }
  }

  @Test(arguments: ["B", "A", "single"])
  func timesAtTheEndOfTheClockDoNotTrap(touchProtocol: String) throws {
    let scenario = try Scenario(
      "# Anything.\nprotocol \(touchProtocol)\n--\n", name: "anything.force")
    var generator = SeededGenerator(seed: 7)
    var engine = DeviceEngine(scenario, initialState: .unknown)
    var events: [ContactEvent] = []
    let times: [Int64] = [.min, -1, 0, 1, .max - 1, .max]
    for _ in 0..<2000 {
      let time = Timestamp(microseconds: times.randomElement(using: &generator) ?? 0)
      engine.process(Self.frame(at: time, &generator), into: &events)
      events.removeAll(keepingCapacity: true)
    }
  }

  private static func take(_ events: inout [ContactEvent], _ checker: inout GrammarChecker) {
    checker.take(events)
    events.removeAll(keepingCapacity: true)
  }

  static func frame(at time: Timestamp, _ generator: inout SeededGenerator) -> Frame {
    var frame = Frame(time: time, isResynchronized: generator.chance(60))
    for _ in 0..<Int.random(in: 0...12, using: &generator) {
      guard let (type, code) = codes.randomElement(using: &generator) else { continue }
      frame.events.append(
        InputEvent(time: time, type: type, code: code, value: value(code, &generator)))
    }
    return frame
  }

  private static func value(_ code: UInt16, _ generator: inout SeededGenerator) -> Int32 {
    if generator.chance(40) {
      return [.min, .max, -1, 64, 65536].randomElement(using: &generator) ?? 0
    }
    return switch code {
    case AxisCode.slot: Int32.random(in: 0...3, using: &generator)
    case AxisCode.trackingID: Int32.random(in: -2...6, using: &generator)
    case AxisCode.toolType: generator.chance(8) ? 2 : 0
    case AxisCode.multitouchPressure, AxisCode.pressure:
      Int32.random(in: 0...1000, using: &generator)
    case KeyCode.touch, KeyCode.left, KeyCode.toolFinger: generator.chance(3) ? 0 : 1
    default: 1000 + Int32.random(in: 0...60, using: &generator)
    }
  }
}
