/// What is wrong with a scenario, as `file:line: what`.
struct ScenarioProblem: Error, CustomStringConvertible {
  var description: String
  init(_ description: String) { self.description = description }
}

/// One line of a scenario, read word by word from the left.
struct ScenarioLine {
  private var words: ArraySlice<Substring>

  /// Numbers beyond are typing errors, and would not survive the conversion to device units.
  private static let largestNumber = 1e6

  init(_ text: Substring) { words = text.split(whereSeparator: \.isWhitespace)[...] }

  var isEmpty: Bool { words.isEmpty }

  /// Whether the line says when something happens.
  var startsWithTime: Bool { words.first?.first?.isNumber ?? false }

  mutating func word(after previous: some StringProtocol) throws(ScenarioProblem) -> String {
    guard let word = words.popFirst() else { throw ScenarioProblem("\(previous) needs more") }
    return String(word)
  }

  /// Takes the next word if it is this one.
  mutating func skip(_ word: String) -> Bool {
    guard words.first.map(String.init) == word else { return false }
    words.removeFirst()
    return true
  }

  mutating func number(after previous: String) throws(ScenarioProblem) -> Double {
    try Self.number(try word(after: previous))
  }

  mutating func integer(after previous: String) throws(ScenarioProblem) -> Int32 {
    let text = try word(after: previous)
    guard let value = Int32(text) else { throw ScenarioProblem("\(text) is no axis value") }
    return value
  }

  /// `3,4`: millimeters from the upper left corner, or by how many.
  mutating func place(after previous: String) throws(ScenarioProblem) -> (x: Double, y: Double) {
    let text = try word(after: previous)
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count == 2 else { throw ScenarioProblem("\(text) is no place such as 3,4") }
    return (try Self.number(parts[0]), try Self.number(parts[1]))
  }

  /// `100x60mm`.
  mutating func size(
    after previous: String
  ) throws(ScenarioProblem) -> (width: Double, height: Double) {
    let text = try word(after: previous)
    let sides = text.dropLast(2).split(separator: "x", omittingEmptySubsequences: false)
    guard text.hasSuffix("mm"), sides.count == 2 else {
      throw ScenarioProblem("\(text) is no size such as 100x60mm")
    }
    let size = (width: try Self.number(sides[0]), height: try Self.number(sides[1]))
    guard size.width > 0, size.height > 0 else { throw ScenarioProblem("\(text) is no size") }
    return size
  }

  mutating func choice<Value: RawRepresentable<String>>(
    _ type: Value.Type, after previous: String
  ) throws(ScenarioProblem) -> Value {
    let text = try word(after: previous)
    guard let value = Value(rawValue: text) else {
      throw ScenarioProblem("\(previous) cannot be \(text)")
    }
    return value
  }

  /// `down` or `up`.
  mutating func isDown(after previous: String) throws(ScenarioProblem) -> Bool {
    switch try word(after: previous) {
    case "down": true
    case "up": false
    case let other: throw ScenarioProblem("\(previous) can be down or up, not \(other)")
    }
  }

  /// `8ms`.
  mutating func milliseconds() throws(ScenarioProblem) -> Int {
    let text = try word(after: "the line")
    guard text.hasSuffix("ms"), let value = UInt32(text.dropLast(2)) else {
      throw ScenarioProblem("\(text) is no time such as 8ms")
    }
    return Int(value)
  }

  /// `#2`; contact 1 where no contact is named.
  mutating func contact() throws(ScenarioProblem) -> Int {
    guard let word = words.first, word.hasPrefix("#") else { return 1 }
    words.removeFirst()
    guard let number = Int(word.dropFirst()), (1...10).contains(number) else {
      throw ScenarioProblem("\(word) is no contact: #1 to #10")
    }
    return number
  }

  func finish() throws(ScenarioProblem) {
    if let word = words.first { throw ScenarioProblem("\(word) is too much") }
  }

  private static func number(_ text: some StringProtocol) throws(ScenarioProblem) -> Double {
    guard let value = Double(text), value.magnitude <= largestNumber else {
      throw ScenarioProblem("\(text) is no number")
    }
    return value
  }
}
