import ForceTouchModel

/// What Android's `getevent` prints: with labels (`-l`) or numbers in hexadecimal, with or without
/// time stamps (`-t`), with or without the device in front. It describes no device.
struct GeteventRecording: EventSource {
  private let file: InputFile
  private var lines: LineReader
  private var labels = Labels()
  private var device = Device.unknown
  private var hasBegun = false
  /// Without time stamps frames are taken to be this far apart.
  private static let frameInterval = Interval.milliseconds(10)
  private var time = Timestamp.zero
  private var brokenLines = 0
  var skippedLines: Int { brokenLines + lines.overlongLines }

  /// Of several devices one is played.
  private enum Device {
    case unknown
    /// Nothing stands in front of the events, or no device has an axis.
    case any
    case named([UInt8])
  }

  init(_ file: InputFile) {
    self.file = file
    lines = LineReader(file)
  }

  static func recognizes(_ line: ArraySlice<UInt8>) -> Bool {
    var labels = Labels()
    return parse(line, &labels) != nil
  }

  func readDescription() throws(RecordingError) -> DeviceDescription? { nil }

  mutating func nextEvent() throws(RecordingError) -> InputEvent? {
    if case .unknown = device { try chooseDevice() }
    while let line = try lines.next() {
      let line = line.unquoted
      guard let parsed = Self.parse(line, &labels) else {
        if hasBegun && !line.isEmpty && !Self.isNotice(line) { brokenLines += 1 }
        continue
      }
      hasBegun = true
      if case .named(let device) = device, let name = parsed.device, !name.elementsEqual(device) {
        continue
      }
      var event = parsed.event
      if !parsed.hasTime {
        event.time = time
        if event.type == EventType.synchronization && event.code == SynchronizationCode.report {
          time = time + Self.frameInterval
        }
      }
      return event
    }
    return nil
  }

  /// The first device that sends contacts, or the first that sends any axis.
  private mutating func chooseDevice() throws(RecordingError) {
    device = .any
    while let line = try lines.next() {
      guard let parsed = Self.parse(line.unquoted, &labels) else { continue }
      guard let name = parsed.device else { break }
      guard parsed.event.type == EventType.absolute else { continue }
      if case .any = device { device = .named(Array(name)) }
      if (AxisCode.slot...AxisCode.distance).contains(parsed.event.code) {
        device = .named(Array(name))
        break
      }
    }
    try file.rewind()
    lines = LineReader(file)
  }

  /// What it says of devices that come, are there and go.
  private static func isNotice(_ line: ArraySlice<UInt8>) -> Bool {
    line.starts(with: "add device") || line.starts(with: "remove device")
      || line.starts(with: "name:") || line.starts(with: "could not get")
  }

  private struct Parsed {
    var event: InputEvent
    var hasTime: Bool
    var device: ArraySlice<UInt8>?
  }

  private static func parse(_ line: ArraySlice<UInt8>, _ labels: inout Labels) -> Parsed? {
    var scanner = Scanner(line)
    var time: Timestamp?
    if scanner.take("[") {
      time = scanner.time()
      guard time != nil else { return nil }
      scanner.skipSpace()
      guard scanner.take("]") else { return nil }
    }
    var device: ArraySlice<UInt8>?
    scanner.skipSpace()
    if scanner.next == UInt8(ascii: "/") {
      let word = scanner.word()
      guard word.last == UInt8(ascii: ":") else { return nil }
      device = word.dropLast()
    }
    let typeWord = scanner.word()
    let codeWord = scanner.word()
    let valueWord = scanner.word()
    guard let type = labels.type(typeWord), let code = labels.code(codeWord, type: type),
      let value = value(valueWord)
    else { return nil }
    return Parsed(
      event: InputEvent(time: time ?? .zero, type: type, code: code, value: value),
      hasTime: time != nil, device: device)
  }

  /// Hexadecimal, 32 bits in two's complement, or a word for a key or a tool.
  private static func value(_ word: ArraySlice<UInt8>) -> Int32? {
    if let number = hexadecimal(word, digits: 8) { return Int32(truncatingIfNeeded: number) }
    for (label, value) in values where word.elementsEqual(label.utf8) { return value }
    return nil
  }

  private static let values: [(label: String, value: Int32)] = [
    ("UP", 0), ("DOWN", 1), ("REPEAT", 2),
    ("MT_TOOL_FINGER", 0), ("MT_TOOL_PEN", 1), ("MT_TOOL_PALM", 2), ("MT_TOOL_DIAL", 10),
  ]
}

/// Exactly so many hexadecimal digits.
private func hexadecimal(_ word: ArraySlice<UInt8>, digits: Int) -> Int64? {
  guard word.count == digits else { return nil }
  var scanner = Scanner(word)
  guard let value = scanner.hexadecimal(), scanner.isAtEnd else { return nil }
  return value
}

/// The numbers behind the labels of types and codes; each label is looked up once.
private struct Labels {
  private var known: [ArraySlice<UInt8>: UInt16] = [:]
  private static let maximumCount = 256

  mutating func type(_ word: ArraySlice<UInt8>) -> UInt16? {
    if let number = hexadecimal(word, digits: 4) { return UInt16(exactly: number) }
    guard word.starts(with: "EV_") else { return nil }
    return number(word) { EventType.named($0) }
  }

  mutating func code(_ word: ArraySlice<UInt8>, type: UInt16) -> UInt16? {
    if let number = hexadecimal(word, digits: 4) { return UInt16(exactly: number) }
    // A key we have no name for is an event all the same, of no touch device's code.
    guard word.contains("_") else { return nil }
    return number(word) { CodeNames.code(type: type, name: $0) ?? .max }
  }

  private mutating func number(
    _ word: ArraySlice<UInt8>, lookUp: (String) -> UInt16?
  ) -> UInt16? {
    if let number = known[word] { return number }
    guard let number = lookUp(String(decoding: word, as: UTF8.self)) else { return nil }
    // A copy: the word is part of a buffer that changes.
    if known.count < Self.maximumCount { known[ArraySlice(Array(word))] = number }
    return number
  }
}
