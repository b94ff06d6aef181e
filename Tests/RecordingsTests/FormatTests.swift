import ForceTouchModel
import ForceTouchRecordings
import TestSupport
import Testing

@Suite("Every format")
struct FormatTests {
  @Test("is known by its content and gives the same frames", arguments: Sample.all)
  func frames(format: Recording.Format, text: String) throws {
    let contents = try Contents(text)
    #expect(contents.format == format)
    #expect(contents.events == Sample.events)
    #expect(contents.times == [1_200_000, 1_208_000])
    #expect(contents.skippedLines == 0)
    #expect(!contents.endsMidFrame)
  }

  @Test("gives the same description, but for what it does not say")
  func descriptions() throws {
    var expected = try Contents(Sample.libinput).description
    #expect(expected.name == "A pad")
    #expect(expected.bus == .usb)
    #expect((expected.vendor, expected.product, expected.version) == (0x5ac, 0x265, 0x110))
    #expect(expected.keys == [0x110, 0x145, 0x14a])
    #expect(expected.properties == [0, 2])
    #expect(expected.axes.count == 7)
    #expect(
      expected.axes[0x35]
        == Axis(minimum: -3678, maximum: 3934, fuzz: 4, flat: 0, resolution: 46))
    #expect(expected.udevClass == .touch(.trackpad))
    #expect(expected.node == "/dev/input/event9")
    #expect(!expected.isInferred)
    expected.udevClass = nil
    expected.node = nil
    #expect(try Contents(Sample.evemuDescription).description == expected)
    #expect(try Contents(Sample.evtestDescription).description == expected)
    let getevent = try Contents(Sample.getevent).description
    #expect(getevent.isInferred)
    #expect(
      getevent.axes == [
        0x35: Axis(minimum: 100, maximum: 100),
        0x39: Axis(minimum: 7, maximum: 7), 0x3a: Axis(minimum: 65, maximum: 65),
      ])
    #expect(getevent.keys == [0x14a])
  }

  @Test("may end its lines with CRLF or without any", arguments: Sample.all)
  func lineEnds(format: Recording.Format, text: String) throws {
    let expected = try Contents(text)
    let windows = text.split(separator: "\n", omittingEmptySubsequences: false).joined(
      separator: "\r\n")
    for variant in [windows, String(text.dropLast()), "\u{feff}" + text, "\n\n" + text] {
      let contents = try Contents(variant)
      #expect(contents.frames == expected.frames)
      #expect(contents.skippedLines == 0)
    }
  }

  @Test("survives a mail's quotation marks and Markdown's indentation", arguments: Sample.all)
  func quoting(format: Recording.Format, text: String) throws {
    let expected = try Contents(text)
    for prefix in ["> ", "> > ", "    ", "\t"] {
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      let contents = try Contents(lines.map { prefix + $0 }.joined(separator: "\n"))
      #expect(contents.frames == expected.frames)
      #expect(contents.description.axes == expected.description.axes)
    }
  }

  @Test("may come with its description in a second file of any format")
  func secondFile() throws {
    let events = try TemporaryFile(Sample.getevent)
    for (format, text) in Sample.all where format != .getevent {
      let description = try TemporaryFile(text)
      let contents = try Contents(path: events.path, descriptionPath: description.path)
      #expect(contents.format == .getevent)
      #expect(contents.description.name == "A pad")
      #expect(!contents.description.isInferred)
      #expect(contents.events == Sample.events)
    }
    let error = RecordingError(
      path: events.path,
      problem: "describes no device; give the output of evemu-describe, for example")
    #expect(throws: error) { try Recording(path: events.path, descriptionPath: events.path) }
  }

  @Test("cut off at any byte gives whole frames only, the first ones", arguments: Sample.all)
  func truncation(format: Recording.Format, text: String) throws {
    let bytes = Array(text.utf8)
    let frames = try Contents(bytes).frames
    for length in 0..<bytes.count {
      do {
        let contents = try Contents(Array(bytes[..<length]))
        #expect(contents.frames.count <= frames.count)
        #expect(contents.frames[...] == frames.prefix(contents.frames.count))
      } catch let error as RecordingError {
        // So little that no format shows, or not all of the description.
        #expect(!error.problem.isEmpty)
        #expect(length < 200, "\(error)")
      }
    }
  }

  @Test("never traps, whatever the bytes", arguments: Sample.all)
  func mutations(format: Recording.Format, text: String) throws {
    let original = Array(text.utf8)
    let hostile = ["9223372036854775808", "-9223372036854775808", "1e999", "ffffffffff", "[", "\0"]
    var generator = SeededGenerator(seed: UInt64(original.count))
    for _ in 0..<150 {
      var bytes = original
      for _ in 0..<Int.random(in: 1...8, using: &generator) {
        let index = Int.random(in: 0..<bytes.count, using: &generator)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: bytes[index] = .random(in: 0...255, using: &generator)
        case 1: bytes.remove(at: index)
        case 2:
          bytes.insert(contentsOf: (hostile.randomElement(using: &generator) ?? "").utf8, at: index)
        default:
          let end = min(bytes.count, index + Int.random(in: 1...200, using: &generator))
          bytes.append(contentsOf: bytes[index..<end])
        }
      }
      _ = try? Contents(bytes)
    }
  }

  @Test(
    "keeps numbers in bounds, or counts the line",
    arguments: [
      "9223372036854775808", "-9223372036854775809", "99999999999999999999999999", "1e999", "nan",
      "",
    ])
  func absurdNumbers(number: String) throws {
    let lines = [
      "E: \(number) 0003 003a \(number)\nE: 1.0 \(number) 003a 1\nE: 1.0 0003 \(number) 1\n"
        + "E: 1.5 0000 0000 0\n",
      "Event: time \(number), type 3 (EV_ABS), code 58 (x), value \(number)\n"
        + "Event: time 1.0, type \(number) (EV_ABS), code \(number) (x), value 1\n"
        + "Event: time 1.5, -------------- SYN_REPORT ------------\n",
      "[ \(number)] 0003 003a 00000001\n[ 1.0] 0003 003a \(number)\n[ 1.5] 0000 0000 00000000\n",
      "devices:\n- node: x\n  events:\n  - evdev:\n    - [\(number), \(number), 3, 58, \(number)]\n"
        + "    - [1, 0, \(number), 58, 1]\n    - [1, 500000, 0, 0, 0]\n",
    ]
    for text in lines {
      let contents = try Contents(text)
      #expect(contents.times == [1_500_000], "\(text)")
      for event in contents.frames.flatMap(\.events) {
        #expect(abs(event.time.microseconds) < 1 << 61)
      }
    }
  }
}
