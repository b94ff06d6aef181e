import ForceTouchModel

/// Multitouch protocol type A: every frame lists all contacts, each ended by `SYN_MT_REPORT`.
/// They are told apart by tracking ID where there is one, else by position.
struct UnslottedContacts: Sendable {
  private static let maximumContacts = 32
  /// For how long a device that was never seen to tell a lift may say nothing of its contacts. Drivers
  /// of type A list them at every report, some 10 ms apart; one that reports changes alone is silent
  /// while a finger keeps still, and is given the benefit of the doubt.
  private static let patience = Interval.milliseconds(2000)

  private struct Tracked: Sendable {
    var id: ContactID
    var slot: Int32
    var trackingID: Int32?
    var values: ContactValues
    var wasAlreadyDown: Bool
    /// In this frame: it is listed.
    var isMatched = false
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
  /// A frame was seen that listed nothing any more. Some drivers never send one.
  private var tellsLifts = false
  private var lastListing = Timestamp.zero

  /// Type A has no state that could be read: what is listed first was down if anything was.
  init(_ initialState: ContactTracker.InitialState) {
    if case .known(let state) = initialState { isBlind = state.keys.contains(KeyCode.touch) }
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
    let speaksOfContacts = read(frame)
    lastListing = speaksOfContacts ? frame.time : min(lastListing, frame.time)
    if speaksOfContacts {
      if reported.isEmpty && !tracked.isEmpty { tellsLifts = true }
      matchByTrackingID()
      matchByPosition()
      for gone in tracked where !gone.isMatched { append(gone, .ended, to: &contacts) }
      tracked.removeAll { !$0.isMatched }
    }
    for contact in tracked { append(contact, .stayed, to: &contacts) }
    for new in reported where !new.isMatched { begin(new, &numbers, into: &contacts) }
    if speaksOfContacts { isBlind = false }
    contacts.sort {
      ($0.slot, $0.phase == .began ? 1 : 0) < ($1.slot, $1.phase == .began ? 1 : 0)
    }
  }

  /// When the contacts are taken for gone, unless a frame comes before.
  var deadline: Timestamp? {
    tellsLifts || tracked.isEmpty ? nil : lastListing + Self.patience
  }

  /// Nothing was said of the contacts for too long. What is seen next may have been down all the time.
  mutating func expire(into contacts: inout [Contact]) {
    for gone in tracked { append(gone, .cancelled(.stale), to: &contacts) }
    tracked.removeAll(keepingCapacity: true)
    isBlind = true
  }

  /// Gathers the frame's contacts. False when the frame does not speak of contacts at all: then
  /// they stay as they are.
  private mutating func read(_ frame: Frame) -> Bool {
    reported.removeAll(keepingCapacity: true)
    for index in tracked.indices { tracked[index].isMatched = false }
    var current = Reported()
    var hasValues = false
    var speaksOfContacts = frame.events.isEmpty && !frame.isResynchronized
    var isTouchReleased = false
    for event in frame.events {
      switch (event.type, event.code) {
      case (EventType.synchronization, SynchronizationCode.multitouchReport):
        isProven = true
        speaksOfContacts = true
        if hasValues { add(current) }
        current = Reported()
        hasValues = false
      case (EventType.key, KeyCode.touch): isTouchReleased = event.value == 0
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
    if isTouchReleased {
      // Some drivers list the contacts once more in the frame of the lift.
      speaksOfContacts = true
      reported.removeAll(keepingCapacity: true)
    }
    return speaksOfContacts
  }

  /// Some controllers list the same contact many times in one frame; some say of a lifted one
  /// that it has no size or pressure, and nothing of where it is.
  private mutating func add(_ contact: Reported) {
    guard reported.count < Self.maximumContacts, contact.values.hasCoordinate,
      !reported.contains(where: {
        $0.trackingID == contact.trackingID
          && (contact.trackingID != nil || $0.values.isAtPlace(of: contact.values))
      })
    else { return }
    reported.append(contact)
  }

  private mutating func matchByTrackingID() {
    for index in reported.indices {
      guard let trackingID = reported[index].trackingID,
        let match = tracked.firstIndex(where: { $0.trackingID == trackingID })
      else { continue }
      update(match, from: index)
    }
  }

  /// Pairs what has no tracking ID, the nearest first.
  private mutating func matchByPosition() {
    while let (match, index) = nearestPair() { update(match, from: index) }
  }

  private func nearestPair() -> (tracked: Int, reported: Int)? {
    var nearest: (tracked: Int, reported: Int)?
    var least = Double.infinity
    for index in reported.indices
    where !reported[index].isMatched && reported[index].trackingID == nil {
      for match in tracked.indices
      where !tracked[match].isMatched && tracked[match].trackingID == nil {
        guard let distance = reported[index].values.squaredDistance(to: tracked[match].values),
          distance < least
        else { continue }
        least = distance
        nearest = (match, index)
      }
    }
    return nearest
  }

  private mutating func update(_ match: Int, from index: Int) {
    reported[index].isMatched = true
    tracked[match].isMatched = true
    var values = reported[index].values
    values.fill(from: tracked[match].values)
    tracked[match].values = values
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
