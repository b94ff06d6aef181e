/// One event as the kernel gives it: `struct input_event` of `linux/input.h`.
public struct InputEvent: Hashable, Sendable {
  public var time: Timestamp
  /// `EV_*`, see ``EventType``.
  public var type: UInt16
  /// The code within the type: `ABS_*`, `BTN_*`, …
  public var code: UInt16
  public var value: Int32

  public init(time: Timestamp, type: UInt16, code: UInt16, value: Int32) {
    self.time = time
    self.type = type
    self.code = code
    self.value = value
  }
}

/// All events of a device up to and including its `SYN_REPORT`: the unit that everything after
/// the reader works on. Its storage is meant to be reused: ``removeAll()`` keeps the capacity.
public struct Frame: Hashable, Sendable {
  /// The time of the `SYN_REPORT`.
  public var time: Timestamp
  /// The events in the order they came, `SYN_MT_REPORT` included, `SYN_REPORT` left out.
  public var events: [InputEvent]
  /// The kernel dropped events before this frame (`SYN_DROPPED`). The events are then what
  /// changed since the last frame, as far as it can be known.
  public var isResynchronized: Bool

  public init(time: Timestamp = .zero, events: [InputEvent] = [], isResynchronized: Bool = false) {
    self.time = time
    self.events = events
    self.isResynchronized = isResynchronized
  }

  public mutating func removeAll() {
    events.removeAll(keepingCapacity: true)
    isResynchronized = false
  }
}
