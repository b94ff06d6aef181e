import ForceTouchModel
internal import YAML

/// What `libinput record` writes: YAML with the description first and the events after it. Of
/// several devices the first touch device is read, or the first of all when none is one.
///
/// Fragments without a head are read too; so are files that a person handled: a line above, tabs
/// where YAML wants spaces, an end that is cut off.
struct LibinputRecording: EventSource {
  private let file: InputFile
  private var reader: Reader?
  var skippedLines: Int { reader?.skippedLines ?? 0 }

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
    /// What comes is the kernel's: not HID reports, not libinput's events.
    private var isEvdev = false
    private var depth = 0
    private var brokenEvents = 0
    var skippedLines: Int { brokenEvents + text.overlongLines }

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
        guard case .scalar(let key, _) = event else { continue }
        switch (key, depth) {
        case ("node", 3): return try device()
        case ("evdev", 2), ("evdev", 3):
          // A fragment: events without a device.
          eventDepth = depth - 1
          isEvdev = true
          return nil
        default: continue
        }
      }
      return nil
    }

    /// Reads a device's mapping, whose key `node` was just read, up to its events.
    private func device() throws(RecordingError) -> DeviceDescription {
      var description = DeviceDescription()
      if let node = try scalar(), !node.isEmpty { description.node = node }
      let level = depth
      while let event = try next(), depth >= level {
        guard case .scalar(let key, _) = event, depth == level else { continue }
        switch key {
        case "evdev": try evdev(into: &description)
        case "udev": try udev(into: &description)
        case "events":
          if let event = try next(), event == .sequenceStart {
            eventDepth = depth
            isEvdev = false
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
          // The list is over. If no YAML follows, it was not: say so.
          _ = try next()
          return nil
        }
        // List of events → mapping → its key → list → an event.
        switch event {
        case .scalar(let key, _) where depth == level + 1: isEvdev = key == "evdev"
        case .scalar(let numbers, _) where depth == level + 2 && isEvdev:
          if let event = Self.event(numbers) { return event }
          brokenEvents += 1
        case .sequenceStart where depth == level + 3 && isEvdev:
          if let event = Self.event(try integers(isOpen: true)) { return event }
          brokenEvents += 1
        default: break
        }
      }
      return nil
    }

    /// An event as ``SanitizedText`` leaves it: five numbers.
    private static func event(_ text: String) -> InputEvent? {
      var scanner = Scanner(ArraySlice(text.utf8))
      guard let seconds = scanner.decimal(), let microseconds = scanner.decimal(),
        let type = scanner.decimal(), let code = scanner.decimal(), let value = scanner.decimal(),
        scanner.isAtEnd
      else { return nil }
      return event(seconds, microseconds, type, code, value)
    }

    private static func event(_ numbers: [Int64]) -> InputEvent? {
      guard numbers.count == 5 else { return nil }
      return event(numbers[0], numbers[1], numbers[2], numbers[3], numbers[4])
    }

    private static func event(
      _ seconds: Int64, _ microseconds: Int64, _ type: Int64, _ code: Int64, _ value: Int64
    ) -> InputEvent? {
      guard let type = UInt16(exactly: type), let code = UInt16(exactly: code) else { return nil }
      return InputEvent(
        time: Timestamp(clamping: seconds, microseconds: microseconds), type: type, code: code,
        value: Int32(clamping: value))
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
        if let mark = error.mark, text.isAtEnd, mark.line >= text.lines { return nil }
        throw RecordingError(
          path: file.path, line: error.mark.map { $0.line + text.removedLines },
          problem: "this is no YAML: \(error.problem); correct or remove the line")
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
