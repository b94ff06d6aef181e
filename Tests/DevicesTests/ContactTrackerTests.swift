import ForceTouchDevices
import ForceTouchModel
import Testing

/// The tracker under whatever events come. What single drivers do is in the scenarios.
@Suite struct ContactTrackerTests {
  struct Generator: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return state
    }
  }

  enum Kind: CaseIterable { case slotted, unslotted, single }

  static func description(_ kind: Kind) -> DeviceDescription {
    var device = DeviceDescription.trackpad(pressure: Axis(minimum: 0, maximum: 1023))
    if kind != .slotted { device.axes[AxisCode.slot] = nil }
    if kind == .single {
      for code in [AxisCode.positionX, AxisCode.positionY, AxisCode.trackingID] {
        device.axes[code] = nil
      }
    }
    return device
  }

  /// Any events at all: slots that do not exist, IDs at random, half contacts, lost events.
  @Test(arguments: Kind.allCases, [true, false])
  func eachContactBeginsOnceAndEndsOnce(kind: Kind, isKnown: Bool) {
    var generator = Generator(state: 88_172_645_463_325_252)
    var tracker = ContactTracker(
      description: Self.description(kind),
      initialState: isKnown ? .known(DeviceState()) : .unknown)
    var frame = Frame()
    var contacts = ContactFrame()
    var open: Set<ContactID> = []
    var seen: Set<ContactID> = []
    var endCount = 0
    let codes: [UInt16] = [
      AxisCode.slot, AxisCode.trackingID, AxisCode.positionX, AxisCode.positionY,
      AxisCode.multitouchPressure, AxisCode.touchMajor, AxisCode.toolType, AxisCode.x, AxisCode.y,
      AxisCode.pressure,
    ]
    for number in 0..<20_000 {
      frame.removeAll()
      frame.time = Timestamp(microseconds: Int64(number))
      frame.isResynchronized = Int.random(in: 0..<50, using: &generator) == 0
      for _ in 0..<Int.random(in: 0..<10, using: &generator) {
        frame.events.append(randomEvent(codes, &generator))
      }
      tracker.process(frame, into: &contacts)
      var order: [Int64] = []
      for contact in contacts.contacts {
        switch contact.phase {
        case .began:
          #expect(seen.insert(contact.id).inserted, "a number is used again")
          #expect(open.insert(contact.id).inserted)
          if frame.isResynchronized { #expect(contact.wasAlreadyDown) }
        case .stayed: #expect(open.contains(contact.id))
        case .ended:
          #expect(!frame.isResynchronized)
          #expect(open.remove(contact.id) != nil)
          endCount += 1
        case .cancelled(let reason):
          #expect(reason == .dropped && frame.isResynchronized)
          #expect(open.remove(contact.id) != nil)
        }
        order.append(Int64(contact.slot) * 2 + (contact.phase == .began ? 1 : 0))
      }
      #expect(order == order.sorted(), "out of slot order")
      // Nobody is forgotten: what is open is listed in every frame.
      #expect(
        open
          == Set(
            contacts.contacts.filter { $0.phase == .began || $0.phase == .stayed }.map(\.id)))
    }
    #expect(endCount > 100)
  }

  private func randomEvent(_ codes: [UInt16], _ generator: inout Generator) -> InputEvent {
    func pick<Value>(_ values: [Value]) -> Value {
      values[Int.random(in: 0..<values.count, using: &generator)]
    }
    switch Int.random(in: 0..<10, using: &generator) {
    case 0:
      return InputEvent(
        time: .zero, type: EventType.key, code: pick([KeyCode.touch, KeyCode.left]),
        value: pick([0, 1]))
    case 1, 2:
      return InputEvent(
        time: .zero, type: EventType.synchronization, code: SynchronizationCode.multitouchReport,
        value: 0)
    case 3:
      return InputEvent(
        time: .zero, type: EventType.absolute, code: AxisCode.slot,
        value: pick([0, 1, 2, 3, -1, 63, 64, .max, .min]))
    case 4, 5:
      return InputEvent(
        time: .zero, type: EventType.absolute, code: AxisCode.trackingID,
        value: pick([-1, -1, 1, 2, 3, 4, .max, .min]))
    default:
      return InputEvent(
        time: .zero, type: EventType.absolute, code: pick(codes),
        value: pick([0, 1, 7, 500, -1, .max, .min]))
    }
  }

  @Test func aSlotKeepsItsValuesFromOneContactToTheNext() {
    // The kernel does not repeat a value that stays the same.
    var tracker = ContactTracker(
      description: Self.description(.slotted), initialState: .known(DeviceState()))
    var contacts = ContactFrame()
    func send(_ events: [(UInt16, Int32)]) -> Contact? {
      tracker.process(
        Frame(
          events: events.map {
            InputEvent(time: .zero, type: EventType.absolute, code: $0.0, value: $0.1)
          }), into: &contacts)
      return contacts.contacts.last
    }
    _ = send([(AxisCode.trackingID, 1), (AxisCode.positionX, 5), (AxisCode.positionY, 6)])
    _ = send([(AxisCode.trackingID, -1)])
    let second = send([(AxisCode.trackingID, 2), (AxisCode.positionY, 7)])
    #expect(second?.position == Position(x: 5, y: 7))
    #expect(second?.phase == .began)
  }

  @Test func contactsAtOpenAreAlreadyDown() {
    let state = DeviceState(
      slots: [
        .init(slot: 1, trackingID: 40, values: [AxisCode.positionX: 3, AxisCode.positionY: 4])
      ], keys: [KeyCode.touch])
    var tracker = ContactTracker(
      description: Self.description(.slotted), initialState: .known(state))
    var contacts = ContactFrame()
    tracker.process(Frame(), into: &contacts)
    #expect(contacts.contacts.map(\.slot) == [1])
    #expect(contacts.contacts.first?.wasAlreadyDown == true)
    #expect(contacts.contacts.first?.position == Position(x: 3, y: 4))
  }

  @Test func numbersGoOnWhenTheDeviceIsOpenedAgain() {
    var tracker = ContactTracker(
      description: Self.description(.single), initialState: .known(DeviceState()))
    var contacts = ContactFrame()
    let touch = Frame(events: [
      InputEvent(time: .zero, type: EventType.key, code: KeyCode.touch, value: 1)
    ])
    tracker.process(touch, into: &contacts)
    let first = contacts.contacts.first?.id
    tracker.reopen(initialState: .known(DeviceState()))
    tracker.process(touch, into: &contacts)
    #expect(first?.rawValue == 1)
    #expect(contacts.contacts.first?.id.rawValue == 2)
  }
}
