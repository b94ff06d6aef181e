import ForceTouchDevices
import ForceTouchEngine
import ForceTouchModel
import TestSupport
import Testing
import YAML

@testable import struct ForceTouchDevices.CalibratedProfiles

/// A device whose use proves what its pressure is.
@Suite struct EvidenceTests {
  private let description: DeviceDescription
  private let judge: Judge

  init() throws {
    let scenario = try Scenario("# Any.\ncapability table\n--\n", name: "any.force")
    description = ScenarioFrames(scenario).description
    judge = Judge(
      table: DeviceTable(entries: [
        .init(
          name: "scenario", match: .init(vendor: 1, products: [2]), kind: .force(scenario.profile),
          source: "the scenario", mark: YAMLMark(file: "scenario", line: 1, column: 1))
      ]))
  }

  @Test func aPeekThatIsOpenWhenTheLieIsProvenIsCancelledWithItsContact() {
    var liar = Liar(DeviceEngine(description: description, judge: judge))
    #expect(liar.engine.verdict.reason == .table)
    let last = liar.pressUntilProven()
    #expect(last.map(\.kind) == [.peekCancelled(.reconfigured), .cancelled(.reconfigured)])
    #expect(liar.engine.evidence == .equalsSize)
    #expect(liar.engine.verdict.capability == .unavailable)
    #expect(liar.engine.verdict.reason == .equalsSize)
    #expect(liar.engine.profile == nil)
    #expect(liar.engine.thresholds == nil)
    // What is down is not heard of until it lifts; what comes after gives no force.
    liar.events.removeAll()
    liar.frame(size: 900)
    liar.lift()
    #expect(liar.events.isEmpty)
    liar.press()
    #expect(liar.events.first?.kind == .began)
    #expect(liar.events.last?.kind == .ended)
    #expect(liar.events.allSatisfy { $0.force == nil && $0.rawPressure != nil })
    #expect(!liar.events.contains { $0.kind == .peek })
  }

  @Test func calibrationDoesNotHelp() throws {
    var calibrated = judge
    calibrated.profiles.set(try ForceProfile(floor: 10, ceiling: 200), for: description)
    var liar = Liar(DeviceEngine(description: description, judge: calibrated))
    #expect(liar.engine.verdict.reason == .calibrated)
    liar.pressUntilProven()
    #expect(liar.engine.verdict.reason == .equalsSize)
  }

  @Test func whatWasProvenSurvivesWhatIsReadAgain() {
    var liar = Liar(DeviceEngine(description: description, judge: judge))
    liar.pressUntilProven()
    var other = judge
    other.settings.recognition.sensitivity = .firm
    #expect(liar.engine.take(other, at: liar.time, into: &liar.events))
    #expect(liar.engine.verdict.reason == .equalsSize)
    liar.engine.reopen(initialState: .unknown)
    #expect(liar.engine.verdict.reason == .equalsSize)
  }

  /// It is a guess before and after, for those who asked for one.
  @Test func aGuessIsStillMadeForThoseWhoAskForIt() {
    let unknown = Judge(table: DeviceTable())
    var liar = Liar(DeviceEngine(description: description, judge: unknown, estimates: true))
    #expect(liar.engine.verdict.reason == .undescribed)
    let profile = liar.engine.profile
    let last = liar.pressUntilProven()
    #expect(last.last?.kind == .cancelled(.reconfigured))
    #expect(liar.engine.verdict.reason == .equalsSize)
    #expect(profile != nil && liar.engine.profile == profile)
    liar.lift()
    liar.events.removeAll()
    // Longer than the 100 ms in which an estimate learns the level of a contact.
    for _ in 0..<14 { liar.frame(size: 50) }
    liar.press()
    #expect(liar.events.contains { $0.kind == .peek && $0.isEstimated })
  }

  /// Rules that stand before this one answer as they did, and nothing is closed.
  @Test func whatCountsBeforeStillDoes() {
    for (change, reason) in [
      ({ $0.isInferred = true }, .noDescription),
      ({ $0.devicePath = "/devices/virtual/input/input7/event3" }, .virtual),
    ] as [((inout DeviceDescription) -> Void, CapabilityReason)] {
      var description = description
      change(&description)
      var liar = Liar(DeviceEngine(description: description, judge: judge))
      let last = liar.pressUntilProven()
      #expect(liar.engine.evidence == .equalsSize)
      #expect(liar.engine.verdict.reason == reason)
      #expect(last.map(\.kind) == [.changed])
    }
  }

  @Test func nothingIsGatheredOfADeviceThatIsSwitchedOff() {
    var ignored = description
    ignored.isIgnored = true
    var liar = Liar(DeviceEngine(description: ignored, judge: judge))
    for _ in 0..<20 { liar.press() }
    #expect(liar.engine.verdict.reason == .disabled)
    #expect(liar.engine.statistics?.sampleCount == 0)
  }

  /// Whenever it is proven, with however many fingers down, each contact is closed once.
  @Test(arguments: 0..<20) func theGrammarHolds(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var engine = DeviceEngine(description: description, judge: judge)
    var checker = GrammarChecker()
    var events: [ContactEvent] = []
    var time = Timestamp.zero
    var size = [Int32](repeating: 0, count: 3)
    var isDown = [false, false, false]
    var id: Int32 = 0
    var frames = 0
    while frames < 3000 {
      frames += 1
      time = time + .milliseconds(8)
      var frame = Frame(time: time)
      for slot in 0..<3 {
        if isDown[slot] && !generator.chance(30) {
          size[slot] = max(1, size[slot] + Int32.random(in: -60...70, using: &generator))
          frame.add(slot: slot, size: size[slot], x: Int32(500 * slot))
        } else if isDown[slot] {
          isDown[slot] = false
          frame.add(slot: slot, id: -1)
        } else if generator.chance(20) {
          isDown[slot] = true
          id += 1
          size[slot] = Int32.random(in: 1...500, using: &generator)
          frame.add(slot: slot, id: id)
          frame.add(slot: slot, size: size[slot], x: Int32(500 * slot))
        }
      }
      let reason = engine.verdict.reason
      engine.process(frame, into: &events)
      checker.take(events)
      if engine.verdict.reason != reason { #expect(checker.open.isEmpty) }
      events.removeAll()
    }
    engine.cancel(.stopping, at: time, into: &events)
    checker.take(events)
    checker.finish()
    #expect(checker.problems.isEmpty, "\(checker.problems.prefix(5))")
    #expect(engine.verdict.reason == .equalsSize)
  }
}

/// A pad whose pressure is the size of the contact, and a finger on it.
private struct Liar {
  var engine: DeviceEngine
  var events: [ContactEvent] = []
  private(set) var time = Timestamp.zero
  private var id: Int32 = 0
  private var isDown = false

  init(_ engine: DeviceEngine) { self.engine = engine }

  mutating func frame(size: Int32) {
    time = time + .milliseconds(8)
    var frame = Frame(time: time)
    if !isDown {
      isDown = true
      id += 1
      frame.add(slot: 0, id: id)
    }
    frame.add(slot: 0, size: size, x: 800)
    engine.process(frame, into: &events)
  }

  mutating func lift() {
    time = time + .milliseconds(8)
    var frame = Frame(time: time)
    frame.add(slot: 0, id: -1)
    isDown = false
    engine.process(frame, into: &events)
  }

  /// A press that peeks, and lifts.
  mutating func press() {
    for size: Int32 in [50, 450] { frame(size: size) }
    lift()
  }

  /// Short presses in number, then one that goes on until it is proven. Gives the events of the
  /// frame that proves it.
  @discardableResult mutating func pressUntilProven() -> [ContactEvent] {
    while (engine.statistics?.contactCount ?? 0) < 10 { press() }
    for step in Int32(0)..<200 {
      let before = engine.evidence
      events.removeAll()
      frame(size: step == 0 ? 50 : 460 + step % 2 * 20)
      if engine.evidence != before { return events }
    }
    Issue.record("nothing was proven")
    return []
  }
}

extension Frame {
  /// A finger lands in a slot, or lifts with −1.
  fileprivate mutating func add(slot: Int, id: Int32) {
    add(AxisCode.slot, Int32(slot))
    add(AxisCode.trackingID, id)
  }

  /// A finger in a slot, with pressure that is its size.
  fileprivate mutating func add(slot: Int, size: Int32, x: Int32) {
    add(AxisCode.slot, Int32(slot))
    add(AxisCode.positionX, x)
    add(AxisCode.positionY, 800)
    add(AxisCode.touchMajor, size)
    add(AxisCode.multitouchPressure, size)
  }

  private mutating func add(_ code: UInt16, _ value: Int32) {
    events.append(InputEvent(time: time, type: EventType.absolute, code: code, value: value))
  }
}
