// What the marks mean.
extension PlotLayout {
  private enum Entry: String {
    case peek
    case pop
    case began = "came down"
    case ended = "lifted"
    case hardest
    case force = "force 1: an ordinary touch"
  }

  /// Explains the marks that occur, from line to line.
  mutating func addLegend(_ panels: [PlotPanel], _ top: inout Double) {
    let entries = entries(panels)
    guard !entries.isEmpty else { return }
    var x = Self.margin
    for entry in entries {
      let indent = entry == .force ? 0.0 : 21
      let width = indent + measure(entry.rawValue, .note)
      if x + width > Self.width - Self.margin {
        x = Self.margin
        top += Self.lineHeight + 3
      }
      drawing.marks += marks(of: entry, at: Point(x: x + 8, y: top - 4))
      add(entry.rawValue, .note, palette.faint, at: Point(x: x + indent, y: top))
      x += width + 20
    }
    top += Self.margin
  }

  private func entries(_ panels: [PlotPanel]) -> [Entry] {
    let contacts = panels.flatMap(\.trace.contacts)
    var entries: [Entry] = []
    if contacts.contains(where: { $0.peek != nil }) { entries.append(.peek) }
    if contacts.contains(where: { $0.pop != nil }) { entries.append(.pop) }
    let onPads = panels.filter { $0.positionAxes != nil }.flatMap(\.trace.contacts)
    if onPads.contains(where: \.showsLanding) { entries.append(.began) }
    if onPads.contains(where: \.showsLift) { entries.append(.ended) }
    if !onPads.isEmpty { entries.append(.hardest) }
    if panels.contains(where: { $0.profile != nil }) { entries.append(.force) }
    return entries
  }

  private func marks(of entry: Entry, at center: Point) -> [Mark] {
    switch entry {
    case .peek:
      [
        .area(Box(around: center, radius: 7).corners, palette.peekShade),
        .ring(center, radius: Self.peekRadius, fill: palette.peek, outline: palette.background),
      ]
    case .pop: [Self.diamond(center, palette.pop)]
    case .began: [.ring(center, radius: Self.startRadius, outline: palette.text)]
    case .ended: [.area(Box(around: center, radius: Self.endRadius).corners, palette.text)]
    case .hardest: [Self.disc(center, 8, palette.text)]
    case .force: []
    }
  }
}
