/// One character on the screen.
public struct Cell: Equatable, Sendable {
  /// NUL: the right half of a wide character.
  public var scalar: Unicode.Scalar
  public var style: Style

  static let blank = Cell(scalar: " ", style: .plain)
}

/// A part of a page: rows and columns count from 0 at its top left.
struct Region: Equatable, Sendable {
  var row: Int
  var column: Int
  var rows: Int
  var columns: Int

  /// What is left below the first rows.
  func below(_ count: Int) -> Region {
    Region(row: row + count, column: column, rows: rows - count, columns: columns)
  }

  /// The first rows, and the rest.
  func split(rows count: Int) -> (Region, Region) {
    (Region(row: row, column: column, rows: count, columns: columns), below(count))
  }

  /// The first columns, and the rest.
  func split(columns count: Int) -> (Region, Region) {
    (
      Region(row: row, column: column, rows: rows, columns: count),
      Region(row: row, column: column + count, rows: rows, columns: columns - count)
    )
  }

  func inset(_ count: Int) -> Region {
    Region(
      row: row + count, column: column + count, rows: rows - 2 * count,
      columns: columns - 2 * count)
  }
}

/// All that stands on the screen at one moment. Whatever is written beyond its edges is left out.
public struct Page: Equatable, Sendable {
  public let rows: Int
  public let columns: Int
  private var cells: [Cell]

  init(rows: Int, columns: Int) {
    self.rows = max(0, rows)
    self.columns = max(0, columns)
    cells = Array(repeating: .blank, count: self.rows * self.columns)
  }

  /// Characters of one style that stand side by side.
  public struct Run: Equatable, Sendable {
    public var column: Int
    public var text: String
    public var style: Style
  }

  /// A row, from left to right, without gaps.
  public func runs(ofRow row: Int) -> [Run] {
    var runs: [Run] = []
    for (column, cell) in cells[row * columns..<(row + 1) * columns].enumerated()
    where cell.scalar != "\0" {
      if runs.last?.style == cell.style {
        runs[runs.count - 1].text.unicodeScalars.append(cell.scalar)
      } else {
        runs.append(Run(column: column, text: String(cell.scalar), style: cell.style))
      }
    }
    return runs
  }

  /// The characters of a row.
  public func text(ofRow row: Int) -> String { runs(ofRow: row).map(\.text).joined() }

  subscript(row: Int, column: Int) -> Cell {
    get { contains(row, column) ? cells[row * columns + column] : .blank }
    set { if contains(row, column) { cells[row * columns + column] = newValue } }
  }

  private func contains(_ row: Int, _ column: Int) -> Bool {
    (0..<rows).contains(row) && (0..<columns).contains(column)
  }

  /// Writes a text that may be anybody's: it takes the columns it says and moves nothing.
  ///
  /// - Parameter limit: At most so many columns; a text that is longer ends with an ellipsis.
  /// - Returns: The column after it.
  @discardableResult
  mutating func write(
    _ text: String, at row: Int, _ column: Int, _ style: Style = .plain, limit: Int = .max
  ) -> Int {
    let isWhole = text.columns <= limit
    let shown = isWhole ? text[...] : text.prefix(columns: limit - 1)
    var next = column
    for scalar in shown.unicodeScalars where scalar.columns > 0 {
      self[row, next] = Cell(scalar: scalar, style: style)
      if scalar.columns == 2 { self[row, next + 1] = Cell(scalar: "\0", style: style) }
      next += scalar.columns
    }
    if !isWhole && limit > 0 {
      self[row, next] = Cell(scalar: "…", style: style)
      next += 1
    }
    return next
  }

  /// Writes a text that ends before a column.
  mutating func write(_ text: String, at row: Int, before column: Int, _ style: Style = .plain) {
    write(text, at: row, column - text.columns, style)
  }

  mutating func fill(_ region: Region, _ scalar: Unicode.Scalar = " ", _ style: Style = .plain) {
    for row in region.row..<max(region.row, region.row + region.rows) {
      for column in region.column..<max(region.column, region.column + region.columns) {
        self[row, column] = Cell(scalar: scalar, style: style)
      }
    }
  }

  /// A line across with a word in it.
  mutating func rule(_ title: String, _ region: Region) {
    fill(
      Region(row: region.row, column: region.column, rows: 1, columns: region.columns), "─", .faint)
    if !title.isEmpty {
      write(" \(title) ", at: region.row, region.column + 1, .heading, limit: region.columns - 2)
    }
  }

  /// A frame with a word in its top.
  mutating func frame(_ title: String, _ region: Region) {
    let bottom = region.row + region.rows - 1
    let right = region.column + region.columns - 1
    for row in region.row...max(region.row, bottom) {
      self[row, region.column] = Cell(scalar: "│", style: .faint)
      self[row, right] = Cell(scalar: "│", style: .faint)
    }
    rule("", region)
    rule("", Region(row: bottom, column: region.column, rows: 1, columns: region.columns))
    self[region.row, region.column].scalar = "┌"
    self[region.row, right].scalar = "┐"
    self[bottom, region.column].scalar = "└"
    self[bottom, right].scalar = "┘"
    if !title.isEmpty {
      write(" \(title) ", at: region.row, region.column + 1, .heading, limit: region.columns - 2)
    }
  }
}

extension Page {
  /// The same for a terminal that shows ASCII only.
  func inASCII() -> Page {
    var page = self
    for index in page.cells.indices { page.cells[index] = page.cells[index].inASCII }
    return page
  }
}

extension Cell {
  fileprivate var inASCII: Cell {
    // Half of a character that becomes one of one column.
    if scalar == "\0" { return Cell(scalar: " ", style: style) }
    guard !scalar.isASCII else { return self }
    let other: Unicode.Scalar =
      switch scalar {
      case "─", "┄": "-"
      case "│", "┊": "|"
      case "┌", "┐", "└", "┘": "+"
      case "█", "▉", "▊", "▋", "▇", "▆": "#"
      case "▌", "▍", "▎", "▏": "-"
      case "▀", "▄", "▅": "o"
      case "▁", "▂", "▃": "_"
      case "·", "…": "."
      case "±": "~"
      case "↑": "^"
      case "×": "x"
      case "–": "-"
      case "’": "'"
      default: "?"
      }
    return Cell(scalar: other, style: style)
  }
}

extension String {
  /// How many columns of a terminal it takes.
  public var columns: Int { unicodeScalars.reduce(0) { $0 + $1.columns } }

  /// As much of its beginning as so many columns of a terminal hold.
  public func prefix(columns limit: Int) -> Substring {
    var (end, width) = (startIndex, 0)
    while end < endIndex {
      width += unicodeScalars[end].columns
      guard width <= limit else { break }
      unicodeScalars.formIndex(after: &end)
    }
    return self[..<end]
  }
}

extension Unicode.Scalar {
  /// How many columns a terminal takes for it (`wcwidth(3)`, but the same in every locale); 0 for
  /// whatever moves the cursor, combines with another, or turns the direction of writing: such is
  /// left out.
  var columns: Int {
    switch properties.generalCategory {
    case .control, .format, .surrogate, .unassigned, .privateUse, .nonspacingMark, .enclosingMark,
      .spacingMark, .lineSeparator, .paragraphSeparator:
      return 0
    default: break
    }
    return Self.wide.contains { $0.contains(value) } ? 2 : 1
  }

  /// Blocks of East Asian Wide characters and emoji (Unicode's EastAsianWidth.txt).
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115f, 0x231a...0x231b, 0x2e80...0x303e, 0x3041...0xa4cf, 0xa960...0xa97c,
    0xac00...0xd7a3, 0xf900...0xfaff, 0xfe30...0xfe6f, 0xff01...0xff60, 0xffe0...0xffe6,
    0x1f300...0x1f64f, 0x1f680...0x1f6ff, 0x1f900...0x1f9ff, 0x1fa70...0x1faff,
    0x20000...0x3fffd,
  ]
}
