public import ForceTouchModel

/// Turns the contacts of one device into peeks and pops.
///
/// It has no clock, no descriptor and no log: it is given a whole frame, a timeout or a
/// cancellation, and appends what follows to a buffer that the caller owns. One contact's events
/// follow the grammar of ``ContactEvent``. Not safe for use from several threads at once.
///
/// What a contact may become (see `docs/recognition.md`):
///
///     unarmed ──seen below peek, alone──▶ armed ──crosses peek──▶ peeking ──crosses pop──▶ popped
///        ▲                                  │                        │
///        └──────another contact─────────────┘                        └─another contact──▶ spent
public struct Recognizer: Sendable {
  private let configuration: RecognizerConfiguration
  private let device: RecognizedDevice
  /// Those of a contact that has no baseline.
  private let thresholds: RawThresholds?
  private let slop: Slop
  private let dragSlop: Slop
  /// The contacts whose close was not yet told.
  private(set) var contacts: [TrackedContact] = []
  /// What the last frame said of the device as a whole: no contact is beside another, or none
  /// minds.
  private var isAlone = true
  private var time: Timestamp?

  /// When ``timeout(at:into:)`` is due if no frame comes before: on a trackpad a still finger
  /// sends nothing, so somebody has to look whether it rests by now. nil: nothing is due.
  public private(set) var deadline: Timestamp?

  public init(configuration: RecognizerConfiguration, device: RecognizedDevice) {
    self.configuration = configuration
    self.device = device
    thresholds = device.profile.map { RawThresholds(configuration, profile: $0) }
    slop = Slop(configuration, device: device)
    dragSlop = Slop(configuration, device: device, times: configuration.dragSlops)
    contacts.reserveCapacity(16)
  }

  /// Takes all contacts of the device at the end of a frame.
  public mutating func process(_ frame: ContactFrame, into events: inout [ContactEvent]) {
    followClock(frame.time)
    isAlone =
      !has(.otherContact)
      || frame.contacts.count { $0.phase.isOpen } <= 1
    for contact in frame.contacts where !contact.phase.isOpen { end(contact, frame, &events) }
    for contact in frame.contacts {
      if case .stayed = contact.phase { stay(contact, frame, &events) }
    }
    for contact in frame.contacts {
      if case .began = contact.phase { begin(contact, frame, &events) }
    }
    updateDeadline()
  }

  /// Takes the passing of ``deadline`` without a frame.
  public mutating func timeout(at time: Timestamp, into events: inout [ContactEvent]) {
    followClock(time)
    sortBySlot()
    for index in contacts.indices {
      judge(index, at: time, isResynchronized: false, &events)
    }
    updateDeadline()
  }

  /// Closes every open contact, in slot order. Contacts that stay down physically are not heard
  /// of again until they lift.
  public mutating func cancel(
    _ reason: CancelReason, at time: Timestamp, into events: inout [ContactEvent]
  ) {
    sortBySlot()
    for tracked in contacts { close(tracked, .cancelled(reason), at: time, &events) }
    contacts.removeAll(keepingCapacity: true)
    deadline = nil
  }

  /// Appends what would bring a listener that heard nothing to where things are: the `began` of
  /// each open contact, and its `peek` and `pop` if it had them.
  public func appendOpenContacts(to events: inout [ContactEvent]) {
    guard let time else { return }
    for tracked in contacts.sorted(by: { $0.contact.slot < $1.contact.slot }) {
      var began = event(.began, tracked, at: time)
      began.wasAlreadyDown = tracked.contact.wasAlreadyDown
      began.failure = tracked.failure
      events.append(began)
      switch tracked.state {
      case .unarmed, .armed, .spent: break
      case .peeking: events.append(event(.peek, tracked, at: time))
      case .popped:
        events.append(event(.peek, tracked, at: time))
        events.append(event(.pop, tracked, at: time))
      }
    }
  }

  /// Contacts are kept in the order they began, and a contact may change its slot.
  private mutating func sortBySlot() {
    contacts.sort { $0.contact.slot < $1.contact.slot }
  }

  // MARK: One contact

  private mutating func begin(
    _ contact: Contact, _ frame: ContactFrame, _ events: inout [ContactEvent]
  ) {
    var tracked = TrackedContact(contact, thresholds)
    tracked.fail(rejection(of: contact.tool))
    if device.isEstimated && has(.baseline) {
      tracked.baseline = Baseline(from: frame.time, for: configuration.baselineInterval)
    }
    contacts.append(tracked)
    move(contacts.count - 1, frame)
    measure(contacts.count - 1, at: frame.time)
    updateArming(contacts.count - 1)
    var event = event(.began, contacts[contacts.count - 1], at: frame.time)
    event.wasAlreadyDown = contact.wasAlreadyDown
    event.isResynchronized = frame.isResynchronized
    events.append(event)
  }

  private mutating func stay(
    _ contact: Contact, _ frame: ContactFrame, _ events: inout [ContactEvent]
  ) {
    // One that was closed by a cancellation and is still down: nothing more of it.
    guard let index = contacts.firstIndex(where: { $0.contact.id == contact.id }) else { return }
    let (before, stageBefore) = (contacts[index].contact, contacts[index].stage)
    contacts[index].contact = contact
    contacts[index].fail(rejection(of: contact.tool))
    move(index, frame)
    measure(index, at: frame.time)
    updateArming(index)
    if frame.isResynchronized || contacts[index].hasNews(since: before, stageBefore) {
      var event = event(.changed, contacts[index], at: frame.time)
      event.isResynchronized = frame.isResynchronized
      event.failure = contacts[index].tellFailure()
      events.append(event)
    }
    yieldToOtherContacts(index, at: frame.time, &events)
    judge(index, at: frame.time, isResynchronized: frame.isResynchronized, &events)
  }

  private mutating func end(
    _ contact: Contact, _ frame: ContactFrame, _ events: inout [ContactEvent]
  ) {
    let close: Close
    switch contact.phase {
    case .began, .stayed: return
    case .ended: close = .ended
    case .cancelled(let reason): close = .cancelled(reason)
    }
    guard let index = contacts.firstIndex(where: { $0.contact.id == contact.id }) else { return }
    var tracked = contacts.remove(at: index)
    tracked.contact = contact
    self.close(tracked, close, at: frame.time, &events)
  }

  private enum Close {
    case ended
    case cancelled(CancelReason)
  }

  private func close(
    _ tracked: TrackedContact, _ close: Close, at time: Timestamp, _ events: inout [ContactEvent]
  ) {
    if tracked.state == .peeking {
      switch close {
      case .ended: events.append(event(.peekEnded, tracked, at: time))
      case .cancelled(let reason): events.append(event(.peekCancelled(reason), tracked, at: time))
      }
    }
    switch close {
    case .ended: events.append(event(.ended, tracked, at: time))
    case .cancelled(let reason): events.append(event(.cancelled(reason), tracked, at: time))
    }
  }

  // MARK: The rules

  private func has(_ rule: RejectionRule) -> Bool { configuration.rules.contains(rule) }

  /// A palm and a pen press, but nobody means it as a peek.
  private func rejection(of tool: ContactTool) -> FailureReason? {
    switch tool {
    case .finger: nil
    case .palm: has(.palm) ? .palm : nil
    case .other: has(.notFinger) ? .notFinger : nil
    }
  }

  /// Movement. A touchscreen's finger that strays before the peek means something else. A
  /// trackpad's finger moves the pointer and presses without lifting: it only has to rest first,
  /// unless it drags with a button held.
  private mutating func move(_ index: Int, _ frame: ContactFrame) {
    let position = contacts[index].contact.position
    contacts[index].movement.settle(at: position)
    let hasLeftAnchor = contacts[index].movement.hasLeftAnchor(to: position, slop: slop)
    switch device.kind {
    case .touchscreen:
      switch contacts[index].state {
      case .unarmed, .armed: if hasLeftAnchor && has(.moved) { contacts[index].fail(.moved) }
      case .peeking, .popped, .spent: break
      }
    case .trackpad:
      if hasLeftAnchor {
        contacts[index].movement.leaveAnchor(
          to: position, at: frame.time, rest: has(.moving) ? configuration.restInterval : .zero)
      }
      let drags = contacts[index].movement.drags(
        isButtonHeld: frame.isButtonHeld, to: position, slop: dragSlop)
      if drags && has(.dragged) { contacts[index].fail(.dragged) }
    }
  }

  /// How hard the contact is pressed, by its own thresholds where it has a baseline.
  private mutating func measure(_ index: Int, at time: Timestamp) {
    guard let profile = device.profile, let raw = contacts[index].contact.rawPressure
    else { return }
    if let level = contacts[index].baseline?.learn(raw, at: time) {
      let headroom = profile.ceiling - Double(level)
      contacts[index].thresholds =
        headroom >= configuration.leastHeadroom * (profile.ceiling - profile.floor)
        ? RawThresholds(configuration, profile: profile, baseline: level) : nil
    }
    let tracked = contacts[index]
    contacts[index].stage = tracked.thresholds?.stage(after: tracked.stage, raw: raw) ?? 0
  }

  /// A press is a crossing: it counts only from where the contact was seen below the threshold,
  /// alone.
  private mutating func updateArming(_ index: Int) {
    switch contacts[index].state {
    case .unarmed:
      guard isAlone, isBelowPeek(contacts[index]) || !has(.unarmed) else { return }
      contacts[index].state = .armed
    case .armed: if !isAlone { contacts[index].state = .unarmed }
    case .peeking, .popped, .spent: break
    }
  }

  private func isBelowPeek(_ tracked: TrackedContact) -> Bool {
    guard let thresholds = tracked.thresholds, let raw = tracked.contact.rawPressure
    else { return false }
    return !thresholds.reaches(raw, thresholds.peek)
  }

  /// A palm ends a peek; so does a second finger.
  private mutating func yieldToOtherContacts(
    _ index: Int, at time: Timestamp, _ events: inout [ContactEvent]
  ) {
    guard contacts[index].state == .peeking else { return }
    let reason: CancelReason
    if rejection(of: contacts[index].contact.tool) == .palm {
      reason = .palm
    } else if !isAlone {
      reason = .otherContact
    } else {
      return
    }
    contacts[index].state = .spent
    events.append(event(.peekCancelled(reason), contacts[index], at: time))
  }

  private mutating func judge(
    _ index: Int, at time: Timestamp, isResynchronized: Bool, _ events: inout [ContactEvent]
  ) {
    guard !(isResynchronized && has(.dropped)), !contacts[index].movement.isMoving(at: time)
    else { return }
    if wouldPeek(contacts[index]) {
      contacts[index].state = .peeking
      events.append(event(.peek, contacts[index], at: time))
    }
    if wouldPop(contacts[index]) {
      contacts[index].state = .popped
      events.append(event(.pop, contacts[index], at: time))
    }
  }

  /// Pressing on would peek.
  private func isArmed(_ tracked: TrackedContact) -> Bool {
    tracked.state == .armed && tracked.failure == nil
      && (tracked.contact.position != nil || !has(.nowhere))
  }

  private func wouldPeek(_ tracked: TrackedContact) -> Bool {
    guard isArmed(tracked), let thresholds = tracked.thresholds,
      let raw = tracked.contact.rawPressure
    else { return false }
    return thresholds.reaches(raw, thresholds.peek)
  }

  private func wouldPop(_ tracked: TrackedContact) -> Bool {
    guard tracked.state == .peeking, tracked.failure == nil,
      let thresholds = tracked.thresholds, let raw = tracked.contact.rawPressure
    else { return false }
    return thresholds.reaches(raw, thresholds.pop)
  }

  // MARK: Time

  /// A recording's clock may jump backward: what was to come stays as far away as it was.
  private mutating func followClock(_ now: Timestamp) {
    if let time, now < time {
      for index in contacts.indices {
        contacts[index].movement.shift(by: now - time)
        contacts[index].baseline?.shift(by: now - time)
      }
    }
    time = now
  }

  /// Something is due only where a contact would peek or pop but for its movement.
  private mutating func updateDeadline() {
    deadline = nil
    guard let time else { return }
    for tracked in contacts {
      guard let rest = tracked.movement.movingUntil, time < rest,
        wouldPeek(tracked) || wouldPop(tracked)
      else { continue }
      deadline = min(deadline ?? rest, rest)
    }
  }

  // MARK: Events

  @inline(__always)
  private func event(
    _ kind: ContactEvent.Kind, _ tracked: TrackedContact, at time: Timestamp
  ) -> ContactEvent {
    device.event(kind, tracked, at: time, isArmed: isArmed(tracked))
  }
}

extension RecognizedDevice {
  /// Needs nothing else of the recognizer, which would be copied for it.
  fileprivate func event(
    _ kind: ContactEvent.Kind, _ tracked: TrackedContact, at time: Timestamp, isArmed: Bool
  ) -> ContactEvent {
    let contact = tracked.contact
    var event = ContactEvent(
      kind: kind, contact: contact.id, slot: contact.slot, time: time,
      position: contact.position, rawPressure: contact.rawPressure, stage: tracked.stage,
      isArmed: isArmed, isEstimated: isEstimated)
    if let profile, let raw = contact.rawPressure {
      event.force = ForceSample(
        pressure: profile.pressure(raw: raw), force: profile.force(raw: raw),
        grams: Grams(raw: raw, resolution: unitsPerGram))
      event.peekProgress = tracked.thresholds?.peekProgress(raw) ?? 0
      event.popProgress = tracked.thresholds?.popProgress(raw) ?? 0
    }
    return event
  }
}

/// What the recognizer remembers of a contact whose close was not yet told.
struct TrackedContact {
  /// `docs/recognition.md` has a table of what becomes of each, which a test plays.
  enum State: String, CaseIterable {
    /// Above the peek threshold since it began, or since it was last beside another contact.
    case unarmed
    /// Seen below the peek threshold: a crossing counts.
    case armed
    /// A peek is open.
    case peeking
    /// Popped: nothing but its close can follow.
    case popped
    /// Its peek was cancelled. There is no second one.
    case spent
  }

  /// As of the last frame.
  var contact: Contact
  var state = State.unarmed
  var stage: UInt8 = 0
  var movement: Movement
  /// nil where none could be reached.
  var thresholds: RawThresholds?
  /// On an estimated device: what the thresholds count from.
  var baseline: Baseline?
  /// Why it can peek and pop no more.
  private(set) var failure: FailureReason?
  private var isFailureTold = false

  init(_ contact: Contact, _ thresholds: RawThresholds?) {
    self.contact = contact
    self.thresholds = thresholds
    movement = Movement(at: contact.position)
  }

  mutating func fail(_ reason: FailureReason?) {
    failure = failure ?? reason
  }

  /// The failure, the first time it is asked for.
  mutating func tellFailure() -> FailureReason? {
    guard !isFailureTold else { return nil }
    isFailureTold = failure != nil
    return failure
  }

  func hasNews(since before: Contact, _ stageBefore: UInt8) -> Bool {
    contact.position != before.position || contact.rawPressure != before.rawPressure
      || contact.tool != before.tool || stage != stageBefore
      || (failure != nil && !isFailureTold)
  }
}
