import ForceTouchModel

extension Page {
  /// How many frames come, how late, and what was lost.
  mutating func writePace(
    _ seen: WatchedDevice, _ region: Region, at now: Timestamp, coalesced: Int
  ) {
    let pace = seen.pace
    rule("frames", Region(row: region.row, column: region.column, rows: 1, columns: region.columns))
    var losses: [String] = []
    if seen.lossCount > 0 { losses.append("lost \(seen.lossCount) times") }
    if coalesced > 0 { losses.append("read late \(coalesced)") }
    let column = write(
      "\(right(String(pace.rate(at: now)), 4)) a second  ", at: region.row + 1, region.column)
    write(
      losses.isEmpty ? "none lost" : losses.joined(separator: ", "), at: region.row + 1, column,
      losses.isEmpty ? .faint : .warning, limit: region.column + region.columns - column)
    let median = pace.median.map { fixed(Double($0) / 1000, 1) } ?? "–"
    write(
      pace.isRelative
        ? "half within \(median) ms of the fastest" : "latency: half within \(median) ms",
      at: region.row + 2, region.column, .plain, limit: region.columns)
    writeHistogram(pace.histogram, region.below(3))
  }

  /// Over a scale of milliseconds.
  private mutating func writeHistogram(_ counts: [Int], _ region: Region) {
    let height = min(4, region.rows - 1)
    guard height > 0 else { return }
    let most = max(1, counts.max() ?? 1)
    let width = 4
    for (index, count) in counts.enumerated() {
      // One frame in a thousand is still seen.
      let eighths = (count * height * 8 + most - 1) / most
      for row in 0..<height {
        let glyph = ForceTouchScreen.column(eighths - (height - 1 - row) * 8)
        guard glyph != " " else { continue }
        fill(
          Region(
            row: region.row + row, column: region.column + index * width, rows: 1,
            columns: width - 1), glyph, .touch)
      }
      let bound =
        index < Pace.bins.count ? milliseconds(Pace.bins[index]) : "more"
      write(
        bound, at: region.row + height,
        before: region.column + index * width + 3
          + (index == Pace.bins.count ? 2 : 0), .faint)
    }
  }

  private func milliseconds(_ microseconds: Int64) -> String {
    microseconds < 1000 ? "." + String(microseconds / 100) : String(microseconds / 1000)
  }
}
