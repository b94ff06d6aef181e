import ForceTouchModel

/// What the kernel's input core makes of what a driver reports: a value that did not change is
/// not sent, and the slot is named when another one is meant (kernel: `drivers/input/input.c`).
/// Type A passes as it is, and so do tracking IDs here, which recordings of old kernels repeat.
struct KernelFilter {
  private(set) var frame = Frame()
  private var slots: [Int32: [UInt16: Int32]] = [:]
  private var axes: [UInt16: Int32] = [:]
  private var keys: Set<UInt16> = []
  private var currentSlot: Int32 = 0

  mutating func begin(at time: Timestamp, isResynchronized: Bool) {
    frame.removeAll()
    frame.time = time
    frame.isResynchronized = isResynchronized
  }

  mutating func key(_ code: UInt16, isDown: Bool) {
    guard keys.contains(code) != isDown else { return }
    if isDown { keys.insert(code) } else { keys.remove(code) }
    append(EventType.key, code, isDown ? 1 : 0)
  }

  mutating func axis(_ code: UInt16, _ value: Int32) {
    guard axes.updateValue(value, forKey: code) != value else { return }
    append(EventType.absolute, code, value)
  }

  mutating func axis(_ code: UInt16, _ value: Int32, slot: Int32) {
    let isSame = slots[slot, default: [:]].updateValue(value, forKey: code) == value
    if isSame && code != AxisCode.trackingID { return }
    if slot != currentSlot {
      append(EventType.absolute, AxisCode.slot, slot)
      currentSlot = slot
    }
    append(EventType.absolute, code, value)
  }

  /// A value of the type-A contact that ``multitouchReport()`` ends.
  mutating func unslotted(_ code: UInt16, _ value: Int32) {
    append(EventType.absolute, code, value)
  }

  mutating func multitouchReport() {
    append(EventType.synchronization, SynchronizationCode.multitouchReport, 0)
  }

  private mutating func append(_ type: UInt16, _ code: UInt16, _ value: Int32) {
    frame.events.append(InputEvent(time: frame.time, type: type, code: code, value: value))
  }
}
