import ForceTouchModel

@testable import ForceTouchPlot

/// Events of contacts, times in milliseconds.
struct Events {
  private(set) var list: [ContactEvent] = []

  mutating func add(
    _ kind: ContactEvent.Kind, _ contact: UInt32 = 1, at time: Int64, raw: Int32? = 10,
    x: Int32? = nil, y: Int32 = 50
  ) {
    list.append(
      ContactEvent(
        kind: kind, contact: ContactID(rawValue: contact),
        time: Timestamp(microseconds: 1000 * time), position: x.map { Position(x: $0, y: y) },
        rawPressure: raw))
  }

  /// A contact that comes, stays and lifts.
  mutating func touch(_ contact: UInt32 = 1, from start: Int64, to end: Int64, raw: Int32? = 10) {
    add(.began, contact, at: start, raw: raw)
    for time in stride(from: start + 10, to: end, by: 10) {
      add(.changed, contact, at: time, raw: raw)
    }
    add(.ended, contact, at: end, raw: raw)
  }

  func trace(from: Int64? = nil, to: Int64? = nil) -> Trace {
    var gatherer = TraceGatherer(
      from: from.map(Interval.milliseconds), to: to.map(Interval.milliseconds))
    for event in list { gatherer.take(event) }
    return gatherer.finish()
  }
}

/// `from`, `elapsed` and length of each piece of a time axis, in milliseconds.
func pieces(_ trace: Trace) -> [[Int64]] {
  trace.pieces.map {
    [$0.start, $0.elapsed, $0.end - $0.start].map { $0.microseconds / 1000 }
  }
}
