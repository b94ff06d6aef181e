extension DeviceDescription {
  /// What kind of touch device this is; nil for anything else, pens included. udev's word where
  /// there is one; else the judgement of its `input_id` from axes, keys and properties, so that
  /// a recording is judged as the live device was.
  public var touchKind: TouchKind? {
    switch udevClass {
    case .touch(let kind): return kind
    case .other: return nil
    case nil: break
    }
    let hasPen = keys.contains(KeyCode.toolPen) || keys.contains(KeyCode.stylus)
    let hasPosition = axes[AxisCode.x] != nil && axes[AxisCode.y] != nil
    guard hasPosition || hasContactPosition, !hasPen else { return nil }
    let isDirect = properties.contains(InputProperty.direct)
    if keys.contains(KeyCode.toolFinger) && !isDirect { return .trackpad }
    // A mouse that knows where it is (a virtual machine's): not a finger.
    let hasMouseButton = keys.contains { (KeyCode.left..<KeyCode.joystick).contains($0) }
    if hasPosition && hasMouseButton && !hasContactPosition { return nil }
    return keys.contains(KeyCode.touch) || isDirect ? .touchscreen : nil
  }

  /// Multitouch positions that are meant. Keyboards, mice and game pads declare all axes from
  /// some code to the last, and then also the one before `ABS_MT_SLOT`, which no touch device has.
  private var hasContactPosition: Bool {
    hasMultitouchAxes && !(axes[AxisCode.slot] != nil && axes[AxisCode.slot - 1] != nil)
  }
}
