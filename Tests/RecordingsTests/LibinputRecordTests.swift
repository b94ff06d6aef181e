import ForceTouchModel
import ForceTouchRecordings
import Testing

@Suite("A libinput recording")
struct LibinputRecordTests {
  /// The sample with one text in the place of another.
  private func sample(_ old: String, _ new: String) throws -> String {
    try #require(Sample.libinput.contains(old))
    return Sample.libinput.replacing(old, with: new, maxReplacements: 1)
  }

  @Test("may have a line above, comments, a document's start, and a Markdown fence around")
  func surroundings() throws {
    for text in [
      "Recording to 'recording.yml'.\n" + Sample.libinput, "# libinput record\n" + Sample.libinput,
      "---\n" + Sample.libinput, "Here it is:\n```yaml\n" + Sample.libinput + "```\n",
    ] {
      #expect(try Contents(text) == Contents(Sample.libinput))
    }
  }

  @Test("may have its devices in a list that is indented")
  func indented() throws {
    let lines = Sample.libinput.split(separator: "\n", omittingEmptySubsequences: false)
    let text =
      lines.prefix(3).joined(separator: "\n") + "\n"
      + lines.dropFirst(3).map { "  " + $0 }.joined(separator: "\n")
    #expect(try Contents(text) == Contents(Sample.libinput))
  }

  @Test("may have a TAB, HID reports and libinput's events between")
  func between() throws {
    let text = try sample(
      "  events:\n",
      """
        hid: [0x05, 0x0d,
          0x09, 0x05]
        quirks:
        - ModelAppleTouchpad=1
        libinput:
          size: [97, 68]
          capabilities: [pointer, gesture]
        events:
        - hid:
           time: [ 0, 0]
      \t hidraw0: [1, 2, 3, 4, 5]
        - libinput:
          - {time: 1.190000, type: POINTER_MOTION, delta: [  1.00,   2.00], unaccel: [1, 2]}

      """)
    #expect(try Contents(text) == Contents(Sample.libinput))
  }

  @Test("may lack udev, and be of a device that is no touch device")
  func noUdev() throws {
    let text = try sample(
      """
        udev:
          properties:
          - ID_INPUT=1
          - ID_INPUT_TOUCHPAD=1

      """, "")
    let contents = try Contents(text)
    #expect(contents.description.udevClass == nil)
    #expect(contents.events == Sample.events)
    let mouse = try sample("ID_INPUT_TOUCHPAD", "ID_INPUT_MOUSE")
    #expect(try Contents(mouse).description.udevClass == .other)
  }

  @Test("of several devices gives the first touch device")
  func severalDevices() throws {
    let mouse = """
      - node: /dev/input/event3
        evdev:
          name: "A mouse"
          id: [3, 1, 2, 3]
          codes:
            1: [272, 273] # EV_KEY
          properties: []
        udev:
          properties:
          - ID_INPUT_MOUSE=1
        events:
        - evdev:
          - [  0,      0,   2,   0,       5] # EV_REL / REL_X                  5
          - [  0,      0,   0,   0,       0] # ------------ SYN_REPORT (0) ---------- +0ms

      """
    let text = try sample("devices:\n", "devices:\n" + mouse)
    #expect(try Contents(text) == Contents(Sample.libinput))
    #expect(try Contents(Sample.libinput + mouse) == Contents(Sample.libinput))
    #expect(
      try Contents(Sample.libinput + "- node: x\n  evdev: ...\n") == Contents(Sample.libinput))
    let alone = try Contents("devices:\n" + mouse)
    #expect(alone.description.name == "A mouse")
    #expect(alone.events == [[[2, 0, 5]]])
  }

  @Test("may be a fragment that begins in the middle")
  func fragment() throws {
    let contents = try Contents(
      """
       - evdev:
          - [  2, 300309,   3,  58,      70] # EV_ABS / ABS_MT_PRESSURE          70 (-14)
          - [  2, 300309,   0,   0,       0] # ------------ SYN_REPORT (0) ---------- +49ms
       - evdev:
          - [102, 300309,   0,   0,       1] # ------------ SYN_REPORT (1) ---------- +49ms

      """)
    #expect(contents.events == [[[3, 58, 70]], []])
    #expect(contents.times == [2_300_309, 102_300_309])
    #expect(contents.description.isInferred)
  }

  @Test("may have events in any YAML, and a name in Latin-1")
  func otherYAML() throws {
    let text = try sample(
      "    - [  1, 200000,   3,  58,      65] #", "    - [1,\n       200000, 3, 58, 65] #")
    #expect(try Contents(text).frames == Contents(Sample.libinput).frames)
    let bytes = try sample("A pad", "Caf~").utf8.map { $0 == UInt8(ascii: "~") ? 0xe9 : $0 }
    #expect(try Contents(bytes).description.name == "Café")
  }

  @Test("that is wrong in the middle plays up to there and names the line")
  func wrong() throws {
    let text = Sample.libinput + "  - evdev:\n   ]\n  - evdev:\n    - [2, 0, 0, 0, 0]\n"
    let file = try TemporaryFile("Recording to x.\n" + text)
    let recording = try Recording(path: file.path)
    var frame = Frame()
    #expect(try recording.nextFrame(into: &frame))
    #expect(try recording.nextFrame(into: &frame))
    let line = text.split(separator: "\n").count - 1
    #expect {
      try recording.nextFrame(into: &frame)
    } throws: { error in
      (error as? RecordingError)?.line == line
    }
  }

  @Test("counts events that are not five numbers")
  func broken() throws {
    let text = try sample("[  1, 200000,   3,  53,     100]", "[  1, 200000,   3,  53]")
    let contents = try Contents(text)
    #expect(contents.frames.map(\.events.count) == [3, 2])
    #expect(contents.skippedLines == 1)
  }
}
