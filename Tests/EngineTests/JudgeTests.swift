import ForceTouchEngine
import ForceTouchModel
import ForceTouchRecognition
import ForceTouchSettings
import TestSupport
import Testing
import YAML

@testable import ForceTouchDevices

/// The same device, judged again: by a profile that calibration found, by other settings.
@Suite struct JudgeTests {
  private let device: DeviceDescription
  private let judge: Judge

  init() throws {
    let scenario = try Scenario("# Any.\ncapability table\n--\n", name: "any.force")
    device = ScenarioFrames(scenario).description
    judge = Judge(
      table: DeviceTable(entries: [
        .init(
          name: "scenario", match: .init(vendor: 1, products: [2]), kind: .force(scenario.profile),
          source: "the scenario", mark: YAMLMark(file: "scenario", line: 1, column: 1))
      ]))
  }

  @Test func calibrationGoesBeforeTheTable() throws {
    var calibrated = judge
    let profile = try ForceProfile(floor: 10, ceiling: 200)
    calibrated.profiles.set(profile, for: device)
    let verdict = calibrated.verdict(on: device)
    #expect(verdict.capability == .available)
    #expect(verdict.reason == .calibrated)
    #expect(DeviceEngine(description: device, judge: calibrated).profile == profile)
    calibrated.profiles.set(nil, for: device)
    #expect(calibrated.verdict(on: device) == judge.verdict(on: device))
  }

  @Test func onlyADifferenceIsOne() throws {
    var engine = DeviceEngine(description: device, judge: judge)
    var events: [ContactEvent] = []
    #expect(!engine.take(judge, at: .zero, into: &events))
    var other = judge
    other.settings.service.idleExit = .milliseconds(1)
    #expect(!engine.take(other, at: .zero, into: &events))
    other.settings.recognition.sensitivity = .firm
    #expect(engine.take(other, at: .zero, into: &events))
  }

  /// Whatever is changed while fingers are down, each contact is closed once, and no number is
  /// given twice.
  @Test func judgingAgainKeepsTheGrammar() throws {
    var generator = SeededGenerator(seed: 7)
    var others = [judge, judge, judge]
    others[1].settings.recognition.sensitivity = .light
    others[2].profiles.set(try ForceProfile(floor: 5, ceiling: 150), for: device)
    var engine = DeviceEngine(description: device, judge: judge)
    var checker = GrammarChecker()
    var events: [ContactEvent] = []
    var seen: Set<ContactID> = []
    var time = Timestamp.zero
    var differences = 0
    for _ in 0..<4000 {
      time = time + .milliseconds(8)
      engine.process(RandomEventTests.frame(at: time, &generator), into: &events)
      take(&events, &checker, &seen)
      if generator.chance(20), let judge = others.randomElement(using: &generator),
        engine.take(judge, at: time, into: &events)
      {
        differences += 1
        let other = DeviceEngine(description: device, judge: judge)
        #expect(engine.verdict == other.verdict)
        #expect(engine.thresholds == other.thresholds)
      }
      take(&events, &checker, &seen)
    }
    engine.cancel(.stopping, at: time, into: &events)
    take(&events, &checker, &seen)
    checker.finish()
    #expect(checker.problems.isEmpty, "\(checker.problems.prefix(5))")
    #expect(checker.peeks > 0 && differences > 20)
  }

  private func take(
    _ events: inout [ContactEvent], _ checker: inout GrammarChecker, _ seen: inout Set<ContactID>
  ) {
    for event in events where event.kind == .began {
      #expect(seen.insert(event.contact).inserted)
    }
    checker.take(events)
    events.removeAll()
  }
}
