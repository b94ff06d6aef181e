import ForceTouchProtocol
import YAML

/// What stands on the command line, checked against what the command takes.
struct Arguments {
  private(set) var operands: [String] = []
  /// What was given for each option, in order.
  private var values: [String: [String]] = [:]

  init(_ words: ArraySlice<String>, of command: any Command.Type) throws(CommandError) {
    let hint = "; see forcetouchctl \(command.name) --help"
    var words = words
    while let word = words.popFirst() {
      guard word.hasPrefix("-"), word != "-" else {
        operands.append(word)
        continue
      }
      let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
      guard let option = command.option(parts[0]) else {
        let names = command.options.map { $0.name } + ["--help", "--version"]
        throw .usage(
          "\(command.name) has no option \(parts[0])" + (didYouMean(parts[0], names) ?? hint))
      }
      guard option.value != nil else {
        if parts.count > 1 { throw .usage("\(option.name) takes no value\(hint)") }
        values[option.name] = []
        continue
      }
      guard let value = parts.count > 1 ? parts[1] : words.popFirst(), !value.isEmpty else {
        throw .usage("\(option.name) needs a value\(hint)")
      }
      if let choices = command.choices[option.name], !choices.contains(value) {
        throw .usage(
          "there is no \(option.value?.lowercased() ?? "") \(value)"
            + (didYouMean(value, choices) ?? "; choose one of \(choices.joined(separator: ", "))"))
      }
      values[option.name, default: []].append(value)
      guard option.value?.hasSuffix("…") == true else { continue }
      while let word = words.first, !word.hasPrefix("-") || word == "-" {
        values[option.name, default: []].append(word)
        words.removeFirst()
      }
    }
    guard command.operands.contains(operands.count) else {
      let problem =
        operands.count < command.operands.lowerBound ? "something is missing" : "too much"
      throw .usage("\(problem): forcetouchctl \(command.name) \(command.synopsis)")
    }
  }

  func has(_ option: String) -> Bool { values[option] != nil }

  /// The value of an option; the last where it was given several times.
  subscript(_ option: String) -> String? { values[option]?.last }

  /// Where to ask the daemon.
  var socket: String { self[socketOption.name] ?? SocketPath.ofEnvironment }

  /// All values of an option that takes several, or may be given several times.
  func all(_ option: String) -> [String] { values[option] ?? [] }
}
