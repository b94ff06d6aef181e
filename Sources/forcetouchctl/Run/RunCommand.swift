import CSystemd
import ForceTouchActions
import ForceTouchModel
import ForceTouchProtocol
import ForceTouchSettings
import Glibc

/// `forcetouchctl run`: which file, and whether it is only checked. ``ActionRunner`` does the rest.
enum RunCommand: Command {
  static let name = "run"
  static let summary = "Run commands on peek and pop, as an actions file says."
  static let synopsis = "[--check] [--actions FILE] [--socket PATH]"
  static let options = [
    (name: "--check", value: String?.none, meaning: "say what each rule does, and run nothing"),
    (
      name: "--actions", value: "FILE",
      meaning: "read this instead of ~/.config/forcetouch/actions.yaml"
    ),
    socketOption,
  ]
  static let operands = 0...0

  static func run(_ arguments: Arguments) throws(CommandError) {
    let path: String
    if let given = arguments["--actions"] { path = given } else { path = try standardPath() }
    let file = ActionsFile(contentsOf: path)
    if arguments.has("--check") { return try check(file, path) }
    complain(file)
    if file.rules.isEmpty {
      throw .failed("nothing to do without a rule; see forcetouch-actions(5)")
    }
    // A log that is gone is no reason to leave commands behind.
    signal(SIGPIPE, SIG_IGN)
    let runner = try ActionRunner(
      path: path, rules: file.rules, socket: arguments.socket)
    // Whoever waits for us may go on. The daemon may come later.
    sd_notify(0, "READY=1")
    try runner.run()
  }

  private static func complain(_ file: ActionsFile) {
    for problem in file.problems {
      let isOfRule = file.isReadable && problem.mark != nil
      Output.complain(
        problem.description + (isOfRule ? "; this rule is ignored" : ""))
    }
  }

  private static func check(_ file: ActionsFile, _ path: String) throws(CommandError) {
    for rule in file.rules {
      let program = rule.command.arguments[0]
      let remark = CommandProcesses.isFound(program) ? "" : " (there is no such program)"
      Output.write("\(rule.mark): \(rule.meaning)\(remark)".printable + "\n")
    }
    complain(file)
    guard file.problems.isEmpty else {
      throw .failed(
        "\(path) has \(file.problems.count == 1 ? "a problem" : "\(file.problems.count) problems")")
    }
  }

  /// Where the XDG base directory specification wants it.
  private static func standardPath() throws(CommandError) -> String {
    let name = "/forcetouch/actions.yaml"
    // A relative path there is to be ignored, says the specification.
    if let folder = getenv("XDG_CONFIG_HOME").map({ String(cString: $0) }), folder.hasPrefix("/") {
      return folder + name
    }
    guard let home = getenv("HOME").map({ String(cString: $0) }), !home.isEmpty else {
      throw .failed("HOME is not set; say --actions FILE")
    }
    return home + "/.config" + name
  }
}
