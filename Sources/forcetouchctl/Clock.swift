import ForceTouchModel
import Glibc

extension Timestamp {
  /// Now, on the monotonic clock (`clock_gettime(2)`).
  static func now() -> Timestamp {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Timestamp(seconds: Int64(time.tv_sec), microseconds: Int64(time.tv_nsec) / 1000)
  }
}

extension Interval {
  /// As `poll(2)` takes it: in milliseconds, rounded up so that it is not early.
  var timeout: Int32 {
    microseconds > 0 ? Int32(clamping: (microseconds - 1) / 1000 + 1) : 0
  }
}
