import ForceTouchProtocol

extension Page {
  /// A bar of force for each contact, under a scale with the marks of hint, peek and pop.
  mutating func writeContacts(_ seen: WatchedDevice, _ region: Region) {
    rule("force", Region(row: region.row, column: region.column, rows: 1, columns: region.columns))
    let scale = seen.scale
    writeScale(scale, region.below(1))
    var contacts = seen.log.contacts
    // Without a finger, the last press can be read at leisure.
    if contacts.isEmpty, let last = seen.log.last { contacts = [last] }
    var rest = region.below(2)
    // Bars of two lines where there is room, and an empty line between.
    let thickness = contacts.count * 4 <= rest.rows ? 2 : 1
    let height = contacts.count * (thickness + 2) - 1 <= rest.rows ? thickness + 2 : thickness + 1
    for (index, contact) in contacts.enumerated() {
      let isLast = index == contacts.count - 1
      guard rest.rows > thickness + (isLast ? 0 : 1) else {
        if rest.rows > 0 {
          write("and \(contacts.count - index) more", at: rest.row, rest.column, .faint)
        }
        return
      }
      for line in 0..<thickness { writeMeter(contact, scale, rest.below(line)) }
      writeNumbers(contact, seen, rest.below(thickness))
      rest = rest.below(height)
    }
    guard contacts.isEmpty, rest.rows > 1 else { return }
    writeTrack(scale, rest)
    write(
      scale.marks == nil ? "a finger shows its raw pressure here" : "press, and watch the bar",
      at: rest.row + 1, rest.column, .faint, limit: rest.columns)
  }

  /// The words above the marks; the greatest force at the right end.
  private mutating func writeScale(_ scale: ForceScale, _ region: Region) {
    guard let marks = scale.marks else { return }
    let end = region.column + region.columns
    func start(_ word: String, _ mark: Double) -> Int {
      let column = region.column + Self.column(of: mark, region.columns)
      return min(end - word.columns, max(region.column, column - word.columns / 2))
    }
    let maximum = scale.maximumPossibleForce.map { fixed($0, 2) } ?? ""
    var taken: [ClosedRange<Int>] = []
    // What matters most finds room first.
    for (word, mark, style) in [
      ("pop", marks.pop, Style.popTag), ("peek", marks.peek, .peekTag), (maximum, 1, .faint),
      ("hint", marks.hint, .faint),
    ] {
      let start = start(word, mark)
      let range = start - 1...start + word.columns
      guard !taken.contains(where: { $0.overlaps(range) }) else { continue }
      taken.append(range)
      write(word, at: region.row, start, style)
    }
  }

  private static func column(of mark: Double, _ columns: Int) -> Int {
    min(columns - 1, Int(mark * Double(columns)))
  }

  /// The empty bar.
  private mutating func writeTrack(_ scale: ForceScale, _ region: Region) {
    fill(
      Region(row: region.row, column: region.column, rows: 1, columns: region.columns), "·", .faint)
    guard let marks = scale.marks else { return }
    for mark in [marks.hint, marks.peek, marks.pop] {
      let glyph: Unicode.Scalar = mark == marks.hint ? "┊" : "│"
      self[region.row, region.column + Self.column(of: mark, region.columns)] = Cell(
        scalar: glyph, style: .plain)
    }
  }

  private mutating func writeMeter(
    _ contact: WatchedContact, _ scale: ForceScale, _ region: Region
  ) {
    writeTrack(scale, region)
    let isOver = contact.end != nil
    let style = isOver ? Style.faint : contact.step.style
    let bar = bar(isOver ? contact.hardest : contact.level, width: region.columns)
    write(bar, at: region.row, region.column, style)
    guard let marks = scale.marks else { return }
    for mark in [marks.peek, marks.pop] {
      let column = Self.column(of: mark, region.columns)
      // Where force has passed it, a mark is cut out of the bar.
      if column < bar.columns - 1 {
        self[region.row, region.column + column] = Cell(
          scalar: "│", style: isOver ? .plain : contact.step.tag)
      }
    }
  }

  private mutating func writeNumbers(
    _ contact: WatchedContact, _ seen: WatchedDevice, _ region: Region
  ) {
    let isOver = contact.end != nil
    var column = write("#\(contact.latest.contact) ", at: region.row, region.column, .plain)
    column = write(" \(contact.step.word) ", at: region.row, column, contact.step.tag)
    var parts: [String] = []
    if isOver {
      parts.append("\(contact.end == .ended ? "lifted" : "cancelled"), hardest")
      if let maximum = seen.scale.maximumPossibleForce {
        parts.append("\(fixed(contact.hardest * maximum, 2)) of \(fixed(maximum, 2))")
      } else {
        parts.append("\(fixed(contact.hardest * 100, 0)) % of its range")
      }
    } else {
      if let force = contact.latest.force, let maximum = seen.scale.maximumPossibleForce {
        parts.append("force \(fixed(force, 2)) of \(fixed(maximum, 2))")
      }
      if let grams = contact.latest.grams {
        let off = contact.latest.gramsUncertainty.map { " ± \(fixed($0, 0))" } ?? ""
        parts.append("\(fixed(grams, 0))\(off) g")
      }
      if let raw = contact.latest.raw { parts.append("raw \(raw)") }
    }
    if let failure = contact.failure { parts.append("no peek: \(failure.rawValue)") }
    write(
      " " + parts.joined(separator: "  "), at: region.row, column, isOver ? .faint : .plain,
      limit: region.column + region.columns - column)
  }
}
