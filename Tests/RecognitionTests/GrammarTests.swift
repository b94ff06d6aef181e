import ForceTouchModel
import ForceTouchRecognition
import Foundation
import TestSupport
import Testing

/// Whatever fingers do, what is said of them keeps to the grammar and to the rules.
@Suite struct GrammarTests {
  static let frames =
    ProcessInfo.processInfo.environment["FORCETOUCH_LONG_TESTS"] == "1" ? 1_000_000 : 20_000

  @Test(arguments: [TouchKind.trackpad, .touchscreen], [UInt64(1), 2, 3, 4])
  func randomFramesGiveWhatTheRulesSay(kind: TouchKind, seed: UInt64) throws {
    let isEstimated = seed == 4
    var configuration = RecognizerConfiguration()
    configuration.peeksBesideOtherContacts = seed == 3
    var recognizer = try Self.recognizer(kind, configuration, isEstimated: isEstimated)
    var reference = ReferenceRecognizer(
      kind: kind, peeksBesideOthers: seed == 3, isEstimated: isEstimated)
    var checker = GrammarChecker()
    var source = RandomContacts(seed: seed)
    var events: [ContactEvent] = []
    var differences: [String] = []
    var met = 0
    var armed = 0
    func take(_ time: Timestamp, _ expected: [ReferenceRecognizer.Said]) {
      checker.take(events)
      let said = events.filter { $0.kind != .changed }
        .map { ReferenceRecognizer.Said(contact: $0.contact, kind: $0.kind) }
      if said != expected { differences.append("\(time): \(said) instead of \(expected)") }
      let wait = recognizer.deadline.map { ($0 - time).microseconds }
      if wait != reference.nextLook {
        differences.append("\(time): deadline in \(wait as Any), not \(reference.nextLook as Any)")
      }
      events.removeAll(keepingCapacity: true)
    }
    for _ in 0..<Self.frames / 6 where differences.isEmpty {
      let frame = source.next()
      while let deadline = recognizer.deadline, deadline <= frame.time, differences.isEmpty {
        recognizer.timeout(at: deadline, into: &events)
        #expect(!events.isEmpty, "a deadline at which nothing happens")
        take(deadline, reference.timeout(at: deadline))
        met += 1
      }
      recognizer.process(frame, into: &events)
      let samples = events.filter { $0.kind == .began || $0.kind == .changed }
      take(frame.time, reference.process(frame))
      for event in samples where event.isArmed != reference.isArmed[event.contact] {
        differences.append("\(frame.time): \(event.contact) is armed: \(event.isArmed)")
      }
      armed += samples.count { $0.isArmed }
      if let deadline = recognizer.deadline { #expect(deadline > frame.time) }
      if source.chance(recognizer.deadline == nil ? 300 : 10) {
        recognizer.cancel(.suspended, at: frame.time, into: &events)
        take(frame.time, reference.cancel(.suspended))
        #expect(checker.open.isEmpty && recognizer.deadline == nil)
      }
    }
    recognizer.cancel(.stopping, at: .zero, into: &events)
    checker.take(events)
    checker.finish()
    #expect(differences.isEmpty, "\(differences)")
    #expect(checker.problems.isEmpty, "\(checker.problems.prefix(5))")
    // A property that nothing exercises proves nothing.
    let least = isEstimated ? 10 : 50
    #expect(checker.peeks > least && checker.pops > least / 3 && armed > 50)
    if kind == .trackpad { #expect(met > least / 10) }
  }

  @Test func aTimerThatIsEarlyDecidesNothing() throws {
    var recognizer = try Self.recognizer(.trackpad, RecognizerConfiguration())
    var contact = Contact(
      id: ContactID(rawValue: 1), slot: 0, position: Position(x: 0, y: 0), rawPressure: 100)
    var events: [ContactEvent] = []
    recognizer.process(ContactFrame(contacts: [contact]), into: &events)
    contact.phase = .stayed
    contact.position = Position(x: 90, y: 0)
    contact.rawPressure = 500
    recognizer.process(
      ContactFrame(time: Timestamp(microseconds: 10_000), contacts: [contact]), into: &events)
    events.removeAll()
    let deadline = Timestamp(microseconds: 110_000)
    #expect(recognizer.deadline == deadline)
    recognizer.timeout(at: Timestamp(microseconds: 109_999), into: &events)
    #expect(events.isEmpty && recognizer.deadline == deadline)
    recognizer.timeout(at: deadline, into: &events)
    #expect(events.map(\.kind) == [.peek] && recognizer.deadline == nil)
    recognizer.timeout(at: Timestamp(microseconds: 120_000), into: &events)
    #expect(events.count == 1)
  }

  @Test func theCheckerFindsWhatIsWrong() throws {
    let force = ForceSample(pressure: 0.5, force: 3)
    func event(_ kind: ContactEvent.Kind, _ contact: UInt32 = 1) -> ContactEvent {
      ContactEvent(
        kind: kind, contact: ContactID(rawValue: contact), slot: Int32(contact), time: .zero,
        position: Position(x: 0, y: 0), force: force)
    }
    func problems(_ frames: [[ContactEvent]]) -> Int {
      var checker = GrammarChecker()
      for frame in frames { checker.take(frame) }
      checker.finish()
      return checker.problems.count
    }
    func problems(oneByOne kinds: [ContactEvent.Kind]) -> Int {
      problems(kinds.map { [event($0)] })
    }

    #expect(problems(oneByOne: [.began, .changed, .peek, .pop, .changed, .ended]) == 0)
    #expect(problems(oneByOne: [.began, .peek, .peekEnded, .ended]) == 0)
    #expect(
      problems(oneByOne: [.began, .peek, .peekCancelled(.dropped), .cancelled(.dropped)]) == 0)
    #expect(
      problems(oneByOne: [.began, .peek, .peekCancelled(.otherContact), .changed, .ended]) == 0)
    #expect(problems(oneByOne: [.began]) == 1)
    #expect(problems(oneByOne: [.began, .began, .ended]) > 0)
    #expect(problems(oneByOne: [.began, .peek, .ended]) > 0)
    #expect(problems(oneByOne: [.began, .peek, .peek, .pop, .ended]) > 0)
    #expect(problems(oneByOne: [.began, .peek, .pop, .pop, .ended]) > 0)
    #expect(problems(oneByOne: [.began, .pop, .ended]) > 0)
    #expect(problems(oneByOne: [.began, .ended, .changed]) > 0)
    #expect(problems(oneByOne: [.began, .ended, .began, .ended]) > 0)
    #expect(problems(oneByOne: [.began, .peek, .pop, .peekEnded, .ended]) > 0)
    #expect(problems(oneByOne: [.began, .peek, .peekEnded, .changed, .ended]) > 0)
    #expect(problems(oneByOne: [.began, .peek, .peekEnded]) > 0)
    #expect(problems(oneByOne: [.began, .peek, .peekCancelled(.stopping), .ended]) > 0)
    #expect(problems(oneByOne: [.began, .peek, .peekCancelled(.otherContact), .peek, .ended]) > 0)
    #expect(
      problems(oneByOne: [.began, .peek, .peekCancelled(.stopping), .cancelled(.dropped)]) > 0)

    let began = [event(.began), event(.began, 2)]
    let ended = [event(.ended), event(.ended, 2)]
    #expect(problems([began, [event(.changed), event(.peek), event(.pop)], ended]) == 0)
    #expect(problems([began.reversed(), ended]) > 0)
    #expect(problems([began, ended.reversed()]) > 0)
    #expect(problems([began, [event(.peek), event(.changed), event(.pop)], ended]) > 0)
    #expect(problems([began, [event(.changed), event(.changed)], ended]) > 0)
    #expect(problems([began, [event(.changed), event(.ended)], [event(.ended, 2)]]) > 0)
    #expect(problems([began, [event(.changed), event(.ended, 2)], [event(.ended)]]) > 0)
    #expect(problems([began, [event(.changed), event(.changed, 2), event(.peek)]] + [ended]) > 0)
    #expect(problems([[event(.began), event(.changed)], [event(.ended)]]) > 0)

    func spoiled(_ spoil: (inout ContactEvent) -> Void) -> Int {
      var peek = event(.peek)
      spoil(&peek)
      return problems([[event(.began)], [peek], [event(.pop)], [event(.ended)]])
    }
    #expect(spoiled { _ in } == 0)
    #expect(spoiled { $0.peekProgress = .nan } > 0)
    #expect(spoiled { $0.popProgress = 0.5 } > 0)
    #expect(spoiled { $0.force?.force = .infinity } > 0)
    #expect(spoiled { $0.stage = 3 } > 0)
    #expect(spoiled { $0.position = nil } > 0)
    #expect(spoiled { $0.force = nil } > 0)
    #expect(spoiled { $0.isResynchronized = true } > 0)
    #expect(spoiled { $0.isEstimated = true } > 0)
    #expect(spoiled { $0.wasAlreadyDown = true } > 0)
    #expect(spoiled { $0.failure = .moved } > 0)
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
    _ kind: TouchKind, _ configuration: RecognizerConfiguration, isEstimated: Bool = false
  ) throws -> Recognizer {
    let axis = Axis(minimum: 0, maximum: 4000, resolution: 40)
    return Recognizer(
      configuration: configuration,
      device: RecognizedDevice(
        kind: kind, profile: try ForceProfile(floor: 0, average: 150, ceiling: 1000),
        positionAxes: (axis, axis), isEstimated: isEstimated))
  }
}
