import ForceTouchModel

// The way of contacts on the device.
extension PlotLayout {
  /// A device is never drawn more than so many times as long as wide.
  private static let mostElongated = 3.0
  private static let finestLine = 1.2
  private static let boldestLine = 5.0
  private static let widths = 12.0
  /// Of the hardest press; its area is in proportion to its force.
  private static let largestDisc = 14.0

  mutating func addPad(_ panel: PlotPanel, _ scale: RawScale, in room: Box) {
    guard let axes = panel.positionAxes else {
      add("no positions", .note, palette.faint, at: Point(x: room.left, y: room.top + 12))
      return
    }
    let pad = pad(axes, in: room)
    drawing.marks.append(.area(pad.corners, palette.ground))
    drawing.marks.append(
      .line(pad.corners + [pad.corners[0], pad.corners[1]], palette.grid, width: 1))
    if let size = millimeters(axes) {
      let text = "\(rounded(size.width.rounded())) × \(rounded(size.height.rounded())) mm"
      add(text, .note, palette.faint, at: Point(x: pad.left, y: pad.top - 7))
    }
    func place(_ position: Position) -> Point {
      func part(_ value: Int32, _ axis: Axis) -> Double {
        clampToUnit((Double(value) - Double(axis.minimum)) / max(1, Double(axis.range)))
      }
      return Point(
        x: pad.left + part(position.x, axes.x) * pad.width,
        y: pad.top + part(position.y, axes.y) * pad.height)
    }
    var occupied: [Box] = []
    var marks: [Mark] = []
    for contact in panel.trace.contacts {
      let way = way(of: contact, scale, place)
      guard let first = way.first?.point, let last = way.last?.point else { continue }
      let ink = palette.ink(of: contact)
      if let hardest = hardest(contact), let position = hardest.position {
        let part = scale.height(Double(hardest.raw ?? 0)).squareRoot()
        drawing.marks.append(Self.disc(place(position), part * Self.largestDisc, ink))
      }
      drawing.marks += lines(along: way, ink)
      if contact.showsLanding {
        marks.append(.ring(first, radius: Self.startRadius, outline: ink))
      }
      if let position = contact.peek?.start.position {
        marks.append(
          .ring(
            place(position), radius: Self.peekRadius, fill: palette.peek,
            outline: palette.background))
      }
      if let position = contact.pop?.position {
        marks += [
          Self.diamond(place(position), palette.background, radius: Self.popRadius + 1.5),
          Self.diamond(place(position), palette.pop),
        ]
      }
      if contact.showsLift {
        marks += [
          .area(Box(around: last, radius: Self.endRadius + 1).corners, palette.background),
          .area(Box(around: last, radius: Self.endRadius).corners, ink),
        ]
      }
      occupied += [
        Box(around: first, radius: Self.startRadius), Box(around: last, radius: Self.popRadius),
      ]
    }
    drawing.marks += marks
    for contact in panel.trace.contacts {
      guard let position = contact.samples.lazy.compactMap(\.position).first else { continue }
      addName(of: contact, beside: place(position), distance: 10, in: pad, &occupied)
    }
  }

  private func hardest(_ contact: TracedContact) -> TraceSample? {
    contact.samples.filter { $0.position != nil }
      .max { ($0.raw ?? .min) < ($1.raw ?? .min) }
  }

  private func millimeters(_ axes: (x: Axis, y: Axis)) -> (width: Double, height: Double)? {
    guard axes.x.resolution > 0, axes.y.resolution > 0 else { return nil }
    return (
      Double(axes.x.range) / Double(axes.x.resolution),
      Double(axes.y.range) / Double(axes.y.resolution)
    )
  }

  /// The device in its proportions, as large as there is room.
  private func pad(_ axes: (x: Axis, y: Axis), in room: Box) -> Box {
    let size = millimeters(axes) ?? (Double(axes.x.range), Double(axes.y.range))
    let proportion = min(
      max(max(1, size.height) / max(1, size.width), 1 / Self.mostElongated), Self.mostElongated)
    let width = min(room.width, room.height / proportion)
    return Box(
      left: room.left, top: room.top, right: room.left + width,
      bottom: room.top + width * proportion)
  }

  /// A contact's places that can be told apart, with the width of the line that leads there.
  private func way(
    of contact: TracedContact, _ scale: RawScale, _ place: (Position) -> Point
  ) -> [(point: Point, width: Double)] {
    var way: [(point: Point, width: Double)] = []
    for sample in contact.samples {
      guard let position = sample.position else { continue }
      let point = place(position)
      // In steps, so that a line is not one of each sample.
      let part = (Self.widths * scale.height(Double(sample.raw ?? 0))).rounded() / Self.widths
      let width = Self.finestLine + part * (Self.boldestLine - Self.finestLine)
      if let last = way.last {
        let distance = max(abs(last.point.x - point.x), abs(last.point.y - point.y))
        if distance < 0.5 && last.width >= width { continue }
      }
      way.append((point, width))
    }
    return way
  }

  /// One line for each stretch of one width.
  private func lines(along way: [(point: Point, width: Double)], _ ink: Ink) -> [Mark] {
    var lines: [Mark] = []
    var stretch = [way[0].point]
    for (index, step) in way.enumerated().dropFirst() {
      stretch.append(step.point)
      if index == way.count - 1 || way[index + 1].width != step.width {
        lines.append(.line(stretch, ink, width: step.width))
        stretch = [step.point]
      }
    }
    return lines
  }
}
