import ForceTouchModel
import ForceTouchRecordings
import TestSupport
import Testing

@Suite("The anonymizer")
struct AnonymizerTests {
  private static let axes: [UInt16: Axis] = [
    AxisCode.x: Axis(minimum: -100, maximum: 301), AxisCode.y: Axis(minimum: 0, maximum: 50),
    AxisCode.positionX: Axis(minimum: -100, maximum: 301),
    AxisCode.positionY: Axis(minimum: 0, maximum: 50), AxisCode.slot: Axis(minimum: 0, maximum: 4),
    AxisCode.multitouchPressure: Axis(minimum: 0, maximum: 253),
    AxisCode.toolX: Axis(minimum: .min, maximum: .max),
  ]
  private static let pad = DeviceDescription(
    name: "Pad", bus: .bluetooth, vendor: 1, product: 2, axes: axes, node: "/dev/input/event5",
    devicePath: "/devices/pci0000:00/input7/event5", driver: "magicmouse", seat: "seat1")
  private static let positions: Set<UInt16> = [
    AxisCode.x, AxisCode.y, AxisCode.positionX, AxisCode.positionY, AxisCode.toolX, AxisCode.toolY,
  ]

  /// Frames as pairs of code and value of absolute events, or what `event` makes of them.
  private func frames(_ events: [[(UInt16, Int32)]]) -> [Frame] {
    events.enumerated().map { number, events in
      let time = Timestamp(microseconds: Int64(number) * 8000)
      return Frame(
        time: time,
        events: events.map {
          InputEvent(time: time, type: EventType.absolute, code: $0.0, value: $0.1)
        })
    }
  }

  private func anonymized(_ frames: [Frame], of description: DeviceDescription = pad) -> [Frame] {
    var anonymizer = Anonymizer(description)
    return frames.compactMap { frame in
      var frame = frame
      return anonymizer.anonymize(&frame) ? frame : nil
    }
  }

  @Test("leaves out of the description where the device is in the machine, and nothing else")
  func description() {
    var expected = Self.pad
    expected.node = nil
    expected.devicePath = nil
    expected.seat = nil
    #expect(Anonymizer(Self.pad).description == expected)
  }

  @Test("tells the middle of the axes once for each slot, and no movement")
  func movement() {
    let given = anonymized(
      frames([
        [(57, 1), (53, 7), (54, 8), (58, 20), (0, 7), (1, 8)],
        [(53, 9), (0, 9)],
        [(47, 1), (57, 2), (53, 40), (54, 41), (58, 30)],
        [(47, 0), (53, 10), (47, 1), (53, 41)],
        [(47, 0), (54, 3), (58, 21), (47, 1), (54, 42), (58, 31)],
        [(57, -1), (47, 0), (57, -1)],
        [(57, 3), (53, 1), (54, 1), (58, 5)],
      ]))
    let expected = frames([
      [(57, 1), (53, 100), (54, 25), (58, 20), (0, 100), (1, 25)],
      [],
      [(47, 1), (57, 2), (53, 100), (54, 25), (58, 30)],
      [],
      [(47, 0), (58, 21), (47, 1), (58, 31)],
      [(57, -1), (47, 0), (57, -1)],
      [(57, 3), (58, 5)],
    ]).filter { !$0.events.isEmpty }
    #expect(given == expected)
  }

  @Test("goes on telling positions of a device without slots, which needs them in every frame")
  func typeA() {
    var description = Self.pad
    description.axes[AxisCode.slot] = nil
    let given = anonymized(frames([[(53, 1), (54, 2)], [(53, 3), (54, 4)], []]), of: description)
    #expect(given == frames([[(53, 100), (54, 25)], [(53, 100), (54, 25)], []]))
  }

  @Test("leaves out keys of keyboards, serial numbers and movements of a pointer")
  func otherEvents() {
    func event(_ type: UInt16, _ code: UInt16) -> InputEvent {
      InputEvent(time: .zero, type: type, code: code, value: 1)
    }
    let kept = [
      event(EventType.key, KeyCode.left), event(EventType.key, KeyCode.touch),
      event(EventType.miscellaneous, 5),
      event(EventType.synchronization, SynchronizationCode.multitouchReport),
    ]
    let gone = [
      event(EventType.key, 30), event(EventType.key, 0x160), event(EventType.miscellaneous, 0),
      event(EventType.miscellaneous, 4), event(EventType.relative, 0), event(5, 0),
    ]
    #expect(anonymized([Frame(events: gone + kept)]) == [Frame(events: kept)])
    // Neither says anything: the clock of a frame in which only the position changed.
    #expect(
      anonymized([Frame(events: [gone[4], event(EventType.miscellaneous, 5)])]).isEmpty)
    // What was lost is told all the same.
    let lost = Frame(events: gone, isResynchronized: true)
    #expect(anonymized([lost]) == [Frame(isResynchronized: true)])
  }

  @Test("has no other position in it, keeps the rest, and reads back equal in both formats")
  func randomFrames() throws {
    var generator = SeededGenerator(seed: 11)
    let codes = [47, 48, 53, 54, 57, 58, 60, 61, 0, 1, 24].map { UInt16($0) }
    for _ in 0..<50 {
      let events = (0..<30).map { _ in
        (0..<Int.random(in: 1...9, using: &generator)).map { _ in
          let code = codes.randomElement(using: &generator) ?? 0
          return (code, Int32.random(in: code == 47 ? 0...4 : 0...250, using: &generator))
        }
      }
      let frames = frames(events)
      let given = anonymized(frames)
      let anonymizer = Anonymizer(Self.pad)
      for event in given.flatMap(\.events) where Self.positions.contains(event.code) {
        #expect(event.value == anonymizer.position(on: event.code))
      }
      // What is not a position is what it was, of the same slot and at the same time.
      #expect(Self.statements(given) == Self.statements(frames))
      for format in RecordingWriter.Format.allCases {
        let read = try rewritten(anonymizer.description, given, as: format)
        #expect(read.frames == given)
        #expect(read.description.node == nil)
      }
    }
  }

  private struct Statement: Equatable {
    let time: Timestamp
    let slot: Int32
    let code: UInt16
    let value: Int32
  }

  /// What frames say but for positions.
  private static func statements(_ frames: [Frame]) -> [Statement] {
    var slot: Int32 = 0
    var statements: [Statement] = []
    for event in frames.flatMap(\.events) where !positions.contains(event.code) {
      if event.code == AxisCode.slot {
        slot = event.value
        continue
      }
      statements.append(
        Statement(
          time: event.time, slot: (48...61).contains(event.code) ? slot : 0, code: event.code,
          value: event.value))
    }
    return statements
  }
}
