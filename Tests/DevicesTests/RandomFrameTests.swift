import ForceTouchDevices
import ForceTouchModel
import TestSupport
import Testing

/// Whatever a device sends, contacts begin once, end once, and keep their order.
@Suite struct RandomFrameTests {
  enum Kind: CaseIterable, Sendable {
    case slotted, unslottedWithIDs, unslotted, single, inferred

    var description: DeviceDescription {
      switch self {
      case .slotted: .trackpad()
      case .unslottedWithIDs: .unslotted(hasTrackingID: true)
      case .unslotted: .unslotted()
      case .single: .singleTouch()
      case .inferred:
        DeviceDescription(
          axes: [AxisCode.trackingID: Axis(minimum: 0, maximum: 9)], isInferred: true)
      }
    }
  }

  @Test(arguments: Kind.allCases, [UInt64(1), 2, 3, 4])
  func randomFramesKeepContactsInOrder(kind: Kind, seed: UInt64) {
    var source = RandomFrames(seed: seed)
    let isKnown = seed.isMultiple(of: 2)
    var pad = TrackerUnderTest(kind.description, isKnown ? DeviceState() : nil)
    var checker = ContactChecker()
    if kind == .unslotted || kind == .unslottedWithIDs {
      // Nothing but this proves type A.
      pad.process([.x(1), .y(1), .end])
      checker.take(pad.frame)
    }
    for _ in 0..<4000 {
      let (events, isResynchronized) = source.next()
      pad.process(events, isResynchronized: isResynchronized)
      checker.take(pad.frame)
      guard checker.problems.isEmpty else { break }
    }
    #expect(checker.problems.isEmpty, "\(checker.problems)")
    // A property that nothing exercises proves nothing.
    #expect(checker.begun > 100 && checker.ended > 100 && checker.cancelled > 20)
    #expect(checker.begun - checker.ended - checker.cancelled == checker.open.count)
  }

  @Test func theCheckerFindsWhatIsWrong() {
    func problems(_ frames: [[(id: UInt32, slot: Int32, phase: Contact.Phase)]]) -> Int {
      var checker = ContactChecker()
      for contacts in frames {
        checker.take(
          ContactFrame(
            contacts: contacts.map {
              Contact(id: ContactID(rawValue: $0.id), slot: $0.slot, phase: $0.phase)
            }))
      }
      return checker.problems.count
    }
    #expect(
      problems([[(1, 0, .began)], [(1, 0, .stayed)], [(1, 0, .ended), (2, 0, .began)]]) == 0)
    #expect(problems([[(1, 0, .began)], [(1, 1, .stayed)], [(1, 1, .cancelled(.dropped))]]) == 0)
    #expect(problems([[(1, 0, .stayed)]]) == 1)
    #expect(problems([[(1, 0, .ended)]]) == 1)
    #expect(problems([[(1, 0, .began)], [(1, 0, .began)]]) > 0)
    #expect(problems([[(1, 0, .began)], []]) == 1)
    #expect(problems([[(1, 0, .began)], [(1, 0, .ended)], [(1, 0, .ended)]]) > 0)
    #expect(problems([[(1, 0, .began)], [(1, 0, .ended)], [(1, 0, .began)]]) > 0)
    #expect(problems([[(1, 1, .began), (2, 0, .began)]]) == 1)
    #expect(problems([[(1, 0, .began)], [(2, 0, .began), (1, 0, .ended)]]) == 1)
    #expect(problems([[(1, 0, .began), (2, 0, .began)]]) == 1)
  }
}

/// Holds contact frames to what the recognizer is promised.
struct ContactChecker {
  private(set) var open: Set<ContactID> = []
  private(set) var problems: [String] = []
  private(set) var begun = 0
  private(set) var ended = 0
  private(set) var cancelled = 0
  private var used: Set<ContactID> = []

  mutating func take(_ frame: ContactFrame) {
    let before = open
    var told: Set<ContactID> = []
    var previous: (slot: Int32, isOpen: Bool)?
    for contact in frame.contacts {
      var line: String { TrackerUnderTest.line(contact) }
      if !told.insert(contact.id).inserted { problems.append("twice in a frame: \(line)") }
      var isOpen = true
      switch contact.phase {
      case .began:
        begun += 1
        if !used.insert(contact.id).inserted { problems.append("begins again: \(line)") }
        open.insert(contact.id)
      case .stayed:
        if !before.contains(contact.id) { problems.append("stays, never began: \(line)") }
      case .ended, .cancelled:
        isOpen = false
        if contact.phase == .ended { ended += 1 } else { cancelled += 1 }
        if open.remove(contact.id) == nil { problems.append("ends, is not open: \(line)") }
      }
      if let previous,
        contact.slot < previous.slot || (contact.slot == previous.slot && previous.isOpen)
      {
        problems.append("out of order: \(line)")
      }
      previous = (contact.slot, isOpen)
    }
    for id in open.subtracting(told) { problems.append("not told of: #\(id.rawValue)") }
  }
}

/// Events as no sane device sends them: slots that do not exist, IDs that repeat, change, swap
/// and vanish, values of any size, both protocols at once.
struct RandomFrames {
  private var generator: SeededGenerator

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  mutating func next() -> (events: [Input], isResynchronized: Bool) {
    let events = (0..<number(0...12)).map { _ in event() }
    return (events, number(0...24) == 0)
  }

  private mutating func event() -> Input {
    switch number(0...15) {
    case 0, 1: .slot(number(0...19) == 0 ? extreme() : Int32(number(0...4)))
    case 2, 3: .id(Int32(number(0...6)))
    case 4: .id(-1)
    case 5: .x(value())
    case 6: .y(value())
    case 7: .pressure(value())
    case 8: .tool(Int32(number(0...3)))
    case 9: .major(value())
    case 10: .end
    case 11: .touch(Int32(number(0...1)))
    case 12: .key(KeyCode.left, Int32(number(0...2)))
    case 13: .singleX(value())
    case 14: .singlePressure(value())
    default:
      Input(type: UInt16(number(0...31)), code: UInt16(number(0...0xffff)), value: extreme())
    }
  }

  private mutating func value() -> Int32 {
    number(0...9) == 0 ? extreme() : Int32(number(0...4000))
  }

  private mutating func extreme() -> Int32 {
    [Int32.min, .max, -1, 64, 65536][number(0...4)]
  }

  private mutating func number(_ range: ClosedRange<Int>) -> Int {
    Int.random(in: range, using: &generator)
  }
}
