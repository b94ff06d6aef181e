/// A point in time on the clock of one device or one recording, in microseconds.
///
/// For a live device it is the kernel's `CLOCK_MONOTONIC` time of the frame; for a recording
/// it is whatever clock the recording used. Only differences within one device mean anything.
public struct Timestamp: Hashable, Comparable, Sendable {
  public var microseconds: Int64

  public init(microseconds: Int64) {
    self.microseconds = microseconds
  }

  /// The time of a `struct input_event`. Seconds that do not fit wrap instead of trapping: a
  /// file may hold any number.
  public init(seconds: Int64, microseconds: Int64) {
    self.microseconds = seconds &* 1_000_000 &+ microseconds
  }

  public static let zero = Timestamp(microseconds: 0)

  public static func < (left: Timestamp, right: Timestamp) -> Bool {
    left.microseconds < right.microseconds
  }

  public static func + (time: Timestamp, interval: Interval) -> Timestamp {
    Timestamp(microseconds: time.microseconds &+ interval.microseconds)
  }

  public static func - (left: Timestamp, right: Timestamp) -> Interval {
    Interval(microseconds: left.microseconds &- right.microseconds)
  }
}

/// A length of time in microseconds; negative when it leads backward.
public struct Interval: Hashable, Comparable, Sendable {
  public var microseconds: Int64

  public init(microseconds: Int64) {
    self.microseconds = microseconds
  }

  public static func milliseconds(_ milliseconds: Int64) -> Interval {
    Interval(microseconds: milliseconds &* 1000)
  }

  public static let zero = Interval(microseconds: 0)

  public static func < (left: Interval, right: Interval) -> Bool {
    left.microseconds < right.microseconds
  }

  /// A clock may be anywhere: sums and differences wrap instead of trapping.
  public static func + (left: Interval, right: Interval) -> Interval {
    Interval(microseconds: left.microseconds &+ right.microseconds)
  }

  public static func - (left: Interval, right: Interval) -> Interval {
    Interval(microseconds: left.microseconds &- right.microseconds)
  }
}
