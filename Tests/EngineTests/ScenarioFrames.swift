import ForceTouchDevices
import ForceTouchModel

/// Turns a scenario into what the kernel would send: the device's description, its state when it
/// is opened, and frames in the order of a driver. Knows no recognizer: the same frames can be
/// written to a kernel device.
struct ScenarioFrames {
  /// What a step becomes.
  enum Input {
    case frame(Frame)
    /// Time passes without a frame.
    case wait
    case cancel(CancelReason)
  }

  private static let unitsPerMillimeter = 40.0
  /// `BTN_TOOL_FINGER`, `BTN_TOOL_DOUBLETAP`, `BTN_TOOL_TRIPLETAP`: how many fingers.
  private static let countKeys: [UInt16] = [KeyCode.toolFinger, 0x14d, 0x14e]

  private struct Finger {
    let number: Int
    var slot: Int32
    var isDown = false
    var x: Double
    var y: Double
    var hasPosition = true
    var raw: Int32 = 0
    var tool: Int32 = 0
    var id: Int32 = -1
    /// What the tracking ID becomes in this frame, one after the other.
    var newIDs: [Int32] = []
    /// Something happened to it in this frame.
    var isTouched = false
  }

  private let scenario: Scenario
  /// In the order of their numbers.
  private var fingers: [Finger] = []
  private var lastID: Int32 = 99
  /// Down before the first frame; their part of the first step is done.
  private var openContacts: Set<Int> = []
  private var kernel = KernelFilter()

  init(_ scenario: Scenario) {
    self.scenario = scenario
    var numbers: Set<Int> = []
    for step in scenario.steps { for action in step.actions { numbers.insert(action.contact) } }
    fingers = numbers.sorted().map {
      Finger(number: $0, slot: Int32($0 - 1), x: 20 * Double($0), y: 20)
    }
  }

  var description: DeviceDescription {
    let scale = Self.unitsPerMillimeter
    let resolution: Int32 = scenario.hasResolution ? Int32(scale) : 0
    let x = Axis(minimum: 0, maximum: Int32(scenario.size.width * scale), resolution: resolution)
    let y = Axis(minimum: 0, maximum: Int32(scenario.size.height * scale), resolution: resolution)
    let pressure = Axis(
      minimum: Int32(scenario.profile.floor), maximum: Int32(max(scenario.profile.ceiling, 255)))
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
      keys: Set([KeyCode.touch] + (isPad ? Self.countKeys + [KeyCode.left] : [])),
      properties: [isPad ? InputProperty.pointer : InputProperty.direct])
  }

  /// What is down when the device is opened, and what the kernel knows of the slots. Call it
  /// before the first ``inputs(of:)``.
  mutating func initialState() -> DeviceState {
    let actions = scenario.steps.first?.actions ?? []
    for action in actions {
      if case .alreadyDown = action.verb { openContacts.insert(action.contact) }
    }
    for action in actions where openContacts.contains(action.contact) {
      apply(action.verb, to: action.contact)
    }
    kernel.begin(at: .zero, isResynchronized: false)
    var state = DeviceState()
    for index in fingers.indices {
      if fingers[index].isDown { fingers[index].id = nextID() }
      let finger = fingers[index]
      // A slot's axes are 0 until the driver reports another value.
      var values = [
        AxisCode.multitouchPressure: finger.raw, AxisCode.toolType: finger.tool,
      ]
      if finger.isDown {
        state.keys.insert(KeyCode.touch)
        state.values[AxisCode.pressure] = finger.raw
      }
      if finger.isDown && finger.hasPosition {
        let (x, y) = units(finger)
        values[AxisCode.positionX] = x
        values[AxisCode.positionY] = y
        state.values[AxisCode.x] = x
        state.values[AxisCode.y] = y
      }
      guard scenario.touchProtocol == .slotted else { continue }
      for (code, value) in values { kernel.axis(code, value, slot: finger.slot) }
      state.slots.append(.init(slot: finger.slot, trackingID: finger.id, values: values))
      state.currentSlot = finger.slot
    }
    for (code, value) in state.values { kernel.axis(code, value) }
    for key in state.keys { kernel.key(key, isDown: true) }
    return state
  }

  /// What the kernel sends at one time, in order.
  mutating func inputs(of step: Scenario.Step) -> [Input] {
    var rest: [Input] = []
    var isResynchronized = false
    var buttons: [Bool] = []
    var touchKey: Bool?
    var isEmpty = false
    // The device says nothing while time passes: type A would list its contacts otherwise.
    var isSilent = true
    for index in fingers.indices {
      fingers[index].newIDs.removeAll()
      fingers[index].isTouched = false
    }
    var emptied: Set<Int32> = []
    for action in step.actions {
      if case .wait = action.verb {} else { isSilent = false }
      switch action.verb {
      case .wait: rest.append(.wait)
      case .cancel(let reason): rest.append(.cancel(reason))
      case .drop: isResynchronized = true
      case .emptyFrame: isEmpty = true
      case .button(let isDown): buttons.append(isDown)
      case .touchKey(let isDown): touchKey = isDown
      case .alreadyDown: break
      case .slot:
        for finger in fingers where finger.number == action.contact { emptied.insert(finger.slot) }
        apply(action.verb, to: action.contact)
      case .down, .up, .pressure, .raw, .move, .moveBy, .nowhere, .tool, .id:
        if openContacts.contains(action.contact) { continue }
        apply(action.verb, to: action.contact)
      }
    }
    kernel.begin(
      at: Timestamp(microseconds: Int64(step.milliseconds) * 1000),
      isResynchronized: isResynchronized)
    for finger in fingers where finger.isDown { emptied.remove(finger.slot) }
    if !isEmpty && !isSilent {
      switch scenario.touchProtocol {
      case .slotted: writeSlots(emptied)
      case .unslotted, .unslottedWithoutIDs: writeContacts(liftsByReport: touchKey == nil)
      case .single: break
      }
      writeSingleTouch(touchKey)
    }
    for isDown in buttons { kernel.key(KeyCode.left, isDown: isDown) }
    // The kernel does not pass on a frame in which nothing changed.
    let hasFrame =
      !openContacts.isEmpty || isResynchronized || isEmpty || !kernel.frame.events.isEmpty
    openContacts.removeAll()
    return (hasFrame ? [.frame(kernel.frame)] : []) + rest
  }

  /// Which contact of the scenario began here: the one at the place, else the one in the slot.
  func contact(slot: Int32, position: Position?) -> Int? {
    let down = fingers.filter(\.isDown)
    let finger =
      down.first { $0.hasPosition && position.map { [$0.x, $0.y] } == [units($0).x, units($0).y] }
      ?? down.first { $0.slot == slot }
    return finger?.number
  }

  private mutating func apply(_ verb: Scenario.Verb, to number: Int) {
    guard let index = fingers.firstIndex(where: { $0.number == number }) else { return }
    let before = fingers[index]
    fingers[index].isTouched = true
    switch verb {
    case .down:
      fingers[index].isDown = true
      fingers[index].id = nextID()
      fingers[index].newIDs.append(fingers[index].id)
    case .alreadyDown: fingers[index].isDown = true
    case .up:
      fingers[index].isDown = false
      fingers[index].newIDs.append(-1)
    case .id(let id):
      fingers[index].isDown = id >= 0
      fingers[index].id = id
      // An ID that is given takes the place of the one that down made up.
      if before.newIDs.last.map({ $0 >= 0 }) ?? false { fingers[index].newIDs.removeLast() }
      fingers[index].newIDs.append(id)
    case .slot(let slot):
      fingers[index].slot = slot
      fingers[index].newIDs.append(before.id)
    case .pressure(let fraction):
      let profile = scenario.profile
      fingers[index].raw = Int32(
        (profile.floor + fraction * (profile.ceiling - profile.floor)).rounded())
    case .raw(let raw): fingers[index].raw = raw
    case .move(let x, let y):
      fingers[index].x = x
      fingers[index].y = y
    case .moveBy(let x, let y):
      fingers[index].x += x
      fingers[index].y += y
    case .nowhere: fingers[index].hasPosition = false
    case .tool(let tool): fingers[index].tool = tool
    case .button, .touchKey, .emptyFrame, .drop, .cancel, .wait:
      fingers[index].isTouched = before.isTouched
    }
  }

  /// Protocol type B.
  private mutating func writeSlots(_ emptied: Set<Int32>) {
    for slot in Int32(0)..<10 {
      if emptied.contains(slot) { kernel.axis(AxisCode.trackingID, -1, slot: slot) }
      for finger in fingers where finger.slot == slot && finger.isTouched {
        for id in finger.newIDs { kernel.axis(AxisCode.trackingID, id, slot: slot) }
        guard finger.isDown else { continue }
        kernel.axis(AxisCode.toolType, finger.tool, slot: slot)
        if finger.hasPosition {
          let (x, y) = units(finger)
          kernel.axis(AxisCode.positionX, x, slot: slot)
          kernel.axis(AxisCode.positionY, y, slot: slot)
        }
        kernel.axis(AxisCode.multitouchPressure, finger.raw, slot: slot)
      }
    }
  }

  /// Protocol type A: every frame lists every contact.
  private mutating func writeContacts(liftsByReport: Bool) {
    for finger in fingers where finger.isDown {
      if scenario.touchProtocol == .unslotted {
        kernel.unslotted(AxisCode.trackingID, finger.id)
      }
      if finger.hasPosition {
        let (x, y) = units(finger)
        kernel.unslotted(AxisCode.positionX, x)
        kernel.unslotted(AxisCode.positionY, y)
      }
      kernel.unslotted(AxisCode.multitouchPressure, finger.raw)
      kernel.multitouchReport()
    }
    let hasLifted = fingers.contains { $0.newIDs.last == -1 }
    if liftsByReport && hasLifted && !fingers.contains(where: \.isDown) {
      kernel.multitouchReport()
    }
  }

  /// The keys and single-touch axes, which on a type-B device follow its oldest contact (kernel:
  /// `input_mt_report_pointer_emulation`); on a type-A device only what the scenario says.
  private mutating func writeSingleTouch(_ touchKey: Bool?) {
    let down = fingers.filter(\.isDown)
    switch scenario.touchProtocol {
    case .unslotted, .unslottedWithoutIDs:
      if let touchKey { kernel.key(KeyCode.touch, isDown: touchKey) }
      return
    case .slotted, .single: kernel.key(KeyCode.touch, isDown: touchKey ?? !down.isEmpty)
    }
    if scenario.kind == .trackpad {
      for (index, key) in Self.countKeys.enumerated() {
        kernel.key(key, isDown: down.count == index + 1)
      }
    }
    let oldest = down.min { $0.id < $1.id }
    if let oldest, oldest.hasPosition {
      let (x, y) = units(oldest)
      kernel.axis(AxisCode.x, x)
      kernel.axis(AxisCode.y, y)
    }
    kernel.axis(AxisCode.pressure, oldest?.raw ?? 0)
  }

  private mutating func nextID() -> Int32 {
    lastID += 1
    return lastID
  }

  private func units(_ finger: Finger) -> (x: Int32, y: Int32) {
    let scale = Self.unitsPerMillimeter
    return (Int32((finger.x * scale).rounded()), Int32((finger.y * scale).rounded()))
  }
}
