/// What an axis declares: `struct input_absinfo` without its value.
public struct Axis: Hashable, Sendable {
  public var minimum: Int32
  public var maximum: Int32
  public var fuzz: Int32
  public var flat: Int32
  /// Units per millimeter for positions; units per gram for a pressure axis that measures
  /// force; 0 when the unit is not known (kernel: `event-codes.rst`, `multi-touch-protocol.rst`).
  public var resolution: Int32

  public init(
    minimum: Int32, maximum: Int32, fuzz: Int32 = 0, flat: Int32 = 0, resolution: Int32 = 0
  ) {
    self.minimum = minimum
    self.maximum = maximum
    self.fuzz = fuzz
    self.flat = flat
    self.resolution = resolution
  }

  /// `maximum − minimum`; cannot overflow.
  public var range: Int64 { Int64(maximum) - Int64(minimum) }
}

/// The bus a device is on (`BUS_*` of `linux/input.h`).
public struct Bus: RawRepresentable, Hashable, Sendable {
  public var rawValue: UInt16
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  public static let usb = Bus(rawValue: 0x03)
  public static let bluetooth = Bus(rawValue: 0x05)
  public static let virtual = Bus(rawValue: 0x06)
  public static let i8042 = Bus(rawValue: 0x11)
  public static let i2c = Bus(rawValue: 0x18)
  public static let host = Bus(rawValue: 0x19)
  public static let spi = Bus(rawValue: 0x1c)
  public static let rmi = Bus(rawValue: 0x1d)

  /// The name that the device table and the wire use, or the number in hex.
  public var name: String {
    Self.names.first { $0.bus == self }?.name ?? "0x" + String(rawValue, radix: 16)
  }

  public init?(name: some StringProtocol) {
    if let bus = Self.names.first(where: { $0.name == name })?.bus {
      self = bus
    } else if name.hasPrefix("0x"), name.dropFirst(2).first?.isHexDigit == true,
      let number = UInt16(name.dropFirst(2), radix: 16)
    {
      self.init(rawValue: number)
    } else {
      return nil
    }
  }

  private static let names: [(name: String, bus: Bus)] = [
    ("usb", .usb), ("bluetooth", .bluetooth), ("virtual", .virtual), ("i8042", .i8042),
    ("i2c", .i2c), ("host", .host), ("spi", .spi), ("rmi", .rmi),
  ]
}

/// What kind of touch device something is; decides how movement is judged.
public enum TouchKind: String, Sendable, CaseIterable {
  /// `ID_INPUT_TOUCHPAD`: the finger moves a pointer.
  case trackpad
  /// `ID_INPUT_TOUCHSCREEN`: the finger touches what it means.
  case touchscreen
}

/// How a touchscreen is mounted: turns parts of the device (0…1 each way) into parts of the screen
/// (udev property `LIBINPUT_CALIBRATION_MATRIX`).
public struct CalibrationMatrix: Hashable, Sendable {
  /// The row of x, then the row of y.
  private let numbers: [Double]

  public static let identity = CalibrationMatrix(trusted: [1, 0, 0, 0, 1, 0])

  private init(trusted numbers: [Double]) { self.numbers = numbers }

  /// - Parameter text: Six numbers with spaces between.
  /// - Returns: nil for anything else, or a number that is not finite.
  public init?(_ text: String) {
    let numbers = text.split(separator: " ").map { Double($0) ?? .nan }
    guard numbers.count == 6, numbers.allSatisfy(\.isFinite) else { return nil }
    self.numbers = numbers
  }

  public func applied(x: Double, y: Double) -> (x: Double, y: Double) {
    (
      numbers[0] * x + numbers[1] * y + numbers[2], numbers[3] * x + numbers[4] * y + numbers[5]
    )
  }
}

/// What udev says about a node; nil in a description that no udev was asked for.
public enum UdevClass: Hashable, Sendable {
  case touch(TouchKind)
  case other
}

/// Everything known about an input device before its first event: the input of the capability
/// probe, equal for a live device and for a recording of it.
public struct DeviceDescription: Equatable, Sendable {
  public var name: String
  public var bus: Bus
  public var vendor: UInt16
  public var product: UInt16
  public var version: UInt16
  /// The axes by `ABS_*` code.
  public var axes: [UInt16: Axis]
  /// `BTN_*` and `KEY_*` codes the device can send.
  public var keys: Set<UInt16>
  /// `INPUT_PROP_*` numbers.
  public var properties: Set<UInt16>
  /// udev's judgement (`ID_INPUT_TOUCHPAD`, `ID_INPUT_TOUCHSCREEN`), where udev was asked.
  public var udevClass: UdevClass?
  /// The event node, `/dev/input/eventN`; for a recording what the file says, or nil.
  public var node: String?
  /// The path in sysfs without `/sys`, for example `/devices/virtual/input/input7/event3`.
  public var devicePath: String?
  /// The kernel driver, where known (`magicmouse`, `hid-multitouch`, …).
  public var driver: String?
  /// The seat (`ID_SEAT`); nil for a device without a seat, such as a recording.
  public var seat: String?
  /// udev property `LIBINPUT_CALIBRATION_MATRIX`.
  public var calibrationMatrix: CalibrationMatrix
  /// udev property `FORCETOUCHD_IGNORE=1`.
  public var isIgnored: Bool
  /// udev property `FORCETOUCHD_ALLOW_VIRTUAL=1`.
  public var isVirtualAllowed: Bool
  /// True when a recording held no description and this was put together from its events:
  /// axes are then those that occur, with the values that occur as their range.
  public var isInferred: Bool

  public init(
    name: String = "", bus: Bus = Bus(rawValue: 0), vendor: UInt16 = 0, product: UInt16 = 0,
    version: UInt16 = 0, axes: [UInt16: Axis] = [:], keys: Set<UInt16> = [],
    properties: Set<UInt16> = [], udevClass: UdevClass? = nil, node: String? = nil,
    devicePath: String? = nil, driver: String? = nil, seat: String? = nil,
    calibrationMatrix: CalibrationMatrix = .identity, isIgnored: Bool = false,
    isVirtualAllowed: Bool = false, isInferred: Bool = false
  ) {
    self.name = name
    self.bus = bus
    self.vendor = vendor
    self.product = product
    self.version = version
    self.axes = axes
    self.keys = keys
    self.properties = properties
    self.udevClass = udevClass
    self.node = node
    self.devicePath = devicePath
    self.driver = driver
    self.seat = seat
    self.calibrationMatrix = calibrationMatrix
    self.isIgnored = isIgnored
    self.isVirtualAllowed = isVirtualAllowed
    self.isInferred = isInferred
  }
}

extension DeviceDescription {
  /// Whether contacts come over the multitouch protocol (type A or B), so that the
  /// single-touch axes only shadow the oldest contact.
  public var hasMultitouchAxes: Bool {
    axes[AxisCode.positionX] != nil && axes[AxisCode.positionY] != nil
  }

  /// The axis that carries pressure: `ABS_MT_PRESSURE`, or `ABS_PRESSURE` on a device without
  /// multitouch axes; nil when there is none.
  public var pressureAxis: Axis? {
    hasMultitouchAxes ? axes[AxisCode.multitouchPressure] : axes[AxisCode.pressure]
  }

  /// The position axes in use, horizontal and vertical.
  public var positionAxes: (x: Axis, y: Axis)? {
    let codes =
      hasMultitouchAxes
      ? (AxisCode.positionX, AxisCode.positionY) : (AxisCode.x, AxisCode.y)
    guard let x = axes[codes.0], let y = axes[codes.1] else { return nil }
    return (x, y)
  }
}
