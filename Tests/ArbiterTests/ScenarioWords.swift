import ForceTouchModel

/// What is wrong with a scenario, as `file:line: what`.
struct ScenarioProblem: Error, CustomStringConvertible {
  var description: String
  init(_ description: String) { self.description = description }
}

/// One line of a scenario, read word by word from the left.
struct ScenarioWords {
  private var words: ArraySlice<Substring>

  init(_ text: Substring) { words = text.split(whereSeparator: \.isWhitespace)[...] }

  var isEmpty: Bool { words.isEmpty }

  /// Whether the line says when something happens.
  var startsWithTime: Bool { words.first?.first?.isNumber ?? false }

  mutating func word() throws(ScenarioProblem) -> String {
    guard let word = words.popFirst() else { throw ScenarioProblem("the line needs more") }
    return String(word)
  }

  /// Takes the next word if it is this one.
  mutating func skip(_ word: String) -> Bool {
    guard words.first.map(String.init) == word else { return false }
    words.removeFirst()
    return true
  }

  mutating func number() throws(ScenarioProblem) -> Double { try Self.number(try word()) }

  mutating func count() throws(ScenarioProblem) -> Int {
    let text = try word()
    guard let count = UInt32(text) else { throw ScenarioProblem("\(text) is no count") }
    return Int(count)
  }

  /// `8ms`.
  mutating func milliseconds() throws(ScenarioProblem) -> Int64 {
    let text = try word()
    guard text.hasSuffix("ms"), let value = Int64(text.dropLast(2)) else {
      throw ScenarioProblem("\(text) is no time such as 8ms")
    }
    return value
  }

  /// `3,4` or `3x4` or `1,2,3,4`.
  mutating func numbers(
    _ count: Int, separator: Character = ","
  ) throws(ScenarioProblem) -> [Double] {
    let text = try word()
    let parts = text.split(separator: separator, omittingEmptySubsequences: false)
    guard parts.count == count else {
      throw ScenarioProblem("\(text) is not \(count) numbers with \(separator) between")
    }
    var numbers: [Double] = []
    for part in parts { numbers.append(try Self.number(part)) }
    return numbers
  }

  /// `#2`, if it is there.
  mutating func numberSign() throws(ScenarioProblem) -> Int? {
    guard let word = words.first, word.hasPrefix("#") else { return nil }
    words.removeFirst()
    guard let number = Int(word.dropFirst()), number >= 0 else {
      throw ScenarioProblem("\(word) is no number such as #2")
    }
    return number
  }

  mutating func choice<Value: RawRepresentable<String>>(
    _ type: Value.Type
  ) throws(ScenarioProblem) -> Value {
    let text = try word()
    guard let value = Value(rawValue: text) else {
      throw ScenarioProblem("\(text) is not known here")
    }
    return value
  }

  func finish() throws(ScenarioProblem) {
    if let word = words.first { throw ScenarioProblem("\(word) is too much") }
  }

  private static func number(_ text: some StringProtocol) throws(ScenarioProblem) -> Double {
    guard let value = Double(text) else { throw ScenarioProblem("\(text) is no number") }
    return value
  }
}
