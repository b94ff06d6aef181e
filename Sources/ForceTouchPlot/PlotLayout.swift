import ForceTouchModel

/// Where everything of a plot goes: recordings below each other on one time scale, of each force over
/// time on the left and the way of its contacts on the right.
public struct PlotLayout {
  let palette: Palette
  let measure: TextMeasure
  var drawing: Drawing

  /// As wide as a page shows a picture.
  static let width = 760.0
  static let margin = 16.0
  static let padWidth = 176.0
  static let lineHeight = 15.0
  /// No more fit in a line, however narrow they are.
  private static let mostCharacters = 500

  public static func drawing(
    of panels: [PlotPanel], palette: Palette, measure: @escaping TextMeasure
  ) -> Drawing {
    var layout = PlotLayout(
      palette: palette, measure: measure,
      drawing: Drawing(size: Size(width: width, height: 0)))
    layout.add(panels)
    return layout.drawing
  }

  private mutating func add(_ panels: [PlotPanel]) {
    let plotHeight = panels.count > 2 ? 150.0 : 200.0
    let scales = panels.map { RawScale($0) }
    let columns = columns(panels, scales, plotHeight)
    let width = columns.plot.upperBound - columns.plot.lowerBound
    let density =
      panels.map { TimeScale.density($0.trace, width: width) }.min() ?? 0
    let unit: TimeUnit =
      panels.allSatisfy { $0.trace.end < .milliseconds(1000) } ? .milliseconds : .seconds
    var top = Self.margin
    for (panel, scale) in zip(panels, scales) {
      let time = TimeScale(
        panel.trace, left: columns.plot.lowerBound, right: columns.plot.upperBound,
        density: density)
      addHeading(panel, top)
      let area = Box(
        left: columns.plot.lowerBound, top: top + 3.8 * Self.lineHeight,
        right: columns.plot.upperBound, bottom: top + 3.8 * Self.lineHeight + plotHeight)
      addForce(panel, area, scale, time, unit)
      if let pad = columns.pad {
        addPad(
          panel, scale,
          in: Box(left: pad.lowerBound, top: area.top, right: pad.upperBound, bottom: area.bottom))
      }
      top = area.bottom + 2.6 * Self.lineHeight
    }
    addLegend(panels, &top)
    drawing.size.height = top.rounded(.up)
  }

  /// The plots' and the pads' places from left to right.
  private func columns(
    _ panels: [PlotPanel], _ scales: [RawScale], _ height: Double
  ) -> (plot: ClosedRange<Double>, pad: ClosedRange<Double>?) {
    let hasForce = panels.contains { $0.profile != nil }
    let left = Self.margin + (hasForce ? 30 : 0)
    let labels = zip(panels, scales).flatMap { panel, scale in
      rawLabels(panel, scale, height).map { measure($0.text, $0.font) }
    }
    var right = Self.width - Self.margin - (labels.max() ?? 0) - 8
    guard panels.contains(where: { $0.positionAxes != nil }) else { return (left...right, nil) }
    let pad = Self.width - Self.margin - Self.padWidth
    right -= Self.padWidth + 22
    return (left...right, pad...pad + Self.padWidth)
  }

  private mutating func addHeading(_ panel: PlotPanel, _ top: Double) {
    let width = Self.width - 2 * Self.margin
    add(
      fitted(panel.title, .title, width), .title, palette.text,
      at: Point(x: Self.margin, y: top + 12))
    add(
      fitted(panel.subtitle, .note, width), .note, palette.faint,
      at: Point(x: Self.margin, y: top + 12 + Self.lineHeight + 2))
  }

  // On a pad one lies over the other, as a finger that presses does not move: each is smaller.
  static let startRadius = 8.0
  static let popRadius = 6.0
  static let peekRadius = 5.0
  static let endRadius = 1.8

  /// The mark of the hardest place.
  static func disc(_ center: Point, _ radius: Double, _ ink: Ink) -> Mark {
    var fill = ink
    fill.alpha = 0.25
    return .ring(center, radius: radius, fill: fill)
  }

  /// The mark of a pop.
  static func diamond(_ center: Point, _ ink: Ink, radius: Double = popRadius) -> Mark {
    .area(
      [
        Point(x: center.x, y: center.y - radius), Point(x: center.x + radius, y: center.y),
        Point(x: center.x, y: center.y + radius), Point(x: center.x - radius, y: center.y),
      ], ink)
  }

  mutating func add(
    _ text: String, _ font: Font, _ ink: Ink, at origin: Point, halo: Ink? = nil
  ) {
    drawing.marks.append(.text(label(text, font, ink, at: origin, halo: halo)))
  }

  func label(
    _ text: String, _ font: Font, _ ink: Ink, at origin: Point, halo: Ink? = nil
  ) -> Label {
    Label(
      text: text, origin: origin, font: font, ink: ink, halo: halo, width: measure(text, font))
  }

  /// A text without what cannot be drawn, and without its middle where it is too long.
  private func fitted(_ text: String, _ font: Font, _ width: Double) -> String {
    let text = text.printable
    func shortened(to length: Int) -> String {
      text.prefix((length + 1) / 2) + "…" + text.suffix(length / 2)
    }
    guard text.count > Self.mostCharacters || measure(text, font) > width else { return text }
    var low = 0
    var high = min(text.count, Self.mostCharacters)
    while low < high {
      let middle = (low + high + 1) / 2
      if measure(shortened(to: middle), font) <= width { low = middle } else { high = middle - 1 }
    }
    return shortened(to: low)
  }
}
