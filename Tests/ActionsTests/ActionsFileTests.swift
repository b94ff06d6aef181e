import ForceTouchActions
import ForceTouchModel
import TestSupport
import Testing
import YAML

@Suite struct ActionsFileTests {
  private func read(_ text: String) -> ActionsFile {
    ActionsFile(file: "a.yaml", bytes: Array(text.utf8))
  }

  /// What is wrong with a text in which nothing is right.
  private func problems(_ text: String) -> [String] {
    let file = read(text)
    #expect(file.rules.isEmpty)
    return file.problems.map(\.description)
  }

  @Test func everythingThatARuleMaySay() throws {
    let file = read(
      """
      - on: peek
        device: "Apple Inc. Magic Trackpad 2"
        run: [notify-send, "Peek", 5, ""]
        timeout-s: 5.5
        at-most-every-ms: 200
      - on: [peekEnded, peekCancelled]
        shell: echo "$FORCETOUCH_EVENT"
      """)
    #expect(file.problems.isEmpty)
    var first = ActionRule(
      triggers: [.peek], device: "Apple Inc. Magic Trackpad 2",
      command: .program(["notify-send", "Peek", "5", ""]),
      mark: YAMLMark(file: "a.yaml", line: 1, column: 3))
    first.timeout = .milliseconds(5500)
    first.interval = .milliseconds(200)
    let second = ActionRule(
      triggers: [.peekEnded, .peekCancelled], command: .shell("echo \"$FORCETOUCH_EVENT\""),
      mark: YAMLMark(file: "a.yaml", line: 6, column: 3))
    #expect(file.rules == [first, second])
    #expect(second.timeout == .milliseconds(10_000))
    #expect(second.interval == nil)
  }

  @Test(
    "one wrong line, and where",
    arguments: [
      ("[{run: [a]}]", "1:2: on is missing"),
      ("[{on: peek}]", "1:2: run is missing, or shell"),
      ("[{on: peek, run: [a], shell: a}]", "1:2: either run or shell, not both"),
      ("[{on: peek, run: [a], rnu: [b]}]", "1:23: rnu is not known here; did you mean run?"),
      ("[{on: press, run: [a]}]", "1:7: expected peek, pop, peekEnded or peekCancelled"),
      ("[{on: Peek, run: [a]}]", "1:7: expected peek, pop, peekEnded or peekCancelled"),
      ("[{on: [peek, popp], run: [a]}]", "1:14: expected peek, pop, peekEnded or peekCancelled"),
      ("[{on: [peek, peek], run: [a]}]", "1:14: peek stands here twice"),
      ("[{on: [], run: [a]}]", "1:7: expected an event"),
      ("[{on: [[peek]], run: [a]}]", "1:8: expected a text"),
      ("[{on: {peek: 1}, run: [a]}]", "1:7: expected a text"),
      ("[{on: peek, run: []}]", "1:18: the command is empty"),
      ("[{on: peek, run: ['']}]", "1:19: must not be empty"),
      ("[{on: peek, run: [' ', a]}]", "1:19: must not be empty"),
      ("[{on: peek, run: [a, [b]]}]", "1:22: expected a text"),
      ("[{on: peek, run: [a, \"b\\0c\"]}]", "1:22: must not hold a NUL"),
      (
        "[{on: peek, run: a b}]",
        "1:18: expected a list, as [notify-send, Peek]; a line for the shell goes under shell"
      ),
      ("[{on: peek, shell: [a]}]", "1:20: expected a text"),
      ("[{on: peek, shell: ' '}]", "1:20: must not be empty"),
      ("[{on: peek, shell: \"a\\0\"}]", "1:20: must not hold a NUL"),
      ("[{on: peek, run: [a], device: ''}]", "1:31: must not be empty"),
      ("[{on: peek, run: [a], device: [d1]}]", "1:31: expected a text"),
      ("[{on: peek, run: [a], timeout-s: 0}]", "1:34: must lie between 0.1 and 86400"),
      ("[{on: peek, run: [a], timeout-s: 86401}]", "1:34: must lie between 0.1 and 86400"),
      ("[{on: peek, run: [a], timeout-s: nan}]", "1:34: expected a number"),
      ("[{on: peek, run: [a], timeout-s: '5'}]", "1:34: expected a number"),
      ("[{on: peek, run: [a], at-most-every-ms: 0}]", "1:41: must lie between 1 and 3600000"),
      ("[{on: peek, run: [a], at-most-every-ms: 0.5}]", "1:41: expected a whole number"),
      ("[peek]", "1:2: expected `key: value` lines"),
      ("[[]]", "1:2: expected `key: value` lines"),
      ("{on: peek, run: [a]}", "1:1: expected a list"),
      ("peek", "1:1: expected a list"),
      ("[{on: peek, on: pop, run: [a]}]", "1:13: on stands here twice"),
    ])
  func wrongLines(text: String, problem: String) {
    #expect(problems(text) == ["a.yaml:" + problem])
  }

  @Test func everythingThatIsWrongIsSaidInTheOrderOfTheFile() {
    #expect(
      problems("- run: a\n  timeout-s: x\n  on: p\n- device: d1\n") == [
        "a.yaml:1:8: expected a list, as [notify-send, Peek]; a line for the shell goes under shell",
        "a.yaml:2:14: expected a number",
        "a.yaml:3:7: expected peek, pop, peekEnded or peekCancelled",
        "a.yaml:4:3: on is missing", "a.yaml:4:3: run is missing, or shell",
      ])
  }

  @Test func aWrongRuleIsLeftOutAlone() {
    let file = read("- {on: peek, run: [a]}\n- {on: peek}\n- {on: pop, run: [b]}\n")
    #expect(file.rules.map(\.command) == [.program(["a"]), .program(["b"])])
    #expect(file.problems.map(\.description) == ["a.yaml:2:3: run is missing, or shell"])
    #expect(file.isReadable)
    #expect(!read("- {on: peek, run: [a]}\n- {on: ").isReadable)
    #expect(!read("on: peek").isReadable)
  }

  @Test("a file without a rule is a mistake", arguments: ["", "# nothing\n", "[]\n"])
  func noRule(text: String) {
    #expect(problems(text) == ["there is no rule in a.yaml"])
  }

  @Test func aFileThatIsNotThere() {
    let file = ActionsFile(contentsOf: "/nowhere/actions.yaml")
    #expect(
      file.problems.map(\.description) == [
        "cannot read /nowhere/actions.yaml: No such file or directory"
      ])
  }

  /// Texts put together at random out of what such files are made of: whatever comes, each rule of
  /// the list is either a rule or has a problem that says where.
  @Test(arguments: 0..<40)
  func randomTexts(seed: UInt64) {
    let parts = [
      "on", "run", "shell", "device", "timeout-s", "at-most-every-ms", ": ", ":", "- ", "-", "\n",
      "\n  ", "[", "]", "{", "}", ", ", "peek", "pop", "peekEnded", "peekCancelled", "0", "1",
      "5.5",
      "-1", "1e99", "0x10", "\"", "'", "\\0", "#", "|\n", "é", "\u{2028}", "\t", "&a ", "*a",
      "!!str ",
      "- on: peek\n  run: [a]\n", "  timeout-s: 3\n", "\u{0}", "null", "~", "true",
    ]
    var generator = SeededGenerator(seed: seed)
    var ruleCount = 0
    for _ in 0..<500 {
      let count = Int.random(in: 1...6, using: &generator)
      let start = Bool.random(using: &generator) ? "- on: peek\n  run: [a]\n" : ""
      let text =
        start + (0..<count).map { _ in parts.randomElement(using: &generator) ?? "" }.joined()
      let file = read(text)
      #expect(!file.rules.isEmpty || !file.problems.isEmpty, "\(text)")
      ruleCount += file.rules.count
      for problem in file.problems {
        #expect(problem.mark != nil || problem.problem == "there is no rule in a.yaml", "\(text)")
      }
      for rule in file.rules {
        #expect(!rule.triggers.isEmpty)
        #expect(rule.command.arguments[0].contains { !$0.isWhitespace })
        #expect(!rule.command.arguments.contains { $0.utf8.contains(0) })
        #expect(rule.timeout >= .milliseconds(100))
        #expect(rule.interval.map { $0 >= .milliseconds(1) } ?? true)
      }
      guard let node = try? YAMLNode(file: "a.yaml", bytes: Array(text.utf8)),
        let elements = try? node.elements()
      else { continue }
      #expect(elements.count <= file.rules.count + file.problems.count, "\(text)")
    }
    // The parts do make rules now and then, or nothing was tried.
    #expect(ruleCount > 4)
  }

  @Test func everyByteWhereverItStands() {
    let text = Array("- on: peek\n  run: [a, b]\n  timeout-s: 3\n".utf8)
    for index in text.indices {
      for byte in UInt8.min...UInt8.max {
        var changed = text
        changed[index] = byte
        let file = ActionsFile(file: "a.yaml", bytes: changed)
        #expect(file.rules.count == 1 || !file.problems.isEmpty)
      }
    }
  }
}
