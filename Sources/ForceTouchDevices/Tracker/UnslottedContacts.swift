import ForceTouchModel

/// Multitouch protocol type A: every frame lists all contacts, each ended by `SYN_MT_REPORT`.
/// They are told apart by tracking ID where there is one, else by position.
struct UnslottedContacts: Sendable {
  private static let maximumContacts = 32

  private struct Tracked: Sendable {
    var id: ContactID
    var slot: Int32
    var trackingID: Int32?
    var values: ContactValues
    var wasAlreadyDown: Bool
  }

  private struct Reported: Equatable, Sendable {
    var trackingID: Int32?
    var values = ContactValues()
    var isMatched = false
  }

  /// `SYN_MT_REPORT` was seen: it is type A.
  private(set) var isProven = false
  private var tracked: [Tracked] = []
  private var reported: [Reported] = []
  /// Events were lost: whatever is seen next was down already.
  private var isBlind = false

  init() {
    tracked.reserveCapacity(Self.maximumContacts)
    reported.reserveCapacity(Self.maximumContacts)
  }

  mutating func process(
    _ frame: Frame, _ numbers: inout ContactNumbers, into contacts: inout [Contact]
  ) {
    if frame.isResynchronized {
      // Nothing tells the contacts after the gap from those before it.
      for gone in tracked { append(gone, .cancelled(.dropped), to: &contacts) }
      tracked.removeAll(keepingCapacity: true)
      isBlind = true
    }
    guard read(frame) else {
      for contact in tracked { append(contact, .stayed, to: &contacts) }
      return
    }
    matchByTrackingID(into: &contacts)
    matchByPosition(into: &contacts)
    for index in tracked.indices.reversed() where !isStaying(tracked[index], contacts) {
      append(tracked[index], .ended, to: &contacts)
      tracked.remove(at: index)
    }
    for new in reported where !new.isMatched { begin(new, &numbers, into: &contacts) }
    if !reported.isEmpty { isBlind = false }
    contacts.sort {
      ($0.slot, $0.phase == .began ? 1 : 0) < ($1.slot, $1.phase == .began ? 1 : 0)
    }
  }

  /// Gathers the frame's contacts. False when the frame does not speak of contacts at all.
  private mutating func read(_ frame: Frame) -> Bool {
    reported.removeAll(keepingCapacity: true)
    var current = Reported()
    var hasValues = false
    var speaksOfContacts = frame.events.isEmpty && !frame.isResynchronized
    for event in frame.events {
      switch (event.type, event.code) {
      case (EventType.synchronization, SynchronizationCode.multitouchReport):
        isProven = true
        speaksOfContacts = true
        if hasValues { add(current) }
        current = Reported()
        hasValues = false
      case (EventType.key, KeyCode.touch) where event.value == 0:
        speaksOfContacts = true
      case (EventType.absolute, AxisCode.trackingID):
        current.trackingID = event.value >= 0 ? event.value : nil
        hasValues = event.value >= 0 || hasValues
      case (EventType.absolute, let code) where ContactValues.carries(code):
        current.values.set(code, event.value)
        hasValues = true
      default: break
      }
    }
    if hasValues {
      speaksOfContacts = true
      add(current)
    }
    return speaksOfContacts
  }

  /// Some controllers list the same contact many times in one frame.
  private mutating func add(_ contact: Reported) {
    guard reported.count < Self.maximumContacts, contact.values.position != nil,
      !reported.contains(where: {
        $0.trackingID == contact.trackingID
          && (contact.trackingID != nil || $0.values.position == contact.values.position)
      })
    else { return }
    reported.append(contact)
  }

  private mutating func matchByTrackingID(into contacts: inout [Contact]) {
    for index in reported.indices {
      guard let trackingID = reported[index].trackingID,
        let match = tracked.firstIndex(where: { $0.trackingID == trackingID })
      else { continue }
      stay(match, index, into: &contacts)
    }
  }

  /// Pairs what has no tracking ID, the nearest first.
  private mutating func matchByPosition(into contacts: inout [Contact]) {
    while let (match, index) = nearestPair(contacts) { stay(match, index, into: &contacts) }
  }

  private func nearestPair(_ contacts: [Contact]) -> (tracked: Int, reported: Int)? {
    var nearest: (tracked: Int, reported: Int)?
    var least = Double.infinity
    for index in reported.indices
    where !reported[index].isMatched && reported[index].trackingID == nil {
      guard let place = reported[index].values.position else { continue }
      for match in tracked.indices
      where tracked[match].trackingID == nil && !isStaying(tracked[match], contacts) {
        guard let other = tracked[match].values.position else { continue }
        let x = Double(place.x) - Double(other.x)
        let y = Double(place.y) - Double(other.y)
        let distance = x * x + y * y
        if distance < least {
          least = distance
          nearest = (match, index)
        }
      }
    }
    return nearest
  }

  private mutating func stay(_ match: Int, _ index: Int, into contacts: inout [Contact]) {
    reported[index].isMatched = true
    var values = reported[index].values
    values.fill(from: tracked[match].values)
    tracked[match].values = values
    append(tracked[match], .stayed, to: &contacts)
  }

  private func isStaying(_ tracked: Tracked, _ contacts: [Contact]) -> Bool {
    contacts.contains { $0.id == tracked.id && $0.phase == .stayed }
  }

  private mutating func begin(
    _ new: Reported, _ numbers: inout ContactNumbers, into contacts: inout [Contact]
  ) {
    var slot: Int32 = 0
    while tracked.contains(where: { $0.slot == slot }) { slot += 1 }
    let contact = Tracked(
      id: numbers.next(), slot: slot, trackingID: new.trackingID, values: new.values,
      wasAlreadyDown: isBlind)
    tracked.append(contact)
    append(contact, .began, to: &contacts)
  }

  private func append(
    _ tracked: Tracked, _ phase: Contact.Phase, to contacts: inout [Contact]
  ) {
    contacts.append(
      tracked.values.contact(
        tracked.id, slot: tracked.slot, phase: phase, wasAlreadyDown: tracked.wasAlreadyDown))
  }
}
