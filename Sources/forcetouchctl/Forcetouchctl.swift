import ForceTouchProtocol
import Glibc
import Varlink
import YAML

/// The command line tool. Each subcommand is a file of its own.
@main
enum Forcetouchctl {
  static let commands: [any (Command & SendableMetatype).Type] = [
    DevicesCommand.self, CapabilityCommand.self, MonitorCommand.self, ProbeCommand.self,
    RecordCommand.self, ReplayCommand.self, PlotCommand.self, CalibrateCommand.self,
    RunCommand.self, StatusCommand.self, DoctorCommand.self,
  ]

  static func main() {
    reserveStandardDescriptors()
    // A reader that left is no error of ours: the default action ends us quietly.
    signal(SIGPIPE, SIG_DFL)
    do throws(CommandError) {
      try run(CommandLine.arguments.dropFirst())
    } catch {
      switch error {
      case .usage(let text): fail(text, status: 2)
      case .failed(let text), .refused(let text), .lost(let text): fail(text, status: 1)
      }
    }
  }

  private static func run(_ words: ArraySlice<String>) throws(CommandError) {
    guard let name = words.first else {
      let names = commands.map { $0.name }.joined(separator: ", ")
      throw .usage("which command? One of \(names); see forcetouchctl --help")
    }
    let rest = words.dropFirst()
    switch name {
    case "--help", "-h": Output.write(help)
    case "--version": Output.write(version)
    case "help":
      // What people type who know git.
      guard rest.count < 2 else { throw .usage("too much: forcetouchctl help [COMMAND]") }
      guard let topic = rest.first, topic != name, !topic.hasPrefix("-") else {
        return Output.write(help)
      }
      Output.write(try command(named: topic).help)
    case Completion.option: Completion.write(for: Array(rest))
    default:
      let command = try command(named: name)
      if rest.contains("--help") || rest.contains("-h") { return Output.write(command.help) }
      if rest.contains("--version") { return Output.write(version) }
      try command.run(Arguments(rest, of: command))
    }
  }

  private static func command(
    named name: String
  ) throws(CommandError) -> any (Command & SendableMetatype).Type {
    guard let command = commands.first(where: { $0.name == name }) else {
      let words = commands.map { $0.name } + ["help", "--help", "--version"]
      throw .usage(
        "there is no \(name.hasPrefix("-") ? "option" : "command") \(name)"
          + (didYouMean(name, words) ?? "; see forcetouchctl --help"))
    }
    return command
  }

  private static let version = "forcetouchctl \(Software.version)\n"

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
