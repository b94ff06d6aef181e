import ForceTouchModel
import ForceTouchProtocol

extension MonitorState {
  static let leastRows = 20
  static let leastColumns = 72

  /// What stands on a screen of this size now.
  ///
  /// - Parameter isASCII: The terminal shows nothing else.
  public func page(rows: Int, columns: Int, at now: Timestamp, isASCII: Bool = false) -> Page {
    var page = Page(rows: rows, columns: columns)
    let all = Region(row: 0, column: 0, rows: page.rows, columns: page.columns)
    if rows < Self.leastRows || columns < Self.leastColumns {
      page.writeLines(
        [
          "This terminal is \(columns)×\(rows).",
          "The monitor needs \(Self.leastColumns)×\(Self.leastRows): make it larger,",
          "or q quits, and `forcetouchctl monitor --plain` prints lines.",
        ], all)
    } else {
      writeBars(to: &page)
      let middle = Region(row: 2, column: 1, rows: rows - 3, columns: columns - 2)
      switch panel {
      case .help: page.writeHelp(middle)
      case .devices(let line) where !shownDevices.isEmpty:
        page.writeDevices(shownDevices, chosen: line, middle)
      case .devices, nil:
        if let selected {
          page.writeDevice(
            selected, middle, at: shownTime(now), coalesced: shownCoalescedCount)
        } else {
          page.writeLines(whyNone + ["Waiting for one."], middle)
        }
      }
    }
    return isASCII ? page.inASCII() : page
  }

  private func writeBars(to page: inout Page) {
    let columns = page.columns
    page.fill(Region(row: 0, column: 0, rows: 1, columns: columns), " ", .bar)
    var title = " forcetouchctl monitor"
    var which = ""
    if let selected {
      title += "  \(selected.device.device) \(selected.device.name)"
      let count = shownDevices.count
      if count > 1 { which = "1 of \(count) devices " }
    }
    page.write(title, at: 0, 0, .bar, limit: columns - which.columns - 1)
    page.write(which, at: 0, before: columns, .bar)
    var right = columns
    func tag(_ text: String) {
      right -= text.columns + 2
      page.write(" \(text) ", at: 1, right, .key)
      right -= 1
    }
    if isPaused { tag("PAUSED: p goes on") }
    if let sensitivity = selected?.trial?.sensitivity {
      tag("TRIAL: \(sensitivity.rawValue), here only: \(selected.map(Self.marks) ?? "")")
    }
    if let selected {
      page.write(Self.verdict(on: selected), at: 1, 1, .plain, limit: max(0, right - 2))
    }
    writeKeys(to: &page)
  }

  /// What the device is taken for, and where its thresholds lie unless others are tried.
  private static func verdict(on seen: WatchedDevice) -> String {
    let verdict = "\(seen.device.capability.rawValue): \(seen.device.explanation)"
    return seen.trial == nil && seen.thresholds != nil ? "\(verdict); \(marks(of: seen))" : verdict
  }

  private static func marks(of seen: WatchedDevice) -> String {
    guard let thresholds = seen.thresholds else { return "" }
    func number(_ raw: Double) -> String { fixed(raw, raw == raw.rounded() ? 0 : 1) }
    return (seen.device.estimated ? "guessed " : "") + "peek at \(number(thresholds.peek)), "
      + "pop at \(number(thresholds.pop))"
  }

  private func writeKeys(to page: inout Page) {
    let row = page.rows - 1
    let columns = page.columns
    page.fill(Region(row: row, column: 0, rows: 1, columns: columns), " ", .bar)
    if let notice {
      page.write(" \(notice) ", at: row, 0, .key, limit: columns)
      return
    }
    var column = 0
    let isTight = keys.reduce(0) { $0 + $1.0.columns + $1.1.columns + 5 } > columns
    for (key, meaning) in keys {
      column = page.write(" \(key) ", at: row, column, .key)
      column = page.write(" \(meaning)" + (isTight ? "" : "  "), at: row, column, .bar)
    }
  }

  private var keys: [(String, String)] {
    switch panel {
    case .help: [("?", "back"), ("q", "quit")]
    case .devices: [("up/down", "choose"), ("Enter", "show it"), ("Esc", "back"), ("q", "quit")]
    case nil:
      [
        ("p", isPaused ? "go on" : "pause"), ("d", "devices"), ("s", "sensitivity"),
        ("w", "save 30 s"), ("?", "help"), ("q", "quit"),
      ]
    }
  }
}

extension Page {
  mutating func writeLines(_ lines: [String], _ region: Region, _ style: Style = .plain) {
    for (index, line) in lines.prefix(max(0, region.rows)).enumerated() {
      write(line, at: region.row + index, region.column, style, limit: max(0, region.columns))
    }
  }

  /// The parts of the screen, from the top: pad beside contacts, history, events beside frames.
  mutating func writeDevice(
    _ seen: WatchedDevice, _ region: Region, at now: Timestamp, coalesced: Int
  ) {
    let history = min(12, max(5, region.rows / 4))
    let bottom = min(10, max(5, region.rows / 4))
    let (top, rest) = region.split(rows: region.rows - history - bottom)
    let (middle, low) = rest.split(rows: history)
    let pad = PadFrame(seen.device, in: top)
    if let pad { writePad(seen, pad) }
    let (_, beside) = top.split(columns: pad.map { $0.region.columns + 2 } ?? 0)
    writeContacts(seen, beside)
    writeHistory(seen, middle, at: now)
    let (left, right) = low.split(columns: region.columns - 37)
    writeEvents(
      seen, Region(row: left.row, column: left.column, rows: left.rows, columns: left.columns - 2))
    writePace(seen, right, at: now, coalesced: coalesced)
  }
}

extension Step {
  /// Filled areas, and words.
  var style: Style {
    switch self {
    case .touch: .touch
    case .peek: .peek
    case .pop: .pop
    }
  }
  var tag: Style {
    switch self {
    case .touch: .touchTag
    case .peek: .peekTag
    case .pop: .popTag
    }
  }
  var word: String {
    switch self {
    case .touch: "touch"
    case .peek: "peek"
    case .pop: "pop"
    }
  }
}
