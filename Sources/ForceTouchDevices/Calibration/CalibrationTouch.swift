public import ForceTouchModel

/// How a person is asked to touch a device that is calibrated. In the order in which it is asked.
public enum Effort: String, Sendable, CaseIterable {
  /// As lightly as one can.
  case light
  /// As one touches a device without thinking of it: force 1.
  case normal
  /// As hard as is comfortable: the maximum possible force.
  case firm
  /// Lightly, with the whole last joint of the finger: a large contact and little force. It tells
  /// a pressure that is force from one that is the contact's size.
  case flat
}

/// One touch for calibration: a finger that came down, was held, and lifted.
public struct CalibrationTouch: Equatable, Sendable {
  public struct Sample: Equatable, Sendable {
    public var time: Timestamp
    /// The pressure axis' value.
    public var raw: Int32
    /// `ABS_MT_TOUCH_MAJOR`, where the device reports it.
    public var size: Int32?

    public init(time: Timestamp, raw: Int32, size: Int32? = nil) {
      self.time = time
      self.raw = raw
      self.size = size
    }
  }

  /// In order, at least one. A value holds until the next sample: the kernel repeats none.
  public var samples: [Sample]
  /// When the finger lifted.
  public var end: Timestamp
  /// The raw pressure at which the pad clicked (`BTN_LEFT` went down); nil if it did not.
  public var click: Int32?

  public init(samples: [Sample], end: Timestamp, click: Int32? = nil) {
    self.samples = samples
    self.end = end
    self.click = click
  }

  /// The pressure at which the touch was held.
  public struct Level: Equatable, Sendable {
    /// The raw value that was exceeded half of the time.
    public var raw: Double
    /// Standard deviation about the trend, in raw units.
    public var noise: Double
    /// The trend: raw units in a second.
    public var drift: Double
  }

  /// The part of a touch that counts as held: without the first 30 % of its time, in which the
  /// finger comes down, and the last 15 %, in which it lifts.
  static let heldPart = 0.30...0.85

  /// What the held part says, each value weighted by the time for which it was there.
  public var level: Level {
    let segments = heldSegments
    let total = segments.reduce(0) { $0 + $1.duration }
    let first = Double(samples.first?.raw ?? 0)
    guard total > 0 else { return Level(raw: first, noise: 0, drift: 0) }

    var rest = total / 2
    var median = first
    for segment in segments.sorted(by: { $0.raw < $1.raw }) {
      median = segment.raw
      rest -= segment.duration
      if rest <= 0 { break }
    }
    // A straight line through what was held; what is left of it is noise. A segment counts with
    // its own extent in time, or one that is constant would have no trend to be measured against.
    func mean(_ value: (Segment) -> Double) -> Double {
      segments.reduce(0) { $0 + value($1) * $1.duration } / total
    }
    let center = mean(\.middle)
    let level = mean(\.raw)
    let spread = mean {
      ($0.middle - center) * ($0.middle - center) + $0.duration * $0.duration / 12
    }
    let trend = mean { ($0.middle - center) * ($0.raw - level) } / spread
    let variance = mean { ($0.raw - level) * ($0.raw - level) } - trend * trend * spread
    return Level(raw: median, noise: max(0, variance).squareRoot(), drift: trend)
  }

  /// A value and the seconds for which it held.
  private struct Segment {
    var raw: Double
    var start: Double
    var duration: Double
    var middle: Double { start + duration / 2 }
  }

  private var heldSegments: [Segment] {
    guard let first = samples.first else { return [] }
    func seconds(_ time: Timestamp) -> Double { Double((time - first.time).microseconds) / 1e6 }
    let length = seconds(end)
    let from = Self.heldPart.lowerBound * length
    let to = Self.heldPart.upperBound * length
    return samples.indices.compactMap { index in
      let next = index + 1 < samples.count ? seconds(samples[index + 1].time) : length
      let start = max(seconds(samples[index].time), from)
      let duration = min(next, to) - start
      guard duration > 0 else { return nil }
      return Segment(raw: Double(samples[index].raw), start: start, duration: duration)
    }
  }
}
