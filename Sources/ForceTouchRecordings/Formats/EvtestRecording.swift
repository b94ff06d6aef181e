import ForceTouchModel

/// What `evtest` prints, also as it looks after a chat, a mail or a bug tracker had it: quoted,
/// indented, its lines wrapped or run together.
struct EvtestRecording: EventSource {
  private var lines: LineReader
  /// Text that may still hold an event, or its beginning.
  private var pending: [UInt8] = []
  private var brokenEvents = 0
  var skippedLines: Int { brokenEvents + lines.overlongLines }

  init(_ file: InputFile) { lines = LineReader(file) }

  static func recognizes(_ line: ArraySlice<UInt8>) -> Bool {
    line.starts(with: "Event: time ") || line.starts(with: "Input driver version is")
      || line.starts(with: "Input device ID: bus") || line.starts(with: "Supported events:")
  }

  func readDescription() throws(RecordingError) -> DeviceDescription? {
    var lines = lines
    var description = EvtestDescription()
    while let line = try lines.next() {
      let line = line.unquoted
      if line.starts(with: "Event: time") { break }
      description.take(line)
    }
    return description.result
  }

  mutating func nextEvent() throws(RecordingError) -> InputEvent? {
    while true {
      switch Self.parse(pending[...]) {
      case .event(let event, let rest):
        pending = Array(rest)
        return event
      case .broken(let rest):
        brokenEvents += 1
        pending = Array(rest)
      case .incomplete:
        guard let line = try lines.next() else {
          if !pending.isEmpty { brokenEvents += 1 }
          pending = []
          return nil
        }
        let text = line.unquoted
        // Only what continues an event is worth keeping.
        if pending.isEmpty && !text.contains("Event: time") { continue }
        if pending.count > 400 {
          brokenEvents += 1
          pending = []
        }
        if !pending.isEmpty { pending.append(0x20) }
        pending.append(contentsOf: text)
      }
    }
  }

  private enum Parsed {
    case event(InputEvent, rest: ArraySlice<UInt8>)
    /// Something that began as an event and is none.
    case broken(rest: ArraySlice<UInt8>)
    /// No event, or not all of it.
    case incomplete
  }

  private static func parse(_ text: ArraySlice<UInt8>) -> Parsed {
    var scanner = Scanner(text)
    guard scanner.skip(past: "Event: time ") else { return .incomplete }
    // Two events on one line: the first ends where the second begins.
    let body = scanner.remaining
    let end = body.firstRange(of: "Event: time ")?.lowerBound
    let rest = body[(end ?? body.endIndex)...]
    var event = Scanner(body[..<(end ?? body.endIndex)])
    func unfinished() -> Parsed { end == nil ? .incomplete : .broken(rest: rest) }
    guard let time = event.time() else { return unfinished() }
    if let code = synchronization(event.remaining) {
      return .event(
        InputEvent(time: time, type: EventType.synchronization, code: code, value: 0), rest: rest)
    }
    guard event.skip(past: "type "), let type = event.decimal(), event.skip(past: "code "),
      let code = event.decimal(), event.skip(past: "value "),
      let type = UInt16(exactly: type), let code = UInt16(exactly: code)
    else { return unfinished() }
    // evtest prints scan codes in hexadecimal, as 32 bits without a sign.
    let isScanCode = type == EventType.miscellaneous && (code == 3 || code == 4)
    let value =
      isScanCode
      ? event.hexadecimal().map { Int32(truncatingIfNeeded: $0) }
      : event.decimal().map { Int32(clamping: $0) }
    guard let value else { return unfinished() }
    return .event(InputEvent(time: time, type: type, code: code, value: value), rest: rest)
  }

  /// The code of a line such as `-------------- SYN_REPORT ------------`.
  private static func synchronization(_ text: ArraySlice<UInt8>) -> UInt16? {
    if text.contains("SYN_MT_REPORT") { return SynchronizationCode.multitouchReport }
    if text.contains("SYN_DROPPED") { return SynchronizationCode.dropped }
    if text.contains("SYN_REPORT") || text.contains("Report Sync") {
      return SynchronizationCode.report
    }
    return nil
  }
}

/// The head of an `evtest` run, gathered.
private struct EvtestDescription {
  private var description = DeviceDescription()
  private var isDescribed = false
  private var type: Int64?
  private var axis: UInt16?

  var result: DeviceDescription? { isDescribed ? description : nil }

  mutating func take(_ line: ArraySlice<UInt8>) {
    var scanner = Scanner(line)
    if scanner.take("Input device ID: bus ") {
      isDescribed = true
      description.bus = Bus(rawValue: UInt16(clamping: scanner.hexadecimal() ?? 0))
      if scanner.skip(past: "vendor ") {
        description.vendor = UInt16(clamping: scanner.hexadecimal() ?? 0)
      }
      if scanner.skip(past: "product ") {
        description.product = UInt16(clamping: scanner.hexadecimal() ?? 0)
      }
      if scanner.skip(past: "version ") {
        description.version = UInt16(clamping: scanner.hexadecimal() ?? 0)
      }
    } else if scanner.take("Input device name: ") {
      let name = scanner.remaining
      let quote = UInt8(ascii: "\"")
      description.name =
        (name.first == quote && name.last == quote && name.count > 1
        ? name.dropFirst().dropLast() : name).text
    } else if scanner.take("Event type ") {
      type = scanner.decimal()
      axis = nil
    } else if scanner.take("Event code ") {
      guard let code = scanner.decimal(), let code = UInt16(exactly: code) else { return }
      axis = nil
      switch type {
      case Int64(EventType.key): description.keys.insert(code)
      case Int64(EventType.absolute):
        isDescribed = true
        axis = code
        description.axes[code] = Axis(minimum: 0, maximum: 0)
      default: break
      }
    } else if scanner.take("Property type ") {
      if let property = scanner.decimal(), let property = UInt16(exactly: property) {
        description.properties.insert(property)
      }
    } else if let axis {
      if scanner.take("Min") {
        description.axes[axis]?.minimum = Int32(clamping: scanner.decimal())
      } else if scanner.take("Max") {
        description.axes[axis]?.maximum = Int32(clamping: scanner.decimal())
      } else if scanner.take("Fuzz") {
        description.axes[axis]?.fuzz = Int32(clamping: scanner.decimal())
      } else if scanner.take("Flat") {
        description.axes[axis]?.flat = Int32(clamping: scanner.decimal())
      } else if scanner.take("Resolution") {
        description.axes[axis]?.resolution = Int32(clamping: scanner.decimal())
      }
    }
  }
}
