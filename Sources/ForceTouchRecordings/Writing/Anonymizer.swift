public import ForceTouchModel

/// Takes out of a recording where the fingers were, and leaves how hard they pressed.
///
/// Every position becomes the middle of its axis. As the kernel tells a position only when it
/// changes, it is then told once for each slot: what would only say that a finger moved is left out,
/// and so is a frame of which nothing else remains. A device without slots (type A) tells positions
/// in every frame, and goes on to.
///
/// Of what is not absolute, buttons below the fingers (`BTN_…`) and the device's own clock
/// (`MSC_TIMESTAMP`) stay; typed keys and serial numbers of pens go. What stays otherwise is as it
/// was: pressure, size, orientation, tool, tracking IDs, and the times of frames, and with them the
/// rhythm of touches.
public struct Anonymizer {
  /// The device, without its node and its place in the machine.
  public let description: DeviceDescription
  private let hasSlots: Bool
  /// The slot that the events read are about, and the one that those given are about.
  private var slot: Int32 = 0
  private var slotGiven: Int32 = 0
  /// Positions that were given already.
  private var given: Set<Place> = []

  private struct Place: Hashable {
    let code: UInt16
    /// 0 for what is of no contact.
    let slot: Int32
  }

  public init(_ description: DeviceDescription) {
    var anonymous = description
    anonymous.node = nil
    anonymous.devicePath = nil
    anonymous.seat = nil
    self.description = anonymous
    hasSlots = description.axes[AxisCode.slot] != nil || !description.hasMultitouchAxes
  }

  /// Where every contact is said to be on an axis.
  public func position(on code: UInt16) -> Int32 {
    guard let axis = description.axes[code] else { return 0 }
    return Int32(clamping: Int64(axis.minimum) + axis.range / 2)
  }

  /// Takes a frame's positions out. False: nothing of it remains.
  public mutating func anonymize(_ frame: inout Frame) -> Bool {
    let hadEvents = !frame.events.isEmpty
    let events = frame.events
    frame.events.removeAll(keepingCapacity: true)
    for event in events { take(event, into: &frame) }
    return frame.isResynchronized || !hadEvents || frame.events.contains { !Self.isTimestamp($0) }
  }

  private mutating func take(_ event: InputEvent, into frame: inout Frame) {
    switch event.type {
    case EventType.synchronization: frame.events.append(event)
    case EventType.key where Self.buttons.contains(event.code): frame.events.append(event)
    case EventType.miscellaneous where Self.isTimestamp(event): frame.events.append(event)
    case EventType.absolute where event.code == AxisCode.slot: slot = event.value
    case EventType.absolute: takeAbsolute(event, into: &frame)
    default: break
    }
  }

  private mutating func takeAbsolute(_ event: InputEvent, into frame: inout Frame) {
    var event = event
    let isOfContact = AxisCode.contact.contains(event.code)
    if AxisCode.positions.contains(event.code) {
      event.value = position(on: event.code)
      let place = Place(code: event.code, slot: isOfContact ? slot : 0)
      guard !hasSlots || given.insert(place).inserted else { return }
    }
    if isOfContact && slot != slotGiven {
      slotGiven = slot
      frame.events.append(
        InputEvent(
          time: event.time, type: EventType.absolute, code: AxisCode.slot, value: slot))
    }
    frame.events.append(event)
  }

  /// `BTN_…` of mice and touch devices; a key of a keyboard says what was typed.
  private static let buttons: ClosedRange<UInt16> = 0x100...0x15f

  private static func isTimestamp(_ event: InputEvent) -> Bool {
    event.type == EventType.miscellaneous && event.code == MiscellaneousCode.timestamp
  }
}

extension AxisCode {
  /// Those that say where a contact is, or its tool.
  fileprivate static let positions: Set<UInt16> = [x, y, positionX, positionY, toolX, toolY]
  /// `ABS_MT_TOUCH_MAJOR` … `ABS_MT_TOOL_Y`: of the contact in the slot.
  fileprivate static let contact = touchMajor...toolY
}
