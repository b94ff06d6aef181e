import ForceTouchModel
import Testing
import YAML

@testable import ForceTouchDevices

/// The capability contract, rule by rule: each device differs from the one before by what the
/// rule is about, and from the one that the next rule decides by the same.
@Suite struct CapabilityTests {
  static let trackpad = DeviceDescription(
    name: "Trackpad", bus: .usb, vendor: 0x1234, product: 0x5678,
    axes: [
      AxisCode.x: Axis(minimum: 0, maximum: 4000, resolution: 40),
      AxisCode.y: Axis(minimum: 0, maximum: 2400, resolution: 40),
      AxisCode.slot: Axis(minimum: 0, maximum: 4),
      AxisCode.trackingID: Axis(minimum: 0, maximum: 65535),
      AxisCode.positionX: Axis(minimum: 0, maximum: 4000, resolution: 40),
      AxisCode.positionY: Axis(minimum: 0, maximum: 2400, resolution: 40),
      AxisCode.multitouchPressure: Axis(minimum: 0, maximum: 1023),
    ], keys: [KeyCode.touch, KeyCode.toolFinger, KeyCode.left],
    properties: [InputProperty.pointer])

  static let profile: ForceProfile = {
    guard let profile = try? ForceProfile(floor: 0, average: 100, ceiling: 1000) else {
      preconditionFailure()
    }
    return profile
  }()

  private func judge(
    _ table: DeviceTable = DeviceTable(), policy: CapabilityPolicy = CapabilityPolicy(),
    evidence: PressureEvidence? = nil, _ change: (inout DeviceDescription) -> Void = { _ in }
  ) -> CapabilityVerdict {
    var device = Self.trackpad
    change(&device)
    return forceTouchCapability(of: device, table: table, policy: policy, evidence: evidence)
  }

  private func table(_ kind: DeviceTable.Kind) -> DeviceTable {
    DeviceTable(entries: [
      .init(
        name: "entry", match: .init(vendor: 0x1234, product: 0x5678), kind: kind, source: "test",
        mark: YAMLMark(file: "test", line: 1, column: 1))
    ])
  }

  private func expect(
    _ verdict: CapabilityVerdict, _ capability: ForceTouchCapability, _ reason: CapabilityReason,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(verdict.capability == capability, sourceLocation: sourceLocation)
    #expect(verdict.reason == reason, sourceLocation: sourceLocation)
    // Only what is available has a profile.
    #expect((verdict.profile != nil) == (capability == .available), sourceLocation: sourceLocation)
  }

  @Test func rule1WhatIsNoTouchDevice() {
    let all = CapabilityPolicy(isDisabled: true, calibration: Self.profile)
    expect(
      judge(policy: all) { $0.keys = [KeyCode.left] }, .unavailable, .notTouch)
    expect(judge(policy: all) { $0.keys.insert(KeyCode.toolPen) }, .unavailable, .notTouch)
    expect(judge(policy: all) { $0.keys.insert(KeyCode.stylus) }, .unavailable, .notTouch)
    expect(judge(policy: all) { $0.udevClass = .other }, .unavailable, .notTouch)
    // Devices that claim every axis from one to the last.
    expect(
      judge {
        $0.axes[AxisCode.slot - 1] = Axis(minimum: 0, maximum: 255)
        $0.axes[AxisCode.x] = nil
      }, .unavailable, .notTouch)
  }

  @Test func rule1UdevsWordCounts() {
    let verdict = judge { device in
      device.keys = []
      device.udevClass = .touch(.touchscreen)
    }
    expect(verdict, .unknown, .undescribed)
    #expect(verdict.touchKind == .touchscreen)
  }

  @Test func rule2SwitchedOff() {
    expect(
      judge(policy: CapabilityPolicy(isDisabled: true, calibration: Self.profile)), .unavailable,
      .disabled)
    expect(
      judge {
        $0.isIgnored = true
        $0.devicePath = "/devices/virtual/input/input7/event3"
      }, .unavailable, .disabled)
  }

  @Test func rule3MadeByUinput() {
    let path = "/devices/virtual/input/input7/event3"
    let calibrated = CapabilityPolicy(calibration: Self.profile)
    expect(judge(policy: calibrated) { $0.devicePath = path }, .unavailable, .virtual)
    expect(
      judge(policy: calibrated) {
        $0.devicePath = path
        $0.isVirtualAllowed = true
      }, .available, .calibrated)
    // uhid is how real Bluetooth devices come.
    expect(
      judge(policy: calibrated) {
        $0.devicePath = "/devices/virtual/misc/uhid/0005:004C:0265.0001/input/input2/event0"
      }, .available, .calibrated)
  }

  @Test func rule4NoPressureAxis() {
    let calibrated = CapabilityPolicy(calibration: Self.profile)
    expect(
      judge(policy: calibrated) { device in
        device.axes[AxisCode.multitouchPressure] = nil
        // The oldest contact's shadow does not count where there are multitouch axes.
        device.axes[AxisCode.pressure] = Axis(minimum: 0, maximum: 1023)
      }, .unavailable, .noPressureAxis)
    let single = judge(policy: calibrated) { device in
      for code in [
        AxisCode.slot, AxisCode.positionX, AxisCode.positionY, AxisCode.trackingID,
        AxisCode.multitouchPressure,
      ] { device.axes[code] = nil }
      device.axes[AxisCode.pressure] = Axis(minimum: 0, maximum: 1023)
    }
    expect(single, .available, .calibrated)
  }

  @Test(arguments: [(Int32(0), Int32(31)), (0, 0), (5, 5), (100, -100), (0, 1)])
  func rule5TooFewSteps(minimum: Int32, maximum: Int32) {
    expect(
      judge(policy: CapabilityPolicy(calibration: Self.profile)) {
        $0.axes[AxisCode.multitouchPressure] = Axis(minimum: minimum, maximum: maximum)
      }, .unavailable, .degenerateAxis)
  }

  @Test func rule5ThirtyTwoStepsAreEnough() {
    for axis in [Axis(minimum: 0, maximum: 32), Axis(minimum: .min, maximum: .max)] {
      expect(
        judge { $0.axes[AxisCode.multitouchPressure] = axis }, .unknown, .undescribed)
    }
  }

  @Test func rule6ProvenInUse() {
    let calibrated = CapabilityPolicy(calibration: Self.profile)
    for (evidence, reason) in [
      (PressureEvidence.equalsSize, CapabilityReason.equalsSize), (.constant, .constant),
      (.binary, .binary),
    ] {
      expect(
        judge(table(.force(Self.profile)), policy: calibrated, evidence: evidence), .unavailable,
        reason)
    }
  }

  @Test func rule7Calibrated() throws {
    let other = try ForceProfile(floor: 5, ceiling: 500)
    let verdict = judge(table(.contactSize), policy: CapabilityPolicy(calibration: other))
    expect(verdict, .available, .calibrated)
    #expect(verdict.profile == other)
  }

  @Test func rule8InTheTable() {
    func pad(_ device: inout DeviceDescription) {
      device.properties.insert(InputProperty.semiMultitouch)
      device.axes[AxisCode.multitouchPressure]?.resolution = 1
    }
    let verdict = judge(table(.force(Self.profile)), pad)
    expect(verdict, .available, .table)
    #expect(verdict.profile == Self.profile)
    #expect(verdict.tableEntry == "entry")
    expect(judge(table(.contactSize), pad), .unavailable, .contactSize)
    expect(judge(table(.amplitude), pad), .unavailable, .amplitude)
    expect(judge(table(.resistive), pad), .unavailable, .resistive)
    expect(judge(table(.unknown), pad), .unknown, .undescribed)
  }

  @Test func rule9SemiMT() {
    expect(
      judge {
        $0.properties.insert(InputProperty.semiMultitouch)
        $0.axes[AxisCode.multitouchPressure]?.resolution = 1
      }, .unknown, .semiMT)
  }

  @Test func rule10Units() {
    let verdict = judge { $0.axes[AxisCode.multitouchPressure]?.resolution = 2 }
    expect(verdict, .available, .units)
    #expect(verdict.profile?.average == 100)
    #expect(verdict.profile?.ceiling == 666)
    #expect(verdict.profile?.click == nil)
    for property in [InputProperty.buttonPad, InputProperty.pressurePad] {
      let clicking = judge { device in
        device.axes[AxisCode.multitouchPressure]?.resolution = 2
        device.properties.insert(property)
      }
      expect(clicking, .available, .units)
      #expect(clicking.profile?.click == 400)
      #expect(clicking.profile?.ceiling == 1000)
    }
  }

  @Test func rule10ACeilingIsNeverAboveTheAxis() {
    let verdict = judge { $0.axes[AxisCode.multitouchPressure]?.resolution = 6 }
    #expect(verdict.profile?.ceiling == 1023)
  }

  @Test func rule10AnAxisThatEndsTooEarlyHasNoUsableProfile() {
    expect(
      judge { $0.axes[AxisCode.multitouchPressure]?.resolution = 20 }, .unknown, .unusableProfile)
  }

  @Test func rule11PressurePadWithoutUnits() {
    expect(
      judge { $0.properties.insert(InputProperty.pressurePad) }, .unknown, .pressurePad)
  }

  @Test func rule12AnythingElse() {
    expect(judge(), .unknown, .undescribed)
    expect(judge { $0.isInferred = true }, .unknown, .noDescription)
  }

  @Test func aGuessIsForTouchDevicesWithAUsableAxis() {
    let verdict = judge()
    #expect(estimatedProfile(of: Self.trackpad, verdict)?.ceiling == 1023)
    #expect(estimatedProfile(of: Self.trackpad, .init(.unavailable, .notTouch)) == nil)
    #expect(estimatedProfile(of: Self.trackpad, .init(.unavailable, .disabled)) == nil)
    var flat = Self.trackpad
    flat.axes[AxisCode.multitouchPressure] = Axis(minimum: 0, maximum: 1)
    #expect(estimatedProfile(of: flat, verdict) == nil)
  }
}
