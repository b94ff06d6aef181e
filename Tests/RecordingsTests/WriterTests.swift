import ForceTouchModel
import ForceTouchRecordings
import TestSupport
import Testing

/// What a recording becomes when it is written and read again.
func rewritten(
  _ description: DeviceDescription, _ frames: [Frame],
  as format: RecordingWriter.Format = .libinput
) throws -> Contents {
  var bytes: [UInt8] = []
  var writer = try RecordingWriter(
    format, description: description, kernel: "6.12 \"x\"", remarks: ["mind:\nN: this", "- [ x"]
  ) { bytes.append(contentsOf: $0) }
  for frame in frames { try writer.append(frame) }
  return try Contents(bytes)
}

@Suite("The writer of recordings")
struct WriterTests {
  @Test("writes what reads back the same, for random devices and frames")
  func roundTrip() throws {
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<100 {
      let description = DeviceDescription.random(using: &generator)
      let frames = (0..<Int.random(in: 0...20, using: &generator)).map { _ in
        Frame.random(using: &generator)
      }
      for format in RecordingWriter.Format.allCases {
        let contents = try rewritten(description, frames, as: format)
        #expect(contents.format == (format == .evemu ? .evemu : .libinput))
        #expect(contents.description == description.kept(by: format))
        #expect(contents.frames == frames)
        #expect(contents.skippedLines == 0)
        #expect(!contents.endsMidFrame)
      }
    }
  }

  @Test(
    "keeps any name",
    arguments: [
      "", " ", "\"quoted\\\"", "tab\tline\nreturn\r\u{0}", "é ® 触摸 👆🏽",
      "\u{85}\u{2028}\u{feff}\u{7f}\u{9f}",
      "# no comment", "- [1, 2]", "```", "> quoted", "key: value", "*alias",
    ])
  func names(name: String) throws {
    let device = DeviceDescription(name: name)
    for format in RecordingWriter.Format.allCases {
      let read = try rewritten(device, [], as: format).description
      #expect(read.name == device.kept(by: format).name)
    }
  }

  @Test(
    "keeps the times of clocks that are far off",
    arguments: [
      "99999999999999.000001", "-99999999999999.000001", "1099511627776.999999", "-0.5",
      "-1099511627776.999999",
    ])
  func farTimes(time: String) throws {
    let contents = try Contents("# EVEMU 1.3\nE: \(time) 0003 003a 1\nE: \(time) 0000 0000 0\n")
    try #require(contents.frames.count == 1)
    for format in RecordingWriter.Format.allCases {
      let again = try rewritten(contents.description, contents.frames, as: format)
      #expect(again.frames == contents.frames)
    }
  }

  @Test("has its file whole after every frame", arguments: RecordingWriter.Format.allCases)
  func wholeness(format: RecordingWriter.Format) throws {
    var bytes: [UInt8] = []
    var sizes: [Int] = []
    var generator = SeededGenerator(seed: 3)
    let frames = (0..<10).map { _ in Frame.random(using: &generator) }
    var writer = try RecordingWriter(format, description: DeviceDescription(), kernel: "") {
      bytes.append(contentsOf: $0)
      sizes.append(bytes.count)
    }
    for frame in frames { try writer.append(frame) }
    #expect(sizes.count == 11)
    for (count, size) in sizes.enumerated() {
      #expect(try Contents(Array(bytes[..<size])).frames == Array(frames[..<count]))
    }
  }

  @Test("passes on what the file system says, at the head and later")
  func errors() throws {
    struct DiskFull: Error, Equatable {}
    #expect(throws: DiskFull()) {
      try RecordingWriter(description: DeviceDescription(), kernel: "") { _ in
        throw DiskFull()
      }
    }
    var room = 1
    var writer = try RecordingWriter(description: DeviceDescription(), kernel: "") { _ in
      room -= 1
      if room < 0 { throw DiskFull() }
    }
    #expect(throws: DiskFull()) { try writer.append(Frame()) }
  }

  @Test("writes the lines that libinput record writes")
  func lines() throws {
    let sample = try Contents(Sample.libinput)
    var text = ""
    var writer = try RecordingWriter(description: sample.description, kernel: "6.12") {
      text += String(decoding: $0, as: UTF8.self)
    }
    for frame in sample.frames { try writer.append(frame) }
    let lines = text.split(separator: "\n").map { $0.drop { $0 == " " } }
    for line in [
      "version: 1", "ndevices: 1", "id: [3, 1452, 613, 272]", "1: [272, 325, 330] # EV_KEY",
      "53: [-3678, 3934, 4, 0, 46]", "properties: [0, 2]", "- ID_INPUT_TOUCHPAD=1",
      "- [  1, 200000,   3,  58,      65] # EV_ABS / ABS_MT_PRESSURE 65",
      "- [  1, 208000,   0,   0,       0] # ------------ SYN_REPORT (0) ---------- +8ms",
    ] {
      #expect(lines.contains { $0 == line }, "\(line)")
    }
  }

  @Test("writes the lines that evemu-record writes")
  func evemuLines() throws {
    let sample = try Contents(Sample.evemuDescription + Sample.evemuEvents)
    var text = ""
    var writer = try RecordingWriter(
      .evemu, description: sample.description, kernel: "6.12", remarks: ["mind it"]
    ) { text += String(decoding: $0, as: UTF8.self) }
    for frame in sample.frames { try writer.append(frame) }
    let lines = text.split(separator: "\n")
    #expect(lines.first == "# EVEMU 1.3")
    #expect(lines.contains("# mind it"))
    for line in Sample.evemuDescription.split(separator: "\n") { #expect(lines.contains(line)) }
    for line in [
      "E: 1.200000 0003 003a 65 # EV_ABS / ABS_MT_PRESSURE 65",
      "E: 1.208000 0000 0000 0 # ------------ SYN_REPORT (0) ---------- +8ms",
    ] {
      #expect(lines.contains { $0 == line }, "\(line)")
    }
  }
}

extension DeviceDescription {
  /// What a format has a place for.
  fileprivate func kept(by format: RecordingWriter.Format) -> DeviceDescription {
    guard format == .evemu else { return self }
    var kept = self
    kept.node = nil
    kept.udevClass = nil
    let oneLine = String(
      String.UnicodeScalarView(
        name.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
    let isSpace: (Unicode.Scalar) -> Bool = { $0 == " " }
    let start = oneLine.unicodeScalars.drop(while: isSpace)
    let end = String.UnicodeScalarView(start.reversed().drop(while: isSpace).reversed())
    kept.name = end.isEmpty ? "unnamed" : String(end)
    return kept
  }

  static func random(using generator: inout SeededGenerator) -> DeviceDescription {
    var description = DeviceDescription(
      name: String(
        (0..<Int.random(in: 0...12, using: &generator)).map { _ in
          Character(Unicode.Scalar(UInt8.random(in: 0...255, using: &generator)))
        }),
      bus: Bus(rawValue: .random(in: 0...UInt16.max, using: &generator)),
      vendor: .random(in: 0...UInt16.max, using: &generator),
      product: .random(in: 0...UInt16.max, using: &generator),
      version: .random(in: 0...UInt16.max, using: &generator),
      udevClass: [nil, .other, .touch(.trackpad), .touch(.touchscreen)]
        .randomElement(using: &generator) ?? nil,
      node: Bool.random(using: &generator) ? "/dev/input/event7" : nil)
    for _ in 0..<Int.random(in: 0...8, using: &generator) {
      description.keys.insert(.random(in: 0...0x2ff, using: &generator))
      description.properties.insert(.random(in: 0...0x1f, using: &generator))
      description.axes[.random(in: 0...0x3f, using: &generator)] = Axis(
        minimum: .random(in: .min ... .max, using: &generator),
        maximum: .random(in: .min ... .max, using: &generator),
        fuzz: .random(in: .min ... .max, using: &generator),
        flat: .random(in: .min ... .max, using: &generator),
        resolution: .random(in: .min ... .max, using: &generator))
    }
    return description
  }
}

extension Frame {
  static func random(using generator: inout SeededGenerator) -> Frame {
    let time = Timestamp(microseconds: .random(in: -5_000_000...(1 << 52), using: &generator))
    var frame = Frame(time: time, isResynchronized: .random(using: &generator))
    for _ in 0..<Int.random(in: 0...12, using: &generator) {
      let isReport = Int.random(in: 0..<8, using: &generator) == 0
      frame.events.append(
        InputEvent(
          time: Timestamp(microseconds: .random(in: -5_000_000...(1 << 52), using: &generator)),
          type: isReport ? 0 : .random(in: 1...0x1f, using: &generator),
          code: isReport ? 2 : .random(in: 0...UInt16.max, using: &generator),
          value: .random(in: .min ... .max, using: &generator)))
    }
    return frame
  }
}
