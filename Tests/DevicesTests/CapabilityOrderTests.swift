import ForceTouchModel
import Testing
import YAML

@testable import ForceTouchDevices

/// The capability contract in its order, and where its rules begin and end.
@Suite struct CapabilityOrderTests {
  static let profile = try! ForceProfile(floor: 0, average: 30, ceiling: 200)
  static let calibration = try! ForceProfile(floor: 5, average: 40, ceiling: 180)

  static func table(_ kind: DeviceTable.Kind) -> DeviceTable {
    DeviceTable(entries: [
      DeviceTable.Entry(
        name: "Trackpad", match: DeviceTable.Match(bus: .usb, vendor: 0x1234, product: 0x5678),
        kind: kind, source: "this test", mark: YAMLMark(file: "test", line: 1, column: 1))
    ])
  }

  /// A device for which one rule after the other is switched off, from the first to the last.
  struct Rules {
    var device = DeviceDescription.trackpad(
      pressure: nil, properties: [InputProperty.semiMultitouch, InputProperty.pressurePad])
    var table = CapabilityOrderTests.table(.amplitude)
    var policy = CapabilityPolicy(isDisabled: true, calibration: CapabilityOrderTests.calibration)
    var evidence: PressureEvidence? = .equalsSize

    init() {
      device.keys = [KeyCode.toolPen, KeyCode.left]
      device.devicePath = "/devices/virtual/input/input7/event3"
    }

    func verdict() -> (ForceTouchCapability, CapabilityReason) {
      let verdict = forceTouchCapability(
        of: device, table: table, policy: policy, evidence: evidence)
      return (verdict.capability, verdict.reason)
    }
  }

  @Test func theFirstRuleThatMatchesAnswers() {
    var rules = Rules()
    #expect(rules.verdict() == (.unavailable, .notTouch))
    rules.device.keys = [KeyCode.touch, KeyCode.toolFinger]
    #expect(rules.verdict() == (.unavailable, .disabled))
    rules.policy.isDisabled = false
    #expect(rules.verdict() == (.unavailable, .virtual))
    rules.device.isVirtualAllowed = true
    #expect(rules.verdict() == (.unavailable, .noPressureAxis))
    rules.device.axes[AxisCode.multitouchPressure] = Axis(minimum: 0, maximum: 31, resolution: 1)
    #expect(rules.verdict() == (.unavailable, .degenerateAxis))
    rules.device.axes[AxisCode.multitouchPressure] = Axis(
      minimum: 0, maximum: 4000, resolution: 8)
    #expect(rules.verdict() == (.unavailable, .equalsSize))
    rules.evidence = nil
    #expect(rules.verdict() == (.available, .calibrated))
    rules.policy.calibration = nil
    #expect(rules.verdict() == (.unavailable, .amplitude))
    rules.table = DeviceTable()
    #expect(rules.verdict() == (.unknown, .semiMT))
    rules.device.properties.remove(InputProperty.semiMultitouch)
    #expect(rules.verdict() == (.available, .units))
    rules.device.axes[AxisCode.multitouchPressure]?.resolution = 0
    #expect(rules.verdict() == (.unknown, .pressurePad))
    rules.device.properties.remove(InputProperty.pressurePad)
    #expect(rules.verdict() == (.unknown, .undescribed))
  }

  @Test func aRecordingWithoutADescriptionProvesNothing() {
    var rules = Rules()
    rules.device.isInferred = true
    #expect(rules.verdict() == (.unknown, .noDescription))
    rules.device.keys = [KeyCode.touch]
    rules.policy = CapabilityPolicy(calibration: Self.calibration)
    rules.device.axes[AxisCode.multitouchPressure] = Axis(
      minimum: 0, maximum: 4000, resolution: 8)
    #expect(rules.verdict() == (.unknown, .noDescription))
  }

  @Test(arguments: [
    (Axis(minimum: 0, maximum: 30), true), (Axis(minimum: 0, maximum: 31), true),
    (Axis(minimum: 0, maximum: 32), false), (Axis(minimum: 0, maximum: 0), true),
    (Axis(minimum: 0, maximum: 1), true), (Axis(minimum: 255, maximum: 0), true),
    (Axis(minimum: -16, maximum: 15), true), (Axis(minimum: -16, maximum: 16), false),
    (Axis(minimum: .min, maximum: .max), false), (Axis(minimum: .max, maximum: .min), true),
  ])
  func anAxisNeedsThirtyTwoSteps(axis: Axis, isDegenerate: Bool) {
    let verdict = forceTouchCapability(of: .trackpad(pressure: axis), table: DeviceTable())
    #expect((verdict.reason == .degenerateAxis) == isDegenerate)
  }

  @Test(arguments: [
    ("/devices/virtual/input/input7/event3", true),
    ("/devices/virtual/misc/uhid/0005:004C:0265.0001/input/input2/event0", false),
    ("/devices/pci0000:00/0000:00:14.0/usb1/1-1/input/input5/event4", false),
    ("/devices/virtual/inputs/input7", false),
  ])
  func onlyUinputIsVirtual(path: String, isVirtual: Bool) {
    var device = DeviceDescription.trackpad()
    device.devicePath = path
    let verdict = forceTouchCapability(of: device, table: Self.table(.force(Self.profile)))
    #expect(verdict.reason == (isVirtual ? .virtual : .table))
    device.isVirtualAllowed = true
    #expect(
      forceTouchCapability(of: device, table: Self.table(.force(Self.profile))).reason == .table)
  }

  @Test func theKindOfTouchDeviceIsToldWithEveryVerdict() {
    #expect(
      forceTouchCapability(of: .trackpad(), table: DeviceTable()).touchKind == .trackpad)
    #expect(
      forceTouchCapability(of: .singleTouch(), table: DeviceTable()).touchKind == .touchscreen)
    var keyboard = DeviceDescription.trackpad()
    keyboard.udevClass = .other
    #expect(forceTouchCapability(of: keyboard, table: DeviceTable()).touchKind == nil)
  }
}

/// Where a profile comes from when the kernel names the unit, and when it is guessed.
@Suite struct UnitProfileTests {
  func verdict(_ maximum: Int32, _ resolution: Int32, _ properties: Set<UInt16> = [])
    -> CapabilityVerdict
  {
    forceTouchCapability(
      of: .trackpad(
        pressure: Axis(minimum: 0, maximum: maximum, resolution: resolution),
        properties: properties), table: DeviceTable())
  }

  @Test func fiftyGramsAreAnAverageTouchAndThreeHundredAndThirtyThreeTheHardest() throws {
    let verdict = verdict(8000, 8)
    #expect((verdict.capability, verdict.reason) == (.available, .units))
    #expect(verdict.profile == (try ForceProfile(floor: 0, average: 400, ceiling: 2664)))
  }

  @Test(arguments: [InputProperty.buttonPad, InputProperty.pressurePad])
  func aPadThatClicksDoesSoAtTwoHundredGramsAndIsPressedHarder(property: UInt16) throws {
    let profile = try ForceProfile(floor: 0, average: 400, ceiling: 4000, click: 1600)
    #expect(verdict(8000, 8, [property]).profile == profile)
  }

  @Test func noProfileReachesBeyondTheAxis() throws {
    #expect(
      verdict(1000, 8).profile == (try ForceProfile(floor: 0, average: 400, ceiling: 1000)))
    #expect(
      verdict(2000, 8, [InputProperty.buttonPad]).profile
        == (try ForceProfile(floor: 0, average: 400, ceiling: 2000, click: 1600)))
  }

  @Test func anAxisThatDoesNotReachFarEnoughHasNoUsableProfile() {
    // Twice an average touch is the least; a click must lie below the hardest press.
    for short in [
      verdict(799, 8), verdict(1600, 8, [InputProperty.pressurePad]), verdict(255, .max),
    ] {
      #expect((short.capability, short.reason) == (.unknown, .unusableProfile))
      #expect(short.profile == nil)
    }
    #expect(verdict(800, 8).capability == .available)
  }

  @Test func aNegativeResolutionIsNoUnit() {
    #expect(verdict(8000, -8).reason == .undescribed)
  }

  @Test func anEstimateTakesTheDeclaredRange() throws {
    let device = DeviceDescription.trackpad(pressure: Axis(minimum: 20, maximum: 220))
    let verdict = forceTouchCapability(of: device, table: DeviceTable())
    #expect(verdict.capability == .unknown && verdict.profile == nil)
    #expect(
      estimatedProfile(of: device, verdict) == (try ForceProfile(floor: 20, ceiling: 220)))
  }

  @Test func thereIsNoEstimateWhereItMakesNoSense() {
    func estimate(_ device: DeviceDescription, isDisabled: Bool = false) -> ForceProfile? {
      estimatedProfile(
        of: device,
        forceTouchCapability(
          of: device, table: DeviceTable(), policy: CapabilityPolicy(isDisabled: isDisabled)))
    }
    #expect(estimate(.trackpad()) != nil)
    #expect(estimate(.trackpad(), isDisabled: true) == nil)
    #expect(estimate(.trackpad(pressure: nil)) == nil)
    #expect(estimate(.trackpad(pressure: Axis(minimum: 0, maximum: 1))) == nil)
    // What is available has a profile that is no guess.
    #expect(estimate(.trackpad(pressure: Axis(minimum: 0, maximum: 8000, resolution: 8))) == nil)
    var pen = DeviceDescription.trackpad()
    pen.keys.insert(KeyCode.toolPen)
    #expect(estimate(pen) == nil)
  }
}
