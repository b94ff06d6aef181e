import ForceTouchActions
import ForceTouchModel
import Testing
import YAML

private let pad = ActionDevice(id: "d1", name: "Some pad", node: "/dev/input/event5")
private let screen = ActionDevice(id: "d2", name: "Some screen")

private func rule(_ triggers: ActionTrigger..., for device: String? = nil) -> ActionRule {
  ActionRule(
    triggers: triggers, device: device, command: .program(["a"]),
    mark: YAMLMark(file: "a.yaml", line: 1, column: 1))
}

@Suite struct ActionRuleTests {
  /// One link there is.
  private func resolve(_ path: String) -> String {
    path == "/dev/input/by-id/pad" ? "/dev/input/event5" : path
  }

  @Test(
    "a device may be named in every way that forcetouchctl takes",
    arguments: [
      (nil, true, true), ("d1", true, false), ("Some pad", true, false),
      ("/dev/input/event5", true, false), ("/dev/input/by-id/pad", true, false),
      ("/dev/input/event6", false, false), ("Some", false, false), ("d2", false, true),
      ("D1", false, false),
    ] as [(String?, Bool, Bool)])
  func names(name: String?, isPad: Bool, isScreen: Bool) {
    #expect(rule(.peek, for: name).concerns(pad, resolve: resolve) == isPad)
    #expect(rule(.peek, for: name).concerns(screen, resolve: resolve) == isScreen)
  }

  @Test func yesOnlyWhereARuleMayFollowAndThePopOnlyWhereARuleIsForIt() {
    let rules = [
      rule(.peek, .peekEnded, for: "d1"), rule(.pop, for: "Some screen"),
    ]
    #expect(
      rules.answer(for: pad, resolve: resolve) == ActionAnswer(preview: true, allowsPop: false))
    #expect(
      rules.answer(for: screen, resolve: resolve) == ActionAnswer(preview: true, allowsPop: true))
    #expect(
      rules.answer(for: ActionDevice(id: "d3", name: "Other"), resolve: resolve)
        == ActionAnswer(preview: false, allowsPop: false))
    #expect(
      [rule(.peekCancelled)].answer(for: pad, resolve: resolve)
        == ActionAnswer(preview: true, allowsPop: false))
  }

  @Test func aRateCountsFromTheLastStart() {
    var rate = ActionRate(interval: .milliseconds(200))
    let times: [Int64] = [1000, 1100, 1199, 1200, 1399, 1400, 5000, 5199]
    #expect(
      times.map { rate.allows(at: Timestamp(microseconds: $0 * 1000)) } == [
        true, false, false, true, false, true, true, false,
      ])
    var free = ActionRate(interval: nil)
    #expect([0, 0].map { free.allows(at: Timestamp(microseconds: $0)) } == [true, true])
  }

  @Test func aRuleSaysWhatItDoes() {
    var limited = rule(.peekEnded, .peekCancelled, for: "Some \"pad\"")
    limited.command = .program(["notify-send", "two words", "\u{1b}"])
    limited.timeout = .milliseconds(1500)
    limited.interval = .milliseconds(200)
    #expect(
      limited.meaning
        == "on peekEnded or peekCancelled of \"Some \\\"pad\\\"\": run "
        + "[\"notify-send\", \"two words\", \"\\u001b\"], for 1.5 s at most, at most every 200 ms")
    var line = rule(.pop)
    line.command = .shell("a | b")
    #expect(
      line.meaning == "on pop of any device: let the shell run \"a | b\", for 10 s at most")
    #expect(line.command.arguments == ["/bin/sh", "-c", "a | b"])
  }
}

@Suite struct ActionPressTests {
  private func press(on device: ActionDevice = pad, estimated: Bool = false) -> ActionPress {
    ActionPress(
      device: device, interaction: 3, maximumPossibleForce: 6.6667, isEstimated: estimated,
      sample: .init(time: Timestamp(microseconds: 5), pressure: 0.25, force: 1.5))
  }

  private func entries(_ environment: [(name: String, value: String)]) -> [String] {
    environment.map { $0.name + "=" + $0.value }
  }

  @Test func whatIsKnownIsInTheEnvironmentAndNothingElse() {
    #expect(
      entries(press().environment(of: .peek)) == [
        "FORCETOUCH_EVENT=peek", "FORCETOUCH_INTERACTION=3", "FORCETOUCH_TIME=5",
        "FORCETOUCH_DEVICE=Some pad", "FORCETOUCH_DEVICE_ID=d1",
        "FORCETOUCH_NODE=/dev/input/event5",
        "FORCETOUCH_PRESSURE=0.25", "FORCETOUCH_FORCE=1.5", "FORCETOUCH_MAXIMUM_FORCE=6.6667",
      ])
    var full = press(on: screen, estimated: true)
    full.take(
      .init(
        time: Timestamp(microseconds: 9), pressure: 0.5, force: 3, grams: 120,
        location: ViewPoint(x: 0.25, y: 0.75)))
    let environment = full.environment(of: .peekCancelled, reason: "palm")
    #expect(
      entries(environment) == [
        "FORCETOUCH_EVENT=peekCancelled", "FORCETOUCH_INTERACTION=3", "FORCETOUCH_TIME=9",
        "FORCETOUCH_DEVICE=Some screen", "FORCETOUCH_DEVICE_ID=d2", "FORCETOUCH_PRESSURE=0.5",
        "FORCETOUCH_FORCE=3.0", "FORCETOUCH_MAXIMUM_FORCE=6.6667", "FORCETOUCH_GRAMS=120.0",
        "FORCETOUCH_X=0.25", "FORCETOUCH_Y=0.75", "FORCETOUCH_REASON=palm",
        "FORCETOUCH_ESTIMATED=1",
      ])
    #expect(ActionPress.variables.isSuperset(of: environment.map(\.name)))
    #expect(ActionPress.variables.isSuperset(of: press().environment(of: .peek).map(\.name)))
  }

  @Test func whatAnEventDoesNotSayStillHolds() {
    var press = press()
    press.take(.init(time: Timestamp(microseconds: 7)))
    #expect(press.sample.time == Timestamp(microseconds: 7))
    #expect(press.sample.force == 1.5)
    #expect(press.sample.pressure == 0.25)
  }

  @Test func anOtherEndIsToldOnlyOfAPeekThatWas() {
    var early = press()
    let isEarlyTold = early.isWorthTelling(.peekCancelled)
    #expect(!isEarlyTold)
    var late = press()
    let isPeekTold = late.isWorthTelling(.peek)
    let isLateTold = late.isWorthTelling(.peekCancelled)
    #expect(isPeekTold && isLateTold)
  }

  @Test func aNameEndsAtANUL() {
    let device = ActionDevice(id: "d1", name: "a\0b")
    #expect(
      entries(press(on: device).environment(of: .pop)).contains("FORCETOUCH_DEVICE=a"))
  }
}
