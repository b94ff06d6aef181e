import ForceTouchModel

/// Tries again after 50 ms, then after twice as long each time, up to ten seconds, and gives up
/// after so many times, if there is a limit.
final class BackOff {
  private static let first = Interval.milliseconds(50)
  private static let longest = Interval.milliseconds(10_000)
  private var interval = first
  private var timer: TimerSource?
  private let limit: Int
  private var count = 0

  init(
    loop: EventLoop, priority: EventLoop.Priority = .traffic, limit: Int = .max,
    action: @escaping () -> Void
  ) throws(LoopError) {
    self.limit = limit
    timer = try loop.timer(priority: priority, handler: action)
  }

  func again() {
    guard count < limit else { return }
    count += 1
    timer?.set(at: MonotonicTime.now() + interval)
    interval = min(Interval(microseconds: interval.microseconds * 2), Self.longest)
  }

  func stop() {
    timer?.cancel()
    interval = Self.first
    count = 0
  }
}
