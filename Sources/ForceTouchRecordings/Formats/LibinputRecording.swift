import ForceTouchModel
import YAML

/// What `libinput record` writes: YAML with the description first and the events after it. Of
/// several devices the first touch device is read, or the first of all when none is one.
///
/// Fragments without a head are read too; so are files that a person handled: a line above, tabs
/// where YAML wants spaces, an end that is cut off.
struct LibinputRecording: EventSource {
  private let file: InputFile
  private var reader: Reader?
  private(set) var skippedLines = 0

  init(_ file: InputFile) { self.file = file }

  static func recognizes(_ line: ArraySlice<UInt8>) -> Bool {
    for start: StaticString in [
      "version: 1", "ndevices:", "libinput:", "devices:", "- node:", "- evdev:",
    ] where line.starts(with: start) { return true }
    return false
  }

  func readDescription() throws(RecordingError) -> DeviceDescription? {
    try file.rewind()
    var first: DeviceDescription?
    let reader = Reader(file)
    while let description = try reader.nextDevice() {
      if description.touchKind != nil { return description }
      first = first ?? description
    }
    return first
  }

  mutating func nextEvent() throws(RecordingError) -> InputEvent? {
    if let reader { return try reader.nextEvent() }
    let wanted = try readDescription()
    try file.rewind()
    let reader = Reader(file)
    self.reader = reader
    while let description = try reader.nextDevice(), description != wanted {}
    return try reader.nextEvent()
  }

  /// Walks through the file once.
  private final class Reader {
    private let file: InputFile
    private let parser: YAMLParser
    private let text: SanitizedText
    private var isAtEnd = false
    /// Inside the list of a device's events, at the given depth of lists and mappings.
    private var eventDepth: Int?
    private var depth = 0

    init(_ file: InputFile) {
      self.file = file
      let text = SanitizedText(file)
      self.text = text
      parser = YAMLParser(file: file.path) { text.read(into: $0) }
    }

    /// Moves to the events of the next device and gives what is said of it before them; nil when
    /// there is no other. A fragment without a head has no device, only events.
    func nextDevice() throws(RecordingError) -> DeviceDescription? {
      eventDepth = nil
      while let event = try next() {
        guard case .scalar("devices", _) = event, depth == 1 || depth == 0 else {
          if case .scalar("node", _) = event, depth == 3 { return try device() }
          if case .scalar("evdev", _) = event, depth == 2 || depth == 3 {
            // A fragment: events without a device.
            eventDepth = depth - 1
            return nil
          }
          continue
        }
      }
      return nil
    }

    /// Reads a device's mapping, whose key `node` was just read, up to its events.
    private func device() throws(RecordingError) -> DeviceDescription {
      var description = DeviceDescription()
      description.node = try scalar()
      let level = depth
      while let event = try next(), depth >= level {
        guard case .scalar(let key, _) = event, depth == level else { continue }
        switch key {
        case "evdev": try evdev(into: &description)
        case "udev": try udev(into: &description)
        case "events":
          if let event = try next(), event == .sequenceStart {
            eventDepth = depth
            return description
          }
        default: try skipValue()
        }
      }
      return description
    }

    private func evdev(into description: inout DeviceDescription) throws(RecordingError) {
      guard let value = try next(), value == .mappingStart else { return }
      let level = depth
      while let event = try next(), depth >= level {
        guard case .scalar(let key, _) = event, depth == level else { continue }
        switch key {
        case "name": description.name = try scalar() ?? ""
        case "id":
          let id = try integers()
          guard id.count >= 4 else { continue }
          description.bus = Bus(rawValue: UInt16(clamping: id[0]))
          description.vendor = UInt16(clamping: id[1])
          description.product = UInt16(clamping: id[2])
          description.version = UInt16(clamping: id[3])
        case "codes":
          for (type, codes) in try integerLists() where type == Int64(EventType.key) {
            description.keys.formUnion(codes.compactMap { UInt16(exactly: $0) })
          }
        case "absinfo":
          for (code, info) in try integerLists() where info.count >= 2 {
            guard let code = UInt16(exactly: code) else { continue }
            func value(_ index: Int) -> Int32 {
              index < info.count ? Int32(clamping: info[index]) : 0
            }
            description.axes[code] = Axis(
              minimum: value(0), maximum: value(1), fuzz: value(2), flat: value(3),
              resolution: value(4))
          }
        case "properties":
          description.properties.formUnion(try integers().compactMap { UInt16(exactly: $0) })
        default: try skipValue()
        }
      }
    }

    private func udev(into description: inout DeviceDescription) throws(RecordingError) {
      guard let value = try next(), value == .mappingStart else { return }
      let level = depth
      var isTouchpad = false
      var isTouchscreen = false
      var hasProperties = false
      while let event = try next(), depth >= level {
        guard case .scalar(let text, _) = event else { continue }
        if depth > level {
          hasProperties = true
          isTouchpad = isTouchpad || text == "ID_INPUT_TOUCHPAD=1"
          isTouchscreen = isTouchscreen || text == "ID_INPUT_TOUCHSCREEN=1"
        }
      }
      if isTouchpad {
        description.udevClass = .touch(.trackpad)
      } else if isTouchscreen {
        description.udevClass = .touch(.touchscreen)
      } else if hasProperties {
        description.udevClass = .other
      }
    }

    /// The next event of the device that ``nextDevice()`` moved to.
    func nextEvent() throws(RecordingError) -> InputEvent? {
      guard let level = eventDepth else { return nil }
      while let event = try next() {
        if depth < level {
          eventDepth = nil
          return nil
        }
        // An event is a list of five numbers: list of events → mapping → evdev → [ … ].
        guard event == .sequenceStart, depth == level + 3 else { continue }
        let numbers = try integers(isOpen: true)
        guard numbers.count == 5, let type = UInt16(exactly: numbers[2]),
          let code = UInt16(exactly: numbers[3])
        else { continue }
        let seconds = min(max(numbers[0], -1 << 40), 1 << 40)
        return InputEvent(
          time: Timestamp(seconds: seconds, microseconds: numbers[1]), type: type, code: code,
          value: Int32(clamping: numbers[4]))
      }
      return nil
    }

    // MARK: Values

    private func scalar() throws(RecordingError) -> String? {
      guard let event = try next() else { return nil }
      if case .scalar(let text, _) = event { return text }
      try skipRest(of: event)
      return nil
    }

    private func integers(isOpen: Bool = false) throws(RecordingError) -> [Int64] {
      if !isOpen {
        guard let event = try next() else { return [] }
        guard event == .sequenceStart else {
          try skipRest(of: event)
          return []
        }
      }
      let level = depth
      var numbers: [Int64] = []
      while let event = try next(), depth >= level {
        if case .scalar(let text, _) = event, depth == level, numbers.count < 1024,
          let number = Self.integer(text)
        {
          numbers.append(number)
        }
      }
      return numbers
    }

    private func integerLists() throws(RecordingError) -> [(key: Int64, values: [Int64])] {
      guard let event = try next() else { return [] }
      guard event == .mappingStart else {
        try skipRest(of: event)
        return []
      }
      let level = depth
      var lists: [(key: Int64, values: [Int64])] = []
      while let event = try next(), depth >= level {
        guard case .scalar(let key, _) = event, depth == level else { continue }
        let values = try integers()
        if let key = Self.integer(key), lists.count < 1024 { lists.append((key, values)) }
      }
      return lists
    }

    private static func integer(_ text: String) -> Int64? {
      var scanner = Scanner(Array(text.utf8)[...])
      let value = text.hasPrefix("0x") ? scanner.hexadecimal() : scanner.decimal()
      return scanner.isAtEnd ? value : nil
    }

    private func skipValue() throws(RecordingError) {
      guard let event = try next() else { return }
      try skipRest(of: event)
    }

    private func skipRest(of event: YAMLEvent) throws(RecordingError) {
      guard event == .sequenceStart || event == .mappingStart else { return }
      let level = depth
      while depth >= level, try next() != nil {}
    }

    private func next() throws(RecordingError) -> YAMLEvent? {
      guard !isAtEnd else { return nil }
      let result: (event: YAMLEvent, mark: YAMLMark)?
      do throws(YAMLError) {
        result = try parser.next()
      } catch {
        isAtEnd = true
        if let failure = text.failure { throw failure }
        // An end that is cut off leaves something open: what came before it counts.
        if text.isAtEnd { return nil }
        throw RecordingError(
          path: file.path, line: error.mark.map { $0.line + text.removedLines },
          problem: error.problem)
      }
      if let failure = text.failure { throw failure }
      guard let event = result?.event else {
        isAtEnd = true
        return nil
      }
      switch event {
      case .sequenceStart, .mappingStart: depth += 1
      case .sequenceEnd, .mappingEnd: depth -= 1
      case .scalar: break
      }
      return event
    }
  }
}

/// The text of a file with what strict YAML refuses put right, line by line: tabs become the
/// spaces they stand for, bytes that are no UTF-8 become question marks, and lines above the YAML
/// ("Recording to …") are left out.
private final class SanitizedText {
  private var lines: LineReader
  private var buffer: [UInt8] = []
  private var position = 0
  private var hasBegun = false
  private(set) var removedLines = 0
  private(set) var isAtEnd = false
  private(set) var failure: RecordingError?

  init(_ file: InputFile) { lines = LineReader(file) }

  func read(into target: UnsafeMutableRawBufferPointer) -> Int {
    while position == buffer.count {
      do throws(RecordingError) {
        guard let line = try lines.next() else {
          isAtEnd = true
          return 0
        }
        take(line)
      } catch {
        failure = error
        return 0
      }
    }
    let count = min(target.count, buffer.count - position)
    buffer.withUnsafeBytes {
      target.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[position..<position + count]))
    }
    position += count
    return count
  }

  private func take(_ line: ArraySlice<UInt8>) {
    buffer.removeAll(keepingCapacity: true)
    position = 0
    if !hasBegun {
      guard
        LibinputRecording.recognizes(line.unquoted) || line.first == UInt8(ascii: "#")
          || line.starts(with: "---")
      else {
        removedLines += 1
        return
      }
      hasBegun = true
    }
    let isText = String(validating: line, as: UTF8.self) != nil
    for byte in line {
      switch byte {
      case 0x09:
        repeat { buffer.append(0x20) } while buffer.count % 8 != 0
      case 0..<0x20, 0x7f: buffer.append(UInt8(ascii: "?"))
      case 0x80...: buffer.append(isText ? byte : UInt8(ascii: "?"))
      default: buffer.append(byte)
      }
    }
    buffer.append(UInt8(ascii: "\n"))
  }
}
