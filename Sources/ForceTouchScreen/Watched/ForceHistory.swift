public import ForceTouchModel

/// How hard a device was pressed lately: the hardest of its contacts in each tenth of a second.
public struct ForceHistory: Equatable, Sendable {
  public struct Moment: Equatable, Sendable {
    /// 0…1, see ``ForceScale``.
    public var level = 0.0
    /// The most that a contact was.
    public var step: Step?
    /// What happened in it.
    public var event: Step?
  }

  public static let interval = Interval.milliseconds(100)
  static let limit = 400

  /// One for each interval, up to the last in which something happened.
  private var moments: [Moment] = []
  /// The interval of the first.
  private var first: Int64 = 0
  /// What goes on while nothing is heard: a finger that is still sends nothing.
  private var current = Moment()

  private static func index(_ time: Timestamp) -> Int64 {
    time.microseconds / interval.microseconds
  }

  /// From now on the hardest contact is as hard as this; nil: there is none.
  mutating func take(level: Double?, step: Step?, event: Step? = nil, at time: Timestamp) {
    let index = advance(to: time)
    current = Moment(level: level ?? 0, step: step)
    moments[index].level = max(moments[index].level, current.level)
    moments[index].step = [moments[index].step, step].compactMap(\.self).max()
    moments[index].event = [moments[index].event, event].compactMap(\.self).max()
  }

  private mutating func advance(to time: Timestamp) -> Int {
    let index = Self.index(time)
    if moments.isEmpty || index - first >= Int64(moments.count + Self.limit) {
      moments = Array(repeating: current, count: moments.isEmpty ? 1 : Self.limit)
      first = index - Int64(moments.count) + 1
      return moments.count - 1
    }
    while first + Int64(moments.count) <= index { moments.append(current) }
    let surplus = moments.count - Self.limit
    if surplus > 0 {
      moments.removeFirst(surplus)
      first += Int64(surplus)
    }
    return min(moments.count - 1, max(0, Int(index - first)))
  }

  /// The last intervals up to now, oldest first; before the first there was nothing.
  public func moments(_ count: Int, until now: Timestamp) -> [Moment] {
    let last = Self.index(now)
    return (last - Int64(count) + 1...last).map { index in
      guard index >= first, !moments.isEmpty else { return Moment() }
      let offset = Int(index - first)
      return offset < moments.count ? moments[offset] : current
    }
  }

  /// Whether any of the last intervals shows something, so that time moves it.
  func isMoving(_ count: Int, at now: Timestamp) -> Bool {
    moments(count, until: now).contains { $0 != Moment() }
  }
}
