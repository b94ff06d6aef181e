public import ForceTouchModel

/// The frames of the last half minute as they came, with what a reader of them must know that
/// happened before.
public struct RecentFrames: Sendable {
  private var frames: [(frame: Frame, arrival: Timestamp)] = []
  /// Those before it were taken away.
  private var first = 0
  private var eventCount = 0
  private var before = FormerState()
  /// Frames before these were missed: nothing is known of the time before.
  public private(set) var hasGap = false

  public static let span = Interval.milliseconds(30_000)
  /// However fast the device is, this bounds what is kept: 6 MB.
  static let eventLimit = 250_000

  mutating func append(_ frame: Frame, at now: Timestamp) {
    frames.append((frame, now))
    eventCount += frame.events.count
    while first < frames.count - 1,
      now - frames[first].arrival > Self.span || eventCount > Self.eventLimit
    {
      eventCount -= frames[first].frame.events.count
      before.absorb(frames[first].frame)
      frames[first].frame = Frame()
      first += 1
    }
    if first > 1000 && first > frames.count / 2 {
      frames.removeFirst(first)
      first = 0
    }
  }

  /// Some frames never came: what was kept leads nowhere any more.
  mutating func forget() {
    self = RecentFrames()
    hasGap = true
  }

  public var isEmpty: Bool { frames.isEmpty }

  /// From the first frame to the last, by the device's clock.
  public var duration: Interval {
    guard let last = frames.last else { return .zero }
    return last.frame.time - frames[first].frame.time
  }

  /// As they are to be read: the first brings a reader to where things were.
  public var recording: [Frame] { replay.map(\.frame) }

  var replay: [(frame: Frame, arrival: Timestamp)] {
    guard first < frames.count else { return [] }
    let (frame, arrival) = frames[first]
    let former = before.frame(at: frame.time)
    return (former.events.isEmpty ? [] : [(former, arrival)]) + frames[first...]
  }
}

/// What frames that are gone left behind in a device: values that the kernel does not repeat.
private struct FormerState: Sendable {
  private var slots: [Int32: [UInt16: Int32]] = [:]
  private var slot: Int32?
  private var axes: [UInt16: Int32] = [:]
  private var heldKeys: Set<UInt16> = []
  /// Contacts in order, without slots (protocol A): each frame says all of them.
  private var isUnslotted = false

  mutating func absorb(_ frame: Frame) {
    for event in frame.events {
      switch (event.type, event.code) {
      case (EventType.synchronization, SynchronizationCode.multitouchReport): isUnslotted = true
      case (EventType.absolute, AxisCode.slot): slot = event.value
      case (EventType.absolute, AxisCode.touchMajor...AxisCode.toolY):
        slots[slot ?? 0, default: [:]][event.code] = event.value
      case (EventType.absolute, _): axes[event.code] = event.value
      case (EventType.key, _):
        if event.value == 0 { heldKeys.remove(event.code) } else { heldKeys.insert(event.code) }
      default: break
      }
    }
  }

  /// A finger that is down is told without its tracking ID: nobody sees it come down. An empty slot
  /// keeps its values, and its −1 says that it is empty.
  func frame(at time: Timestamp) -> Frame {
    var frame = Frame(time: time)
    func add(_ type: UInt16, _ code: UInt16, _ value: Int32) {
      frame.events.append(InputEvent(time: time, type: type, code: code, value: value))
    }
    if !isUnslotted {
      for (slot, values) in slots.sorted(by: { $0.key < $1.key }) {
        add(EventType.absolute, AxisCode.slot, slot)
        for (code, value) in values.sorted(by: { $0.key < $1.key })
        where code != AxisCode.trackingID { add(EventType.absolute, code, value) }
        if let id = values[AxisCode.trackingID], id < 0 {
          add(EventType.absolute, AxisCode.trackingID, -1)
        }
      }
      if let slot { add(EventType.absolute, AxisCode.slot, slot) }
    }
    for key in heldKeys.sorted() { add(EventType.key, key, 1) }
    for (code, value) in axes.sorted(by: { $0.key < $1.key }) {
      add(EventType.absolute, code, value)
    }
    return frame
  }
}
