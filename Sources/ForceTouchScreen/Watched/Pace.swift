public import ForceTouchModel

/// How fast frames come, and how late.
public struct Pace: Sendable {
  /// Of the last second.
  private var arrivals: [Timestamp] = []
  /// The last ``limit``.
  private var delays: [Interval] = []
  private var next = 0
  /// Of the device's clock to ours: 0 where it is the same. A recording's is another, and the fastest of
  /// its frames is taken for one that came at once.
  private var offset: Interval?
  private let sharesClock: Bool
  /// Whether ``delays`` count from the fastest frame, not from the kernel's time.
  public var isRelative: Bool { offset != .zero }

  static let limit = 500
  /// A frame that seems to be older came by another clock.
  private static let longestDelay = Interval.milliseconds(10_000)
  /// The upper ends of the bins of ``histogram``, in microseconds; the last bin has none.
  public static let bins: [Int64] = [500, 1000, 2000, 4000, 8000, 16_000, 32_000]

  /// - Parameter sharesClock: The device is live; a recording has a clock of its own.
  init(sharesClock: Bool) { self.sharesClock = sharesClock }

  /// - Parameters:
  ///   - time: The kernel's, of the frame.
  ///   - now: When it arrived here.
  mutating func take(_ time: Timestamp, at now: Timestamp) {
    arrivals.append(now)
    arrivals.removeAll { now - $0 >= .milliseconds(1000) }
    let difference = now - time
    if offset == nil, sharesClock, (.zero..<Self.longestDelay).contains(difference) {
      offset = .zero
    }
    let known = offset ?? difference
    if known != .zero && difference < known {
      // This one was faster: those before it were later than was thought.
      delays = delays.map { $0 + (known - difference) }
      offset = difference
    } else {
      offset = known
    }
    let delay = max(.zero, difference - (offset ?? difference))
    if delays.count < Self.limit {
      delays.append(delay)
    } else {
      delays[next] = delay
      next = (next + 1) % Self.limit
    }
  }

  /// Frames in the last second.
  public func rate(at now: Timestamp) -> Int {
    arrivals.count { now - $0 < .milliseconds(1000) }
  }

  /// In microseconds; nil before the first frame.
  public var median: Int64? {
    delays.isEmpty ? nil : delays.sorted()[delays.count / 2].microseconds
  }

  /// How many of the last frames were as late as each of ``bins``, and later.
  public var histogram: [Int] {
    var counts = [Int](repeating: 0, count: Self.bins.count + 1)
    for delay in delays {
      counts[Self.bins.firstIndex { delay.microseconds < $0 } ?? Self.bins.count] += 1
    }
    return counts
  }
}
