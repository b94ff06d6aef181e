import ForceTouchModel

extension Page {
  /// Force over the last seconds, one column for each tenth, and when peeks and pops came.
  mutating func writeHistory(_ seen: WatchedDevice, _ region: Region, at now: Timestamp) {
    let columns = Self.historyColumns(region.columns)
    let span = Double(columns) * Double(ForceHistory.interval.microseconds) / 1_000_000
    rule("force, the last \(fixed(span, 1)) s", region)
    let moments = seen.log.history.moments(columns, until: now)
    let chart = Region(
      row: region.row + 1, column: region.column, rows: region.rows - 2, columns: columns)
    if let marks = seen.scale.marks {
      writeLevel("peek", marks.peek, .peekTag, chart)
      writeLevel("pop", marks.pop, .popTag, chart)
    }
    for (index, moment) in moments.enumerated() {
      guard let step = moment.step else { continue }
      // A touch is seen, however light it is.
      let eighths = max(1, Int((moment.level * Double(chart.rows * 8)).rounded()))
      for row in 0..<chart.rows {
        let filled = eighths - (chart.rows - 1 - row) * 8
        guard filled > 0 else { continue }
        self[chart.row + row, chart.column + index] = Cell(
          scalar: ForceTouchScreen.column(filled), style: step.style)
      }
    }
    writeTimes(moments, chart.row + chart.rows, chart.column)
  }

  /// Its names stand at its right.
  static func historyColumns(_ columns: Int) -> Int { max(1, columns - 5) }

  /// A line across at the height of a threshold, named at its right end.
  private mutating func writeLevel(
    _ word: String, _ mark: Double, _ style: Style, _ chart: Region
  ) {
    let row = chart.row + chart.rows - 1 - min(chart.rows - 1, Int(mark * Double(chart.rows)))
    for column in 0..<chart.columns {
      self[row, chart.column + column] = Cell(scalar: "┄", style: .faint)
    }
    write(word, at: row, chart.column + chart.columns + 1, style)
  }

  /// Under the chart, each where it happened: a peek's name before its mark and a pop's behind, so
  /// that those of one press stand side by side.
  private mutating func writeTimes(_ moments: [ForceHistory.Moment], _ row: Int, _ column: Int) {
    var free = 0
    for (index, moment) in moments.enumerated() {
      guard let event = moment.event else { continue }
      let width = event.word.columns
      let start = event == .pop ? index : index - width
      guard start >= free else { continue }
      self[row, column + index] = Cell(scalar: "↑", style: .plain)
      write(event.word, at: row, column + (event == .pop ? start + 1 : start), event.tag)
      free = start + width + 2
    }
    if free <= moments.count - 3 { write("now", at: row, column + moments.count - 3, .faint) }
  }
}
