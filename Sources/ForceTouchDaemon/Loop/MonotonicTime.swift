import ForceTouchModel
import Glibc

/// A point on the daemon's own clock, `CLOCK_MONOTONIC`, in microseconds.
struct MonotonicTime: Comparable {
  var microseconds: Int64

  /// A time of the kernel's input events or of udev, which are on the same clock.
  init(_ timestamp: Timestamp) { microseconds = timestamp.microseconds }

  private init(microseconds: Int64) { self.microseconds = microseconds }

  static func now() -> MonotonicTime {
    MonotonicTime(microseconds: read(CLOCK_MONOTONIC))
  }

  static func < (left: Self, right: Self) -> Bool { left.microseconds < right.microseconds }

  static func + (time: Self, interval: Interval) -> Self {
    MonotonicTime(microseconds: time.microseconds &+ interval.microseconds)
  }

  static func - (left: Self, right: Self) -> Interval {
    Interval(microseconds: left.microseconds &- right.microseconds)
  }

  /// How long the machine has slept since it started: only that clock goes on then.
  static func timeAsleep() -> Interval {
    Interval(microseconds: read(CLOCK_BOOTTIME) &- read(CLOCK_MONOTONIC))
  }

  private static func read(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) &* 1_000_000 &+ Int64(time.tv_nsec) / 1000
  }
}
