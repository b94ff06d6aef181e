import ForceTouchModel
import ForceTouchRecordings
import Testing

@Suite("An evemu recording")
struct EvemuTests {
  @Test("pads values with zeros, and 0065 is sixty-five, not octal")
  func padding() throws {
    let text = "E: 0.0 0003 003a 0065\nE: 0.0 0003 0036 -001\nE: 0.0 0003 0035 7\nE: 0.0 0 0 0\n"
    #expect(try Contents(text).events == [[[3, 58, 65], [3, 54, -1], [3, 53, 7]]])
  }

  @Test(
    "may be of any version, or of none",
    arguments: ["# EVEMU 1.1\n", "# EVEMU 1.2\n", "# EVEMU 1.3\n", ""])
  func versions(head: String) throws {
    let body = Sample.evemuDescription.split(separator: "\n").dropFirst().joined(separator: "\n")
    let contents = try Contents(head + body + "\n" + Sample.evemuEvents)
    #expect(contents.format == .evemu)
    #expect(contents.description == (try Contents(Sample.evemuDescription).description))
    #expect(contents.events == Sample.events)
  }

  @Test("has no resolution in axes of five fields")
  func fiveFields() throws {
    let contents = try Contents("N: x\nI: 0011 0002 0007 01b1\nA: 3a 0 255 1 2\nA: 35 0 9 3 4 5\n")
    #expect(
      contents.description.axes == [
        0x3a: Axis(minimum: 0, maximum: 255, fuzz: 1, flat: 2, resolution: 0),
        0x35: Axis(minimum: 0, maximum: 9, fuzz: 3, flat: 4, resolution: 5),
      ])
    #expect(contents.frames.isEmpty)
  }

  @Test("may hold A: lines only")
  func axesOnly() throws {
    let contents = try Contents("A: 00 0 100 0 0\nA: 18 0 255 0 0\n")
    #expect(!contents.description.isInferred)
    #expect(contents.description.axes.keys.sorted() == [0x00, 0x18])
  }

  @Test("may hold E: lines only, in uptime or epoch")
  func eventsOnly() throws {
    let text = "E: 1527639381.053997 0003 003a 5\nE: 1527639381.053997 0000 0000 0\n"
    let contents = try Contents(text)
    #expect(contents.times == [1_527_639_381_053_997])
    #expect(contents.description.isInferred)
  }

  @Test("may have a name in Latin-1 or UTF-8")
  func names() throws {
    let rest = Array("\nI: 0003 0001 0002 0003\n".utf8)
    #expect(try Contents(Array("N: Caf".utf8) + [0xe9] + rest).description.name == "Café")
    #expect(try Contents(Array("N: Café ®".utf8) + rest).description.name == "Café ®")
    #expect(try Contents(Array("N: \u{1b}[31m".utf8) + rest).description.name == " [31m")
  }

  @Test("counts lines that are no events")
  func brokenLines() throws {
    let contents = try Contents(
      "E: 0.0 0003 003a 5\nE: 0.0 0003 zz 5\nhello\nE: 1 2\nE: 0.0 0 0 0\n")
    #expect(contents.events == [[[3, 58, 5]]])
    #expect(contents.skippedLines == 3)
  }
}

@Suite("Frames")
struct FrameTests {
  private func contents(_ events: String) throws -> Contents {
    // "time type code value" without the E:
    try Contents(events.split(separator: "\n").map { "E: " + $0 }.joined(separator: "\n"))
  }

  @Test("keep SYN_MT_REPORT and leave SYN_REPORT out; an empty frame is one")
  func multitouchReports() throws {
    let contents = try contents(
      "0.1 3 35 1\n0.1 0 2 0\n0.1 3 35 2\n0.1 0 2 0\n0.1 0 0 0\n0.2 0 2 0\n0.2 0 0 0\n0.3 0 0 0")
    #expect(
      contents.events == [[[3, 53, 1], [0, 2, 0], [3, 53, 2], [0, 2, 0]], [[0, 2, 0]], []])
  }

  @Test("leave out what a drop spoiled, and mark the frame behind it")
  func drops() throws {
    let contents = try contents(
      "0.1 3 35 1\n0.1 0 0 0\n0.2 3 35 2\n0.2 0 3 0\n0.2 3 35 3\n0.2 0 0 0\n0.3 3 35 4\n0.3 0 0 0\n0.4 3 35 5\n0.4 0 0 0"
    )
    #expect(contents.events == [[[3, 53, 1]], [[3, 53, 4]], [[3, 53, 5]]])
    #expect(contents.frames.map(\.isResynchronized) == [false, true, false])
  }

  @Test("have the time of their SYN_REPORT, even if it goes backward")
  func times() throws {
    let contents = try contents("5.000001 3 35 1\n5.5 0 0 0\n4.2 3 35 2\n4.25 0 0 0\n-0.5 0 0 0")
    #expect(contents.times == [5_500_000, 4_250_000, -500_000])
    #expect(contents.frames[0].events[0].time.microseconds == 5_000_001)
  }

  @Test("that are cut off by the end are told, not given; asking again changes nothing")
  func midFrame() throws {
    let file = try TemporaryFile("E: 0.1 3 35 1\nE: 0.1 0 0 0\nE: 0.2 3 35 2\n")
    let recording = try Recording(path: file.path)
    var frame = Frame()
    #expect(try recording.nextFrame(into: &frame))
    for _ in 0..<3 {
      #expect(!(try recording.nextFrame(into: &frame)))
      #expect(frame.events.isEmpty)
      #expect(recording.endsMidFrame)
    }
  }
}
