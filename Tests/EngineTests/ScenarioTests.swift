import ForceTouchRecognition
import Foundation
import TestSupport
import Testing

@Suite struct ScenarioTests {
  static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Scenarios")

  static let files: [String] =
    ((try? FileManager.default.contentsOfDirectory(atPath: folder.path())) ?? [])
    .filter { $0.hasSuffix(".force") }.sorted()

  static func scenario(_ file: String) throws -> Scenario {
    try Scenario(
      String(contentsOf: folder.appending(path: file), encoding: .utf8), name: file)
  }

  @Test func thereAreScenarios() {
    #expect(Self.files.count >= 100)
  }

  @Test(arguments: files)
  func aScenarioGivesTheEventsItExpects(file: String) throws {
    let scenario = try Self.scenario(file)
    var player = ScenarioPlayer(scenario)
    player.play()
    #expect(
      player.isAsExpected,
      "\(file): \(scenario.title)\n\(ReceivedEvent.table(scenario.expected, player.received))")
    #expect(player.checker.problems.isEmpty, "\(file): \(player.checker.problems)")
  }

  /// As in a recording that is played at full speed.
  @Test(arguments: files)
  func withoutATimerAScenarioGivesTheSame(file: String) throws {
    var player = ScenarioPlayer(try Self.scenario(file))
    player.play(isPunctual: false)
    #expect(player.isAsExpected)
  }

  /// A rule without which nothing changes would be unproved.
  @Test(arguments: RejectionRule.allCases)
  func withoutARuleSomeScenarioGivesOtherEvents(rule: RejectionRule) throws {
    let changed = try Self.files.filter { file in
      var player = ScenarioPlayer(try Self.scenario(file), without: rule)
      player.play()
      return !player.isAsExpected
    }
    #expect(!changed.isEmpty)
  }

  @Test func everyScenarioSaysSomethingElse() throws {
    var titles: [String: String] = [:]
    for file in Self.files {
      let scenario = try Self.scenario(file)
      #expect(titles.updateValue(file, forKey: scenario.title) == nil, "\(file)")
      #expect(scenario.title.hasSuffix("."), "\(file): a title is a sentence")
    }
  }

  @Test(
    arguments: [
      ("# A tap.\n0ms jump\n--\n", "tap.force:2: jump is not known"),
      ("# A tap.\n0ms down pressure\n--\n", "tap.force:2: pressure needs more"),
      ("# A tap.\n0ms down pressure 1.5\n--\n", "tap.force:2: pressure is 0 to 1"),
      ("# A tap.\n0ms raw 99999999999\n--\n", "tap.force:2: 99999999999 is no axis value"),
      ("# A tap.\n0ms move 1e9,1\n--\n", "tap.force:2: 1e9 is no number"),
      ("# A tap.\n0ms move nan,1\n--\n", "tap.force:2: nan is no number"),
      ("# A tap.\n0ms button dwn\n--\n", "tap.force:2: button can be down or up, not dwn"),
      ("# A tap.\n0ms #0 down\n--\n", "tap.force:2: #0 is no contact: #1 to #10"),
      ("# A tap.\n0ms\n--\n", "tap.force:2: nothing happens"),
      ("# A tap.\n8ms down\n0ms up\n--\n", "tap.force:3: 0ms comes after 8ms"),
      ("# A tap.\n0ms down\n8ms already-down\n--\n", nil),
      ("# A tap.\n0ms down\n", "tap.force:3: the line -- is missing"),
      ("0ms down\n--\n", "tap.force:1: the first line must be # and a title"),
      ("# A tap.\ncolour red\n--\n", "tap.force:2: colour is not known"),
      ("# A tap.\nsensitivity hard\n--\n", "tap.force:2: sensitivity cannot be hard"),
      ("# A tap.\ndevice trackpad 9x\n--\n", "tap.force:2: 9x is no size such as 100x60mm"),
      ("# A tap.\nprofile 9 - 3\n--\n", nil),
      ("# A tap.\nresolution 40\n--\n", "tap.force:2: resolution can be none"),
      ("# A tap.\n0ms down\nevents all\n--\n", "tap.force:3: headers come before the first time"),
      ("# A tap.\n0 down\n--\n", "tap.force:2: 0 is no time such as 8ms"),
      ("# A tap.\n--\n0ms poke\n", "tap.force:3: poke is no event"),
      ("# A tap.\n--\n0ms cancelled\n", "tap.force:3: cancelled is no event"),
      ("# A tap.\n--\n0ms began already\n", "tap.force:3: already is not known"),
      ("# A tap.\n--\n0ms changed failure stale\n", "tap.force:3: failure cannot be stale"),
    ] as [(String, String?)])
  func whatIsNotUnderstoodIsAnErrorWithItsLine(text: String, message: String?) {
    let error = #expect(throws: ScenarioProblem.self) { try Scenario(text, name: "tap.force") }
    if let message { #expect(error?.description == message) }
  }

  /// Without this, a comparison that compares nothing would pass everything.
  @Test func aScenarioThatExpectsSomethingElseFails() throws {
    let scenario = try Scenario(
      "# A tap.\n0ms down pressure 0.1\n8ms up\n--\n0ms began\n8ms peek\n", name: "tap.force")
    var player = ScenarioPlayer(scenario)
    player.play()
    #expect(player.received.map { "\($0.milliseconds) \($0.event)" } == ["0 began", "8 ended"])
    #expect(player.received[0].matches(scenario.expected[0]))
    #expect(!player.received[1].matches(scenario.expected[1]))
    let table = ReceivedEvent.table(scenario.expected, player.received).split(separator: "\n")
    #expect(table.map { $0.hasPrefix("✗") } == [false, false, true])
  }

  @Test func whatTheExpectationDoesNotMentionMustNotBe() throws {
    let scenario = try Scenario(
      "# A tap.\n0ms already-down pressure 0.1\n--\n0ms began\n", name: "tap.force")
    var player = ScenarioPlayer(scenario)
    player.play()
    #expect(player.received.count == 1)
    #expect(!player.received[0].matches(scenario.expected[0]))
  }
}
