import ForceTouchModel
import ForceTouchRecognition
import Foundation
import Testing

/// Whatever fingers do, what is said of them keeps to the grammar.
@Suite struct GrammarTests {
  static let frames =
    ProcessInfo.processInfo.environment["FORCETOUCH_LONG_TESTS"] == "1" ? 1_000_000 : 20_000

  @Test(arguments: [TouchKind.trackpad, .touchscreen], [UInt64(1), 2, 3])
  func randomFramesKeepTheGrammar(kind: TouchKind, seed: UInt64) throws {
    var configuration = RecognizerConfiguration()
    configuration.peeksBesideOtherContacts = seed == 3
    var recognizer = try Self.recognizer(kind, configuration)
    var checker = GrammarChecker()
    var source = RandomContacts(seed: seed)
    var events: [ContactEvent] = []
    func take() {
      checker.take(events)
      events.removeAll(keepingCapacity: true)
    }
    for _ in 0..<Self.frames / 6 {
      let frame = source.next()
      if let deadline = recognizer.deadline, deadline <= frame.time {
        recognizer.timeout(at: deadline, into: &events)
        take()
      }
      recognizer.process(frame, into: &events)
      checkPeeks(events, frame, configuration)
      take()
      if let deadline = recognizer.deadline { #expect(deadline > frame.time) }
      if source.chance(300) {
        recognizer.cancel(.suspended, at: frame.time, into: &events)
        take()
        #expect(checker.open.isEmpty)
      }
    }
    recognizer.cancel(.stopping, at: .zero, into: &events)
    take()
    checker.finish()
    #expect(checker.problems.isEmpty, "\(checker.problems.prefix(5))")
    // A property that nothing exercises proves nothing.
    #expect(checker.peeks > 20 && checker.pops > 5)
  }

  private func checkPeeks(
    _ events: [ContactEvent], _ frame: ContactFrame, _ configuration: RecognizerConfiguration
  ) {
    let down = frame.contacts.count { $0.phase == .began || $0.phase == .stayed }
    for event in events where event.kind == .peek || event.kind == .pop {
      #expect(!frame.isResynchronized)
      #expect(event.position != nil)
      if event.kind == .peek {
        #expect(down == 1 || configuration.peeksBesideOtherContacts)
        #expect((event.rawPressure ?? 0) >= 400)
      } else {
        #expect((event.rawPressure ?? 0) >= 750)
      }
    }
  }

  @Test func theCheckerFindsWhatIsWrong() {
    func problems(_ kinds: [ContactEvent.Kind]) -> Int {
      var checker = GrammarChecker()
      for kind in kinds {
        checker.take([ContactEvent(kind: kind, contact: ContactID(rawValue: 1), time: .zero)])
      }
      checker.finish()
      return checker.problems.count
    }
    #expect(problems([.began, .changed, .peek, .pop, .changed, .ended]) == 0)
    #expect(problems([.began, .peek, .peekEnded, .ended]) == 0)
    #expect(problems([.began, .peek, .peekCancelled(.dropped), .cancelled(.dropped)]) == 0)
    #expect(problems([.began]) == 1)
    #expect(problems([.began, .peek, .ended]) > 0)
    #expect(problems([.began, .pop, .ended]) > 0)
    #expect(problems([.began, .ended, .changed]) > 0)
    #expect(problems([.began, .ended, .began, .ended]) > 0)
    #expect(problems([.began, .peek, .pop, .peekEnded, .ended]) > 0)
    #expect(problems([.began, .peek, .peekEnded, .changed, .ended]) > 0)
  }

  @Test func openContactsAreToldAsAListenerWouldHaveHeardThem() throws {
    var recognizer = try Self.recognizer(.trackpad, RecognizerConfiguration())
    var events: [ContactEvent] = []
    var contact = Contact(
      id: ContactID(rawValue: 4), slot: 0, position: Position(x: 1, y: 1), rawPressure: 100)
    recognizer.process(ContactFrame(time: .zero, contacts: [contact]), into: &events)
    contact.phase = .stayed
    contact.rawPressure = 800
    recognizer.process(
      ContactFrame(time: Timestamp(microseconds: 8000), contacts: [contact]), into: &events)
    var told: [ContactEvent] = []
    recognizer.appendOpenContacts(to: &told)
    #expect(told.map(\.kind) == [.began, .peek, .pop])
    var checker = GrammarChecker()
    for event in told { checker.take([event]) }
    #expect(checker.problems.isEmpty)
  }

  static func recognizer(
    _ kind: TouchKind, _ configuration: RecognizerConfiguration
  ) throws -> Recognizer {
    let axis = Axis(minimum: 0, maximum: 4000, resolution: 40)
    return Recognizer(
      configuration: configuration,
      device: RecognizedDevice(
        kind: kind, profile: try ForceProfile(floor: 0, average: 150, ceiling: 1000),
        positionAxes: (axis, axis)))
  }
}
