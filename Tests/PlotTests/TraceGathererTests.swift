import ForceTouchModel
import Testing

@testable import ForceTouchPlot

@Suite struct TraceGathererTests {
  @Test func timeIsThatSinceTheFirstEvent() {
    var events = Events()
    events.touch(from: 5000, to: 5500)
    let trace = events.trace()
    #expect(pieces(trace) == [[0, -30, 560]])
    #expect(trace.contacts.map(\.samples.first?.time) == [.milliseconds(30)])
    #expect(trace.contacts.map(\.samples.last?.time) == [.milliseconds(530)])
  }

  @Test func idleTimeIsCutOut() {
    var events = Events()
    events.touch(1, from: 0, to: 100)
    events.touch(2, from: 1100, to: 1200)
    #expect(pieces(events.trace()) == [[0, -30, 1260]])
    events.touch(3, from: 60_000, to: 60_100)
    #expect(pieces(events.trace()) == [[0, -30, 1260], [1260, 59_970, 160]])
  }

  @Test func aFingerThatRestsIsNotIdle() {
    var events = Events()
    events.add(.began, at: 0)
    events.add(.ended, at: 9000)
    #expect(pieces(events.trace()) == [[0, -30, 9060]])
  }

  @Test func aJumpOfTheClockIsCutOut() {
    var events = Events()
    events.touch(1, from: 10_000, to: 10_100)
    events.touch(2, from: -500, to: -400)
    events.add(.began, 3, at: -300)
    events.add(.ended, 3, at: 3_600_000)
    #expect(
      pieces(events.trace()) == [[0, -30, 160], [160, -10_530, 260], [420, 3_589_970, 60]])
  }

  @Test func aClockFarAwayTrapsNothing() {
    var events = Events()
    let times: [Int64] = [.min / 1000, 0, .max / 1000, -1, .min / 1000]
    for time in times {
      events.touch(1, from: time, to: time)
    }
    #expect(events.trace().contacts.count == 5)
  }

  @Test(arguments: [
    (0, 500, true, true), (100, 500, false, true), (0, 400, true, false), (100, 400, false, false),
  ])
  func onlyALandingAndALiftThatAreShownAreMarked(
    from: Int64, to: Int64, showsLanding: Bool, showsLift: Bool
  ) {
    var events = Events()
    events.touch(from: 0, to: 500)
    let contact = events.trace(from: from, to: to).contacts[0]
    #expect((contact.showsLanding, contact.showsLift) == (showsLanding, showsLift))
  }

  @Test func whatWasCancelledWasNotLifted() {
    var events = Events()
    events.add(.began, at: 0)
    events.add(.cancelled(.endOfRecording), at: 100)
    #expect(!events.trace().contacts[0].showsLift)
  }

  @Test func aPeekEndsWithItsPop() {
    var events = Events()
    events.add(.began, at: 0, raw: 5)
    events.add(.peek, at: 100, raw: 110, x: 3)
    events.add(.changed, at: 150, raw: 130)
    events.add(.pop, at: 200, raw: 160, x: 4)
    events.add(.changed, at: 300, raw: 180)
    events.add(.ended, at: 400, raw: 5)
    let contact = events.trace().contacts[0]
    #expect(contact.peek?.start.raw == 110)
    #expect(contact.peek?.start.time == .milliseconds(130))
    #expect(contact.peek?.end == .milliseconds(230))
    #expect(contact.pop?.raw == 160)
    #expect(contact.pop?.position == Position(x: 4, y: 50))
  }

  @Test(arguments: [ContactEvent.Kind.peekEnded, .peekCancelled(.otherContact)])
  func aPeekEndsWhereItIsSaid(kind: ContactEvent.Kind) {
    var events = Events()
    events.add(.began, at: 0)
    events.add(.peek, at: 100)
    events.add(kind, at: 200)
    events.add(.changed, at: 300)
    events.add(.ended, at: 400)
    let contact = events.trace().contacts[0]
    #expect(contact.peek?.end == .milliseconds(230))
    #expect(contact.pop == nil)
  }

  @Test func whatIsAskedForIsShownAndNothingElse() {
    var events = Events()
    events.touch(1, from: 0, to: 100)
    events.touch(2, from: 200, to: 600)
    events.touch(3, from: 700, to: 800)
    let trace = events.trace(from: 300, to: 500)
    #expect(trace.contacts.map(\.id.rawValue) == [2])
    // It goes on from where it was before.
    #expect(trace.contacts[0].samples.first?.time == .zero)
    #expect(pieces(trace) == [[0, 270, 260]])
    #expect(events.trace(from: 900).contacts == [])
    #expect(events.trace(to: -1) == Trace())
  }

  @Test func aPeekIsShownAsFarAsItIsAskedFor() {
    var events = Events()
    events.add(.began, at: 0)
    events.add(.peek, at: 100)
    for time in stride(from: Int64(110), to: 500, by: 10) { events.add(.changed, at: time) }
    events.add(.peekEnded, at: 500)
    events.add(.ended, at: 500)
    let peek = events.trace(from: 200, to: 300).contacts[0].peek
    #expect(peek?.start.time == .zero)
    #expect(peek?.end == .milliseconds(130))
    #expect(events.trace(to: 90).contacts[0].peek == nil)
  }

  @Test func aPopThatIsNotAskedForEndsThePeekAllTheSame() {
    var events = Events()
    events.add(.began, at: 0)
    events.add(.peek, at: 100)
    events.add(.pop, at: 200)
    events.add(.changed, at: 300)
    events.add(.ended, at: 400)
    let contact = events.trace(from: 250).contacts[0]
    #expect(contact.peek == nil)
    #expect(contact.pop == nil)
  }

  @Test func contactsThatAreDownAtOnceHaveDifferentLanes() {
    var events = Events()
    events.add(.began, 1, at: 0)
    events.add(.began, 2, at: 10)
    events.add(.ended, 1, at: 20)
    events.add(.began, 3, at: 30)
    events.add(.ended, 2, at: 40)
    events.add(.ended, 3, at: 40)
    events.touch(4, from: 50, to: 60)
    #expect(events.trace().contacts.map(\.lane) == [0, 1, 0, 0])
  }

  @Test func whatIsTooMuchIsCounted() {
    var events = Events()
    for contact in 0..<UInt32(TraceGatherer.mostContacts + 7) {
      events.touch(contact, from: Int64(contact) * 100, to: Int64(contact) * 100 + 20)
    }
    let trace = events.trace()
    #expect(trace.contacts.count == TraceGatherer.mostContacts)
    #expect(trace.omittedContacts == 7)
    // What is not asked for is none of it.
    #expect(events.trace(from: 50_000).omittedContacts == 0)
  }

  @Test func memoryHasABound() {
    var gatherer = TraceGatherer()
    var events = Events()
    events.add(.began, at: 0)
    gatherer.take(events.list[0])
    var event = events.list[0]
    event.kind = .changed
    let count = 20 * TraceGatherer.mostSamples
    for number in 1...count {
      event.time.microseconds += 1000
      event.rawPressure = number == count / 3 ? 200 : Int32(number % 100)
      gatherer.take(event)
    }
    let samples = gatherer.finish().contacts[0].samples
    #expect(samples.count <= TraceGatherer.mostSamples)
    #expect(samples.count > TraceGatherer.mostSamples / 16)
    #expect(samples.contains { $0.raw == 200 }, "the hardest press of all is still there")
    #expect(samples.last?.raw == Int32(count % 100))
  }

  @Test func aClockThatNeverStopsJumpingHasABound() {
    var events = Events()
    events.add(.began, at: 0)
    for number in 0..<Int64(3 * TraceGatherer.mostPieces) {
      events.add(.changed, at: number % 2 * 20_000)
    }
    #expect(events.trace().pieces.count == TraceGatherer.mostPieces)
  }

  @Test func withoutEventsThereIsNothing() {
    #expect(Events().trace() == Trace())
    #expect(!Events().trace().hasPressure)
    var events = Events()
    events.touch(from: 0, to: 100, raw: nil)
    #expect(!events.trace().hasPressure)
    events.touch(from: 200, to: 300)
    #expect(events.trace().hasPressure)
  }
}

@Suite struct ThinningTests {
  static func samples(_ raws: [Int32?]) -> [TraceSample] {
    raws.enumerated().map { TraceSample(time: .milliseconds(Int64($0)), raw: $1) }
  }

  static func thinned(_ raws: [Int32?], by width: Int64) -> [Int32?] {
    samples(raws).thinned { $0.microseconds / 1000 / width }.map(\.raw)
  }

  @Test func firstLightestHardestAndLastStayInTheirOrder() {
    #expect(Self.thinned([5, 6, 9, 7, 1, 2, 3, 4], by: 8) == [5, 9, 1, 4])
    #expect(Self.thinned([5, 6, 1, 7, 9, 2, 3, 4], by: 8) == [5, 1, 9, 4])
    #expect(Self.thinned([1, 2, 3, 9, 8, 7], by: 3) == [1, 3, 9, 7])
    #expect(Self.thinned([4, 4, 4, 4], by: 4) == [4, 4])
  }

  @Test func whatHasNoPressureIsNeitherLightestNorHardest() {
    #expect(Self.thinned([nil, 3, nil, 8, 5, nil], by: 6) == [nil, 3, 8, nil])
    #expect(Self.thinned([nil, nil, nil], by: 3) == [nil, nil])
  }

  @Test func whatIsThinIsLeftAlone() {
    #expect(Self.thinned([1, 2, 3], by: 1) == [1, 2, 3])
    #expect(Self.thinned([], by: 1) == [])
  }
}
