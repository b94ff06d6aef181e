import Testing

@testable import ForceTouchDoctor

/// The files of libinput's quirks: what is read, and what libinput refuses.
@Suite struct QuirksFileTests {
  @Test func aSectionHasConditionsAndValuesWithTheirLines() throws {
    let file = try QuirksFile(
      name: "a.quirks",
      text: """
        # Do not edit

        [Some pad]  # a comment
        MatchBus=usb
        MatchName=*Pad = 2*
        AttrPalmPressureThreshold=190
        ModelPressurePad=1
        [Another]
        MatchVendor=0x05AC
        AttrSizeHint=10x10
        """)
    #expect(file.sections.count == 2)
    #expect(
      file.sections[0].conditions == [
        .init(key: "MatchBus", text: "usb", place: Place(file: "a.quirks", line: 4)),
        .init(key: "MatchName", text: "*Pad = 2*", place: Place(file: "a.quirks", line: 5)),
      ])
    #expect(
      file.sections[0].values.map(\.key) == ["AttrPalmPressureThreshold", "ModelPressurePad"])
    #expect(file.sections[1].values.map(\.place.line) == [10])
  }

  @Test(
    arguments: [
      ("MatchBus=usb\n", 1, "before the first [section]"),
      ("[A\nMatchBus=usb\nModelX=1\n", 1, "] is missing"),
      ("[A]\n MatchBus=usb\nModelX=1\n", 2, "no space"),
      ("[A]\nMatchBus=usb \nModelX=1\n", 2, "no space"),
      ("[A]\nMatchBus\n", 2, "Name=value"),
      ("[A]\nMatchBus=\n", 2, "Name=value"),
      ("[A]\nMatchName=\"Pad\"\n", 2, "quotation marks"),
      ("[A]\nModelX=1\n", 2, "begins with Match"),
      ("[A]\nMatchBus=usb\nModelX=1\nMatchVendor=0x1\n", 4, "before all others"),
      ("[A]\nMatchBus=usb\nMatchBus=i2c\nModelX=1\n", 3, "twice"),
      ("[A]\nMatchBus=usb\n[B]\n", 3, "needs a Match line and a value"),
      ("[A]\nMatchBus=usb\nAttrPalmPressureThreshold=soft\n", 3, "a number"),
      ("# nothing\n", 2, "there is no [section]"), ("", 1, "there is no [section]"),
    ])
  func whatLibinputRefusesHasItsLine(text: String, line: Int, problem: String) throws {
    do {
      _ = try QuirksFile(name: "a", text: text)
      Issue.record("it was taken")
    } catch {
      #expect(error.place == Place(file: "a", line: line))
      #expect(error.text.contains(problem), "\(error)")
    }
  }

  @Test func anythingElseIsSurvived() {
    var generator = SystemRandomNumberGenerator()
    let pieces = ["[", "]", "=", "#", "\n", " ", "Match", "Attr", "\u{0}", "ä", "\r", "\"", "x"]
    for _ in 0..<2000 {
      let text = (0..<Int.random(in: 0...40, using: &generator))
        .map { _ in pieces.randomElement(using: &generator)! }.joined()
      if let file = try? QuirksFile(name: "a", text: text) {
        #expect(file.sections.allSatisfy { !$0.conditions.isEmpty && !$0.values.isEmpty })
      }
    }
  }
}
