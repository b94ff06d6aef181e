import ForceTouchModel

/// Multitouch protocol type B: a contact lives in a slot from a tracking ID to the next.
struct SlottedContacts: Sendable {
  /// More than any kernel driver has; a slot beyond is ignored.
  static let slots: Range<Int32> = 0..<64

  private struct Slot: Sendable {
    /// The kernel keeps them from one contact of the slot to the next, and so must we: a value
    /// that stays the same is not sent again.
    var values = ContactValues()
    var contact: Tracked?
    /// A recording began before this slot said whether it holds a contact.
    var isUnknown: Bool
    /// In this frame: data came while it was unknown.
    var hasData = false
  }

  private struct Tracked: Sendable {
    var id: ContactID
    /// nil for one that was down before a recording began.
    var trackingID: Int32?
    var wasAlreadyDown: Bool
    var isPublished = false
  }

  private var slots: [Slot]
  /// No slot from here on ever held a contact: most devices have more slots than people fingers.
  private var reached = 0
  /// nil: the device named a slot that does not exist.
  private var current: Int? = 0
  /// In this frame: published contacts that left their slots.
  private var departed: [(slot: Int32, contact: Tracked, values: ContactValues)] = []
  private let isKnown: Bool
  private var openContacts: [DeviceState.Slot]

  init(_ initialState: ContactTracker.InitialState) {
    switch initialState {
    case .unknown:
      isKnown = false
      openContacts = []
    case .known(let state):
      isKnown = true
      openContacts = state.slots
      current = Self.slots.contains(state.currentSlot) ? Int(state.currentSlot) : nil
    }
    slots = Array(repeating: Slot(isUnknown: !isKnown), count: 16)
    departed.reserveCapacity(16)
  }

  mutating func process(
    _ frame: Frame, _ numbers: inout ContactNumbers, into contacts: inout [Contact]
  ) {
    takeOpenContacts(&numbers)
    if !departed.isEmpty { departed.removeAll(keepingCapacity: true) }
    for event in frame.events where event.type == EventType.absolute {
      switch event.code {
      case AxisCode.slot: select(event.value)
      case AxisCode.trackingID: track(event.value, frame, &numbers)
      case let code where ContactValues.carries(code):
        guard let current else { continue }
        slots[current].values.set(code, event.value)
        slots[current].hasData = true
      default: break
      }
    }
    judgeUnknownSlots(&numbers)
    publish(frame, into: &contacts)
  }

  /// The contacts that were down when the device was opened begin with its first frame.
  private mutating func takeOpenContacts(_ numbers: inout ContactNumbers) {
    guard !openContacts.isEmpty else { return }
    for open in openContacts where Self.slots.contains(open.slot) {
      let index = makeRoom(open.slot)
      for (code, value) in open.values { slots[index].values.set(code, value) }
      guard open.trackingID >= 0 else { continue }
      put(
        Tracked(id: numbers.next(), trackingID: open.trackingID, wasAlreadyDown: true), in: index)
    }
    openContacts.removeAll()
  }

  private mutating func select(_ slot: Int32) {
    current = Self.slots.contains(slot) ? makeRoom(slot) : nil
  }

  private mutating func makeRoom(_ slot: Int32) -> Int {
    let index = Int(slot)
    while slots.count <= index { slots.append(Slot(isUnknown: !isKnown)) }
    return index
  }

  private mutating func track(
    _ trackingID: Int32, _ frame: Frame, _ numbers: inout ContactNumbers
  ) {
    guard let current else { return }
    let previous = slots[current].contact
    slots[current].isUnknown = false
    if let previous {
      // Some drivers repeat the ID in every frame: the same touch.
      if previous.trackingID == trackingID { return }
      if previous.isPublished {
        departed.append((Int32(current), previous, slots[current].values))
      }
      slots[current].contact = nil
    }
    guard trackingID >= 0 else { return }
    if let index = departed.firstIndex(where: {
      // −1 and the same ID in one slot are a lift and a touch, unless it is only how a
      // resynchronization says it.
      $0.contact.trackingID == trackingID
        && ($0.slot != Int32(current) || frame.isResynchronized)
    }) {
      let moved = departed.remove(at: index)
      put(moved.contact, in: current)
      slots[current].values.fill(from: moved.values)
    } else if let other = slots.firstIndex(where: { $0.contact?.trackingID == trackingID }),
      let contact = slots[other].contact
    {
      put(contact, in: current)
      slots[current].values.fill(from: slots[other].values)
      slots[other].contact = nil
    } else {
      put(
        Tracked(
          id: numbers.next(), trackingID: trackingID, wasAlreadyDown: frame.isResynchronized),
        in: current)
    }
  }

  private mutating func put(_ contact: Tracked, in index: Int) {
    slots[index].contact = contact
    reached = max(reached, index + 1)
  }

  private mutating func judgeUnknownSlots(_ numbers: inout ContactNumbers) {
    guard !isKnown else { return }
    for index in slots.indices where slots[index].hasData {
      slots[index].hasData = false
      guard slots[index].isUnknown else { continue }
      slots[index].isUnknown = false
      put(Tracked(id: numbers.next(), trackingID: nil, wasAlreadyDown: true), in: index)
    }
  }

  private mutating func publish(_ frame: Frame, into contacts: inout [Contact]) {
    let end: Contact.Phase = frame.isResynchronized ? .cancelled(.dropped) : .ended
    for index in 0..<reached {
      let slot = Int32(index)
      for gone in departed where gone.slot == slot {
        contacts.append(
          gone.values.contact(
            gone.contact.id, slot: slot, phase: end,
            wasAlreadyDown: gone.contact.wasAlreadyDown))
      }
      guard let tracked = slots[index].contact else { continue }
      contacts.append(
        slots[index].values.contact(
          tracked.id, slot: slot, phase: tracked.isPublished ? .stayed : .began,
          wasAlreadyDown: tracked.wasAlreadyDown))
      slots[index].contact?.isPublished = true
    }
  }
}
