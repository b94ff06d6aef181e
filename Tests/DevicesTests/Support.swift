import ForceTouchDevices
import ForceTouchModel

/// A pressure-sensing trackpad, and variations of it.
extension DeviceDescription {
  static func trackpad(
    pressure: Axis? = Axis(minimum: 0, maximum: 255), properties: Set<UInt16> = []
  ) -> DeviceDescription {
    let place = Axis(minimum: 0, maximum: 4000, resolution: 40)
    var axes = [
      AxisCode.x: place, AxisCode.y: place, AxisCode.positionX: place, AxisCode.positionY: place,
      AxisCode.slot: Axis(minimum: 0, maximum: 9),
      AxisCode.trackingID: Axis(minimum: 0, maximum: 65535),
      AxisCode.pressure: Axis(minimum: 0, maximum: 255),
    ]
    axes[AxisCode.multitouchPressure] = pressure
    return DeviceDescription(
      name: "Trackpad", bus: .usb, vendor: 0x1234, product: 0x5678, axes: axes,
      keys: [KeyCode.left, KeyCode.toolFinger, KeyCode.touch], properties: properties)
  }

  /// Type A, with tracking IDs or without.
  static func unslotted(hasTrackingID: Bool = false) -> DeviceDescription {
    var description = trackpad()
    description.axes[AxisCode.slot] = nil
    if !hasTrackingID { description.axes[AxisCode.trackingID] = nil }
    return description
  }

  static func singleTouch(keys: Set<UInt16> = [KeyCode.touch]) -> DeviceDescription {
    let axis = Axis(minimum: 0, maximum: 4000)
    return DeviceDescription(
      name: "Panel", axes: [AxisCode.x: axis, AxisCode.y: axis, AxisCode.pressure: axis],
      keys: keys)
  }
}

/// One event, without its time.
struct Input: Hashable, Sendable {
  var type: UInt16
  var code: UInt16
  var value: Int32

  static func slot(_ value: Int32) -> Input { axis(AxisCode.slot, value) }
  static func id(_ value: Int32) -> Input { axis(AxisCode.trackingID, value) }
  static func x(_ value: Int32) -> Input { axis(AxisCode.positionX, value) }
  static func y(_ value: Int32) -> Input { axis(AxisCode.positionY, value) }
  static func pressure(_ value: Int32) -> Input { axis(AxisCode.multitouchPressure, value) }
  static func major(_ value: Int32) -> Input { axis(AxisCode.touchMajor, value) }
  static func tool(_ value: Int32) -> Input { axis(AxisCode.toolType, value) }
  static func singleX(_ value: Int32) -> Input { axis(AxisCode.x, value) }
  static func singleY(_ value: Int32) -> Input { axis(AxisCode.y, value) }
  static func singlePressure(_ value: Int32) -> Input { axis(AxisCode.pressure, value) }
  static func key(_ code: UInt16, _ value: Int32) -> Input {
    Input(type: EventType.key, code: code, value: value)
  }
  static func touch(_ value: Int32) -> Input { key(KeyCode.touch, value) }
  /// `SYN_MT_REPORT`.
  static let end = Input(
    type: EventType.synchronization, code: SynchronizationCode.multitouchReport, value: 0)
  static func axis(_ code: UInt16, _ value: Int32) -> Input {
    Input(type: EventType.absolute, code: code, value: value)
  }
}

/// A tracker that is fed frames and says what it made of them, one line a contact:
///
///     #1 in 0 began at 10,20 raw 30
struct TrackerUnderTest {
  var tracker: ContactTracker
  private(set) var frame = ContactFrame()
  private var time = Timestamp.zero

  init(_ description: DeviceDescription, _ state: DeviceState? = nil) {
    tracker = ContactTracker(
      description: description, initialState: state.map { .known($0) } ?? .unknown)
  }

  mutating func take(_ events: Input..., isResynchronized: Bool = false) -> [String] {
    process(events, isResynchronized: isResynchronized)
    return frame.contacts.map(Self.line)
  }

  mutating func timeout(at time: Timestamp) -> [String] {
    tracker.timeout(at: time, into: &frame)
    return frame.contacts.map(Self.line)
  }

  mutating func process(_ events: [Input], isResynchronized: Bool = false) {
    time = time + .milliseconds(8)
    let input = Frame(
      time: time,
      events: events.map { InputEvent(time: time, type: $0.type, code: $0.code, value: $0.value) },
      isResynchronized: isResynchronized)
    tracker.process(input, into: &frame)
  }

  static func line(_ contact: Contact) -> String {
    var line = "#\(contact.id.rawValue) in \(contact.slot) "
    switch contact.phase {
    case .began: line += "began"
    case .stayed: line += "stayed"
    case .ended: line += "ended"
    case .cancelled(let reason): line += "cancelled(\(reason))"
    }
    if contact.phase == .began && contact.wasAlreadyDown { line += " already down" }
    if let position = contact.position { line += " at \(position.x),\(position.y)" }
    if let raw = contact.rawPressure { line += " raw \(raw)" }
    switch contact.tool {
    case .finger: break
    case .palm: line += " palm"
    case .other: line += " other"
    }
    return line
  }
}
