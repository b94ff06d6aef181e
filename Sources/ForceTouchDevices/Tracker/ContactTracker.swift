public import ForceTouchModel

/// Follows the contacts of one device from frame to frame: multitouch protocol type B (slots),
/// type A (with or without tracking IDs) and single touch (kernel:
/// `Documentation/input/multi-touch-protocol.rst`).
///
/// A value the kernel does not repeat is kept, never guessed. Pressure neither begins nor ends a
/// contact. Not safe for several threads at once.
public struct ContactTracker: Sendable {
  /// What is on the device before the first frame.
  public enum InitialState: Equatable, Sendable {
    /// A recording: a slot with data before any tracking ID was already down.
    case unknown
    /// As read from the kernel when the device was opened.
    case known(DeviceState)
  }

  private enum Contacts: Sendable {
    case slotted(SlottedContacts)
    case unslotted(UnslottedContacts)
    case single(SingleContact)
  }

  private let description: DeviceDescription
  private var contacts: Contacts
  private var buttons = HeldButtons()
  private var numbers = ContactNumbers()

  /// How many values lay outside of what the device declares: pressures beyond their axis, and
  /// slots that do not exist. They do no harm: the slots are ignored, the pressures clamped later.
  public private(set) var outOfRangeCount = 0
  /// When ``timeout(at:into:)`` is due if no frame comes before: a type-A device that was never seen
  /// to tell a lift says nothing of its contacts. nil: nothing is due.
  public private(set) var deadline: Timestamp?
  private let pressureCode: UInt16
  private let pressureAxis: Axis

  public init(description: DeviceDescription, initialState: InitialState = .unknown) {
    self.description = description
    contacts = Self.contacts(of: description, initialState)
    buttons = HeldButtons(initialState)
    pressureCode =
      description.hasMultitouchAxes ? AxisCode.multitouchPressure : AxisCode.pressure
    pressureAxis = description.pressureAxis ?? Axis(minimum: .min, maximum: .max)
  }

  /// The device was closed and is open again. Contact numbers go on.
  public mutating func reopen(initialState: InitialState) {
    contacts = Self.contacts(of: description, initialState)
    buttons = HeldButtons(initialState)
    deadline = nil
  }

  /// Takes a frame and overwrites `frame` with all contacts at its end.
  public mutating func process(_ input: Frame, into frame: inout ContactFrame) {
    frame.time = input.time
    frame.isResynchronized = input.isResynchronized
    // There are few: `removeAll(keepingCapacity:)` costs as much as removing five.
    while !frame.contacts.isEmpty { frame.contacts.removeLast() }
    for event in input.events {
      switch event.type {
      case EventType.key: buttons.set(event.code, event.value)
      case EventType.absolute where isOutOfRange(event): outOfRangeCount &+= 1
      default: break
      }
    }
    frame.isButtonHeld = buttons.isAnyHeld
    // Moved out and back, so that its storage stays unique and nothing is copied.
    var contacts = Contacts.single(SingleContact(touchKey: 0))
    swap(&contacts, &self.contacts)
    switch consume contacts {
    case .slotted(var slotted):
      slotted.process(input, &numbers, into: &frame.contacts)
      self.contacts = .slotted(slotted)
    case .unslotted(var unslotted):
      if !unslotted.isProven && Self.isOfOneSlot(input) {
        var slotted = SlottedContacts(.unknown)
        slotted.process(input, &numbers, into: &frame.contacts)
        self.contacts = .slotted(slotted)
      } else {
        unslotted.process(input, &numbers, into: &frame.contacts)
        deadline = unslotted.deadline
        self.contacts = .unslotted(unslotted)
      }
    case .single(var single):
      single.process(input, &numbers, into: &frame.contacts)
      self.contacts = .single(single)
    }
  }

  /// Takes the passing of ``deadline`` and overwrites `frame` with the contacts that it ends, as
  /// `cancelled(stale)`.
  public mutating func timeout(at time: Timestamp, into frame: inout ContactFrame) {
    frame.time = time
    frame.isResynchronized = false
    frame.contacts.removeAll(keepingCapacity: true)
    guard case .unslotted(var unslotted) = contacts, let deadline, deadline <= time else { return }
    contacts = .single(SingleContact(touchKey: 0))
    unslotted.expire(into: &frame.contacts)
    self.deadline = unslotted.deadline
    contacts = .unslotted(unslotted)
  }

  private func isOutOfRange(_ event: InputEvent) -> Bool {
    switch event.code {
    case AxisCode.slot: !SlottedContacts.slots.contains(event.value)
    case pressureCode:
      event.value < pressureAxis.minimum || event.value > pressureAxis.maximum
    default: false
    }
  }

  private static func contacts(
    of description: DeviceDescription, _ initialState: InitialState
  ) -> Contacts {
    if description.axes[AxisCode.slot] != nil {
      .slotted(SlottedContacts(initialState))
    } else if description.axes[AxisCode.positionX] != nil
      || description.axes[AxisCode.trackingID] != nil
    {
      .unslotted(UnslottedContacts(initialState))
    } else {
      .single(SingleContact(description, initialState))
    }
  }

  /// A device without a slot axis speaks type A, unless its first contact comes without
  /// `SYN_MT_REPORT`: then it is type B with one slot, and the recording left it out.
  private static func isOfOneSlot(_ input: Frame) -> Bool {
    var hasContact = false
    for event in input.events {
      if event.type == EventType.synchronization
        && event.code == SynchronizationCode.multitouchReport
      {
        return false
      }
      if event.type == EventType.absolute && ContactValues.carries(event.code) {
        hasContact = true
      }
    }
    return hasContact
  }
}

/// The state of a live device at the moment it was opened.
public struct DeviceState: Equatable, Sendable {
  public struct Slot: Equatable, Sendable {
    public var slot: Int32
    /// −1: no contact.
    public var trackingID: Int32
    /// The values of the contact's axes by `ABS_MT_*` code.
    public var values: [UInt16: Int32]

    public init(slot: Int32, trackingID: Int32, values: [UInt16: Int32]) {
      self.slot = slot
      self.trackingID = trackingID
      self.values = values
    }
  }

  public var slots: [Slot]
  /// `ABS_MT_SLOT`: the slot that the next events are about.
  public var currentSlot: Int32
  /// The keys that are down.
  public var keys: Set<UInt16>
  /// The values of the single-touch axes.
  public var values: [UInt16: Int32]

  public init(
    slots: [Slot] = [], currentSlot: Int32 = 0, keys: Set<UInt16> = [],
    values: [UInt16: Int32] = [:]
  ) {
    self.slots = slots
    self.currentSlot = currentSlot
    self.keys = keys
    self.values = values
  }
}

/// Gives each contact its number.
struct ContactNumbers: Sendable {
  private var last: UInt32 = 0

  mutating func next() -> ContactID {
    last &+= 1
    return ContactID(rawValue: last)
  }
}

/// The device's buttons that are held.
private struct HeldButtons: Sendable {
  private var held: UInt8 = 0

  init() {}

  init(_ state: ContactTracker.InitialState) {
    guard case .known(let state) = state else { return }
    for key in state.keys { set(key, 1) }
  }

  var isAnyHeld: Bool { held != 0 }

  mutating func set(_ key: UInt16, _ value: Int32) {
    guard (KeyCode.left...KeyCode.middle).contains(key) else { return }
    let bit: UInt8 = 1 << UInt8(key - KeyCode.left)
    if value == 0 { held &= ~bit } else { held |= bit }
  }
}
