import ForceTouchModel
import ForceTouchRecognition

/// A scenario file, read: what happens on a device, and what is expected to be said about it.
/// The format is described in `docs/scenarios.md`.
struct Scenario {
  enum TouchProtocol: String {
    case slotted = "B"
    case unslotted = "A"
    case unslottedWithoutIDs = "A-without-ids"
    case single
  }

  /// What is known of the device's pressure.
  enum Knowledge: String {
    case table, none, estimated
  }

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
    case nowhere
    case tool(Int32)
    case id(Int32)
    case slot(Int32)
    case button(isDown: Bool)
    case touchKey(isDown: Bool)
    case emptyFrame
    case drop
    case cancel(CancelReason)
    case wait
  }

  /// One expected event.
  struct Expectation {
    var milliseconds: Int
    var contact: Int
    var event: String
    /// Compared always: `already-down`, `estimated`, `resynchronized`, `failure REASON`.
    var flags: Set<String> = []
    /// Compared where they are given: `stage N`, `raw N`.
    var values: Set<String> = []

    var text: String {
      (["\(milliseconds)ms #\(contact) \(event)"] + flags.sorted() + values.sorted())
        .joined(separator: " ")
    }
  }

  private(set) var title = ""
  private(set) var kind = TouchKind.trackpad
  /// In millimeters.
  private(set) var size = (width: 100.0, height: 60.0)
  private(set) var hasResolution = true
  private(set) var profile: ForceProfile
  private(set) var touchProtocol = TouchProtocol.slotted
  private(set) var sensitivity = Sensitivity.medium
  private(set) var knowledge = Knowledge.table
  private(set) var peeksBesideOtherContacts = false
  private(set) var comparesChanged = false
  private(set) var steps: [Step] = []
  private(set) var expected: [Expectation] = []

  /// - Parameter name: The file's, for what is wrong with it.
  init(_ text: String, name: String) throws(ScenarioProblem) {
    profile = try Self.profile(floor: 0, average: 150, ceiling: 1000, click: nil)
    var isExpecting = false
    var number = 0
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      number += 1
      if line.hasPrefix("#") {
        if title.isEmpty { title = String(line.drop { $0 == "#" || $0 == " " }) }
        continue
      }
      if line.allSatisfy(\.isWhitespace) { continue }
      do throws(ScenarioProblem) {
        if title.isEmpty { throw ScenarioProblem("the first line must be # and a title") }
        if line == "--" {
          isExpecting = true
        } else {
          try take(ScenarioLine(line), isExpected: isExpecting)
        }
      } catch {
        throw ScenarioProblem("\(name):\(number): \(error)")
      }
    }
    if !isExpecting { throw ScenarioProblem("\(name):\(number): the line -- is missing") }
  }

  private mutating func take(
    _ line: ScenarioLine, isExpected: Bool
  ) throws(ScenarioProblem) {
    var line = line
    if isExpected {
      expected.append(try Expectation(&line))
    } else if line.startsWithTime {
      try takeStep(&line)
    } else if steps.isEmpty {
      try takeHeader(&line)
    } else {
      throw ScenarioProblem("headers come before the first time")
    }
    try line.finish()
  }

  private mutating func takeHeader(_ line: inout ScenarioLine) throws(ScenarioProblem) {
    let key = try line.word(after: "the line")
    switch key {
    case "device":
      kind = try line.choice(TouchKind.self, after: key)
      if !line.isEmpty { size = try line.size(after: key) }
    case "profile":
      profile = try Self.profile(
        floor: try line.number(after: key),
        average: line.skip("-") ? nil : try line.number(after: key),
        ceiling: try line.number(after: key),
        click: line.skip("click") ? try line.number(after: "click") : nil)
    case "resolution":
      guard line.skip("none") else { throw ScenarioProblem("resolution can be none") }
      hasResolution = false
    case "protocol": touchProtocol = try line.choice(TouchProtocol.self, after: key)
    case "sensitivity": sensitivity = try line.choice(Sensitivity.self, after: key)
    case "capability": knowledge = try line.choice(Knowledge.self, after: key)
    case "peek-beside-other-contacts": peeksBesideOtherContacts = true
    case "events":
      guard line.skip("all") else { throw ScenarioProblem("events can be all") }
      comparesChanged = true
    default: throw ScenarioProblem("\(key) is not known")
    }
  }

  private static func profile(
    floor: Double, average: Double?, ceiling: Double, click: Double?
  ) throws(ScenarioProblem) -> ForceProfile {
    do {
      return try ForceProfile(floor: floor, average: average, ceiling: ceiling, click: click)
    } catch {
      throw ScenarioProblem("profile: \(error)")
    }
  }

  private mutating func takeStep(_ line: inout ScenarioLine) throws(ScenarioProblem) {
    let time = try line.milliseconds()
    let contact = try line.contact()
    let last = steps.last?.milliseconds
    if let last, time < last { throw ScenarioProblem("\(time)ms comes after \(last)ms") }
    if line.isEmpty { throw ScenarioProblem("nothing happens") }
    if last != time { steps.append(Step(milliseconds: time)) }
    while !line.isEmpty {
      let verb = try Verb(&line)
      if case .alreadyDown = verb {
        guard steps.count == 1, touchProtocol == .slotted || touchProtocol == .single else {
          throw ScenarioProblem("already-down needs protocol B or single, and the first time")
        }
      }
      steps[steps.count - 1].actions.append(Action(contact: contact, verb: verb))
    }
  }
}

extension Scenario.Verb {
  fileprivate init(_ line: inout ScenarioLine) throws(ScenarioProblem) {
    let word = try line.word(after: "the line")
    switch word {
    case "down": self = .down
    case "already-down": self = .alreadyDown
    case "up": self = .up
    case "pressure":
      let pressure = try line.number(after: word)
      guard (0...1).contains(pressure) else { throw ScenarioProblem("pressure is 0 to 1") }
      self = .pressure(pressure)
    case "raw": self = .raw(try line.integer(after: word))
    case "at", "move":
      if line.skip("by") {
        let (x, y) = try line.place(after: "by")
        self = .moveBy(x: x, y: y)
      } else {
        let (x, y) = try line.place(after: word)
        self = .move(x: x, y: y)
      }
    case "nowhere": self = .nowhere
    case "tool":
      switch try line.word(after: word) {
      case "finger": self = .tool(0)
      case "pen": self = .tool(1)
      case "palm": self = .tool(2)
      case let other: throw ScenarioProblem("\(other) is no tool")
      }
    case "id": self = .id(try line.integer(after: word))
    case "slot":
      let slot = try line.integer(after: word)
      guard (0...9).contains(slot) else { throw ScenarioProblem("slot is 0 to 9") }
      self = .slot(slot)
    case "button": self = .button(isDown: try line.isDown(after: word))
    case "touch-key": self = .touchKey(isDown: try line.isDown(after: word))
    case "empty-frame": self = .emptyFrame
    case "drop": self = .drop
    case "unplug": self = .cancel(.deviceRemoved)
    case "cancel": self = .cancel(try line.choice(CancelReason.self, after: word))
    case "wait": self = .wait
    default: throw ScenarioProblem("\(word) is not known")
    }
  }
}

extension Scenario.Expectation {
  fileprivate init(_ line: inout ScenarioLine) throws(ScenarioProblem) {
    milliseconds = try line.milliseconds()
    contact = try line.contact()
    event = try line.word(after: "the line")
    guard Self.isEvent(event) else { throw ScenarioProblem("\(event) is no event") }
    while !line.isEmpty {
      let word = try line.word(after: event)
      switch word {
      case "already-down", "estimated", "resynchronized": flags.insert(word)
      case "failure":
        flags.insert("failure \(try line.choice(FailureReason.self, after: word).rawValue)")
      case "stage", "raw": values.insert("\(word) \(try line.integer(after: word))")
      default: throw ScenarioProblem("\(word) is not known")
      }
    }
  }

  private static func isEvent(_ word: String) -> Bool {
    if ["began", "changed", "peek", "pop", "peekEnded", "ended"].contains(word) { return true }
    return CancelReason.allCases.contains {
      word == "peekCancelled(\($0.rawValue))" || word == "cancelled(\($0.rawValue))"
    }
  }
}
