/// How long to wait before the next try: ever longer, and not all programs at once.
struct BackOff {
  struct Delays {
    var first: Duration
    var longest: Duration

    static let standard = Delays(first: .milliseconds(100), longest: .seconds(10))
  }

  private let delays: Delays
  private var next: Duration

  init(_ delays: Delays) {
    self.delays = delays
    next = delays.first
  }

  mutating func reset() { next = delays.first }

  mutating func delay() -> Duration {
    defer { next = min(next * 2, delays.longest) }
    return next * Double.random(in: 0.75...1.25)
  }
}
