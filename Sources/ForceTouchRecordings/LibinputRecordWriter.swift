public import ForceTouchModel
internal import YAML

/// Writes a recording as `libinput record` does: its description, then frame by frame. What it
/// writes reads back event for event, and `libinput replay` plays it. Whenever writing stops, the
/// file is whole up to the last frame.
///
/// The format has no place for driver, path and seat, nor for ``DeviceDescription/isInferred``.
public struct LibinputRecordWriter {
  /// Takes bytes in order; throws what the file system says.
  public typealias Write = (_ bytes: [UInt8]) throws -> Void

  private let write: Write
  private var line = ""
  private var lastFrameTime: Timestamp?

  /// Writes the head.
  ///
  /// - Parameter kernel: The kernel's release, for whoever reads the file.
  public init(
    description: DeviceDescription, kernel: String, write: @escaping Write
  ) throws {
    self.write = write
    try write(Array(Self.head(description, kernel: kernel).utf8))
  }

  /// Writes a frame and its `SYN_REPORT`. A frame after lost events is written with the
  /// `SYN_DROPPED` before it.
  public mutating func append(_ frame: Frame) throws {
    line = ""
    if frame.isResynchronized {
      line += "    - evdev:\n"
      add(
        InputEvent(
          time: frame.time, type: EventType.synchronization, code: SynchronizationCode.dropped,
          value: 0))
      addReport(frame.time)
    }
    line += "    - evdev:\n"
    for event in frame.events { add(event) }
    addReport(frame.time)
    lastFrameTime = frame.time
    try write(Array(line.utf8))
  }

  private mutating func addReport(_ time: Timestamp) {
    let interval = lastFrameTime.map { (time - $0).microseconds / 1000 } ?? 0
    line += Self.numbers(
      InputEvent(
        time: time, type: EventType.synchronization, code: SynchronizationCode.report, value: 0))
    line += " # ------------ SYN_REPORT (0) ---------- \(interval < 0 ? "" : "+")\(interval)ms\n"
  }

  private mutating func add(_ event: InputEvent) {
    line += Self.numbers(event)
    let type = EventType.name(of: event.type) ?? "type \(event.type)"
    let code = CodeNames.name(type: event.type, code: event.code) ?? "code \(event.code)"
    line += " # \(type) / \(code) \(event.value)\n"
  }

  private static func numbers(_ event: InputEvent) -> String {
    // Seconds round down, so that microseconds are never negative.
    var seconds = event.time.microseconds / 1_000_000
    var microseconds = event.time.microseconds % 1_000_000
    if microseconds < 0 {
      microseconds += 1_000_000
      seconds -= 1
    }
    func pad(_ number: some BinaryInteger, _ width: Int) -> String {
      let text = String(number)
      return String(repeating: " ", count: max(0, width - text.count)) + text
    }
    return "      - [\(pad(seconds, 3)), \(pad(microseconds, 6)), \(pad(event.type, 3)), "
      + "\(pad(event.code, 3)), \(pad(event.value, 7))]"
  }

  private static func head(_ device: DeviceDescription, kernel: String) -> String {
    let keys = device.keys.sorted().map(String.init).joined(separator: ", ")
    let axes = device.axes.keys.sorted()
    let axisCodes = axes.map { String($0) }.joined(separator: ", ")
    let properties = device.properties.sorted().map(String.init).joined(separator: ", ")
    var text = """
      version: 1
      ndevices: 1
      libinput:
        version: "0 (forcetouchctl record)"
        git: "unknown"
      system:
        kernel: \(YAMLNode.quoted(kernel))
      devices:
      - node: \(YAMLNode.quoted(device.node ?? ""))
        evdev:
          name: \(YAMLNode.quoted(device.name))
          id: [\(device.bus.rawValue), \(device.vendor), \(device.product), \(device.version)]
          codes:
            0: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] # EV_SYN

      """
    if !keys.isEmpty { text += "      1: [\(keys)] # EV_KEY\n" }
    if !axes.isEmpty { text += "      3: [\(axisCodes)] # EV_ABS\n" }
    if !axes.isEmpty { text += "    absinfo:\n" }
    for code in axes {
      guard let axis = device.axes[code] else { continue }
      text +=
        "      \(code): [\(axis.minimum), \(axis.maximum), \(axis.fuzz), \(axis.flat), "
        + "\(axis.resolution)]\n"
    }
    text += "    properties: [\(properties)]\n"
    // libinput replay wants the section even when there is nothing to say.
    text += "  udev:\n    properties:"
    switch device.udevClass {
    case .touch(.trackpad): text += "\n    - ID_INPUT=1\n    - ID_INPUT_TOUCHPAD=1\n"
    case .touch(.touchscreen): text += "\n    - ID_INPUT=1\n    - ID_INPUT_TOUCHSCREEN=1\n"
    case .other: text += "\n    - ID_INPUT=1\n    - ID_INPUT_KEY=1\n"
    case nil: text += " []\n"
    }
    return text + "  events:\n"
  }
}
