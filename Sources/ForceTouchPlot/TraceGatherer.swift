public import ForceTouchModel

/// Makes the trace of a recording out of its events.
public struct TraceGatherer {
  /// More than these nobody could tell apart in a picture.
  public static let mostContacts = 1000
  static let mostPieces = 1000
  /// More samples than these are thinned to half as many.
  static let mostSamples = 1 << 16
  /// How long nothing may be touched before time is cut out.
  static let longestIdle = Interval.milliseconds(1000)
  /// The same while something is: of a finger that rests a device says nothing.
  static let longestSilence = Interval.milliseconds(10_000)
  /// What is shown before the first event of a piece, and after its last.
  static let margin = Interval.milliseconds(30)

  private var trace = Trace()
  private let from: Interval?
  private let to: Interval?
  private var first: Timestamp?
  private var last: Timestamp?
  /// Where on the axis the last event is.
  private var now = Interval.zero
  private var open: [ContactID: OpenContact] = [:]
  private var sampleCount = 0
  /// What a bucket of thinned samples covers, in microseconds.
  private var bucketWidth: Int64 = 0

  private struct OpenContact {
    let lane: Int
    /// Where it is in the trace; nil until something of it is shown.
    var index: Int?
    var isOmitted = false
    /// It has a peek that is not over.
    var isPeeking = false
    /// What was last heard of it before what is shown.
    var before: TraceSample?
  }

  /// - Parameters:
  ///   - from: Nothing earlier is shown; since the first event, as are the times that `replay` prints.
  ///   - to: Nothing later is shown.
  public init(from: Interval? = nil, to: Interval? = nil) {
    self.from = from
    self.to = to
  }

  /// Takes the next event of the recording.
  public mutating func take(_ event: ContactEvent) {
    let start = first ?? event.time
    first = start
    let elapsed = event.time - start
    let isIdle = open.isEmpty
    if event.kind == .began { open[event.contact] = OpenContact(lane: freeLane) }
    if from.map({ elapsed < $0 }) ?? false {
      note(event)
    } else if to.map({ elapsed > $0 }) ?? false {
      open[event.contact]?.isPeeking = false
    } else {
      advance(to: event.time, elapsed, isIdle ? Self.longestIdle : Self.longestSilence)
      show(event)
    }
    switch event.kind {
    case .ended, .cancelled: open[event.contact] = nil
    case .began, .changed, .peek, .pop, .peekEnded, .peekCancelled: break
    }
  }

  /// Where on the axis the last event is.
  public var end: Interval { now }

  /// What there is to see, after the last event.
  public consuming func finish() -> Trace {
    if !trace.pieces.isEmpty { closePiece() }
    return trace
  }

  private var freeLane: Int {
    let taken = Set(open.values.map(\.lane))
    return (0...taken.count).first { !taken.contains($0) } ?? 0
  }

  /// Takes what happened before anything is shown.
  private mutating func note(_ event: ContactEvent) {
    open[event.contact]?.before = TraceSample(
      time: .zero, raw: event.rawPressure, position: event.position)
    switch event.kind {
    case .peek: open[event.contact]?.isPeeking = true
    case .pop, .peekEnded, .peekCancelled: open[event.contact]?.isPeeking = false
    case .began, .changed, .ended, .cancelled: break
    }
  }

  private mutating func show(_ event: ContactEvent) {
    guard var contact = open[event.contact], let index = index(of: &contact, event) else { return }
    let sample = TraceSample(time: now, raw: event.rawPressure, position: event.position)
    // What began before goes on from where it was.
    if var before = contact.before {
      before.time = max(trace.pieces[trace.pieces.count - 1].start, now - Self.margin)
      append(before, to: index)
      if contact.isPeeking { trace.contacts[index].peek = (before, now) }
      contact.before = nil
    }
    append(sample, to: index)
    if contact.isPeeking { trace.contacts[index].peek?.end = now }
    switch event.kind {
    case .peek:
      trace.contacts[index].peek = (sample, now)
      contact.isPeeking = true
    case .pop:
      trace.contacts[index].pop = sample
      contact.isPeeking = false
    case .peekEnded, .peekCancelled: contact.isPeeking = false
    case .began: trace.contacts[index].showsLanding = !event.wasAlreadyDown
    case .ended: trace.contacts[index].showsLift = true
    case .changed, .cancelled: break
    }
    open[event.contact] = contact
    if sampleCount > Self.mostSamples { thin() }
  }

  /// Where a contact is in the trace; nil when it is one too many.
  private mutating func index(of contact: inout OpenContact, _ event: ContactEvent) -> Int? {
    if let index = contact.index { return index }
    guard trace.contacts.count < Self.mostContacts else {
      if !contact.isOmitted { trace.omittedContacts += 1 }
      contact.isOmitted = true
      open[event.contact] = contact
      return nil
    }
    contact.index = trace.contacts.count
    trace.contacts.append(TracedContact(id: event.contact, lane: contact.lane, samples: []))
    return contact.index
  }

  private mutating func append(_ sample: TraceSample, to index: Int) {
    guard trace.contacts[index].samples.last != sample else { return }
    trace.contacts[index].samples.append(sample)
    sampleCount += 1
  }

  private mutating func advance(to time: Timestamp, _ elapsed: Interval, _ longest: Interval) {
    defer { last = time }
    guard let last else { return beginPiece(elapsed) }
    let interval = time - last
    if interval >= .zero && interval <= longest {
      now = now + interval
    } else if trace.pieces.count < Self.mostPieces {
      closePiece()
      beginPiece(elapsed)
    }
  }

  private mutating func beginPiece(_ elapsed: Interval) {
    trace.pieces.append(TimePiece(start: now, end: now, elapsed: elapsed - Self.margin))
    now = now + Self.margin
  }

  private mutating func closePiece() {
    now = now + Self.margin
    trace.pieces[trace.pieces.count - 1].end = now
  }

  private mutating func thin() {
    while sampleCount > Self.mostSamples / 2 {
      bucketWidth = max(1000, 2 * bucketWidth)
      let width = bucketWidth
      sampleCount = 0
      for index in trace.contacts.indices {
        trace.contacts[index].samples = trace.contacts[index].samples.thinned {
          $0.microseconds / width
        }
        sampleCount += trace.contacts[index].samples.count
      }
    }
  }
}
