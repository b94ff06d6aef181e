/// A subcommand.
protocol Command: Sendable {
  static var name: String { get }
  /// What it does, in a few words.
  static var summary: String { get }
  /// Its arguments, as in a usage line.
  static var synopsis: String { get }
  /// Its options with what they do. One that takes a value has the value's name; if that ends in
  /// an ellipsis, all words up to the next option are values.
  static var options: [Option] { get }
  /// The values of options that take no others.
  static var choices: [String: [String]] { get }
  /// What else `--help` says, below the options.
  static var notes: String { get }
  /// How many arguments without dashes it takes.
  static var operands: ClosedRange<Int> { get }

  static func run(_ arguments: Arguments) throws(CommandError)
}

typealias Option = (name: String, value: String?, meaning: String)

extension Command {
  static var choices: [String: [String]] { [:] }
  static var notes: String { "" }

  /// The option that goes by a word; `-o` is what many programs call `--output`.
  static func option(_ word: String) -> Option? {
    options.first { $0.name == (word == "-o" ? "--output" : word) }
  }

  static var help: String {
    let list = options.map { option in
      let name = option.value.map { "\(option.name) \($0)" } ?? option.name
      return "  " + pad(name, 22) + option.meaning + "\n"
    }.joined()
    return """
      usage: forcetouchctl \(name) \(synopsis)

      \(summary)

      \(list)\(notes)
      """
  }
}

/// Why a command did not do what it was asked.
enum CommandError: Error {
  /// The command line was wrong: exit status 2.
  case usage(String)
  /// Exit status 1.
  case failed(String)
  /// The daemon does not do this for us, and why; exit status 1.
  case refused(String)
  /// The daemon gave no answer, and may have done what it was asked; exit status 1.
  case lost(String)

  /// What is said of it.
  var text: String {
    switch self {
    case .usage(let text), .failed(let text), .refused(let text), .lost(let text): text
    }
  }

  /// The same, with what it means for what was to be done. A command line that was wrong stays so.
  func adding(_ ending: String) -> CommandError {
    switch self {
    case .usage: self
    case .failed, .refused, .lost: .failed(text + ending)
    }
  }
}
