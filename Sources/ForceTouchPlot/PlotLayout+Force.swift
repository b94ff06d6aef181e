import ForceTouchModel
import ForceTouchRecognition

// Force over time.
extension PlotLayout {
  private static let leastTickDistance = 26.0
  private static let leastTimeTickDistance = 56.0
  private static let traceWidth = 1.9
  /// Between two samples farther apart a finger rested: the kernel tells nothing of what does not
  /// change, so the old value counts until the new one.
  private static let longestSlope = Interval.milliseconds(50)

  /// What stands beside a plot: its value, and its text.
  struct RawLabel {
    let raw: Double
    let text: String
    let font: Font
    /// From the plot's top.
    let y: Double
  }

  /// Thresholds, and ticks where they leave room.
  func rawLabels(_ panel: PlotPanel, _ scale: RawScale, _ height: Double) -> [RawLabel] {
    func y(_ raw: Double) -> Double { height * (1 - scale.height(raw)) }
    var labels: [RawLabel] = []
    for (name, raw, _) in thresholds(panel) {
      // Those that lie close together are moved apart, upward.
      let lowest = labels.last.map { $0.y - 13 } ?? .infinity
      labels.append(
        RawLabel(
          raw: raw, text: "\(name) \(rounded(raw))\(scale.grams(raw))", font: .strong,
          y: min(y(raw), lowest)))
    }
    let ticks = scale.ticks(atLeast: Self.leastTickDistance / height)
      .map { RawLabel(raw: $0.raw, text: $0.label, font: .note, y: y($0.raw)) }
      .filter { tick in labels.allSatisfy { abs($0.y - tick.y) >= 13 } }
    return labels + ticks
  }

  private func thresholds(
    _ panel: PlotPanel
  ) -> [(name: String, raw: Double, dash: [Double])] {
    guard let thresholds = panel.thresholds else { return [] }
    return [
      ("hint", thresholds.hint, [1, 3.5]), ("peek", thresholds.peek, [6, 4]),
      ("pop", thresholds.pop, []),
    ]
  }

  mutating func addForce(
    _ panel: PlotPanel, _ area: Box, _ scale: RawScale, _ time: TimeScale, _ unit: TimeUnit
  ) {
    func y(_ raw: Double) -> Double { area.bottom - area.height * scale.height(raw) }
    func line(at y: Double, to right: Double, _ ink: Ink, dash: [Double] = []) -> Mark {
      .line([Point(x: area.left, y: y), Point(x: right, y: y)], ink, width: 1, dash: dash)
    }
    for (_, left, right) in time.pieces {
      drawing.marks.append(
        .area(
          Box(left: left, top: area.top, right: right, bottom: area.bottom).corners,
          palette.ground))
    }
    addAxes(panel, area, scale, y, line)
    addTime(area, time, unit)
    for contact in panel.trace.contacts {
      guard let peek = contact.peek else { continue }
      let left = time.x(peek.start.time)
      drawing.marks.append(
        .area(
          Box(
            left: left, top: area.top, right: max(left + 1, time.x(peek.end)), bottom: area.bottom
          ).corners, palette.peekShade))
    }
    let end = panel.thresholdsEnd.map { time.x($0) } ?? area.right
    for (_, raw, dash) in thresholds(panel) {
      drawing.marks.append(line(at: y(raw), to: end, palette.threshold, dash: dash))
    }
    addTraces(panel, area, time, y)
  }

  private mutating func addAxes(
    _ panel: PlotPanel, _ area: Box, _ scale: RawScale, _ y: (Double) -> Double,
    _ line: (Double, Double, Ink, [Double]) -> Mark
  ) {
    let labels = rawLabels(panel, scale, area.height)
    let share = Self.leastTickDistance / area.height
    let forces = panel.profile.map { scale.forceTicks(of: $0, atLeast: share) }
    let grid = forces.map { $0.map(\.raw) } ?? labels.map(\.raw)
    for raw in grid { drawing.marks.append(line(y(raw), area.right, palette.grid, [])) }
    add("raw", .note, palette.faint, at: Point(x: area.right + 6, y: area.top - 7))
    for label in labels {
      let isThreshold = label.font == .strong
      add(
        label.text, label.font, isThreshold ? palette.text : palette.faint,
        at: Point(x: area.right + 6, y: area.top + label.y + 4))
    }
    guard let forces else { return }
    add("force", .note, palette.faint, at: Point(x: Self.margin, y: area.top - 7))
    for (raw, label) in forces {
      let width = measure(label, .note)
      add(label, .note, palette.faint, at: Point(x: area.left - 6 - width, y: y(raw) + 4))
    }
  }

  private mutating func addTime(_ area: Box, _ time: TimeScale, _ unit: TimeUnit) {
    var free = -Double.infinity
    for (x, number) in time.ticks(unit, apart: Self.leastTimeTickDistance) {
      let text = "\(number) \(unit.title)"
      drawing.marks.append(
        .line(
          [Point(x: x, y: area.bottom), Point(x: x, y: area.bottom + 4)], palette.faint, width: 1))
      let width = measure(text, .note)
      let left = max(area.left - 12, min(x - width / 2, area.right + 10 - width))
      guard left >= free else { continue }
      add(text, .note, palette.faint, at: Point(x: left, y: area.bottom + 16))
      free = left + width + 8
    }
    let pieces = time.pieces
    for (piece, next) in zip(pieces, pieces.dropFirst()) {
      // Two strokes across the axis, where time was cut out.
      let middle = (piece.right + next.left) / 2
      for offset in [-2.5, 2.5] {
        drawing.marks.append(
          .line(
            [
              Point(x: middle + offset - 2, y: area.bottom + 5),
              Point(x: middle + offset + 2, y: area.bottom - 5),
            ], palette.faint, width: 1))
      }
    }
  }

  private mutating func addTraces(
    _ panel: PlotPanel, _ area: Box, _ time: TimeScale, _ y: (Double) -> Double
  ) {
    var occupied: [Box] = []
    var pops: [Mark] = []
    for contact in panel.trace.contacts {
      let points = points(of: contact, time, y)
      let ink = palette.ink(of: contact)
      switch points.count {
      case 0: continue
      case 1: drawing.marks.append(.ring(points[0], radius: Self.traceWidth, fill: ink))
      default:
        drawing.marks.append(
          .line(points, ink, width: Self.traceWidth, dash: palette.dash(of: contact)))
      }
      if let pop = contact.pop, let raw = pop.raw {
        let center = Point(x: time.x(pop.time), y: y(Double(raw)))
        pops += [
          Self.diamond(center, palette.background, radius: Self.popRadius + 2),
          Self.diamond(center, palette.pop),
        ]
        occupied.append(Box(around: center, radius: Self.popRadius))
      }
    }
    drawing.marks += pops
    for contact in panel.trace.contacts {
      let points = points(of: contact, time, y)
      guard let peak = points.min(by: { $0.y < $1.y }) else { continue }
      addName(of: contact, beside: peak, distance: 6, in: area, &occupied)
    }
  }

  /// Puts a contact's number near a point, if there is room.
  mutating func addName(
    of contact: TracedContact, beside point: Point, distance: Double, in area: Box,
    _ occupied: inout [Box]
  ) {
    let text = "#\(contact.id.rawValue)"
    let width = measure(text, .strong)
    let origins = [
      Point(x: point.x - width / 2, y: point.y - distance),
      Point(x: point.x + distance + 1, y: point.y + 4),
      Point(x: point.x - width - distance - 1, y: point.y + 4),
      Point(x: point.x - width / 2, y: point.y + distance + 9),
    ]
    for origin in origins {
      let label = label(text, .strong, palette.text, at: origin, halo: palette.ground)
      guard area.contains(label.box), !occupied.contains(where: { $0.intersects(label.box) })
      else { continue }
      occupied.append(label.box)
      drawing.marks.append(.text(label))
      return
    }
  }

  /// A contact's line, with no more points than can be seen.
  private func points(
    of contact: TracedContact, _ time: TimeScale, _ y: (Double) -> Double
  ) -> [Point] {
    let samples = contact.samples.thinned { Int64((2 * time.x($0)).rounded(.down)) }
    var points: [Point] = []
    var last: (time: Interval, y: Double)?
    for sample in samples {
      guard let raw = sample.raw else { continue }
      let point = Point(x: time.x(sample.time), y: y(Double(raw)))
      if let last, sample.time - last.time > Self.longestSlope, last.y != point.y {
        points.append(Point(x: point.x, y: last.y))
      }
      points.append(point)
      last = (sample.time, point.y)
    }
    return points
  }
}
