import Glibc

/// The command line tool. Each subcommand is a file of its own.
@main
enum Forcetouchctl {
  static let commands: [any (Command & SendableMetatype).Type] = [
    DevicesCommand.self, CapabilityCommand.self, MonitorCommand.self, ProbeCommand.self,
    RecordCommand.self, ReplayCommand.self,
  ]

  static func main() {
    // A reader that left is no error of ours: the default action ends us quietly.
    signal(SIGPIPE, SIG_DFL)
    do throws(CommandError) {
      try run(CommandLine.arguments.dropFirst())
    } catch {
      switch error {
      case .usage(let text): fail(text, status: 2)
      case .failed(let text): fail(text, status: 1)
      }
    }
  }

  private static func run(_ words: ArraySlice<String>) throws(CommandError) {
    guard let name = words.first else {
      throw .usage("which command? See forcetouchctl --help")
    }
    switch name {
    case "--help", "-h", "help":
      Output.write(help)
    case "--version":
      Output.write("forcetouchctl \(version)\n")
    default:
      guard let command = commands.first(where: { $0.name == name }) else {
        throw .usage("there is no command \(name); see forcetouchctl --help")
      }
      let words = words.dropFirst()
      if words.contains("--help") || words.contains("-h") {
        Output.write(command.help)
        return
      }
      try command.run(Arguments(words, of: command))
    }
  }

  static let version = "0.1.0"

  private static var help: String {
    let list = commands.map { command in
      "  " + pad(command.name, 12) + command.summary + "\n"
    }.joined()
    return """
      usage: forcetouchctl COMMAND [ARGUMENT…] [OPTION…]

      \(list)
      forcetouchctl COMMAND --help says more. Exit status: 0 done, 1 failed, 2 wrong usage.

      """
  }

  private static func fail(_ text: String, status: Int32) -> Never {
    Output.complain(text)
    exit(status)
  }
}

/// A subcommand.
protocol Command: Sendable {
  static var name: String { get }
  /// What it does, in a few words.
  static var summary: String { get }
  /// Its arguments, as in a usage line.
  static var synopsis: String { get }
  /// Its options with what they do; one that takes a value ends in the value's name.
  static var options: [(name: String, value: String?, meaning: String)] { get }
  /// How many arguments without dashes it takes.
  static var operands: ClosedRange<Int> { get }

  static func run(_ arguments: Arguments) throws(CommandError)
}

extension Command {
  static var help: String {
    let list = options.map { option in
      let name = option.value.map { "\(option.name) \($0)" } ?? option.name
      return "  " + pad(name, 22) + option.meaning + "\n"
    }.joined()
    return """
      usage: forcetouchctl \(name) \(synopsis)

      \(summary)

      \(list)
      """
  }
}

/// Why a command did not do what it was asked.
enum CommandError: Error {
  /// The command line was wrong: exit status 2.
  case usage(String)
  /// Exit status 1.
  case failed(String)
}

/// What stands on the command line, checked against what the command takes.
struct Arguments {
  private(set) var operands: [String] = []
  private var values: [String: String] = [:]

  init(_ words: ArraySlice<String>, of command: any Command.Type) throws(CommandError) {
    let hint = "; see forcetouchctl \(command.name) --help"
    var words = words
    while let word = words.popFirst() {
      guard word.hasPrefix("-"), word != "-" else {
        operands.append(word)
        continue
      }
      let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
      guard let option = command.options.first(where: { $0.name == parts[0] }) else {
        throw .usage("\(command.name) has no option \(parts[0])\(hint)")
      }
      guard option.value != nil else {
        if parts.count > 1 { throw .usage("\(option.name) takes no value\(hint)") }
        values[option.name] = ""
        continue
      }
      guard let value = parts.count > 1 ? parts[1] : words.popFirst(), !value.isEmpty else {
        throw .usage("\(option.name) needs a value\(hint)")
      }
      values[option.name] = value
    }
    guard command.operands.contains(operands.count) else {
      let problem =
        operands.count < command.operands.lowerBound ? "something is missing" : "too much"
      throw .usage("\(problem): forcetouchctl \(command.name) \(command.synopsis)")
    }
  }

  func has(_ option: String) -> Bool { values[option] != nil }

  subscript(_ option: String) -> String? { values[option] }
}

/// Fills a text up with spaces.
func pad(_ text: String, _ width: Int) -> String {
  text + String(repeating: " ", count: max(1, width - text.count))
}
