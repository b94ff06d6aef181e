import ForceTouchModel
import ForceTouchRecognition
import TestSupport
import Testing

@testable import ForceTouchPlot

@Suite struct PlotLayoutTests {
  /// Letters that are all as wide as the widest.
  static func measure(_ text: String, _ font: Font) -> Double {
    0.7 * font.size * Double(text.unicodeScalars.count)
  }

  static func draw(_ panels: PlotPanel..., palette: Palette = .light) -> Drawing {
    PlotLayout.drawing(of: panels, palette: palette, measure: measure)
  }

  static func panel(
    _ events: Events, hasProfile: Bool = true, pressure: Axis = Axis(minimum: 0, maximum: 253),
    positions: (x: Axis, y: Axis)? = (
      Axis(minimum: 0, maximum: 200), Axis(minimum: 0, maximum: 100)
    )
  ) throws -> PlotPanel {
    let profile = try ForceProfile(floor: 0, ceiling: 190, click: 50)
    return PlotPanel(
      title: "press.evemu", subtitle: "Pad", profile: hasProfile ? profile : nil,
      thresholds: hasProfile ? RawThresholds(RecognizerConfiguration(), profile: profile) : nil,
      pressureAxis: pressure, positionAxes: positions, trace: events.trace())
  }

  /// A press to the pop, and one to the peek.
  static var presses: Events {
    var events = Events()
    events.add(.began, 1, at: 0, raw: 0, x: 20)
    events.add(.peek, 1, at: 200, raw: 106, x: 30)
    events.add(.pop, 1, at: 400, raw: 155, x: 40)
    events.add(.changed, 1, at: 500, raw: 190, x: 50)
    events.add(.ended, 1, at: 600, raw: 0, x: 60)
    events.add(.began, 2, at: 700, raw: 0, x: 150)
    events.add(.peek, 2, at: 800, raw: 110, x: 150)
    events.add(.peekEnded, 2, at: 900, raw: 0, x: 150)
    events.add(.ended, 2, at: 900, raw: 0, x: 150)
    return events
  }

  static func areas(_ drawing: Drawing, _ ink: Ink) -> [[Point]] {
    drawing.marks.compactMap { mark in
      if case .area(let points, ink) = mark { points } else { nil }
    }
  }

  static func lines(_ drawing: Drawing, _ ink: Ink) -> [(points: [Point], dash: [Double])] {
    drawing.marks.compactMap { mark in
      if case .line(let points, ink, _, let dash) = mark { (points, dash) } else { nil }
    }
  }

  static func labels(_ drawing: Drawing) -> [Label] {
    drawing.marks.compactMap { mark in if case .text(let label) = mark { label } else { nil } }
  }

  static func points(_ drawing: Drawing) -> [Point] {
    drawing.marks.flatMap { mark in
      switch mark {
      case .area(let points, _), .line(let points, _, _, _): points
      case .ring(let center, let radius, _, _): Box(around: center, radius: radius).corners
      case .text(let label): label.box.corners
      }
    }
  }

  /// Everything lies in the picture, and no text over another.
  static func expectSound(_ drawing: Drawing) {
    let page = Box(left: 0, top: 0, right: drawing.size.width, bottom: drawing.size.height)
    #expect(
      points(drawing).allSatisfy {
        page.contains(Box(left: $0.x, top: $0.y, right: $0.x, bottom: $0.y))
      })
    let labels = labels(drawing)
    for (index, label) in labels.enumerated() {
      for other in labels[..<index] where other.box.intersects(label.box) {
        Issue.record("\(other.text) and \(label.text) overlap")
      }
    }
  }

  @Test func eachPeekIsShadedAndEachPopMarked() throws {
    let drawing = Self.draw(try Self.panel(Self.presses))
    Self.expectSound(drawing)
    let palette = Palette.light
    // And one each in the legend; a pop on the pad, too.
    let shades = Self.areas(drawing, palette.peekShade)
    #expect(shades.count == 2 + 1)
    #expect(Self.areas(drawing, palette.pop).count == 1 + 1 + 1)
    #expect(shades[0][1].x - shades[0][0].x > shades[1][1].x - shades[1][0].x)
  }

  @Test func thresholdsLieWhereTheirValueDoes() throws {
    let drawing = Self.draw(try Self.panel(Self.presses))
    let lines = Self.lines(drawing, Palette.light.threshold)
    #expect(lines.count == 3)
    let heights = lines.map { $0.points[0].y }
    // Hint 85, peek 106, pop 155.
    let unit = (heights[0] - heights[2]) / (155 - 85)
    #expect(unit > 0)
    #expect(abs(heights[1] - (heights[2] + 49 * unit)) < 1e-6)
    #expect(Set(lines.map(\.dash)).count == 3, "they can be told apart without a color")
    let labels = Self.labels(drawing)
    for (text, height) in zip(["hint 85", "peek 106", "pop 155"], heights) {
      let label = try #require(labels.first { $0.text == text })
      #expect(abs((label.box.top + label.box.bottom) / 2 - height) < 2)
    }
    // The trace reaches the pop where the pop is marked.
    let trace = Self.lines(drawing, Palette.light.contacts[0])[0].points
    let pop = Self.areas(drawing, Palette.light.pop)[0]
    #expect(abs((pop[0].y + pop[2].y) / 2 - heights[2]) < 1e-6)
    #expect(trace.contains { abs($0.x - pop[0].x) < 1e-6 && abs($0.y - heights[2]) < 1e-6 })
  }

  @Test func thresholdsEndWhereTheyWereProvenWrong() throws {
    var panel = try Self.panel(Self.presses)
    let whole = Self.lines(Self.draw(panel), Palette.light.threshold).map { $0.points[1].x }
    panel.thresholdsEnd = .milliseconds(330)
    let cut = Self.lines(Self.draw(panel), Palette.light.threshold).map { $0.points[1].x }
    #expect(cut.allSatisfy { $0 < whole[0] })
  }

  @Test func thresholdsCloseTogetherHaveLabelsApart() throws {
    var panel = try Self.panel(Self.presses)
    let profile = try ForceProfile(floor: 0, ceiling: 10_000)
    var configuration = RecognizerConfiguration()
    (configuration.hint, configuration.peek, configuration.pop) = (0.40, 0.41, 0.42)
    panel.profile = profile
    panel.thresholds = RawThresholds(configuration, profile: profile)
    let drawing = Self.draw(panel)
    Self.expectSound(drawing)
    #expect(Self.labels(drawing).count { $0.font == .strong && $0.text.contains(" 4") } == 3)
  }

  @Test func gramsAreToldWhereTheyAreKnown() throws {
    let pressure = Axis(minimum: 0, maximum: 1000, resolution: 2)
    let drawing = Self.draw(try Self.panel(Self.presses, pressure: pressure))
    Self.expectSound(drawing)
    let texts = Self.labels(drawing).map(\.text)
    #expect(texts.contains("pop 155 = 77.5 g"))
    #expect(texts.contains("50 = 25 g"))
  }

  @Test func withoutAProfileThereIsNoForceAndNoThreshold() throws {
    var events = Events()
    events.touch(from: 0, to: 500, raw: 80)
    let drawing = Self.draw(try Self.panel(events, hasProfile: false))
    Self.expectSound(drawing)
    #expect(Self.lines(drawing, Palette.light.threshold).isEmpty)
    let texts = Self.labels(drawing).map(\.text)
    #expect(texts.contains("raw"))
    #expect(!texts.contains { $0.contains("force") || $0.contains("peek") })
  }

  @Test func recordingsShareTheScaleOfTime() throws {
    var long = Events()
    long.touch(from: 0, to: 4000)
    let drawing = Self.draw(try Self.panel(Self.presses), try Self.panel(long))
    Self.expectSound(drawing)
    let seconds = Self.labels(drawing).filter { $0.text == "0 s" || $0.text == "1 s" }
    let distances = [
      seconds[1].origin.x - seconds[0].origin.x, seconds[3].origin.x - seconds[2].origin.x,
    ]
    #expect(abs(distances[0] - distances[1]) < 1e-6)
  }

  @Test func aShortRecordingIsToldInMilliseconds() throws {
    var events = Events()
    events.touch(from: 0, to: 300)
    let texts = Self.labels(Self.draw(try Self.panel(events))).map(\.text)
    #expect(texts.contains("200 ms"))
    #expect(!texts.contains { $0.hasSuffix(" s") })
  }

  @Test func whatIsCutOutLeavesAGapWithTwoStrokes() throws {
    var events = Events()
    events.touch(1, from: 0, to: 500)
    let whole = Self.areas(Self.draw(try Self.panel(events)), Palette.light.ground).count
    events.touch(2, from: 60_000, to: 60_500)
    let drawing = Self.draw(try Self.panel(events))
    Self.expectSound(drawing)
    #expect(Self.areas(drawing, Palette.light.ground).count == whole + 1)
    #expect(Self.labels(drawing).contains { $0.text == "60.2 s" })
  }

  @Test func aPadHasItsProportions() throws {
    for (x, y, proportion) in [
      (Axis(minimum: 0, maximum: 400), Axis(minimum: 0, maximum: 200), 2.0),
      // 100 × 50 mm, and coarser across.
      (
        Axis(minimum: 0, maximum: 400, resolution: 4),
        Axis(minimum: 0, maximum: 400, resolution: 8), 2
      ),
      (Axis(minimum: 0, maximum: 100), Axis(minimum: 0, maximum: 200), 0.5),
      (Axis(minimum: 7, maximum: 7), Axis(minimum: 0, maximum: 200), 1 / 3.0),
      (Axis(minimum: 9, maximum: -9), Axis(minimum: .min, maximum: .max), 1 / 3.0),
    ] {
      let drawing = Self.draw(try Self.panel(Self.presses, positions: (x, y)))
      Self.expectSound(drawing)
      let pad = try #require(Self.areas(drawing, Palette.light.ground).last)
      let (width, height) = (pad[1].x - pad[0].x, pad[2].y - pad[1].y)
      #expect(abs(width / height - proportion) < 1e-6)
    }
  }

  @Test func theHarderThePressTheWiderTheLine() throws {
    var events = Events()
    for step in 0...100 {
      let kind: ContactEvent.Kind = step == 0 ? .began : step == 100 ? .ended : .changed
      events.add(kind, at: Int64(10 * step), raw: Int32(2 * step - 10), x: Int32(2 * step))
    }
    let drawing = Self.draw(try Self.panel(events))
    let widths = drawing.marks.compactMap { mark in
      if case .line(let points, Palette.light.contacts[0], let width, _) = mark,
        points[0].x > PlotLayout.width - PlotLayout.margin - PlotLayout.padWidth
      {
        width
      } else {
        nil
      }
    }
    #expect(widths.count > 5)
    #expect(widths == widths.sorted())
  }

  @Test func contactsAreToldApartByMoreThanColor() throws {
    var events = Events()
    for contact in 1...4 as ClosedRange<UInt32> {
      events.add(.began, contact, at: Int64(contact), raw: Int32(40 * contact))
    }
    for contact in 1...4 as ClosedRange<UInt32> {
      events.add(.ended, contact, at: 500, raw: Int32(40 * contact))
    }
    let drawing = Self.draw(try Self.panel(events))
    let lines = Palette.light.contacts.map { Self.lines(drawing, $0)[0] }
    #expect(Set(lines.map(\.dash)).count == 4)
    let texts = Self.labels(drawing).map(\.text)
    #expect((1...4).allSatisfy { texts.contains("#\($0)") })
  }

  @Test func aFingerThatRestsIsNoSlope() throws {
    var events = Events()
    events.add(.began, at: 0, raw: 20)
    events.add(.changed, at: 1000, raw: 120)
    events.add(.ended, at: 1010, raw: 120)
    let line = Self.lines(Self.draw(try Self.panel(events)), Palette.light.contacts[0])[0].points
    #expect(line[0].y == line[1].y)
    #expect(line[1].x == line[2].x)
  }

  @Test func aLongRecordingHasNoMorePointsThanCanBeSeen() throws {
    var events = Events()
    events.add(.began, at: 0)
    for number in 1...40_000 as ClosedRange<Int64> {
      events.add(.changed, at: 10 * number, raw: Int32(number % 180), x: Int32(number % 200))
    }
    events.add(.ended, at: 400_010)
    let drawing = Self.draw(try Self.panel(events))
    Self.expectSound(drawing)
    // Twice four in each point of the width.
    #expect(Self.lines(drawing, Palette.light.contacts[0])[0].points.count < 8 * 760)
  }

  @Test func aNameThatIsTooLongLosesItsMiddle() throws {
    var panel = try Self.panel(Self.presses)
    panel.title = String(repeating: "long-", count: 100_000) + "name.evemu"
    panel.subtitle = String(repeating: "wide ", count: 100)
    let drawing = Self.draw(panel)
    Self.expectSound(drawing)
    let title = try #require(Self.labels(drawing).first)
    #expect(title.text.hasPrefix("long-"))
    #expect(title.text.hasSuffix("name.evemu"))
    #expect(title.text.contains("…"))
  }

  /// Whatever a file holds.
  @Test(arguments: 0..<60)
  func nonsenseGivesASoundPicture(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var panels: [PlotPanel] = []
    for _ in 0..<Int.random(in: 1...4, using: &generator) {
      var events = Events()
      var open: [UInt32] = []
      var time: Int64 = 0
      let scale: Int64 = [10, 1000, 1 << 40].randomElement(using: &generator) ?? 1
      let hardest: Int32 = generator.chance(2) ? 200 : .max
      for number in 0..<UInt32(150) {
        time += .random(in: -scale / 50...scale, using: &generator)
        let raw: Int32? =
          generator.chance(2) ? nil : .random(in: -hardest...hardest, using: &generator)
        let x = Int32.random(in: -hardest...hardest, using: &generator)
        if let contact = open.randomElement(using: &generator), !generator.chance(3) {
          let kinds: [ContactEvent.Kind] = [.changed, .peek, .pop, .peekEnded, .ended]
          let kind = kinds.randomElement(using: &generator) ?? .changed
          events.add(kind, contact, at: time, raw: raw, x: x)
          if kind == .ended { open.removeAll { $0 == contact } }
        } else {
          open.append(number)
          events.add(.began, number, at: time, raw: raw, x: x)
        }
      }
      panels.append(
        try Self.panel(
          events, hasProfile: generator.chance(2),
          pressure: Axis(minimum: -hardest, maximum: hardest, resolution: Int32(seed % 3)),
          positions: generator.chance(2)
            ? nil : (Axis(minimum: -hardest, maximum: 5), Axis(minimum: 0, maximum: hardest))))
    }
    let drawing = PlotLayout.drawing(of: panels, palette: .dark, measure: Self.measure)
    Self.expectSound(drawing)
  }
}
