/// Labels of event codes, as `getevent -l` and `evtest` print them and `libinput record` writes
/// them in comments. Only what touch devices report: an unknown label has no code here.
public enum CodeNames {
  /// The code of `name` within the event type, or nil when it is not a touch device's.
  public static func code(type: UInt16, name: some StringProtocol) -> UInt16? {
    table(type).first { $0.name == name }?.code
  }

  /// The label of a code, or nil when it is not a touch device's.
  public static func name(type: UInt16, code: UInt16) -> String? {
    table(type).first { $0.code == code }?.name
  }

  private static func table(_ type: UInt16) -> [(name: String, code: UInt16)] {
    switch type {
    case EventType.synchronization: synchronization
    case EventType.key: keys
    case EventType.absolute: axes
    case EventType.miscellaneous: miscellaneous
    default: []
    }
  }

  private static let synchronization: [(name: String, code: UInt16)] = [
    ("SYN_REPORT", 0), ("SYN_CONFIG", 1), ("SYN_MT_REPORT", 2), ("SYN_DROPPED", 3),
  ]

  private static let keys: [(name: String, code: UInt16)] = [
    ("BTN_LEFT", 0x110), ("BTN_MOUSE", 0x110), ("BTN_RIGHT", 0x111), ("BTN_MIDDLE", 0x112),
    ("BTN_SIDE", 0x113), ("BTN_EXTRA", 0x114), ("BTN_TOOL_PEN", 0x140),
    ("BTN_TOOL_RUBBER", 0x141), ("BTN_TOOL_FINGER", 0x145), ("BTN_TOOL_QUINTTAP", 0x148),
    ("BTN_TOUCH", 0x14a), ("BTN_STYLUS", 0x14b), ("BTN_STYLUS2", 0x14c),
    ("BTN_TOOL_DOUBLETAP", 0x14d), ("BTN_TOOL_TRIPLETAP", 0x14e), ("BTN_TOOL_QUADTAP", 0x14f),
  ]

  private static let axes: [(name: String, code: UInt16)] = [
    ("ABS_X", 0x00), ("ABS_Y", 0x01), ("ABS_Z", 0x02), ("ABS_PRESSURE", 0x18),
    ("ABS_DISTANCE", 0x19), ("ABS_TILT_X", 0x1a), ("ABS_TILT_Y", 0x1b), ("ABS_TOOL_WIDTH", 0x1c),
    ("ABS_MISC", 0x28), ("ABS_MT_SLOT", 0x2f), ("ABS_MT_TOUCH_MAJOR", 0x30),
    ("ABS_MT_TOUCH_MINOR", 0x31), ("ABS_MT_WIDTH_MAJOR", 0x32), ("ABS_MT_WIDTH_MINOR", 0x33),
    ("ABS_MT_ORIENTATION", 0x34), ("ABS_MT_POSITION_X", 0x35), ("ABS_MT_POSITION_Y", 0x36),
    ("ABS_MT_TOOL_TYPE", 0x37), ("ABS_MT_BLOB_ID", 0x38), ("ABS_MT_TRACKING_ID", 0x39),
    ("ABS_MT_PRESSURE", 0x3a), ("ABS_MT_DISTANCE", 0x3b), ("ABS_MT_TOOL_X", 0x3c),
    ("ABS_MT_TOOL_Y", 0x3d),
  ]

  private static let miscellaneous: [(name: String, code: UInt16)] = [
    ("MSC_SERIAL", 0), ("MSC_PULSELED", 1), ("MSC_GESTURE", 2), ("MSC_RAW", 3), ("MSC_SCAN", 4),
    ("MSC_TIMESTAMP", 5),
  ]
}
