import ForceTouchModel
import Testing
import YAML

@testable import ForceTouchDevices

/// The capability contract: its rules in their order, and where each begins and ends.
@Suite struct CapabilityTests {
  static let profile = try! ForceProfile(floor: 0, average: 30, ceiling: 200)
  static let calibration = try! ForceProfile(floor: 5, average: 40, ceiling: 180)

  static func table(_ kind: DeviceTable.Kind) -> DeviceTable {
    DeviceTable(entries: [
      DeviceTable.Entry(
        name: "entry", match: DeviceTable.Match(bus: .usb, vendor: 0x1234, products: [0x5678]),
        kind: kind, source: "this test", mark: YAMLMark(file: "test", line: 1, column: 1))
    ])
  }

  private func judge(
    _ kind: DeviceTable.Kind? = nil, calibration: ForceProfile? = nil, isDisabled: Bool = false,
    evidence: PressureEvidence? = nil, _ change: (inout DeviceDescription) -> Void = { _ in }
  ) -> CapabilityVerdict {
    var device = DeviceDescription.trackpad()
    change(&device)
    return forceTouchCapability(
      of: device, table: kind.map(Self.table) ?? DeviceTable(),
      policy: CapabilityPolicy(isDisabled: isDisabled, calibration: calibration),
      evidence: evidence)
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

  /// A device for which one rule after the other is switched off, from the first to the last.
  struct Rules {
    var device = DeviceDescription.trackpad(
      pressure: nil, properties: [InputProperty.semiMultitouch, InputProperty.pressurePad])
    var table = CapabilityTests.table(.amplitude)
    var policy = CapabilityPolicy(isDisabled: true, calibration: CapabilityTests.calibration)
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

  @Test func whatIsNoTouchDeviceIsNoneWhateverElseIsSaid() {
    func judge(_ change: (inout DeviceDescription) -> Void) -> CapabilityVerdict {
      self.judge(.force(Self.profile), calibration: Self.calibration, change)
    }
    expect(judge { $0.keys = [KeyCode.left] }, .unavailable, .notTouch)
    expect(judge { $0.keys.insert(KeyCode.toolPen) }, .unavailable, .notTouch)
    expect(judge { $0.keys.insert(KeyCode.stylus) }, .unavailable, .notTouch)
    expect(judge { $0.udevClass = .other }, .unavailable, .notTouch)
    // Devices that claim every axis from one to the last.
    expect(
      judge {
        $0.axes[AxisCode.slot - 1] = Axis(minimum: 0, maximum: 255)
        $0.axes[AxisCode.x] = nil
      }, .unavailable, .notTouch)
  }

  @Test func udevsWordCounts() {
    let verdict = judge { device in
      device.keys = []
      device.udevClass = .touch(.touchscreen)
    }
    expect(verdict, .unknown, .undescribed)
    #expect(verdict.touchKind == .touchscreen)
  }

  @Test func aUdevRuleSwitchesOffAsTheSettingsDo() {
    for isVirtual in [false, true] {
      let verdict = judge(calibration: Self.calibration) {
        $0.isIgnored = true
        if isVirtual { $0.devicePath = "/devices/virtual/input/input7/event3" }
      }
      expect(verdict, .unavailable, .disabled)
    }
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

  @Test func theOldestContactsPressureCountsOnlyWhereThereAreNoContacts() {
    expect(
      judge(calibration: Self.calibration) { $0.axes[AxisCode.multitouchPressure] = nil },
      .unavailable, .noPressureAxis)
    let single = judge(calibration: Self.calibration) { device in
      for code in [
        AxisCode.slot, AxisCode.positionX, AxisCode.positionY, AxisCode.trackingID,
        AxisCode.multitouchPressure,
      ] { device.axes[code] = nil }
    }
    expect(single, .available, .calibrated)
  }

  @Test(arguments: [
    (Axis(minimum: 0, maximum: 30), true), (Axis(minimum: 0, maximum: 31), true),
    (Axis(minimum: 0, maximum: 32), false), (Axis(minimum: 0, maximum: 0), true),
    (Axis(minimum: 0, maximum: 1), true), (Axis(minimum: 255, maximum: 0), true),
    (Axis(minimum: -16, maximum: 15), true), (Axis(minimum: -16, maximum: 16), false),
    (Axis(minimum: .min, maximum: .max), false), (Axis(minimum: .max, maximum: .min), true),
  ])
  func anAxisNeedsThirtyTwoSteps(axis: Axis, isDegenerate: Bool) {
    let verdict = judge { $0.axes[AxisCode.multitouchPressure] = axis }
    expect(
      verdict, isDegenerate ? .unavailable : .unknown,
      isDegenerate ? .degenerateAxis : .undescribed)
  }

  @Test(arguments: [
    (PressureEvidence.equalsSize, CapabilityReason.equalsSize), (.constant, .constant),
    (.binary, .binary),
  ])
  func whatWasProvenInUseOverrulesWhatWasFoundAndWritten(
    evidence: PressureEvidence, reason: CapabilityReason
  ) {
    expect(
      judge(.force(Self.profile), calibration: Self.calibration, evidence: evidence),
      .unavailable, reason)
  }

  @Test func calibrationOverrulesTheTable() {
    for kind in [DeviceTable.Kind.contactSize, .force(Self.profile)] {
      let verdict = judge(kind, calibration: Self.calibration)
      expect(verdict, .available, .calibrated)
      #expect(verdict.profile == Self.calibration)
    }
  }

  @Test func theTableOverrulesWhatTheDeviceSays() {
    func pad(_ device: inout DeviceDescription) {
      device.properties.insert(InputProperty.semiMultitouch)
      device.axes[AxisCode.multitouchPressure] = Axis(
        minimum: 0, maximum: 4000, resolution: 8)
    }
    let verdict = judge(.force(Self.profile), pad)
    expect(verdict, .available, .table)
    #expect(verdict.profile == Self.profile)
    #expect(verdict.tableEntry == "entry")
    expect(judge(.contactSize, pad), .unavailable, .contactSize)
    expect(judge(.amplitude, pad), .unavailable, .amplitude)
    expect(judge(.resistive, pad), .unavailable, .resistive)
  }

  /// As if it did not name the device at all.
  @Test func whatTheTableHoldsInDoubtItLeavesToTheOtherRules() {
    expect(judge(.unknown), .unknown, .undescribed)
    expect(
      judge(.unknown) { $0.properties.insert(InputProperty.pressurePad) }, .unknown, .pressurePad)
    expect(
      judge(.unknown) { $0.properties.insert(InputProperty.semiMultitouch) }, .unknown, .semiMT)
    expect(
      judge(.unknown) {
        $0.axes[AxisCode.multitouchPressure] = Axis(minimum: 0, maximum: 4000, resolution: 8)
      }, .available, .units)
    #expect(judge(.unknown).tableEntry == "entry")
  }

  @Test func aProfileThatTheAxisDoesNotReachIsOfAnotherDevice() {
    for axis in [Axis(minimum: 0, maximum: 179), Axis(minimum: 6, maximum: 255)] {
      func short(_ device: inout DeviceDescription) {
        device.axes[AxisCode.multitouchPressure] = axis
      }
      expect(judge(calibration: Self.calibration, short), .unknown, .unusableProfile)
      expect(judge(.force(Self.calibration), short), .unknown, .unusableProfile)
    }
    expect(
      judge(calibration: Self.calibration) {
        $0.axes[AxisCode.multitouchPressure] = Axis(minimum: 5, maximum: 180)
      }, .available, .calibrated)
  }
}
