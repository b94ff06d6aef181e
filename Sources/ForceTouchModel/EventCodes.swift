// The names of linux/input-event-codes.h that touch devices use, with the kernel's numbers.

/// `EV_*`: the type of an ``InputEvent``.
public enum EventType {
  public static let synchronization: UInt16 = 0x00
  public static let key: UInt16 = 0x01
  public static let relative: UInt16 = 0x02
  public static let absolute: UInt16 = 0x03
  public static let miscellaneous: UInt16 = 0x04

  /// The type of a label such as `EV_ABS`.
  public static func named(_ name: some StringProtocol) -> UInt16? {
    names.first { $0.name == name }?.code
  }

  public static func name(of code: UInt16) -> String? {
    names.first { $0.code == code }?.name
  }

  private static let names: [(name: String, code: UInt16)] = [
    ("EV_SYN", 0x00), ("EV_KEY", 0x01), ("EV_REL", 0x02), ("EV_ABS", 0x03), ("EV_MSC", 0x04),
    ("EV_SW", 0x05), ("EV_LED", 0x11), ("EV_SND", 0x12), ("EV_REP", 0x14), ("EV_FF", 0x15),
    ("EV_PWR", 0x16), ("EV_FF_STATUS", 0x17),
  ]
}

/// `SYN_*`.
public enum SynchronizationCode {
  public static let report: UInt16 = 0
  public static let multitouchReport: UInt16 = 2
  public static let dropped: UInt16 = 3
}

/// `ABS_*`: the axes of touch devices.
public enum AxisCode {
  public static let x: UInt16 = 0x00
  public static let y: UInt16 = 0x01
  public static let pressure: UInt16 = 0x18
  public static let slot: UInt16 = 0x2f
  public static let touchMajor: UInt16 = 0x30
  public static let touchMinor: UInt16 = 0x31
  public static let orientation: UInt16 = 0x34
  public static let positionX: UInt16 = 0x35
  public static let positionY: UInt16 = 0x36
  public static let toolType: UInt16 = 0x37
  public static let trackingID: UInt16 = 0x39
  public static let multitouchPressure: UInt16 = 0x3a
  public static let distance: UInt16 = 0x3b
  public static let toolX: UInt16 = 0x3c
  public static let toolY: UInt16 = 0x3d
}

/// `MSC_*`.
public enum MiscellaneousCode {
  /// The device's own clock, in microseconds.
  public static let timestamp: UInt16 = 0x05
}

/// `BTN_*`: the keys of touch devices.
public enum KeyCode {
  public static let left: UInt16 = 0x110
  public static let right: UInt16 = 0x111
  public static let middle: UInt16 = 0x112
  /// The first code after the mouse buttons (`BTN_JOYSTICK`).
  public static let joystick: UInt16 = 0x120
  public static let toolPen: UInt16 = 0x140
  public static let toolFinger: UInt16 = 0x145
  public static let touch: UInt16 = 0x14a
  public static let stylus: UInt16 = 0x14b
}

/// `INPUT_PROP_*`.
public enum InputProperty {
  public static let pointer: UInt16 = 0x00
  public static let direct: UInt16 = 0x01
  public static let buttonPad: UInt16 = 0x02
  public static let semiMultitouch: UInt16 = 0x03
  public static let topButtonPad: UInt16 = 0x04
  public static let pointingStick: UInt16 = 0x05
  public static let accelerometer: UInt16 = 0x06
  /// Simulated click; says nothing certain about force (see ``CapabilityReason/pressurePad``).
  public static let pressurePad: UInt16 = 0x07
}
