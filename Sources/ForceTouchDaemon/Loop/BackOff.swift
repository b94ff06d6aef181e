import ForceTouchModel

/// Tries again after 50 ms, then after twice as long each time, up to ten seconds.
final class BackOff {
  private static let first = Interval.milliseconds(50)
  private static let longest = Interval.milliseconds(10_000)
  private var interval = first
  private var timer: TimerSource?

  init(
    loop: EventLoop, priority: EventLoop.Priority = .traffic, action: @escaping () -> Void
  ) throws(LoopError) {
    timer = try loop.timer(priority: priority, handler: action)
  }

  func again() {
    timer?.set(at: MonotonicTime.now() + interval)
    interval = min(Interval(microseconds: interval.microseconds * 2), Self.longest)
  }

  func stop() {
    timer?.cancel()
    interval = Self.first
  }
}
