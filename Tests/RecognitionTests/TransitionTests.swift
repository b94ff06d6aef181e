import ForceTouchModel
import Foundation
import Testing

@testable import ForceTouchRecognition

/// The table of states in `docs/recognition.md`, played cell by cell: whatever happens to a contact,
/// in whatever state it is.
@Suite struct TransitionTests {
  /// What may happen to a contact: the first words of the table's lines.
  enum Happening: String, CaseIterable, Sendable {
    case below = "pressed below the peek"
    case peek = "pressed to the peek"
    case pop = "pressed to the pop"
    case belowBeside = "below the peek beside another contact"
    case popBeside = "to the pop beside another contact"
    case palm = "to the pop as a palm"
    case pen = "to the pop as a pen"
    case nowhere = "to the pop without coordinates"
    case resynchronized = "to the pop in the frame after lost events"
    case strayed = "to the pop, strayed on a touchscreen"
    case moving = "to the pop, moving on a trackpad"
    case rested = "to the pop, moved on a trackpad, at the deadline"
    case dragged = "to the pop, dragged on a trackpad, at the deadline"
    case lift = "lifts"
    case cancellation = "is lost, or the recognizer is cancelled"

    /// On what it may happen.
    var kinds: [TouchKind] {
      switch self {
      case .strayed: [.touchscreen]
      case .moving, .rested, .dragged: [.trackpad]
      default: TouchKind.allCases
      }
    }
  }

  @Test func theTableHasAllThatMayHappenInAllStates() throws {
    let table = try Self.table()
    #expect(table.states == TrackedContact.State.allCases.map(\.rawValue))
    #expect(table.lines.map(\.name) == Happening.allCases.map(\.rawValue))
    // Cells that say nothing new: a state that nothing can leave, or reach, would be a mistake.
    for state in table.states {
      #expect(table.lines.contains { $0.cells.contains { $0.hasPrefix(state) } }, "\(state)")
    }
  }

  @Test(arguments: Happening.allCases)
  func theCellsOfALineAreTrue(happening: Happening) throws {
    let line = try #require(try Self.table().lines.first { $0.name == happening.rawValue })
    for (state, cell) in zip(TrackedContact.State.allCases, line.cells) {
      for kind in happening.kinds {
        for way in 0..<(happening == .cancellation ? 2 : 1) {
          var player = try Player(kind)
          player.reach(state)
          #expect(player.state == state, "\(state) was not reached")
          player.play(happening, way)
          #expect(player.cell == cell, "\(state) on a \(kind), \(happening.rawValue)")
        }
      }
    }
  }

  /// The table as the document has it.
  private static func table() throws -> (
    states: [String], lines: [(name: String, cells: [String])]
  ) {
    let document = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../docs/recognition.md").standardized
    let lines = try String(contentsOf: document, encoding: .utf8).split(separator: "\n")
      .drop { !$0.hasPrefix("| what happens |") }.prefix { $0.hasPrefix("|") }
      .map { line in
        line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      }
    try #require(lines.count > 2)
    return (Array(lines[0].dropFirst()), lines.dropFirst(2).map { ($0[0], Array($0.dropFirst())) })
  }
}

/// One contact, brought into a state and then through what happens.
private struct Player {
  private var recognizer: Recognizer
  private var contact = Contact(
    id: ContactID(rawValue: 1), slot: 0, position: Position(x: 100, y: 100), rawPressure: 0)
  private var time = Timestamp.zero
  private var said: [ContactEvent] = []

  // Thresholds at 400 and 750, ten units per millimeter.
  private static let below: Int32 = 100
  private static let peek: Int32 = 500
  private static let pop: Int32 = 900

  init(_ kind: TouchKind) throws {
    let axis = Axis(minimum: 0, maximum: 1000, resolution: 10)
    recognizer = Recognizer(
      configuration: RecognizerConfiguration(),
      device: RecognizedDevice(
        kind: kind, profile: try ForceProfile(floor: 0, average: 150, ceiling: 1000),
        positionAxes: (axis, axis)))
  }

  /// nil when it is over.
  var state: TrackedContact.State? {
    recognizer.contacts.first { $0.contact.id == contact.id }?.state
  }

  /// As it stands in the table.
  var cell: String {
    let kinds = said.filter { $0.contact == contact.id && $0.kind != .changed }.map { event in
      switch event.kind {
      case .began: "began"
      case .changed: "changed"
      case .peek: "peek"
      case .pop: "pop"
      case .peekEnded: "peekEnded"
      case .peekCancelled: "peekCancelled"
      case .ended: "ended"
      case .cancelled: "cancelled"
      }
    }
    let state = state.map(\.rawValue) ?? "over"
    return kinds.isEmpty ? state : "\(state): \(kinds.joined(separator: " "))"
  }

  mutating func reach(_ state: TrackedContact.State) {
    switch state {
    case .unarmed: begin(Self.peek)
    case .armed: begin(Self.below)
    case .peeking:
      begin(Self.below)
      press(Self.peek)
    case .popped:
      begin(Self.below)
      press(Self.pop)
    case .spent:
      begin(Self.below)
      press(Self.peek)
      press(Self.peek, beside: .began)
      press(Self.peek, beside: .ended)
    }
    said.removeAll()
  }

  mutating func play(_ happening: TransitionTests.Happening, _ way: Int) {
    switch happening {
    case .below: press(Self.below)
    case .peek: press(Self.peek)
    case .pop: press(Self.pop)
    case .belowBeside: press(Self.below, beside: .began)
    case .popBeside: press(Self.pop, beside: .began)
    case .palm:
      contact.tool = .palm
      press(Self.pop)
    case .pen:
      contact.tool = .other
      press(Self.pop)
    case .nowhere:
      contact.position = nil
      press(Self.pop)
    case .resynchronized: press(Self.pop, isResynchronized: true)
    case .strayed, .moving:
      contact.position = Position(x: 200, y: 100)
      press(Self.pop)
    case .rested, .dragged:
      if happening == .dragged { frame(isButtonHeld: true) }
      contact.position = Position(x: 200, y: 100)
      press(Self.pop, isButtonHeld: happening == .dragged)
      time = recognizer.deadline ?? time + .milliseconds(1000)
      recognizer.timeout(at: time, into: &said)
    case .lift:
      contact.phase = .ended
      frame()
    case .cancellation:
      if way == 0 {
        recognizer.cancel(.suspended, at: time, into: &said)
      } else {
        contact.phase = .cancelled(.dropped)
        frame()
      }
    }
  }

  private mutating func begin(_ pressure: Int32) {
    contact.rawPressure = pressure
    frame()
    contact.phase = .stayed
  }

  private mutating func press(
    _ pressure: Int32, beside other: Contact.Phase? = nil, isResynchronized: Bool = false,
    isButtonHeld: Bool = false
  ) {
    contact.rawPressure = pressure
    frame(beside: other, isResynchronized: isResynchronized, isButtonHeld: isButtonHeld)
  }

  private mutating func frame(
    beside other: Contact.Phase? = nil, isResynchronized: Bool = false, isButtonHeld: Bool = false
  ) {
    time = time + .milliseconds(8)
    var frame = ContactFrame(
      time: time, isResynchronized: isResynchronized, isButtonHeld: isButtonHeld,
      contacts: [contact])
    if let other {
      frame.contacts.append(
        Contact(
          id: ContactID(rawValue: 2), slot: 1, phase: other, position: Position(x: 500, y: 500),
          rawPressure: 0))
    }
    recognizer.process(frame, into: &said)
  }
}
