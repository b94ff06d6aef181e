public import ForceTouchModel

/// What a plot shows of one recording, in memory that does not grow with it.
///
/// Times are lengths along the axis: it is made of pieces, between which time was cut out, because
/// nothing was touched or because the recording's clock jumped.
public struct Trace: Equatable, Sendable {
  public internal(set) var pieces: [TimePiece] = []
  public internal(set) var contacts: [TracedContact] = []
  /// Contacts beyond ``TraceGatherer/mostContacts``, which are not shown.
  public internal(set) var omittedContacts = 0

  /// How long the axis is, without what was cut out.
  public var length: Interval { pieces.last?.end ?? .zero }

  /// The latest time since the first event, what was cut out included.
  var end: Interval { pieces.map { $0.elapsed + ($0.end - $0.start) }.max() ?? .zero }

  /// Whether anything of it has a pressure.
  public var hasPressure: Bool {
    contacts.contains { $0.samples.contains { $0.raw != nil } }
  }
}

/// A stretch of the time axis in which nothing was cut out.
public struct TimePiece: Equatable, Sendable {
  /// Where on the axis it begins.
  public internal(set) var start: Interval
  public internal(set) var end: Interval
  /// The time since the recording's first event that it begins with.
  public internal(set) var elapsed: Interval
}

/// What is shown of one contact.
public struct TracedContact: Equatable, Sendable {
  public let id: ContactID
  /// A number that no other contact has that is down at the same time, from 0.
  public let lane: Int
  /// In order of time; never empty.
  public internal(set) var samples: [TraceSample]
  /// From the peek to its end, which is the pop where there is one.
  public internal(set) var peek: (start: TraceSample, end: Interval)?
  public internal(set) var pop: TraceSample?
  /// Its first sample is where it came down; else it was down before what is shown.
  public internal(set) var showsLanding = false
  /// Its last sample is where it was lifted; else it went on, or nobody knows how it ended.
  public internal(set) var showsLift = false

  public static func == (left: Self, right: Self) -> Bool {
    left.id == right.id && left.lane == right.lane && left.samples == right.samples
      && left.peek?.start == right.peek?.start && left.peek?.end == right.peek?.end
      && left.pop == right.pop && left.showsLanding == right.showsLanding
      && left.showsLift == right.showsLift
  }
}

/// A contact at one moment.
public struct TraceSample: Equatable, Sendable {
  public var time: Interval
  /// The pressure axis' value; nil until it was reported.
  public var raw: Int32?
  /// In the units of the position axes; nil until both coordinates were reported.
  public var position: Position?

  public init(time: Interval, raw: Int32? = nil, position: Position? = nil) {
    self.time = time
    self.raw = raw
    self.position = position
  }
}

extension [TraceSample] {
  /// Those that make the same picture when each bucket is one column of it: the first, the last, the
  /// lightest and the hardest of each (M4; Jugel et al., VLDB 2014).
  ///
  /// - Parameter bucket: Does not fall with time.
  func thinned(by bucket: (Interval) -> Int64) -> [TraceSample] {
    var kept: [TraceSample] = []
    var start = startIndex
    while start < endIndex {
      let number = bucket(self[start].time)
      var last = start
      var lightest: Index?
      var hardest: Index?
      for index in start..<endIndex {
        guard bucket(self[index].time) == number else { break }
        last = index
        guard let raw = self[index].raw else { continue }
        if lightest.flatMap({ self[$0].raw }).map({ raw < $0 }) ?? true { lightest = index }
        if hardest.flatMap({ self[$0].raw }).map({ raw > $0 }) ?? true { hardest = index }
      }
      let indices = Set([start, last] + [lightest, hardest].compactMap(\.self))
      kept += indices.sorted().map { self[$0] }
      start = last + 1
    }
    return kept
  }
}
