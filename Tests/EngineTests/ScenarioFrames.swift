import ForceTouchDevices
import ForceTouchModel

/// Turns a scenario into what the kernel would send: the device's description, its state when it
/// is opened, and frames in the order of a driver. Knows no recognizer: the same frames can be
/// written to a kernel device.
struct ScenarioFrames {
  /// What a step becomes.
  enum Input {
    case frame(Frame)
    case wait
    case cancel(CancelReason)
  }

  private static let unitsPerMillimeter = 40.0

  private struct Finger {
    var slot: Int32
    var isDown = false
    var x: Double
    var y: Double
    var hasPosition = true
    var raw: Int32 = 0
    var tool: Int32 = 0
    var id: Int32 = -1
  }

  private let scenario: Scenario
  private var fingers: [Int: Finger] = [:]
  private var lastID: Int32 = 99
  /// Which contact of the scenario is in a slot.
  private(set) var contacts: [Int32: Int] = [:]

  init(_ scenario: Scenario) { self.scenario = scenario }

  var description: DeviceDescription {
    let scale = Self.unitsPerMillimeter
    let resolution: Int32 = scenario.hasResolution ? Int32(scale) : 0
    let x = Axis(minimum: 0, maximum: Int32(scenario.size.width * scale), resolution: resolution)
    let y = Axis(minimum: 0, maximum: Int32(scenario.size.height * scale), resolution: resolution)
    let pressure = Axis(
      minimum: Int32(scenario.floor), maximum: Int32(max(scenario.ceiling, 255)))
    var axes: [UInt16: Axis] = [AxisCode.x: x, AxisCode.y: y, AxisCode.pressure: pressure]
    if scenario.touchProtocol != .single {
      axes[AxisCode.positionX] = x
      axes[AxisCode.positionY] = y
      axes[AxisCode.multitouchPressure] = pressure
      axes[AxisCode.toolType] = Axis(minimum: 0, maximum: 2)
    }
    if scenario.touchProtocol == .slotted || scenario.touchProtocol == .unslotted {
      axes[AxisCode.trackingID] = Axis(minimum: 0, maximum: 65535)
    }
    if scenario.touchProtocol == .slotted {
      axes[AxisCode.slot] = Axis(minimum: 0, maximum: 9)
    }
    let isPad = scenario.kind == .trackpad
    return DeviceDescription(
      name: "Scenario", bus: .usb, vendor: 1, product: 2, axes: axes,
      keys: isPad ? [KeyCode.touch, KeyCode.toolFinger, KeyCode.left] : [KeyCode.touch],
      properties: [isPad ? InputProperty.pointer : InputProperty.direct])
  }

  /// The state at open; unknown is for recordings, and no scenario is one.
  mutating func initialState() -> ContactTracker.InitialState {
    var state = DeviceState()
    for step in scenario.steps.prefix(1) {
      for action in step.actions {
        guard case .alreadyDown = action.verb else { continue }
        apply(step, contact: action.contact)
        var finger = fingers[action.contact] ?? newFinger(action.contact)
        finger.isDown = true
        finger.id = nextID()
        fingers[action.contact] = finger
        contacts[finger.slot] = action.contact
        state.keys.insert(KeyCode.touch)
        let units = units(finger)
        state.slots.append(
          .init(
            slot: finger.slot, trackingID: finger.id,
            values: [
              AxisCode.positionX: units.x, AxisCode.positionY: units.y,
              AxisCode.multitouchPressure: finger.raw,
            ]))
        state.values = [
          AxisCode.x: units.x, AxisCode.y: units.y, AxisCode.pressure: finger.raw,
        ]
      }
    }
    return .known(state)
  }

  private mutating func apply(_ step: Scenario.Step, contact: Int) {
    var finger = fingers[contact] ?? newFinger(contact)
    for action in step.actions where action.contact == contact { change(&finger, action.verb) }
    fingers[contact] = finger
  }

  mutating func inputs(of step: Scenario.Step) -> [Input] {
    var frame = Frame(time: Timestamp(microseconds: Int64(step.milliseconds) * 1000))
    var others: [Input] = []
    var hasFrame = false
    var newIDs: [Int: [Int32]] = [:]
    var touchKey: Bool?
    var isEmpty = false
    let wasTouched = fingers.values.contains { $0.isDown }
    for action in step.actions {
      var finger = fingers[action.contact] ?? newFinger(action.contact)
      switch action.verb {
      case .wait: others.append(.wait)
      case .cancel(let reason): others.append(.cancel(reason))
      case .drop:
        frame.isResynchronized = true
        hasFrame = true
      case .emptyFrame:
        hasFrame = true
        isEmpty = true
      case .button(let isDown):
        hasFrame = true
        frame.events.append(key(KeyCode.left, isDown, frame))
      case .touchKey(let isDown):
        hasFrame = true
        touchKey = isDown
      case .down:
        hasFrame = true
        finger.isDown = true
        finger.id = nextID()
        newIDs[action.contact, default: []].append(finger.id)
      case .up:
        hasFrame = true
        finger.isDown = false
        finger.id = -1
        newIDs[action.contact, default: []].append(-1)
      case .id(let id):
        hasFrame = true
        finger.id = id
        finger.isDown = id >= 0
        // An ID that is given takes the place of the one that down made up.
        if newIDs[action.contact]?.isEmpty == false && newIDs[action.contact]?.last != -1 {
          newIDs[action.contact]?.removeLast()
        }
        newIDs[action.contact, default: []].append(id)
      case .slot(let slot):
        hasFrame = true
        frame.events.append(absolute(AxisCode.slot, finger.slot, frame))
        frame.events.append(absolute(AxisCode.trackingID, -1, frame))
        finger.slot = slot
        newIDs[action.contact, default: []].append(finger.id)
      case .alreadyDown: hasFrame = true
      case .pressure, .raw, .move, .moveBy, .tool, .nowhere:
        hasFrame = true
        change(&finger, action.verb)
      }
      fingers[action.contact] = finger
    }
    guard hasFrame else { return others }
    if !isEmpty { write(step, newIDs, into: &frame) }
    let isTouched = fingers.values.contains { $0.isDown }
    if let touchKey {
      frame.events.append(key(KeyCode.touch, touchKey, frame))
    } else if isTouched != wasTouched && !isEmpty && scenario.touchProtocol != .unslotted
      && scenario.touchProtocol != .unslottedWithoutIDs
    {
      frame.events.append(key(KeyCode.touch, isTouched, frame))
    }
    for (number, finger) in fingers where finger.isDown { contacts[finger.slot] = number }
    return [.frame(frame)] + others
  }

  private mutating func write(
    _ step: Scenario.Step, _ newIDs: [Int: [Int32]], into frame: inout Frame
  ) {
    let touched = Set(step.actions.map(\.contact))
    for number in fingers.keys.sorted() {
      guard let finger = fingers[number] else { continue }
      let units = units(finger)
      switch scenario.touchProtocol {
      case .slotted:
        guard touched.contains(number) else { continue }
        frame.events.append(absolute(AxisCode.slot, finger.slot, frame))
        for id in newIDs[number] ?? [] {
          frame.events.append(absolute(AxisCode.trackingID, id, frame))
        }
        guard finger.isDown else { continue }
        if finger.hasPosition {
          frame.events.append(absolute(AxisCode.positionX, units.x, frame))
          frame.events.append(absolute(AxisCode.positionY, units.y, frame))
        }
        frame.events.append(absolute(AxisCode.toolType, finger.tool, frame))
        frame.events.append(absolute(AxisCode.multitouchPressure, finger.raw, frame))
      case .unslotted, .unslottedWithoutIDs:
        guard finger.isDown else { continue }
        if scenario.touchProtocol == .unslotted {
          frame.events.append(absolute(AxisCode.trackingID, finger.id, frame))
        }
        frame.events.append(absolute(AxisCode.positionX, units.x, frame))
        frame.events.append(absolute(AxisCode.positionY, units.y, frame))
        frame.events.append(absolute(AxisCode.multitouchPressure, finger.raw, frame))
        frame.events.append(
          InputEvent(
            time: frame.time, type: EventType.synchronization,
            code: SynchronizationCode.multitouchReport, value: 0))
      case .single:
        guard touched.contains(number) else { continue }
        frame.events.append(absolute(AxisCode.x, units.x, frame))
        frame.events.append(absolute(AxisCode.y, units.y, frame))
        frame.events.append(absolute(AxisCode.pressure, finger.raw, frame))
      }
    }
  }

  private func newFinger(_ number: Int) -> Finger {
    Finger(slot: Int32(number - 1), x: 20 * Double(number), y: 20)
  }

  private mutating func nextID() -> Int32 {
    lastID += 1
    return lastID
  }

  private func change(_ finger: inout Finger, _ verb: Scenario.Verb) {
    switch verb {
    case .pressure(let fraction):
      finger.raw = Int32(
        (scenario.floor + fraction * (scenario.ceiling - scenario.floor)).rounded())
    case .raw(let raw): finger.raw = raw
    case .move(let x, let y):
      finger.x = x
      finger.y = y
    case .moveBy(let x, let y):
      finger.x += x
      finger.y += y
    case .tool(let tool): finger.tool = tool
    case .nowhere: finger.hasPosition = false
    case .down, .alreadyDown, .up, .id, .slot, .button, .touchKey, .emptyFrame, .drop, .cancel,
      .wait:
      break
    }
  }

  private func units(_ finger: Finger) -> (x: Int32, y: Int32) {
    let scale = Self.unitsPerMillimeter
    return (Int32((finger.x * scale).rounded()), Int32((finger.y * scale).rounded()))
  }

  private func absolute(_ code: UInt16, _ value: Int32, _ frame: Frame) -> InputEvent {
    InputEvent(time: frame.time, type: EventType.absolute, code: code, value: value)
  }

  private func key(_ code: UInt16, _ isDown: Bool, _ frame: Frame) -> InputEvent {
    InputEvent(time: frame.time, type: EventType.key, code: code, value: isDown ? 1 : 0)
  }
}
