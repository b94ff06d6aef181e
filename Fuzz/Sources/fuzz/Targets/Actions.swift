import ForceTouchActions

/// An actions file: each rule can be followed, and what is wrong is told with its place.
func fuzzActions(_ bytes: [UInt8]) {
  let file = ActionsFile(file: "file", bytes: bytes)
  check(file.problems, in: "file")
  check(file.isReadable || file.rules.isEmpty, "rules of what is no list")
  check(!file.rules.isEmpty || !file.problems.isEmpty, "nothing is said, and nothing is wrong")
  let device = ActionDevice(id: "d1", name: "Pad", node: "/dev/input/event1")
  for rule in file.rules {
    check(!rule.triggers.isEmpty, "a rule for nothing: \(rule)")
    let arguments = rule.command.arguments
    check(arguments.first?.isEmpty == false, "a command without a program: \(rule)")
    check(!arguments.contains { $0.utf8.contains(0) }, "a NUL: \(rule)")
    check(rule.timeout > .zero && rule.interval ?? .milliseconds(1) > .zero, "\(rule)")
    check(!rule.meaning.contains("\n"), "its meaning is more than a line: \(rule.meaning)")
    _ = rule.concerns(device) { $0 }
  }
  let answer = file.rules.answer(for: device) { $0 }
  check(answer.preview || !answer.allowsPop, "a pop without a preview")
}
