public import ForceTouchModel
public import ForceTouchProtocol

/// How far a press has come.
public enum Step: Int, Comparable, Sendable {
  case touch, peek, pop

  public static func < (left: Step, right: Step) -> Bool { left.rawValue < right.rawValue }
}

/// A contact as its events tell of it.
public struct WatchedContact: Equatable, Sendable {
  /// The last event with a sample in it.
  public var latest: EventMessage
  public var step = Step.touch
  /// 0…1, now and at its hardest; see ``ForceScale``.
  public var level: Double
  public var hardest: Double
  /// How it was closed; nil while it is open.
  public var end: EventMessage.Kind?
  /// Why it can no longer peek.
  public var failure: FailureReason?
}

/// What the contacts of one device did: the open ones, what happened lately, and how often.
public struct ContactLog: Sendable {
  /// In the order of their numbers.
  public private(set) var contacts: [WatchedContact] = []
  /// The one that was closed last.
  public private(set) var last: WatchedContact?
  public private(set) var history = ForceHistory()
  /// All but `changed`, newest last.
  public private(set) var events: [EventMessage] = []
  public private(set) var counts: [EventMessage.Kind: Int] = [:]
  /// The time of the first event: the others count from it.
  public private(set) var start: Int64?

  /// The greatest number of a contact.
  private var greatest: UInt32 = 0

  static let eventLimit = 100

  /// Takes what a snapshot says of the open contacts: of those that are known it is no news.
  mutating func take(
    snapshot events: [EventMessage], _ scale: ForceScale, at now: Timestamp
  ) {
    let known = greatest
    for event in events { take(event, scale, at: now, isNews: event.contact > known) }
  }

  mutating func take(
    _ event: EventMessage, _ scale: ForceScale, at now: Timestamp, isNews: Bool = true
  ) {
    start = start ?? event.time
    greatest = max(greatest, event.contact)
    if isNews { count(event) }
    var index = contacts.firstIndex { $0.latest.contact == event.contact }
    if index == nil {
      contacts.append(WatchedContact(latest: event, level: 0, hardest: 0))
      contacts.sort { $0.latest.contact < $1.latest.contact }
      index = contacts.firstIndex { $0.latest.contact == event.contact }
    }
    guard let index else { return }
    contacts[index].take(event, scale)
    if contacts[index].end != nil { last = contacts.remove(at: index) }
    let step: Step? =
      switch event.event {
      case .peek: .peek
      case .pop: .pop
      case .began, .changed, .peekEnded, .peekCancelled, .ended, .cancelled: nil
      }
    history.take(
      level: contacts.map(\.level).max(), step: contacts.map(\.step).max(),
      event: isNews ? step : nil, at: now)
  }

  private mutating func count(_ event: EventMessage) {
    counts[event.event, default: 0] += 1
    guard event.event != .changed || event.failure != nil else { return }
    events.append(event)
    if events.count > Self.eventLimit { events.removeFirst() }
  }

  /// Those that are open are not heard of any more.
  mutating func forgetContacts(at now: Timestamp) {
    contacts.removeAll()
    history.take(level: nil, step: nil, at: now)
  }
}

extension WatchedContact {
  fileprivate mutating func take(_ event: EventMessage, _ scale: ForceScale) {
    failure = failure ?? event.failure
    switch event.event {
    case .began, .changed: break
    case .peek: step = .peek
    case .pop: step = .pop
    case .peekEnded: break
    case .peekCancelled: step = .touch
    case .ended, .cancelled: end = event.event
    }
    // A lift says nothing of how hard it was before.
    if end == nil || latest.raw == nil { latest = event }
    let now = event.pressure.map(clampToUnit) ?? event.raw.map { scale.part(raw: Double($0)) }
    level = end == nil ? now ?? level : level
    hardest = max(hardest, level)
  }
}
