import ForceTouchModel
import Foundation

/// A scenario file, read: what happens on a device, and what is expected to be said about it.
/// The format is described in `docs/scenarios.md`.
struct Scenario {
  enum TouchProtocol: String {
    case slotted = "B"
    case unslotted = "A"
    case unslottedWithoutIDs = "A-without-ids"
    case single
  }

  /// What the device table says of the device.
  enum Knowledge: String {
    case table, none, estimated
  }

  var title = ""
  var kind = TouchKind.trackpad
  /// In millimeters.
  var size = (width: 100.0, height: 60.0)
  var hasResolution = true
  var floor = 0.0
  var average: Double? = 150
  var ceiling = 1000.0
  var click: Double?
  var touchProtocol = TouchProtocol.slotted
  var sensitivity = "medium"
  var knowledge = Knowledge.table
  var peeksBesideOtherContacts = false
  var comparesChanged = false
  var steps: [Step] = []
  var expected: [Expectation] = []

  /// What happens at one time.
  struct Step {
    var milliseconds: Int
    var actions: [Action] = []
  }

  struct Action {
    var contact: Int
    var verb: Verb
  }

  enum Verb {
    case down
    case alreadyDown
    case up
    case pressure(Double)
    case raw(Int32)
    case move(x: Double, y: Double)
    case moveBy(x: Double, y: Double)
    case tool(Int32)
    case id(Int32)
    case slot(Int32)
    case button(Bool)
    case touchKey(Bool)
    case emptyFrame
    case drop
    case cancel(CancelReason)
    case wait
    /// A contact without coordinates.
    case nowhere
  }

  struct Expectation {
    var milliseconds: Int
    var contact: Int
    var event: String
    var attributes: [String]

    var text: String {
      (["\(milliseconds)ms", "#\(contact)", event] + attributes).joined(separator: " ")
    }
  }

  struct Problem: Error, CustomStringConvertible {
    var description: String
  }

  init(file: URL) throws {
    let text = try String(contentsOf: file, encoding: .utf8)
    try self.init(text: text, name: file.lastPathComponent)
  }

  init(text: String, name: String) throws {
    var isExpecting = false
    for (index, rawLine) in text.split(separator: "\n", omittingEmptySubsequences: false)
      .enumerated()
    {
      func problem(_ text: String) -> Problem {
        Problem(description: "\(name):\(index + 1): \(text)")
      }
      let line = rawLine.trimmingCharacters(in: .whitespaces)
      if line.hasPrefix("#") && !line.dropFirst().prefix(1).allSatisfy(\.isNumber) {
        if title.isEmpty { title = line.dropFirst().trimmingCharacters(in: .whitespaces) }
        continue
      }
      if line.isEmpty { continue }
      if line == "--" {
        isExpecting = true
        continue
      }
      var words = line.split(separator: " ").map(String.init)[...]
      do {
        if isExpecting {
          expected.append(try Self.expectation(&words))
        } else if words[0].hasSuffix("ms") {
          try add(&words)
        } else {
          try takeHeader(&words)
        }
      } catch let error as Problem {
        throw problem(error.description)
      }
    }
    if title.isEmpty { throw Problem(description: "\(name): the first line must be a title") }
    if !isExpecting { throw Problem(description: "\(name): the line -- is missing") }
  }

  private mutating func takeHeader(_ words: inout ArraySlice<String>) throws {
    let key = words.removeFirst()
    func word() throws -> String {
      guard let word = words.popFirst() else { throw Problem(description: "\(key) needs more") }
      return word
    }
    func number() throws -> Double {
      let text = try word()
      guard let value = Double(text) else { throw Problem(description: "\(text) is no number") }
      return value
    }
    func choice<Value: RawRepresentable<String>>(_ type: Value.Type) throws -> Value {
      let text = try word()
      guard let value = Value(rawValue: text) else {
        throw Problem(description: "\(key) cannot be \(text)")
      }
      return value
    }
    switch key {
    case "device":
      kind = try choice(TouchKind.self)
      if let text = words.popFirst() {
        let sides = text.replacingOccurrences(of: "mm", with: "").split(separator: "x")
        guard sides.count == 2, let width = Double(sides[0]), let height = Double(sides[1]) else {
          throw Problem(description: "\(text) is no size such as 100x60mm")
        }
        size = (width, height)
      }
    case "profile":
      floor = try number()
      average = words.first == "-" ? nil : Double(words.first ?? "")
      words = words.dropFirst()
      ceiling = try number()
      if words.popFirst() == "click" { click = try number() }
    case "resolution":
      guard try word() == "none" else { throw Problem(description: "resolution can be none") }
      hasResolution = false
    case "protocol": touchProtocol = try choice(TouchProtocol.self)
    case "sensitivity": sensitivity = try word()
    case "capability": knowledge = try choice(Knowledge.self)
    case "peek-beside-other-contacts": peeksBesideOtherContacts = true
    case "events":
      guard try word() == "all" else { throw Problem(description: "events can be all") }
      comparesChanged = true
    default: throw Problem(description: "\(key) is not known")
    }
    if let rest = words.first { throw Problem(description: "\(rest) is too much") }
  }

  private static func milliseconds(_ word: String) throws -> Int {
    guard word.hasSuffix("ms"), let value = Int(word.dropLast(2)) else {
      throw Problem(description: "\(word) is no time such as 8ms")
    }
    return value
  }

  private static func contact(_ words: inout ArraySlice<String>) -> Int {
    guard let word = words.first, word.hasPrefix("#"), let number = Int(word.dropFirst()) else {
      return 1
    }
    words = words.dropFirst()
    return number
  }

  private mutating func add(_ words: inout ArraySlice<String>) throws {
    let time = try Self.milliseconds(words.removeFirst())
    let contact = Self.contact(&words)
    if steps.last?.milliseconds != time { steps.append(Step(milliseconds: time)) }
    if words.isEmpty { throw Problem(description: "nothing happens") }
    while let word = words.popFirst() {
      let verb = try Self.verb(word, &words)
      steps[steps.count - 1].actions.append(Action(contact: contact, verb: verb))
    }
  }

  private static func verb(_ word: String, _ words: inout ArraySlice<String>) throws -> Verb {
    func next() throws -> String {
      guard let next = words.popFirst() else { throw Problem(description: "\(word) needs more") }
      return next
    }
    func number() throws -> Double {
      let text = try next()
      guard let value = Double(text) else { throw Problem(description: "\(text) is no number") }
      return value
    }
    func pair(_ text: String) throws -> (Double, Double) {
      let parts = text.split(separator: ",").compactMap { Double($0) }
      guard parts.count == 2 else { throw Problem(description: "\(text) is no place such as 3,4") }
      return (parts[0], parts[1])
    }
    switch word {
    case "down": return .down
    case "already-down": return .alreadyDown
    case "up": return .up
    case "pressure": return .pressure(try number())
    case "raw": return .raw(Int32(try number()))
    case "at", "move":
      if words.first == "by" {
        words = words.dropFirst()
        let (x, y) = try pair(try next())
        return .moveBy(x: x, y: y)
      }
      let (x, y) = try pair(try next())
      return .move(x: x, y: y)
    case "nowhere": return .nowhere
    case "tool":
      switch try next() {
      case "finger": return .tool(0)
      case "pen": return .tool(1)
      case "palm": return .tool(2)
      case let other: throw Problem(description: "\(other) is no tool")
      }
    case "id": return .id(Int32(try number()))
    case "slot": return .slot(Int32(try number()))
    case "button": return .button(try next() == "down")
    case "touch-key": return .touchKey(try next() == "down")
    case "empty-frame": return .emptyFrame
    case "drop": return .drop
    case "unplug": return .cancel(.deviceRemoved)
    case "cancel":
      let text = try next()
      guard let reason = CancelReason(rawValue: text) else {
        throw Problem(description: "\(text) is no reason")
      }
      return .cancel(reason)
    case "wait": return .wait
    default: throw Problem(description: "\(word) is not known")
    }
  }

  private static let events: Set<String> = [
    "began", "changed", "peek", "pop", "peekEnded", "peekCancelled", "ended", "cancelled",
  ]

  private static func expectation(_ words: inout ArraySlice<String>) throws -> Expectation {
    let time = try milliseconds(words.removeFirst())
    let contact = contact(&words)
    guard let event = words.popFirst() else { throw Problem(description: "no event") }
    guard events.contains(String(event.prefix { $0 != "(" })) else {
      throw Problem(description: "\(event) is no event")
    }
    var attributes: [String] = []
    while let word = words.popFirst() {
      switch word {
      case "already-down", "estimated", "resynchronized": attributes.append(word)
      case "stage", "failure", "raw":
        attributes.append("\(word) \(words.popFirst() ?? "")")
      default: throw Problem(description: "\(word) is not known")
      }
    }
    return Expectation(
      milliseconds: time, contact: contact, event: event, attributes: attributes)
  }
}
