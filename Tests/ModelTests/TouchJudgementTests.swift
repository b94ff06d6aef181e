import ForceTouchModel
import Testing

/// Without udev a device is judged from its axes, keys and properties as udev would have.
@Suite struct TouchJudgementTests {
  struct Device: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var axes: [UInt16]
    var keys: [UInt16] = []
    var properties: [UInt16] = []
    var kind: TouchKind?
  }

  static let position = [AxisCode.x, AxisCode.y]
  static let contacts = [AxisCode.slot, AxisCode.positionX, AxisCode.positionY]
  static let everyAxis = Array(UInt16(0)...AxisCode.multitouchPressure)

  @Test(arguments: [
    Device(
      testDescription: "a trackpad", axes: position + contacts,
      keys: [KeyCode.left, KeyCode.toolFinger, KeyCode.touch],
      properties: [InputProperty.pointer, InputProperty.buttonPad], kind: .trackpad),
    Device(
      testDescription: "an old trackpad without contacts", axes: position,
      keys: [KeyCode.left, KeyCode.toolFinger, KeyCode.touch], kind: .trackpad),
    Device(
      testDescription: "a game pad's touch surface, which has no ABS_X", axes: contacts,
      keys: [KeyCode.left, KeyCode.toolFinger, KeyCode.touch],
      properties: [InputProperty.pointer, InputProperty.buttonPad], kind: .trackpad),
    Device(
      testDescription: "a touchscreen", axes: position + contacts, keys: [KeyCode.touch],
      properties: [InputProperty.direct], kind: .touchscreen),
    Device(
      testDescription: "a touchscreen that says direct and has a finger key",
      axes: position + contacts, keys: [KeyCode.touch, KeyCode.toolFinger],
      properties: [InputProperty.direct], kind: .touchscreen),
    Device(
      testDescription: "an old touchscreen without properties", axes: position,
      keys: [KeyCode.touch], kind: .touchscreen),
    Device(
      testDescription: "a type-A touchscreen that has nothing but positions",
      axes: [AxisCode.positionX, AxisCode.positionY], properties: [InputProperty.direct],
      kind: .touchscreen),
    Device(
      testDescription: "a screen's pen", axes: position + [AxisCode.pressure],
      keys: [KeyCode.toolPen, KeyCode.touch, KeyCode.stylus],
      properties: [InputProperty.direct], kind: nil),
    Device(
      testDescription: "a tablet's stylus without BTN_TOOL_PEN",
      axes: position + [AxisCode.pressure], keys: [KeyCode.stylus, KeyCode.touch], kind: nil),
    Device(
      testDescription: "a virtual machine's absolute mouse", axes: position,
      keys: [KeyCode.left, KeyCode.right], kind: nil),
    Device(
      testDescription: "a keyboard that declares every axis", axes: everyAxis,
      keys: Array(1...100), kind: nil),
    Device(
      testDescription: "a mouse that declares every axis", axes: everyAxis,
      keys: [KeyCode.left, KeyCode.right, KeyCode.middle], kind: nil),
    Device(
      testDescription: "a game pad with a pressure axis",
      axes: position + [AxisCode.multitouchPressure], keys: [0x120, 0x121, 0x130], kind: nil),
    Device(
      testDescription: "contacts without a touch key that are not direct", axes: contacts,
      kind: nil),
    Device(
      testDescription: "a headset with one junk axis", axes: [AxisCode.multitouchPressure],
      keys: [0x71, 0x72], kind: nil),
    Device(
      testDescription: "a touch key and no position", axes: [], keys: [KeyCode.touch], kind: nil),
  ])
  func axesKeysAndPropertiesTellTheKind(_ device: Device) {
    #expect(description(device).touchKind == device.kind)
  }

  @Test func udevHasTheLastWord() {
    var description = description(
      Device(testDescription: "", axes: Self.position + Self.contacts, keys: [KeyCode.touch]))
    description.udevClass = .other
    #expect(description.touchKind == nil)
    description.udevClass = .touch(.trackpad)
    #expect(description.touchKind == .trackpad)
  }

  private func description(_ device: Device) -> DeviceDescription {
    DeviceDescription(
      axes: Dictionary(
        uniqueKeysWithValues: device.axes.map { ($0, Axis(minimum: 0, maximum: 255)) }),
      keys: Set(device.keys), properties: Set(device.properties))
  }
}

/// Which axis carries pressure.
@Suite struct PressureAxisTests {
  let single = Axis(minimum: 0, maximum: 100)
  let multitouch = Axis(minimum: 0, maximum: 200)
  let place = Axis(minimum: 0, maximum: 1000)

  @Test func contactsHaveTheirOwnAxis() {
    let axes = [
      AxisCode.pressure: single, AxisCode.multitouchPressure: multitouch,
      AxisCode.positionX: place, AxisCode.positionY: place,
    ]
    #expect(DeviceDescription(axes: axes).pressureAxis == multitouch)
  }

  @Test func theOldestContactsPressureIsNoSubstituteForEachContacts() {
    let axes = [
      AxisCode.pressure: single, AxisCode.positionX: place, AxisCode.positionY: place,
    ]
    #expect(DeviceDescription(axes: axes).pressureAxis == nil)
  }

  @Test func aDeviceWithOneContactHasThePlainAxis() {
    let axes = [AxisCode.pressure: single, AxisCode.x: place, AxisCode.y: place]
    #expect(DeviceDescription(axes: axes).pressureAxis == single)
  }

  @Test func theRangeOfAnAxisCannotOverflow() {
    #expect(Axis(minimum: .min, maximum: .max).range == 0xffff_ffff)
    #expect(Axis(minimum: 5, maximum: -5).range == -10)
  }
}
