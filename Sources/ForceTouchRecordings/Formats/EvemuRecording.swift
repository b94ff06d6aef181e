import ForceTouchModel

/// What `evemu-describe` and `evemu-record` print, in all versions: `N:`, `I:`, `P:`, `B:` and
/// `A:` lines describe, `E:` lines are events. Either kind may be missing.
struct EvemuRecording: EventSource {
  private var lines: LineReader
  private var description = EvemuDescription()
  private var brokenLines = 0
  var skippedLines: Int { brokenLines + lines.overlongLines }

  init(_ file: InputFile) { lines = LineReader(file) }

  static func recognizes(_ line: ArraySlice<UInt8>) -> Bool {
    if line.starts(with: "# EVEMU") { return true }
    guard line.count > 3, line.dropFirst().starts(with: ": ") else { return false }
    var scanner = Scanner(line.dropFirst(3))
    switch line.first {
    case UInt8(ascii: "E"): return scanner.time() != nil && scanner.hexadecimal() != nil
    case UInt8(ascii: "N"): return true
    case UInt8(ascii: "I"), UInt8(ascii: "P"), UInt8(ascii: "B"), UInt8(ascii: "A"):
      return scanner.hexadecimal() != nil
    default: return false
    }
  }

  func readDescription() throws(RecordingError) -> DeviceDescription? {
    var copy = self
    while let line = try copy.lines.next() {
      let line = line.unquoted
      if line.starts(with: "E:") { break }
      copy.description.take(line)
    }
    return copy.description.result
  }

  mutating func nextEvent() throws(RecordingError) -> InputEvent? {
    while let line = try lines.next() {
      let line = line.unquoted
      guard line.starts(with: "E:") else {
        if !line.isEmpty && line.first != UInt8(ascii: "#") && !Self.recognizes(line)
          && !EvemuDescription.isKnown(line)
        {
          brokenLines += 1
        }
        continue
      }
      var scanner = Scanner(line.dropFirst(2))
      guard let time = scanner.time(), scanner.isAtWordEnd,
        let type = scanner.hexadecimal(), scanner.isAtWordEnd,
        let code = scanner.hexadecimal(), scanner.isAtWordEnd,
        let value = scanner.decimal(), scanner.isAtWordEnd || scanner.next == UInt8(ascii: "#"),
        let type = UInt16(exactly: type), let code = UInt16(exactly: code)
      else {
        brokenLines += 1
        continue
      }
      return InputEvent(time: time, type: type, code: code, value: Int32(clamping: value))
    }
    return nil
  }
}

/// The description lines, gathered.
private struct EvemuDescription {
  private var description = DeviceDescription()
  private var isDescribed = false
  private var propertyBytes = 0
  private var keyBytes = 0

  var result: DeviceDescription? { isDescribed ? description : nil }

  /// Lines that describe what does not matter here: `L:` and `S:`, LEDs and switches.
  static func isKnown(_ line: ArraySlice<UInt8>) -> Bool {
    line.starts(with: "L:") || line.starts(with: "S:")
  }

  mutating func take(_ line: ArraySlice<UInt8>) {
    guard line.dropFirst().first == UInt8(ascii: ":"), let kind = line.first else { return }
    var scanner = Scanner(line.dropFirst(2))
    switch kind {
    case UInt8(ascii: "N"):
      scanner.skipSpace()
      description.name = scanner.remaining.text
    case UInt8(ascii: "I"):
      isDescribed = true
      description.bus = Bus(rawValue: UInt16(clamping: scanner.hexadecimal() ?? 0))
      description.vendor = UInt16(clamping: scanner.hexadecimal() ?? 0)
      description.product = UInt16(clamping: scanner.hexadecimal() ?? 0)
      description.version = UInt16(clamping: scanner.hexadecimal() ?? 0)
    case UInt8(ascii: "P"):
      while let byte = scanner.hexadecimal() {
        for bit in bits(of: byte, at: propertyBytes) { description.properties.insert(bit) }
        propertyBytes += 1
      }
    case UInt8(ascii: "B"):
      isDescribed = true
      guard scanner.hexadecimal() == Int64(EventType.key) else { return }
      while let byte = scanner.hexadecimal() {
        for bit in bits(of: byte, at: keyBytes) { description.keys.insert(bit) }
        keyBytes += 1
      }
    case UInt8(ascii: "A"):
      isDescribed = true
      guard let code = scanner.hexadecimal(), let code = UInt16(exactly: code),
        let minimum = scanner.decimal(), let maximum = scanner.decimal()
      else { return }
      description.axes[code] = Axis(
        minimum: Int32(clamping: minimum), maximum: Int32(clamping: maximum),
        fuzz: Int32(clamping: scanner.decimal()), flat: Int32(clamping: scanner.decimal()),
        resolution: Int32(clamping: scanner.decimal()))
    default: break
    }
  }

  private func bits(of byte: Int64, at index: Int) -> [UInt16] {
    guard index < 8 * 1024 else { return [] }
    return (0..<8).filter { byte >> Int64($0) & 1 == 1 }.map { UInt16(index * 8 + $0) }
  }
}
