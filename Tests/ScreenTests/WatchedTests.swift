import ForceTouchDevices
import ForceTouchModel
import Testing

@testable import ForceTouchScreen

@Suite struct HistoryTests {
  private func time(_ tenths: Int64) -> Timestamp { .zero + .milliseconds(100 * tenths) }

  @Test func theHardestOfEachTenthIsKept() {
    var history = ForceHistory()
    history.take(level: 0.2, step: .touch, at: time(10))
    history.take(level: 0.6, step: .peek, event: .peek, at: time(10) + .milliseconds(30))
    history.take(level: 0.4, step: .peek, at: time(10) + .milliseconds(60))
    let moments = history.moments(3, until: time(11))
    #expect(moments.map(\.level) == [0, 0.6, 0.4])
    #expect(moments[1].event == .peek)
    #expect(moments[2].event == nil)
  }

  /// A still finger sends nothing.
  @Test func whatIsNotToldGoesOn() {
    var history = ForceHistory()
    history.take(level: 0.5, step: .touch, at: time(10))
    #expect(history.moments(3, until: time(14)).map(\.level) == [0.5, 0.5, 0.5])
    history.take(level: nil, step: nil, at: time(20))
    #expect(history.moments(3, until: time(22)).map(\.level) == [0.5, 0, 0])
    #expect(history.isMoving(3, at: time(22)))
    #expect(!history.isMoving(3, at: time(23)))
  }

  @Test func itIsBounded() {
    var history = ForceHistory()
    for tenth in 0..<2000 as Range<Int64> {
      history.take(level: 0.1, step: .touch, at: time(tenth))
    }
    history.take(level: 0.9, step: .pop, at: time(100_000))
    #expect(history.moments(2, until: time(100_000)).map(\.level) == [0.1, 0.9])
  }

  /// A clock that goes backward is no reason to stop.
  @Test func timeMayGoBackward() {
    var history = ForceHistory()
    history.take(level: 0.5, step: .touch, at: time(10))
    history.take(level: 0.7, step: .touch, at: time(5))
    #expect(history.moments(1, until: time(10))[0].level == 0.7)
  }
}

@Suite struct PaceTests {
  private let start = Timestamp(microseconds: 5_000_000)

  @Test func aLiveDeviceIsMeasuredByTheKernelsTime() {
    var pace = Pace(sharesClock: true)
    for delay: Int64 in [400, 700, 900, 40_000] {
      pace.take(start, at: start + Interval(microseconds: delay))
    }
    #expect(!pace.isRelative)
    #expect(pace.median == 900)
    #expect(pace.histogram == [1, 2, 0, 0, 0, 0, 0, 1])
    #expect(pace.rate(at: start + .milliseconds(900)) == 4)
    #expect(pace.rate(at: start + .milliseconds(1020)) == 1)
  }

  @Test func aRecordingIsMeasuredByItsFastestFrame() {
    var pace = Pace(sharesClock: false)
    let frames: [(Int64, Int64)] = [(0, 3000), (10_000, 11_000), (20_000, 21_000)]
    for (time, late) in frames {
      pace.take(Timestamp(microseconds: time), at: start + Interval(microseconds: late))
    }
    #expect(pace.isRelative)
    #expect(pace.histogram == [2, 0, 0, 1, 0, 0, 0, 0])
  }

  /// EVIOCSCLOCKID can be refused: such a device's times are another clock's.
  @Test func aLiveDeviceWithAnotherClockIsMeasuredSoToo() {
    var pace = Pace(sharesClock: true)
    pace.take(Timestamp(microseconds: 1_700_000_000_000_000), at: start)
    #expect(pace.isRelative)
    #expect(pace.median == 0)
  }

  @Test func onlyTheLastAreKept() {
    var pace = Pace(sharesClock: true)
    for _ in 0..<Pace.limit { pace.take(start, at: start + .milliseconds(50)) }
    for _ in 0..<Pace.limit { pace.take(start, at: start + .milliseconds(3)) }
    #expect(pace.histogram.reduce(0, +) == Pace.limit)
    #expect(pace.median == 3000)
  }
}

@Suite struct RecentFramesTests {
  private static func frame(
    _ milliseconds: Int64, _ events: [(UInt16, UInt16, Int32)]
  ) -> Frame {
    let time = Timestamp.zero + .milliseconds(milliseconds)
    return Frame(
      time: time,
      events: events.map { InputEvent(time: time, type: $0.0, code: $0.1, value: $0.2) })
  }

  private func contacts(_ frames: [Frame]) -> ContactFrame {
    var tracker = ContactTracker(description: Touches.description)
    var contacts = ContactFrame()
    for frame in frames { tracker.process(frame, into: &contacts) }
    return contacts
  }

  private let touch: [Frame] = [
    frame(
      0,
      [
        (3, AxisCode.slot, 2), (3, AxisCode.trackingID, 7), (3, AxisCode.positionX, 100),
        (3, AxisCode.positionY, 200), (3, AxisCode.multitouchPressure, 30), (1, KeyCode.touch, 1),
      ]),
    frame(20_000, [(3, AxisCode.multitouchPressure, 40)]),
    frame(40_000, [(3, AxisCode.multitouchPressure, 50)]),
  ]

  @Test func whatIsWithinTheSpanIsKeptAsItCame() {
    var recent = RecentFrames()
    for frame in touch.prefix(2) { recent.append(frame, at: frame.time) }
    #expect(recent.recording == Array(touch.prefix(2)))
    #expect(recent.duration == .milliseconds(20_000))
  }

  /// Whoever reads it later must come to the same contact, which nobody saw begin.
  @Test func whatCameBeforeIsToldInOneFrame() throws {
    var recent = RecentFrames()
    for frame in touch { recent.append(frame, at: frame.time) }
    let recording = recent.recording
    #expect(recording.count == 3)
    #expect(Array(recording.dropFirst()) == Array(touch.dropFirst()))
    let contact = try #require(contacts(recording).contacts.first)
    #expect(contact.slot == 2)
    #expect(contact.wasAlreadyDown)
    #expect(contact.position == Position(x: 100, y: 200))
    #expect(contact.rawPressure == 50)
    #expect(
      recording[0].events.contains { $0.type == 1 && $0.code == KeyCode.touch && $0.value == 1 })
  }

  /// The kernel does not repeat a value that the slot had before.
  @Test func anEmptySlotKeepsItsValues() throws {
    var recent = RecentFrames()
    let lift = Self.frame(1000, [(3, AxisCode.trackingID, -1)])
    let again = Self.frame(50_000, [(3, AxisCode.trackingID, 8)])
    for frame in [touch[0], lift, again] { recent.append(frame, at: frame.time) }
    #expect(recent.recording.count == 2)
    let contact = try #require(contacts(recent.recording).contacts.first)
    #expect(!contact.wasAlreadyDown)
    #expect(contact.position == Position(x: 100, y: 200))
    #expect(contacts(Array(recent.recording.prefix(1))).contacts.isEmpty)
  }

  @Test func itIsBoundedHoweverFastTheDeviceIs() {
    var recent = RecentFrames()
    let events = [(UInt16, UInt16, Int32)](repeating: (3, 0x3a, 1), count: 1000)
    for time in 0..<1000 as Range<Int64> { recent.append(Self.frame(time, events), at: .zero) }
    let kept = recent.recording.reduce(0) { $0 + $1.events.count }
    #expect(kept <= RecentFrames.eventLimit + 10)
    #expect(recent.duration < .milliseconds(260))
  }
}
