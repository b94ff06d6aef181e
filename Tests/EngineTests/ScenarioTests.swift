import ForceTouchEngine
import ForceTouchModel
import ForceTouchRecognition
import Foundation
import Testing
import YAML

@testable import ForceTouchDevices

@Suite struct ScenarioTests {
  static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Scenarios")

  static let files: [String] =
    ((try? FileManager.default.contentsOfDirectory(atPath: folder.path())) ?? [])
    .filter { $0.hasSuffix(".force") }.sorted()

  @Test func thereAreScenarios() {
    #expect(Self.files.count >= 40)
  }

  @Test(arguments: files)
  func aScenarioGivesTheEventsItExpects(file: String) throws {
    let scenario = try Scenario(file: Self.folder.appending(path: file))
    let received = Self.play(scenario)
    let wanted = scenario.expected
    var isEqual = received.count == wanted.count
    for (event, expectation) in zip(received, wanted) {
      isEqual = isEqual && event.matches(expectation)
    }
    #expect(isEqual, "\(file): \(scenario.title)\n\(Self.table(wanted, received))")
  }

  @Test(arguments: ["0ms jump\n--\n", "0ms down\n", "colour red\n--\n", "0 down\n--\n"])
  func anUnknownWordIsAnError(text: String) {
    #expect(throws: Scenario.Problem.self) {
      try Scenario(text: "# A title.\n" + text, name: "test")
    }
  }

  /// Without this, a comparison that compares nothing would pass everything.
  @Test func aScenarioThatExpectsSomethingElseFails() throws {
    let scenario = try Scenario(
      text: "# A tap.\n0ms down pressure 0.1\n8ms up\n--\n0ms began\n8ms peek\n", name: "test")
    let received = Self.play(scenario)
    #expect(received.map(\.text) == ["0ms #1 began", "8ms #1 ended"])
    #expect(!received[1].matches(scenario.expected[1]))
  }

  /// An event as it was received, in the words of the expectations.
  struct Received {
    var milliseconds: Int
    var contact: Int
    var event: String
    var attributes: Set<String>

    var text: String { "\(milliseconds)ms #\(contact) \(event)" }

    func matches(_ expectation: Scenario.Expectation) -> Bool {
      milliseconds == expectation.milliseconds && contact == expectation.contact
        && event == expectation.event && attributes.isSuperset(of: expectation.attributes)
    }
  }

  static func play(_ scenario: Scenario) -> [Received] {
    var frames = ScenarioFrames(scenario)
    let description = frames.description
    var table = DeviceTable()
    if scenario.knowledge == .table,
      let profile = try? ForceProfile(
        floor: scenario.floor, average: scenario.average, ceiling: scenario.ceiling,
        click: scenario.click)
    {
      table = DeviceTable(entries: [
        .init(
          name: "scenario", match: .init(vendor: 1, product: 2), kind: .force(profile),
          source: "the scenario", mark: YAMLMark(file: "scenario", line: 1, column: 1))
      ])
    }
    var configuration = RecognizerConfiguration()
    configuration.sensitivity = Sensitivity(rawValue: scenario.sensitivity) ?? .medium
    configuration.peeksBesideOtherContacts = scenario.peeksBesideOtherContacts
    var engine = DeviceEngine(
      description: description, verdict: forceTouchCapability(of: description, table: table),
      configuration: configuration, estimates: scenario.knowledge == .estimated,
      initialState: frames.initialState())

    var received: [Received] = []
    var events: [ContactEvent] = []
    func take() {
      for event in events where scenario.comparesChanged || event.kind != .changed {
        received.append(Received(event, contacts: frames.contacts))
      }
      events.removeAll()
    }
    for step in scenario.steps {
      let time = Timestamp(microseconds: Int64(step.milliseconds) * 1000)
      for input in frames.inputs(of: step) {
        switch input {
        case .frame(let frame): engine.process(frame, into: &events)
        case .wait:
          if let deadline = engine.deadline, deadline <= time {
            engine.timeout(at: deadline, into: &events)
          }
        case .cancel(let reason): engine.cancel(reason, at: time, into: &events)
        }
        take()
      }
    }
    return received
  }

  /// Expected and received side by side.
  static func table(_ wanted: [Scenario.Expectation], _ received: [Received]) -> String {
    var lines = ["  " + "expected".padding(toLength: 46, withPad: " ", startingAt: 0) + "received"]
    for index in 0..<max(wanted.count, received.count) {
      let left = index < wanted.count ? wanted[index].text : ""
      let right =
        index < received.count
        ? ([received[index].text] + received[index].attributes.sorted()).joined(separator: " ")
        : ""
      let isSame =
        index < wanted.count && index < received.count && received[index].matches(wanted[index])
      lines.append(
        (isSame ? "  " : "✗ ") + left.padding(toLength: 46, withPad: " ", startingAt: 0) + right)
    }
    return lines.joined(separator: "\n")
  }
}

extension ScenarioTests.Received {
  init(_ event: ContactEvent, contacts: [Int32: Int]) {
    milliseconds = Int(event.time.microseconds / 1000)
    contact = contacts[event.slot] ?? Int(event.slot) + 1
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
    attributes = ["stage \(event.stage)"]
    if let failure = event.failure { attributes.insert("failure \(failure.rawValue)") }
    if let raw = event.rawPressure { attributes.insert("raw \(raw)") }
    if event.wasAlreadyDown { attributes.insert("already-down") }
    if event.isEstimated { attributes.insert("estimated") }
    if event.isResynchronized { attributes.insert("resynchronized") }
  }
}
