import ForceTouchModel

/// The values of one contact, each nil until the device reported it.
struct ContactValues: Equatable, Sendable {
  private var x: Int32?
  private var y: Int32?
  private(set) var pressure: Int32?
  private(set) var touchMajor: Int32?
  private(set) var touchMinor: Int32?
  private(set) var tool: ContactTool?

  var position: Position? {
    guard let x, let y else { return nil }
    return Position(x: x, y: y)
  }

  /// Whether it says where the contact is, if only on one axis.
  var hasCoordinate: Bool { x != nil || y != nil }

  func isAtPlace(of other: ContactValues) -> Bool { x == other.x && y == other.y }

  /// How far apart two contacts are on the axes that both know; nil when they share none.
  func squaredDistance(to other: ContactValues) -> Double? {
    func square(_ one: Int32?, _ another: Int32?) -> Double? {
      guard let one, let another else { return nil }
      let distance = Double(one) - Double(another)
      return distance * distance
    }
    switch (square(x, other.x), square(y, other.y)) {
    case (nil, nil): return nil
    case (let x, let y): return (x ?? 0) + (y ?? 0)
    }
  }

  /// Whether a multitouch axis says something of a contact.
  static func carries(_ code: UInt16) -> Bool {
    code > AxisCode.slot && code <= 0x3d
  }

  /// Takes the value of a multitouch axis.
  mutating func set(_ code: UInt16, _ value: Int32) {
    switch code {
    case AxisCode.positionX: x = value
    case AxisCode.positionY: y = value
    case AxisCode.multitouchPressure: pressure = value
    case AxisCode.touchMajor: touchMajor = value
    case AxisCode.touchMinor: touchMinor = value
    case AxisCode.toolType:
      // MT_TOOL_FINGER, MT_TOOL_PEN, MT_TOOL_PALM
      tool =
        switch value {
        case 0: .finger
        case 2: .palm
        default: .other
        }
    default: break
    }
  }

  /// Takes the value of a single-touch axis.
  mutating func setSingle(_ code: UInt16, _ value: Int32) {
    switch code {
    case AxisCode.x: x = value
    case AxisCode.y: y = value
    case AxisCode.pressure: pressure = value
    default: break
    }
  }

  /// Takes what `older` knew and this does not.
  mutating func fill(from older: ContactValues) {
    x = x ?? older.x
    y = y ?? older.y
    pressure = pressure ?? older.pressure
    touchMajor = touchMajor ?? older.touchMajor
    touchMinor = touchMinor ?? older.touchMinor
    tool = tool ?? older.tool
  }

  func contact(
    _ id: ContactID, slot: Int32, phase: Contact.Phase, wasAlreadyDown: Bool
  ) -> Contact {
    Contact(
      id: id, slot: slot, phase: phase, wasAlreadyDown: wasAlreadyDown, position: position,
      rawPressure: pressure, touchMajor: touchMajor, touchMinor: touchMinor,
      tool: tool ?? .finger)
  }
}
