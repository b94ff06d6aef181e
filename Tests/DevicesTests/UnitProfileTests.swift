import ForceTouchDevices
import ForceTouchModel
import Testing

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
