import ForceTouchProtocol
import Glibc
import Varlink

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
      throw .usage("which command? See forcetouchctl --help")
    }
    switch name {
    case "--help", "-h", "help":
      // `help COMMAND` is what people type who know git.
      guard name == "help", let topic = words.dropFirst().first else { return Output.write(help) }
      Output.write(try command(named: topic).help)
    case "--version":
      Output.write("forcetouchctl \(Software.version)\n")
    default:
      let command = try command(named: name)
      let words = words.dropFirst()
      if words.contains("--help") || words.contains("-h") {
        Output.write(command.help)
        return
      }
      try command.run(Arguments(words, of: command))
    }
  }

  private static func command(
    named name: String
  ) throws(CommandError) -> any (Command & SendableMetatype).Type {
    guard let command = commands.first(where: { $0.name == name }) else {
      throw .usage("there is no command \(name); see forcetouchctl --help")
    }
    return command
  }

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
