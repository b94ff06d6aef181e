import ForceTouchModel

/// The horizontal axis of a panel. Where time was cut out there is a gap.
struct TimeScale {
  let trace: Trace
  let left: Double
  let right: Double
  private let gap: Double
  /// Points for a microsecond.
  private let density: Double

  static let widestGap = 16.0

  /// - Parameter density: That of all panels, so that they can be compared.
  init(_ trace: Trace, left: Double, right: Double, density: Double) {
    self.trace = trace
    self.left = left
    self.right = right
    self.density = density
    gap = Self.gap(trace, width: right - left)
  }

  /// At which density a trace fills a width.
  static func density(_ trace: Trace, width: Double) -> Double {
    let gaps = Double(max(0, trace.pieces.count - 1)) * gap(trace, width: width)
    return (width - gaps) / max(1, Double(trace.length.microseconds))
  }

  /// However many there are, they take a third of the width at most.
  private static func gap(_ trace: Trace, width: Double) -> Double {
    min(widestGap, width / 3 / Double(max(1, trace.pieces.count - 1)))
  }

  /// Where a time on the axis is. That of a cut is behind it.
  func x(_ time: Interval) -> Double {
    left + Double(time.microseconds) * density + Double(cuts(before: time)) * gap
  }

  private func cuts(before time: Interval) -> Int {
    // The first piece that begins later.
    var low = 1
    var high = max(1, trace.pieces.count)
    while low < high {
      let middle = (low + high) / 2
      if trace.pieces[middle].start <= time { low = middle + 1 } else { high = middle }
    }
    return low - 1
  }

  /// From where to where each piece goes. The last goes on to the edge: nothing more happened.
  var pieces: [(piece: TimePiece, left: Double, right: Double)] {
    trace.pieces.enumerated().map { index, piece in
      let start = x(piece.start)
      let end = start + Double((piece.end - piece.start).microseconds) * density
      return (piece, start, index == trace.pieces.count - 1 ? right : end)
    }
  }

  /// Where the seconds or milliseconds since the first event are.
  func ticks(_ unit: TimeUnit, apart: Double) -> [(x: Double, label: String)] {
    let step = TickStep(atLeast: apart / density / unit.microseconds)
    return pieces.flatMap { piece, start, end in
      let first = Double(piece.elapsed.microseconds) / unit.microseconds
      let length = (end - start) / density / unit.microseconds
      return step.ticks(in: first...first + length).map {
        (start + ($0.value - first) * unit.microseconds * density, $0.label)
      }
    }
  }
}

/// What the time axis is labelled in.
enum TimeUnit {
  case seconds
  case milliseconds

  var microseconds: Double {
    switch self {
    case .seconds: 1_000_000
    case .milliseconds: 1000
    }
  }

  var title: String {
    switch self {
    case .seconds: "s"
    case .milliseconds: "ms"
    }
  }
}
