import ForceTouchModel
import ForceTouchProtocol
import Testing

@testable import ForceTouchScreen

@Suite struct LayoutTests {
  private func position(_ word: String, in line: String) -> Int? {
    line.firstRange(of: word).map { line.distance(from: line.startIndex, to: $0.lowerBound) }
  }

  @Test(arguments: [(20, 72), (24, 80), (40, 120), (60, 250), (25, 300), (100, 72)])
  func everySizeHasAllParts(rows: Int, columns: Int) {
    var touches = Touches()
    touches.press(10, 60, 100, 160)
    let page = touches.page(rows: rows, columns: columns)
    #expect(page.count == rows)
    #expect(page.allSatisfy { $0.unicodeScalars.count == columns })
    let text = page.joined(separator: "\n")
    for part in [
      "d1 Pad", "160 × 100 mm", "#1  pop", "force 8.00 of 10.00", "raw 160", "force, the last",
      "events", "began", "peek", "a second", "latency: half within 1.0 ms", "quit",
    ] {
      #expect(text.contains(part), "\(part) is missing in\n\(text)")
    }
  }

  @Test(arguments: [(0, 0), (1, 1), (19, 72), (20, 71), (5, 300)])
  func aScreenThatIsTooSmallSaysWhatItNeeds(rows: Int, columns: Int) {
    let page = Touches().page(rows: rows, columns: columns)
    #expect(page.count == rows)
    if rows > 2, columns > 60 { #expect(page[1].contains("needs 72×20")) }
  }

  @Test func thePadHasTheProportionsOfTheDevice() throws {
    let page = Touches().page(rows: 40, columns: 120)
    let frame = page.filter { $0.hasPrefix(" │") }
    let width = try #require(frame.first?.dropFirst(2).firstIndex(of: "│"))
    let columns = frame[0].distance(from: frame[0].startIndex, to: width) - 2
    // A cell is twice as high as wide.
    let ratio = Double(columns) / Double(frame.count * 2)
    #expect(abs(ratio - 1.6) < 0.15)
  }

  @Test func aSpotStandsWhereTheFingerIsAndGrowsWithForce() {
    var touches = Touches()
    touches.press(10)
    func spot() -> (count: Int, column: Double) {
      var (count, sum) = (0, 0)
      for line in touches.page(rows: 40, columns: 120) where line.hasPrefix(" │") {
        for (column, character) in line.prefix(52).enumerated() where "█▀▄".contains(character) {
          count += 1
          sum += column
        }
      }
      return (count, Double(sum) / Double(max(1, count)))
    }
    let light = spot()
    touches.press(60, 160)
    let hard = spot()
    #expect(light.count >= 1)
    #expect(hard.count > 10 * light.count)
    // A quarter of the way across.
    #expect(abs(hard.column - light.column) < 2)
    #expect(hard.column > 8 && hard.column < 18)
  }

  @Test func theMarksStandUnderTheirNames() throws {
    let page = Touches().page()
    let names = try #require(page.firstIndex { $0.contains("hint") && $0.contains("10.00") })
    let track = Array(page[names + 1])
    for (word, part) in [("hint", 0.25), ("peek", 0.4), ("pop", 0.75)] {
      let start = try #require(position(word, in: page[names]))
      let mark = try #require(
        (start...start + word.count).first { "│┊".contains(track[$0]) }, "\(word)")
      let first = try #require(track.firstIndex(of: "·"))
      let last = try #require(track.lastIndex(of: "·"))
      #expect(abs(Double(mark - first) / Double(last - first) - part) < 0.03)
    }
  }

  @Test func manyContactsAreCounted() {
    var touches = Touches()
    for contact in 1...30 as ClosedRange<UInt32> {
      let event = ContactEvent(kind: .began, contact: ContactID(rawValue: contact), time: .zero)
      touches.take(.init(event: EventMessage(event, device: "d1")))
    }
    #expect(touches.page().contains { $0.contains("and 26 more") || $0.contains("and 27 more") })
  }

  @Test func peekAndPopAreNamedUnderTheirTimes() {
    var touches = Touches()
    touches.press(10, 60, 100)
    touches.wait(milliseconds: 300)
    touches.press(160)
    #expect(touches.page().contains { $0.contains("peek↑") && $0.contains("↑pop") })
  }

  @Test func withoutAProfileRawPressureIsShown() {
    var state = MonitorState(judge: Touches.judge)
    let device = DeviceMessage(
      device: "d1", description: Touches.description, kind: .trackpad, capability: .unknown,
      reason: .undescribed)
    state.take(.init(added: device), at: .zero)
    var event = EventMessage(
      ContactEvent(
        kind: .began, contact: ContactID(rawValue: 1), time: .zero,
        position: Position(x: 1, y: 1), rawPressure: 126), device: "d1")
    state.take(.init(event: event), at: .zero)
    let page = state.page(rows: 24, columns: 80, at: .zero)
    let text = (0..<24).map(page.text(ofRow:)).joined(separator: "\n")
    #expect(text.contains("unknown: nobody has described"))
    #expect(text.contains("raw 126"))
    #expect(!text.contains("peek"))
    #expect(!text.contains("of 0"))
    event.event = .ended
    state.take(.init(event: event), at: .zero)
    let after = state.page(rows: 24, columns: 80, at: .zero)
    #expect((0..<24).contains { after.text(ofRow: $0).contains("hardest  50 % of its range") })
  }

  @Test func gramsComeWithTheirUncertainty() {
    var touches = Touches()
    var event = EventMessage(
      ContactEvent(
        kind: .began, contact: ContactID(rawValue: 9), time: .zero, rawPressure: 120,
        force: ForceSample(pressure: 0.6, force: 6, grams: Grams(raw: 120, resolution: 1))),
      device: "d1")
    event.grams = 120
    touches.take(.init(event: event))
    #expect(touches.page().contains { $0.contains("120 ± 120 g") })
    #expect(touches.page(isASCII: true).contains { $0.contains("120 ~ 120 g") })
  }

  @Test func lossesAreSaid() {
    var touches = Touches()
    touches.press(10)
    touches.take(.init(coalesced: 12))
    #expect(touches.page().contains { $0.contains("read late 12") })
  }

  @Test func devicesSayWhyTheyDoNotCount() {
    var touches = Touches()
    var description = Touches.description
    // Of the machine that it was recorded on.
    description.node = "/dev/input/event5"
    let other = DeviceMessage(
      device: "d2", description: description, kind: .trackpad, capability: .unavailable,
      reason: .noPressureAxis)
    touches.take(.init(added: other))
    #expect(touches.page()[0].contains("1 of 2 devices"))
    touches.type("d")
    #expect(touches.page().contains { $0.contains("unavailable: it reports no pressure") })
    #expect(touches.page().contains { $0.contains("d2   Pad  a recording") })
  }

  @Test func inASCIINothingElseIsWritten() {
    var touches = Touches()
    touches.press(10, 60, 100, 160)
    for panel in ["", "?"] {
      for key in panel { touches.type(key) }
      #expect(touches.page(isASCII: true).allSatisfy { $0.isASCII })
      #expect(!touches.page(isASCII: true).contains { $0.dropFirst().contains(" ? ?") })
    }
  }
}
