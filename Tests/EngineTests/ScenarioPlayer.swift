import ForceTouchEngine
import ForceTouchModel
import ForceTouchRecognition
import ForceTouchSettings
import TestSupport
import YAML

@testable import ForceTouchDevices

/// Plays a scenario through the engine, in process.
struct ScenarioPlayer {
  private let scenario: Scenario
  private var frames: ScenarioFrames
  private var engine: DeviceEngine
  private var events: [ContactEvent] = []
  /// Which contact of the scenario is which of the engine's.
  private var names: [ContactID: Int] = [:]
  private(set) var received: [ReceivedEvent] = []
  /// Holds every event against the grammar, those too that the scenario does not compare.
  private(set) var checker = GrammarChecker()

  /// - Parameter rule: One that is switched off.
  init(_ scenario: Scenario, without rule: RejectionRule? = nil) {
    self.scenario = scenario
    frames = ScenarioFrames(scenario)
    let initialState = frames.initialState()
    engine = DeviceEngine(scenario, without: rule, initialState: .known(initialState))
  }

  /// Whether the scenario got what it expects.
  var isAsExpected: Bool {
    received.count == scenario.expected.count
      && zip(received, scenario.expected).allSatisfy { $0.matches($1) }
  }

  /// - Parameter isPunctual: Deadlines are met when they are due; else they are left to the engine,
  ///   which meets them with the next frame.
  mutating func play(isPunctual: Bool = true) {
    for step in scenario.steps {
      let time = Timestamp(microseconds: Int64(step.milliseconds) * 1000)
      for input in frames.inputs(of: step) {
        switch input {
        case .frame(let frame):
          if isPunctual { meetDeadlines(until: time) }
          engine.process(frame, into: &events)
        case .wait: meetDeadlines(until: time)
        case .cancel(let reason): engine.cancel(reason, at: time, into: &events)
        }
        take()
      }
    }
  }

  private mutating func meetDeadlines(until time: Timestamp) {
    while let deadline = engine.deadline, deadline <= time {
      engine.timeout(at: deadline, into: &events)
      take()
      // A deadline that stays would be met for ever.
      if engine.deadline == deadline { return }
    }
  }

  private mutating func take() {
    checker.take(events)
    for event in events {
      if event.kind == .began {
        names[event.contact] = frames.contact(slot: event.slot, position: event.position)
      }
      if scenario.comparesChanged || event.kind != .changed {
        received.append(ReceivedEvent(event, contact: names[event.contact] ?? 0))
      }
    }
    events.removeAll(keepingCapacity: true)
  }
}

extension DeviceEngine {
  /// The engine of the device that a scenario describes.
  init(
    _ scenario: Scenario, without rule: RejectionRule? = nil,
    initialState: ContactTracker.InitialState
  ) {
    let description = ScenarioFrames(scenario).description
    var table = DeviceTable()
    if scenario.knowledge == .table {
      table = DeviceTable(entries: [
        .init(
          name: "scenario", match: .init(vendor: 1, products: [2]), kind: .force(scenario.profile),
          source: "the scenario", mark: YAMLMark(file: "scenario", line: 1, column: 1))
      ])
    }
    var settings = Settings()
    settings.recognition.sensitivity = scenario.sensitivity
    settings.recognition.peeksBesideOtherContacts = scenario.peeksBesideOtherContacts
    if let rule { settings.recognition.rules.remove(rule) }
    self.init(
      description: description,
      judge: Judge(table: table, settings: settings), estimates: scenario.knowledge == .estimated,
      initialState: initialState)
  }
}

/// An event in the words of the expectations.
struct ReceivedEvent {
  var milliseconds: Int
  var contact: Int
  var event: String
  var flags: Set<String> = []
  var values: Set<String> = []

  var text: String {
    (["\(milliseconds)ms #\(contact) \(event)"] + flags.sorted() + values.sorted())
      .joined(separator: " ")
  }

  func matches(_ expectation: Scenario.Expectation) -> Bool {
    milliseconds == expectation.milliseconds && contact == expectation.contact
      && event == expectation.event && flags == expectation.flags
      && values.isSuperset(of: expectation.values)
  }

  init(_ event: ContactEvent, contact: Int) {
    milliseconds = Int(event.time.microseconds / 1000)
    self.contact = contact
    self.event =
      switch event.kind {
      case .began: "began"
      case .changed: "changed"
      case .peek: "peek"
      case .pop: "pop"
      case .peekEnded: "peekEnded"
      case .peekCancelled(let reason): "peekCancelled(\(reason.rawValue))"
      case .ended: "ended"
      case .cancelled(let reason): "cancelled(\(reason.rawValue))"
      }
    if event.wasAlreadyDown { flags.insert("already-down") }
    if event.isEstimated { flags.insert("estimated") }
    if event.isResynchronized { flags.insert("resynchronized") }
    if let failure = event.failure { flags.insert("failure \(failure.rawValue)") }
    values.insert("stage \(event.stage)")
    if let raw = event.rawPressure { values.insert("raw \(raw)") }
  }

  /// Expected and received side by side.
  static func table(_ expected: [Scenario.Expectation], _ received: [ReceivedEvent]) -> String {
    let width = 1 + max(8, expected.map(\.text.count).max() ?? 0)
    func row(_ mark: String, _ left: String, _ right: String) -> String {
      mark + " " + left + String(repeating: " ", count: width - left.count) + right
    }
    var rows = [row(" ", "expected", "received")]
    for index in 0..<max(expected.count, received.count) {
      let left = index < expected.count ? expected[index] : nil
      let right = index < received.count ? received[index] : nil
      let isSame = if let left, let right { right.matches(left) } else { false }
      rows.append(row(isSame ? " " : "✗", left?.text ?? "", right?.text ?? ""))
    }
    return rows.joined(separator: "\n")
  }
}
