import ForceTouchProtocol

/// Where the pad is drawn: its frame in the proportions of the device. A cell is twice as high as wide.
struct PadFrame {
  let region: Region
  private let x: DeviceMessage.Axis
  private let y: DeviceMessage.Axis

  /// nil for a device without positions.
  init?(_ device: DeviceMessage, in space: Region) {
    guard let x = device.x, let y = device.y, x.maximum > x.minimum, y.maximum > y.minimum else {
      return nil
    }
    self.x = x
    self.y = y
    // Not narrower or wider than anything that is made.
    let ratio = min(4, max(0.25, Self.length(x, y) / Self.length(y, x)))
    // Beside it the numbers of a contact need some forty columns.
    let widest = min(Double(space.columns) / 2, Double(space.columns - 42)) - 2
    var rows = Double(space.rows - 2)
    var columns = rows * 2 * ratio
    if columns > widest {
      columns = widest
      rows = columns / 2 / ratio
    }
    region = Region(
      row: space.row, column: space.column, rows: max(3, Int(rows.rounded())) + 2,
      columns: max(6, Int(columns.rounded())) + 2)
  }

  /// In millimeters where both axes have a unit, else in units.
  private static func length(_ axis: DeviceMessage.Axis, _ other: DeviceMessage.Axis) -> Double {
    let range = Double(axis.maximum) - Double(axis.minimum)
    guard axis.resolution > 0, other.resolution > 0 else { return range }
    return range / Double(axis.resolution)
  }

  var title: String {
    guard x.resolution > 0, y.resolution > 0 else { return "pad" }
    return "\(fixed(Self.length(x, y), 0)) × \(fixed(Self.length(y, x), 0)) mm"
  }

  var inner: Region { region.inset(1) }

  /// Where a contact is, in columns and half rows from the top left of ``inner``.
  func center(of contact: WatchedContact) -> (x: Double, y: Double)? {
    guard let x = contact.latest.x, let y = contact.latest.y else { return nil }
    func part(_ value: Int32, _ axis: DeviceMessage.Axis) -> Double {
      let part =
        (Double(value) - Double(axis.minimum)) / (Double(axis.maximum) - Double(axis.minimum))
      return min(1, max(0, part))
    }
    return (part(x, self.x) * Double(inner.columns), part(y, self.y) * Double(inner.rows * 2))
  }

  /// The radius of a spot in half rows: it is never nothing, and at its largest a third of the pad.
  func radius(_ level: Double) -> Double {
    let largest = Double(min(inner.rows * 2, inner.columns)) / 3
    return 0.9 + level * max(1, largest - 0.9)
  }
}

extension Page {
  mutating func writePad(_ seen: WatchedDevice, _ pad: PadFrame) {
    frame(pad.title, pad.region)
    let contacts = seen.log.contacts.filter { pad.center(of: $0) != nil }
    if contacts.isEmpty {
      let text = seen.log.start == nil ? "touch it" : "no finger"
      write(
        text, at: pad.inner.row + pad.inner.rows / 2,
        pad.inner.column + max(0, (pad.inner.columns - text.columns) / 2), .faint,
        limit: pad.inner.columns)
    }
    // Weak ones last: a hard press covers much.
    for contact in contacts.sorted(by: { $0.level > $1.level }) {
      writeSpot(contact, seen.scale, pad)
    }
    for contact in contacts { writeName(of: contact, pad) }
  }

  private mutating func writeSpot(_ contact: WatchedContact, _ scale: ForceScale, _ pad: PadFrame) {
    guard let center = pad.center(of: contact) else { return }
    let radius = pad.radius(contact.level)
    // How large it is at a peek, and at a pop.
    let rings = scale.marks.map { [pad.radius($0.peek), pad.radius($0.pop)] } ?? []
    let inner = pad.inner
    for row in 0..<inner.rows {
      for column in 0..<inner.columns {
        func distance(_ half: Double) -> Double {
          let (x, y) = (Double(column) + 0.5 - center.x, Double(row * 2) + half - center.y)
          return (x * x + y * y).squareRoot()
        }
        let isUpper = distance(0.5) <= radius
        let isLower = distance(1.5) <= radius
        let glyph: Unicode.Scalar
        switch (isUpper, isLower) {
        case (true, true): glyph = "█"
        case (true, false): glyph = "▀"
        case (false, true): glyph = "▄"
        case (false, false):
          guard rings.contains(where: { abs(distance(1) - $0) < 0.5 }),
            self[inner.row + row, inner.column + column] == .blank
          else { continue }
          self[inner.row + row, inner.column + column] = Cell(scalar: "·", style: .faint)
          continue
        }
        self[inner.row + row, inner.column + column] = Cell(
          scalar: glyph, style: contact.step.style)
      }
    }
  }

  /// Beside the spot, where there is room.
  private mutating func writeName(of contact: WatchedContact, _ pad: PadFrame) {
    guard let center = pad.center(of: contact) else { return }
    let inner = pad.inner
    var text = "#\(contact.latest.contact)"
    if contact.step != .touch { text += " \(contact.step.word)" }
    let width = text.columns + 2
    let radius = pad.radius(contact.level)
    let row = min(inner.rows - 1, Int(center.y / 2))
    var column = Int((center.x + radius).rounded(.up))
    if column + width > inner.columns { column = Int(center.x - radius) - width }
    if column < 0 { column = max(0, min(inner.columns - width, Int(center.x) - width / 2)) }
    write(
      " \(text) ", at: inner.row + row, inner.column + column, contact.step.tag,
      limit: inner.columns - column)
  }
}
