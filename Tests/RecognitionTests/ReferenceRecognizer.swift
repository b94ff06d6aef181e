import ForceTouchModel

/// The rules of `docs/recognition.md`, told a second time and as simply as possible: it keeps all
/// that ever happened to a contact and judges it anew from the beginning, in one sentence a rule.
/// What it says must be what the recognizer says, `changed` left aside.
///
/// Floor 0, ceiling 1000, default thresholds; 40 units a millimeter.
struct ReferenceRecognizer {
  struct Said: Equatable {
    var contact: ContactID
    var kind: ContactEvent.Kind
  }

  private struct Moment {
    var contact: Contact
    var time: Int64
    var isAlone: Bool
    var isButtonHeld: Bool
    var isResynchronized: Bool
  }

  private struct History {
    var moments: [Moment] = []
    var hasPeeked = false
    var hasPopped = false
    var isPeekOpen = false
  }

  private let kind: TouchKind
  private let peeksBesideOthers: Bool
  private let isEstimated: Bool
  private var histories: [ContactID: History] = [:]
  /// Whether pressing on would have given a peek, before the last frame was judged.
  private(set) var isArmed: [ContactID: Bool] = [:]
  /// A clock that never goes back: what the device's clock jumps backward is left out.
  private var now: Int64 = 0
  private var lastTime: Timestamp?

  init(kind: TouchKind, peeksBesideOthers: Bool, isEstimated: Bool) {
    self.kind = kind
    self.peeksBesideOthers = peeksBesideOthers
    self.isEstimated = isEstimated
  }

  mutating func process(_ frame: ContactFrame) -> [Said] {
    pass(to: frame.time)
    isArmed.removeAll(keepingCapacity: true)
    let down = frame.contacts.filter { $0.phase == .began || $0.phase == .stayed }
    var said: [Said] = []
    for contact in frame.contacts {
      switch contact.phase {
      case .began, .stayed: continue
      case .ended: said += close(contact.id, .peekEnded, .ended)
      case .cancelled(let reason):
        said += close(contact.id, .peekCancelled(reason), .cancelled(reason))
      }
    }
    for contact in down where contact.phase == .stayed && histories[contact.id] != nil {
      add(contact, frame, isAlone: down.count == 1)
      said += judge(contact.id)
    }
    for contact in down where contact.phase == .began {
      histories[contact.id] = History()
      add(contact, frame, isAlone: down.count == 1)
      said.append(Said(contact: contact.id, kind: .began))
    }
    return said
  }

  mutating func timeout(at time: Timestamp) -> [Said] {
    pass(to: time)
    return inSlotOrder().flatMap { id -> [Said] in
      guard let last = histories[id]?.moments.last, !last.isResynchronized || last.time < now
      else { return [] }
      return press(id)
    }
  }

  mutating func cancel(_ reason: CancelReason) -> [Said] {
    inSlotOrder().flatMap { close($0, .peekCancelled(reason), .cancelled(reason)) }
  }

  /// How long from now somebody must look again: until the first finger rests that then would
  /// peek or pop.
  var nextLook: Int64? {
    var earliest: Int64?
    for (_, history) in histories {
      guard let rest = rest(history), rest > now else { continue }
      guard wouldPeek(history) || wouldPop(history) else { continue }
      earliest = min(earliest ?? rest, rest)
    }
    return earliest.map { $0 - now }
  }

  private mutating func pass(to time: Timestamp) {
    if let lastTime { now += max(0, (time - lastTime).microseconds) }
    lastTime = time
  }

  private func inSlotOrder() -> [ContactID] {
    histories.sorted {
      ($0.value.moments.last?.contact.slot ?? 0) < ($1.value.moments.last?.contact.slot ?? 0)
    }.map(\.key)
  }

  private mutating func add(_ contact: Contact, _ frame: ContactFrame, isAlone: Bool) {
    histories[contact.id]?.moments.append(
      Moment(
        contact: contact, time: now, isAlone: isAlone || peeksBesideOthers,
        isButtonHeld: frame.isButtonHeld, isResynchronized: frame.isResynchronized))
    if let history = histories[contact.id] { isArmed[contact.id] = isArmed(history) }
  }

  private mutating func close(
    _ id: ContactID, _ peek: ContactEvent.Kind, _ end: ContactEvent.Kind
  ) -> [Said] {
    guard let history = histories.removeValue(forKey: id) else { return [] }
    let end = Said(contact: id, kind: end)
    return history.isPeekOpen ? [Said(contact: id, kind: peek), end] : [end]
  }

  private mutating func judge(_ id: ContactID) -> [Said] {
    guard let history = histories[id], let last = history.moments.last else { return [] }
    if history.isPeekOpen {
      let isPalm = last.contact.tool == .palm
      if isPalm || !last.isAlone {
        histories[id]?.isPeekOpen = false
        return [Said(contact: id, kind: .peekCancelled(isPalm ? .palm : .otherContact))]
      }
    }
    return last.isResynchronized ? [] : press(id)
  }

  private mutating func press(_ id: ContactID) -> [Said] {
    guard let history = histories[id], rest(history) ?? now <= now else { return [] }
    var said: [Said] = []
    if wouldPeek(history) {
      histories[id]?.hasPeeked = true
      histories[id]?.isPeekOpen = true
      said.append(Said(contact: id, kind: .peek))
    }
    if let history = histories[id], wouldPop(history) {
      histories[id]?.hasPopped = true
      histories[id]?.isPeekOpen = false
      said.append(Said(contact: id, kind: .pop))
    }
    return said
  }

  // MARK: The rules, but for movement and the frame after lost events

  private func wouldPeek(_ history: History) -> Bool {
    isArmed(history) && reaches(0.40, history.moments[...]) == true
  }

  private func isArmed(_ history: History) -> Bool {
    guard let last = history.moments.last, !history.hasPeeked, !hasFailed(history) else {
      return false
    }
    // What came since it was last beside another contact.
    let moments = history.moments
    let start = moments.lastIndex { !$0.isAlone }.map { $0 + 1 } ?? 0
    let wasBelow = (start..<moments.count).contains { reaches(0.40, moments[...$0]) == false }
    return last.contact.position != nil && wasBelow
  }

  private func wouldPop(_ history: History) -> Bool {
    history.isPeekOpen && !hasFailed(history)
      && reaches(0.75, history.moments[...]) == true
  }

  /// Whether pressure reached a threshold in the last of these moments; nil when none is told, or
  /// when an estimate is left with less than a quarter of the range.
  private func reaches(_ fraction: Double, _ moments: ArraySlice<Moment>) -> Bool? {
    guard let raw = moments.last?.contact.rawPressure else { return nil }
    let baseline = isEstimated ? self.baseline(moments) : 0
    guard baseline <= 750 else { return nil }
    return Double(raw) >= baseline + fraction * (1000 - baseline) - 1e-6
  }

  /// The most it had in its first 100 ms, or what was told first if that was later.
  private func baseline(_ moments: ArraySlice<Moment>) -> Double {
    let told = moments.filter { $0.contact.rawPressure != nil }
    let early = told.filter { $0.time <= moments[0].time + 100_000 }
    let levels = (early.isEmpty ? told.prefix(1) : early[...]).compactMap(\.contact.rawPressure)
    return Double(max(0, levels.max() ?? 0))
  }

  private func hasFailed(_ history: History) -> Bool {
    if history.moments.contains(where: { $0.contact.tool != .finger }) { return true }
    switch kind {
    case .touchscreen: return !history.hasPeeked && hasMoved(history)
    case .trackpad: return hasDragged(history)
    }
  }

  // MARK: Movement

  /// On a touchscreen: whether it was ever more than 2 mm from where it came down.
  private func hasMoved(_ history: History) -> Bool {
    let places = history.moments.compactMap(\.contact.position)
    guard let anchor = places.first else { return false }
    return places.contains { Self.squaredDistance($0, anchor) > 80 * 80 }
  }

  /// On a trackpad: whether it was ever more than 2 mm from where the held button went down.
  private func hasDragged(_ history: History) -> Bool {
    history.moments.indices.contains { last in
      guard history.moments[last].isButtonHeld, let place = history.moments[last].contact.position
      else { return false }
      let first = history.moments[...last].lastIndex { !$0.isButtonHeld }.map { $0 + 1 } ?? 0
      let places = history.moments[first...last].compactMap(\.contact.position)
      return places.first.map { Self.squaredDistance($0, place) > 80 * 80 } ?? false
    }
  }

  /// On a trackpad: the moments in which it left its anchor by more than 1 mm.
  private func leavings(_ history: History) -> [Moment] {
    var anchor: Position?
    return history.moments.filter { moment in
      guard let place = moment.contact.position else { return false }
      let hasLeft = anchor.map { Self.squaredDistance(place, $0) > 40 * 40 } ?? false
      if anchor == nil || hasLeft { anchor = place }
      return hasLeft
    }
  }

  /// When it rests.
  private func rest(_ history: History) -> Int64? {
    guard kind == .trackpad else { return nil }
    return leavings(history).last.map { $0.time + 100_000 }
  }

  private static func squaredDistance(_ left: Position, _ right: Position) -> Int64 {
    let x = Int64(left.x) - Int64(right.x)
    let y = Int64(left.y) - Int64(right.y)
    return x * x + y * y
  }
}
