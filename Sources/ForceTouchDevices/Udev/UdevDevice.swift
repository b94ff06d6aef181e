internal import CUdev
public import ForceTouchModel

/// What udev knows of an event node.
public struct UdevDevice: Equatable, Sendable {
  /// The path in sysfs without `/sys`.
  public var devicePath: String
  /// `/dev/input/eventN`.
  public var node: String
  public var udevClass: UdevClass
  /// The seat (`ID_SEAT`), `seat0` where none is said.
  public var seat: String
  /// The nearest driver above the node that says something.
  public var driver: String?
  public var calibrationMatrix: CalibrationMatrix
  public var isIgnored: Bool
  public var isVirtualAllowed: Bool
  /// When udev was done with it the first time, on CLOCK_MONOTONIC.
  public var initializationTime: Timestamp

  /// nil for what is no event node. One that udev has not finished with yet has no class: it is
  /// `other` until the monitor tells of it.
  init?(_ device: OpaquePointer) {
    func property(_ name: String) -> String? {
      udev_device_get_property_value(device, name).map { String(cString: $0) }
    }
    guard let path = udev_device_get_devpath(device), let node = udev_device_get_devnode(device),
      let name = udev_device_get_sysname(device), String(cString: name).hasPrefix("event")
    else { return nil }
    devicePath = String(cString: path)
    self.node = String(cString: node)
    udevClass =
      if property("ID_INPUT_TOUCHPAD") == "1" {
        .touch(.trackpad)
      } else if property("ID_INPUT_TOUCHSCREEN") == "1" {
        .touch(.touchscreen)
      } else {
        .other
      }
    seat = property("ID_SEAT") ?? "seat0"
    // libinput leaves a matrix that it cannot read as it is too.
    calibrationMatrix =
      property("LIBINPUT_CALIBRATION_MATRIX").flatMap { CalibrationMatrix($0) } ?? .identity
    isIgnored = property("FORCETOUCHD_IGNORE") == "1"
    isVirtualAllowed = property("FORCETOUCHD_ALLOW_VIRTUAL") == "1"
    initializationTime = Timestamp(
      microseconds: property("USEC_INITIALIZED").flatMap { Int64($0) } ?? 0)
    var ancestor = udev_device_get_parent(device)
    while let current = ancestor, driver == nil {
      driver = udev_device_get_driver(current).map { String(cString: $0) }
      ancestor = udev_device_get_parent(current)
    }
  }

  /// The N of `eventN`: `event10` comes after `event9`.
  public var number: Int {
    Int(String(node.reversed().prefix { $0.isNumber }.reversed())) ?? 0
  }

  /// The one place that decides which nodes are ever opened: trackpads and touchscreens. The
  /// group `input` could read every keyboard; nothing else may be handed to ``EvdevReader``.
  public var mayBeOpened: Bool {
    switch udevClass {
    case .touch: !isIgnored
    case .other: false
    }
  }

  /// What the node itself declares, with what only udev knows.
  public func complete(_ description: DeviceDescription) -> DeviceDescription {
    var description = description
    description.udevClass = udevClass
    description.node = node
    description.devicePath = devicePath
    description.driver = driver
    description.seat = seat
    description.calibrationMatrix = calibrationMatrix
    description.isIgnored = isIgnored
    description.isVirtualAllowed = isVirtualAllowed
    return description
  }
}
