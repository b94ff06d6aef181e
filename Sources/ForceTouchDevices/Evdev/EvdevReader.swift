internal import CEvdev
public import ForceTouchModel
internal import Glibc

/// A failure to open or read an event node.
public struct EvdevError: Error, Equatable, CustomStringConvertible {
  public let node: String
  /// `errno`.
  public let code: Int32

  public init(node: String, code: Int32) {
    self.node = node
    self.code = code
  }

  /// It may go away by itself: the node's permissions, or the node itself, are not there yet, or
  /// there is no descriptor or memory left.
  public var mayPass: Bool { [EACCES, EPERM, ENOENT, EMFILE, ENFILE, ENOMEM].contains(code) }

  /// Whoever asks is not allowed to.
  public var isDenied: Bool { code == EACCES || code == EPERM }

  public var description: String {
    let text = "cannot read \(node): \(String(cString: strerror(code)))"
    switch code {
    case _ where isDenied: return text + "; be root or in the group input"
    case ENODEV: return text + "; it was unplugged, or its driver let go of it"
    case ENOTTY, EINVAL: return text + "; it is no event node"
    default: return text
    }
  }
}

/// An event node of the kernel (`/dev/input/eventN`), read frame by frame with libevdev.
///
/// Opened read-only and never grabbed. Not safe for several threads at once.
public final class EvdevReader {
  private let node: String
  public let descriptor: Int32
  private let device: OpaquePointer
  /// The kernel gives times of `CLOCK_MONOTONIC`. Where it refuses, times are of another clock:
  /// only differences mean anything, and nothing else is asked of them.
  public let isClockMonotonic: Bool
  /// libevdev gives the events of a resynchronization.
  private var isSynchronizing = false

  /// Opens the node and asks for `CLOCK_MONOTONIC` at once: later, on a queue with events, the
  /// kernel would answer with `SYN_DROPPED`. That the clock is refused does no harm.
  public init(node: String) throws(EvdevError) {
    self.node = node
    descriptor = open(node, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else { throw EvdevError(node: node, code: errno) }
    var clock = CLOCK_MONOTONIC
    isClockMonotonic = ioctl(descriptor, UInt(FT_EVIOCSCLOCKID), &clock) == 0
    guard let device = libevdev_new() else {
      close(descriptor)
      throw EvdevError(node: node, code: ENOMEM)
    }
    self.device = device
    // Otherwise libevdev writes to stderr about every event of a driver that has a bug.
    libevdev_set_device_log_function(device, { _, _, _, _, _, _, _, _ in }, LIBEVDEV_LOG_ERROR, nil)
    let result = libevdev_set_fd(device, descriptor)
    guard result == 0 else { throw EvdevError(node: node, code: -result) }
  }

  deinit {
    libevdev_free(device)
    close(descriptor)
  }

  /// What the node declares. What only udev knows is left out.
  public var description: DeviceDescription {
    var description = DeviceDescription(
      name: libevdev_get_name(device).map { String(cString: $0) } ?? "",
      bus: Bus(rawValue: UInt16(truncatingIfNeeded: libevdev_get_id_bustype(device))),
      vendor: UInt16(truncatingIfNeeded: libevdev_get_id_vendor(device)),
      product: UInt16(truncatingIfNeeded: libevdev_get_id_product(device)),
      version: UInt16(truncatingIfNeeded: libevdev_get_id_version(device)), node: node)
    for code in 0..<UInt32(ABS_CNT) {
      guard let info = libevdev_get_abs_info(device, code)?.pointee else { continue }
      description.axes[UInt16(code)] = Axis(
        minimum: info.minimum, maximum: info.maximum, fuzz: info.fuzz, flat: info.flat,
        resolution: info.resolution)
    }
    for code in 0..<UInt32(KEY_CNT)
    where libevdev_has_event_code(device, UInt32(EV_KEY), code) == 1 {
      description.keys.insert(UInt16(code))
    }
    for property in 0..<UInt32(INPUT_PROP_CNT) where libevdev_has_property(device, property) == 1 {
      description.properties.insert(UInt16(property))
    }
    return description
  }

  /// What was on the device when it was opened.
  public var state: DeviceState {
    var state = DeviceState(currentSlot: max(0, libevdev_get_current_slot(device)))
    for slot in 0..<UInt32(max(0, libevdev_get_num_slots(device))) {
      var values: [UInt16: Int32] = [:]
      for code in UInt32(ABS_MT_TOUCH_MAJOR)...UInt32(ABS_MT_TOOL_Y)
      where code != UInt32(ABS_MT_TRACKING_ID) {
        var value: Int32 = 0
        if libevdev_fetch_slot_value(device, slot, code, &value) == 1 {
          values[UInt16(code)] = value
        }
      }
      var trackingID: Int32 = -1
      libevdev_fetch_slot_value(device, slot, UInt32(ABS_MT_TRACKING_ID), &trackingID)
      state.slots.append(.init(slot: Int32(slot), trackingID: trackingID, values: values))
    }
    for code in [AxisCode.x, AxisCode.y, AxisCode.pressure] {
      var value: Int32 = 0
      if libevdev_fetch_event_value(device, UInt32(EV_ABS), UInt32(code), &value) == 1 {
        state.values[code] = value
      }
    }
    for code in [
      KeyCode.left, KeyCode.right, KeyCode.middle, KeyCode.touch, KeyCode.toolFinger,
    ] where libevdev_get_event_value(device, UInt32(EV_KEY), UInt32(code)) == 1 {
      state.keys.insert(code)
    }
    return state
  }

  /// What became of an attempt to read a frame.
  public enum Read: Equatable {
    case frame
    /// The frame is not complete yet: keep it and go on when the node is readable again.
    case wouldBlock
    /// The device is gone.
    case gone
    case failed(EvdevError)
  }

  /// Gathers events up to the next `SYN_REPORT`. Call with the same frame again after
  /// `wouldBlock`; with an emptied one after `frame`.
  public func nextFrame(into frame: inout Frame) -> Read {
    var event = input_event()
    while true {
      let flag =
        isSynchronizing ? LIBEVDEV_READ_FLAG_SYNC.rawValue : LIBEVDEV_READ_FLAG_NORMAL.rawValue
      let status = libevdev_next_event(device, UInt32(flag), &event)
      switch status {
      case Int32(LIBEVDEV_READ_STATUS_SYNC.rawValue) where !isSynchronizing:
        // SYN_DROPPED. What was gathered of this frame stays: libevdev took it for known and
        // gives only what changed since.
        isSynchronizing = true
        frame.isResynchronized = true
        frame.time = time(of: event)
      case Int32(LIBEVDEV_READ_STATUS_SYNC.rawValue):
        // All events of the resynchronization are one frame, whatever reports it has inside.
        frame.time = time(of: event)
        if event.type != UInt16(EV_SYN) { append(event, to: &frame) }
      case -EAGAIN where isSynchronizing:
        isSynchronizing = false
        return .frame
      case Int32(LIBEVDEV_READ_STATUS_SUCCESS.rawValue):
        frame.time = time(of: event)
        guard event.type == UInt16(EV_SYN) else {
          append(event, to: &frame)
          continue
        }
        switch event.code {
        case SynchronizationCode.report: return .frame
        case SynchronizationCode.multitouchReport: append(event, to: &frame)
        default: break
        }
      case -EAGAIN: return .wouldBlock
      case -EINTR: continue
      case -ENODEV: return .gone
      default: return .failed(EvdevError(node: node, code: -status))
      }
    }
  }

  private func append(_ event: input_event, to frame: inout Frame) {
    frame.events.append(
      InputEvent(time: frame.time, type: event.type, code: event.code, value: event.value))
  }

  private func time(of event: input_event) -> Timestamp {
    var event = event
    return Timestamp(
      seconds: ft_event_seconds(&event), microseconds: ft_event_microseconds(&event))
  }
}
