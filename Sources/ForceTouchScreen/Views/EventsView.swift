import ForceTouchProtocol

extension Page {
  /// What happened last, newest at the top.
  mutating func writeEvents(_ seen: WatchedDevice, _ region: Region) {
    rule("events", region)
    let events = seen.log.events.suffix(max(0, region.rows - 1)).reversed()
    for (index, event) in events.enumerated() {
      writeEvent(event, since: seen.log.start ?? event.time, region.below(1 + index))
    }
  }

  private mutating func writeEvent(
    _ event: EventMessage, since start: Int64, _ region: Region
  ) {
    let seconds = Double(event.time &- start) / 1_000_000
    var column = write(
      right(fixed(seconds, 3), 9) + "  " + left("#\(event.contact)", 4), at: region.row,
      region.column, .faint)
    let word = event.event.rawValue + (event.reason.map { ": \($0.rawValue)" } ?? "")
    let style: Style =
      switch event.event {
      case .peek: .peekTag
      case .pop: .popTag
      case .peekCancelled, .cancelled: .warning
      case .began, .changed, .peekEnded, .ended: .plain
      }
    let end = region.column + region.columns
    column = write(" \(word) ", at: region.row, column, style, limit: end - column)
    var notes: [String] = []
    if let force = event.force, event.event != .ended { notes.append("force \(fixed(force, 2))") }
    if event.alreadyDown == true { notes.append("already down") }
    if event.resynchronized == true { notes.append("after lost events") }
    if let failure = event.failure { notes.append("no peek: \(failure.rawValue)") }
    let numbers = max(column, region.column + 27)
    write(
      notes.joined(separator: ", "), at: region.row, numbers, .plain,
      limit: max(0, end - numbers))
  }
}
