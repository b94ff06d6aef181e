import ForceTouchModel

/// What Android's `getevent` prints: with labels (`-l`) or numbers in hexadecimal, with or without
/// time stamps (`-t`), with or without the device in front. It describes no device.
struct GeteventRecording: EventSource {
  private var lines: LineReader
  /// Of several devices the one that sent the first axis is played.
  private var device: [UInt8]?
  /// Without time stamps frames are taken to be this far apart.
  private static let frameInterval = Interval.milliseconds(10)
  private var time = Timestamp.zero
  private(set) var skippedLines = 0

  init(_ file: InputFile) { lines = LineReader(file) }

  static func recognizes(_ line: ArraySlice<UInt8>) -> Bool {
    parse(line) != nil
  }

  func readDescription() throws(RecordingError) -> DeviceDescription? { nil }

  mutating func nextEvent() throws(RecordingError) -> InputEvent? {
    while let line = try lines.next() {
      guard let parsed = Self.parse(line.unquoted) else {
        // Blank lines, and what it says of the devices at its start, are no loss.
        if !line.unquoted.isEmpty && !line.contains(":") { skippedLines += 1 }
        continue
      }
      if let name = parsed.device {
        if device == nil && parsed.event.type == EventType.absolute { device = Array(name) }
        if let device, !name.elementsEqual(device) { continue }
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

  private struct Parsed {
    var event: InputEvent
    var hasTime: Bool
    var device: ArraySlice<UInt8>?
  }

  private static func parse(_ line: ArraySlice<UInt8>) -> Parsed? {
    var scanner = Scanner(line)
    var time: (seconds: Int64, microseconds: Int64)?
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
    guard let type = type(typeWord), let code = code(codeWord, type: type),
      let value = value(valueWord)
    else { return nil }
    let stamp = Timestamp(
      seconds: time?.seconds ?? 0, microseconds: time?.microseconds ?? 0)
    return Parsed(
      event: InputEvent(time: stamp, type: type, code: code, value: value),
      hasTime: time != nil, device: device)
  }

  private static func type(_ word: ArraySlice<UInt8>) -> UInt16? {
    if word.starts(with: "EV_") { return EventType.named(word.text) }
    return number(word, digits: 4).flatMap { UInt16(exactly: $0) }
  }

  private static func code(_ word: ArraySlice<UInt8>, type: UInt16) -> UInt16? {
    if let code = number(word, digits: 4) { return UInt16(exactly: code) }
    if let code = CodeNames.code(type: type, name: word.text) { return code }
    // A key we have no name for is an event all the same, of no touch device's code.
    return word.contains("_") ? UInt16.max : nil
  }

  /// Hexadecimal, 32 bits in two's complement, or a key's word.
  private static func value(_ word: ArraySlice<UInt8>) -> Int32? {
    if word.elementsEqual("DOWN".utf8) { return 1 }
    if word.elementsEqual("UP".utf8) { return 0 }
    if word.elementsEqual("REPEAT".utf8) { return 2 }
    return number(word, digits: 8).map { Int32(truncatingIfNeeded: $0) }
  }

  /// Exactly so many hexadecimal digits.
  private static func number(_ word: ArraySlice<UInt8>, digits: Int) -> Int64? {
    guard word.count == digits else { return nil }
    var scanner = Scanner(word)
    guard let value = scanner.hexadecimal(), scanner.isAtEnd else { return nil }
    return value
  }
}
