import ForceTouchModel
import ForceTouchProtocol
import Varlink

/// What a shell may offer for the last word of a command line. The shells' own completions, in
/// `completions/`, ask by an option that is for them alone:
///
///     forcetouchctl --complete WORD…
///
/// prints a word a line, with a TAB and what it means where that is known. The line `:files` or
/// `:folders` stands for the shell's own completion of paths. Of `--option=value` it is the value
/// that is completed.
enum Completion {
  static let option = "--complete"

  /// - Parameter words: Those behind the program's name, up to the one that is completed, which may
  ///   be empty.
  static func write(for words: [String]) {
    guard let current = words.last else { return }
    for offer in offers(for: current, behind: words.dropLast()) {
      switch offer {
      case .files: Output.writeLine(Array(":files".utf8))
      case .folders: Output.writeLine(Array(":folders".utf8))
      case .word(let word, let meaning) where word.hasPrefix(value(of: current)):
        Output.writeLine(Array((meaning.isEmpty ? word : "\(word)\t\(meaning.printable)").utf8))
      case .word: break
      }
    }
  }

  private enum Offer {
    case word(String, String)
    case files
    case folders
  }

  /// Of `--option=value` the value.
  private static func value(of word: String) -> Substring {
    guard word.hasPrefix("--"), let sign = word.firstIndex(of: "=") else { return word[...] }
    return word[sign...].dropFirst()
  }

  private static func offers(for current: String, behind words: ArraySlice<String>) -> [Offer] {
    let commands = Forcetouchctl.commands
    let names = commands.map { Offer.word($0.name, $0.summary) }
    guard let name = words.first else {
      return current.hasPrefix("-")
        ? [.word("--help", "Print help."), .word("--version", "Print the version.")] : names
    }
    if name == "help" { return words.count == 1 ? names : [] }
    guard let command = commands.first(where: { $0.name == name }) else { return [] }
    return CommandCompletion(command, words.dropFirst()).offers(for: current)
  }

  /// What was typed of a command.
  private struct CommandCompletion {
    private let command: any Command.Type
    /// The last option, where what comes next is its value.
    private var open: Option?
    /// It needs none any more, but takes all words up to the next option.
    private var isOpenForMore = false
    private var operands = 0
    private var socket = SocketPath.ofEnvironment

    init(_ command: any Command.Type, _ words: ArraySlice<String>) {
      self.command = command
      for word in words { take(word) }
    }

    private mutating func take(_ word: String) {
      if let option = open, !isOpenForMore || !word.hasPrefix("-") {
        close(option, with: word)
      } else if word.hasPrefix("-"), word != "-" {
        open = nil
        isOpenForMore = false
        let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
        guard let option = command.option(parts[0]), option.value != nil else { return }
        if parts.count > 1 { close(option, with: parts[1]) } else { open = option }
      } else {
        operands += 1
      }
    }

    private mutating func close(_ option: Option, with value: String) {
      if option.name == socketOption.name { socket = value }
      isOpenForMore = option.value?.hasSuffix("…") == true
      open = isOpenForMore ? option : nil
    }

    func offers(for current: String) -> [Offer] {
      if let open, !isOpenForMore || !current.hasPrefix("-") { return values(of: open, current) }
      if current.hasPrefix("--"), let sign = current.firstIndex(of: "=") {
        return command.option(String(current[..<sign])).map { values(of: $0, current) } ?? []
      }
      if current.hasPrefix("-") {
        return command.options.map { .word($0.name, $0.meaning) }
          + [.word("--help", "print this help")]
      }
      guard operands < command.operands.upperBound else { return [] }
      // The first words of a synopsis are the operands.
      let kinds = command.synopsis.split(separator: " ").prefix {
        !$0.hasPrefix("-") && !$0.hasPrefix("[-")
      }
      .map { $0.filter { $0 != "[" && $0 != "]" } }
      return kinds.isEmpty ? [] : paths(kinds[min(operands, kinds.count - 1)], current)
    }

    private func values(of option: Option, _ current: String) -> [Offer] {
      if let choices = command.choices[option.name] { return choices.map { .word($0, "") } }
      return paths(option.value ?? "", current)
    }

    /// What a word of a synopsis stands for.
    private func paths(_ kind: String, _ current: String) -> [Offer] {
      switch kind.filter({ $0 != "…" && $0 != "." }) {
      case "FILE", "PATH": [.files]
      case "FOLDER": [.folders]
      case "NODE": LiveNode.all.map { .word($0, "") }
      case "NODE-or-FILE": LiveNode.all.map { .word($0, "") } + [.files]
      case "DEVICE": devices(current)
      default: []
      }
    }

    /// By their names at the daemon; none when there is no daemon, or one that hangs.
    private func devices(_ current: String) -> [Offer] {
      guard
        let reply = try? PatientClient(path: socket, patience: .milliseconds(2000))
          .call(DevicesMessage.interface + ".List"),
        let list = try? reply.decoded(as: DevicesMessage.ListReply.self)
      else { return [] }
      return list.devices.flatMap { device -> [Offer] in
        let node = current.hasPrefix("/") ? device.node : nil
        return [.word(device.device, device.name)] + (node.map { [.word($0, device.name)] } ?? [])
      }
    }
  }
}
