import ForceTouchDevices
import ForceTouchEngine
import ForceTouchModel
import ForceTouchProtocol
import ForceTouchScreen

/// A made-up Magic Trackpad 2, a finger on it, and the monitor that hears both as the daemon would tell
/// them. A frame comes every 10 ms and arrives 1 ms late.
struct Touches {
  static let description: DeviceDescription = {
    var description = DeviceDescription(
      name: "Pad", bus: .bluetooth, vendor: 0x4c, product: 0x265, keys: [KeyCode.touch],
      udevClass: .touch(.trackpad))
    description.axes[AxisCode.slot] = Axis(minimum: 0, maximum: 15)
    description.axes[AxisCode.trackingID] = Axis(minimum: 0, maximum: 65535)
    description.axes[AxisCode.positionX] = Axis(minimum: 0, maximum: 1600, resolution: 10)
    description.axes[AxisCode.positionY] = Axis(minimum: 0, maximum: 1000, resolution: 10)
    description.axes[AxisCode.multitouchPressure] = Axis(minimum: 0, maximum: 253)
    return description
  }()

  static let judge: Judge = {
    var judge = Judge(table: DeviceTable())
    if let profile = try? ForceProfile(floor: 0, average: 20, ceiling: 200) {
      judge.profiles.set(profile, for: description)
    }
    return judge
  }()

  private(set) var state = MonitorState(judge: judge)
  private var engine = DeviceEngine(description: description, judge: judge)
  private(set) var now = Timestamp(microseconds: 1_000_000_000)
  private var isDown = false
  private var lastID: Int32 = 0

  init(isLive: Bool = true) {
    var device = DeviceMessage(
      device: "d1", description: Self.description, kind: .trackpad,
      capability: engine.verdict.capability, reason: engine.verdict.reason, profile: engine.profile,
      thresholds: engine.thresholds.map { .init(hint: $0.hint, peek: $0.peek, pop: $0.pop) })
    device.seat = isLive ? "seat0" : nil
    state.take(.init(snapshot: .init(devices: [device], events: [])), at: now)
    state.take(Self.description, of: "d1")
  }

  var seen: WatchedDevice { state.selected! }

  /// Presses with each of these, one a frame; nil: lifts.
  mutating func press(_ pressures: Int32?..., at x: Int32 = 400, isLost: Bool = false) {
    for pressure in pressures {
      now = now + .milliseconds(10)
      let time = now
      func event(_ code: UInt16, _ value: Int32) -> InputEvent {
        InputEvent(time: time, type: EventType.absolute, code: code, value: value)
      }
      var frame = Frame(time: time)
      if let pressure {
        if !isDown {
          lastID += 1
          frame.events.append(event(AxisCode.trackingID, lastID))
        }
        frame.events += [
          event(AxisCode.positionX, x), event(AxisCode.positionY, 500),
          event(AxisCode.multitouchPressure, pressure),
        ]
      } else {
        frame.events.append(event(AxisCode.trackingID, -1))
      }
      isDown = pressure != nil
      var events: [ContactEvent] = []
      engine.process(frame, into: &events)
      let arrival = time + .milliseconds(1)
      for event in events {
        state.take(.init(event: EventMessage(event, device: "d1")), at: arrival)
      }
      if !isLost {
        state.take(.init(frame: FrameMessage(frame, device: "d1")), at: arrival)
      }
    }
  }

  mutating func wait(milliseconds: Int64) {
    now = now + .milliseconds(milliseconds)
    state.pass(now)
  }

  @discardableResult
  mutating func type(_ key: Character) -> MonitorState.Request? {
    state.press(.character(key), at: now)
  }

  mutating func press(key: MonitorKey) { _ = state.press(key, at: now) }

  mutating func take(_ reply: MonitorMessage.WatchReply) { state.take(reply, at: now) }

  func page(rows: Int = 24, columns: Int = 80, isASCII: Bool = false) -> [String] {
    let page = state.page(rows: rows, columns: columns, at: now, isASCII: isASCII)
    return (0..<page.rows).map(page.text(ofRow:))
  }
}

extension String {
  var isASCII: Bool { utf8.allSatisfy { $0 < 0x80 } }
}
