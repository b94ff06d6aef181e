import ForceTouchDoctor
import ForceTouchModel
import Glibc
import TestSupport
import Testing

/// From which pressure on libinput takes a touch for a palm.
@Suite struct PalmLimitTests {
  static let pressure = Axis(minimum: 0, maximum: 253)

  static func pad(
    bus: Bus = .usb, vendor: UInt16 = 0x5ac, pressure: Axis? = pressure,
    kind: TouchKind = .trackpad
  ) -> DeviceDescription {
    var axes = [
      AxisCode.slot: Axis(minimum: 0, maximum: 15),
      AxisCode.positionX: Axis(minimum: 0, maximum: 100),
      AxisCode.positionY: Axis(minimum: 0, maximum: 100),
    ]
    axes[AxisCode.multitouchPressure] = pressure
    return DeviceDescription(
      name: "Pad", bus: bus, vendor: vendor, product: 0x265, axes: axes, udevClass: .touch(kind))
  }

  /// The limit on a device, with values that a quirk gives it.
  static func limit(
    _ pad: DeviceDescription = pad(), integration: String? = "internal", quirk: String? = nil
  ) throws -> PalmLimit {
    var quirks = LibinputQuirks()
    let folder = try TemporaryFolder()
    if let quirk {
      let file = try #require(fopen(folder.path("a.quirks"), "w"))
      fputs("[A]\nMatchUdevType=touchpad\n\(quirk)\n", file)
      fclose(file)
      quirks = LibinputQuirks(folder: folder.path(""), overrides: nil)
      #expect(quirks.problem == nil)
    }
    let subject = QuirkSubject(
      name: pad.name, bus: pad.bus, vendor: pad.vendor, product: pad.product)
    return PalmLimit(of: pad, subject, integration: integration, quirks: quirks)
  }

  static func isAbove(_ limit: PalmLimit) -> Int64? {
    if case .above(let value, _) = limit { value } else { nil }
  }

  @Test func withoutAQuirkItIs130() throws {
    #expect(try Self.limit() == .above(130, nil))
  }

  @Test func aQuirkSaysAnotherAndWhere() throws {
    guard case .above(190, let place?) = try Self.limit(quirk: "AttrPalmPressureThreshold=190")
    else { return #expect(Bool(false)) }
    #expect(place.file.hasSuffix("a.quirks"))
    #expect(place.line == 3)
  }

  @Test(
    arguments: [
      "AttrPalmPressureThreshold=0", "ModelPressurePad=1",
      "AttrEventCodeDisable=ABS_MT_PRESSURE;ABS_PRESSURE;", "AttrEventCode=-ABS_MT_PRESSURE",
    ])
  func aQuirkSwitchesItOff(quirk: String) throws {
    #expect(Self.isAbove(try Self.limit(quirk: quirk)) == nil)
  }

  @Test(arguments: ["ModelPressurePad=0", "AttrEventCode=+ABS_MT_PRESSURE;-BTN_RIGHT"])
  func anotherQuirkDoesNot(quirk: String) throws {
    #expect(Self.isAbove(try Self.limit(quirk: quirk)) == 130)
  }

  @Test func onlyPressureOfATrackpadIsLookedAt() throws {
    let touchscreen = Self.pad(kind: .touchscreen)
    let units = Self.pad(pressure: Axis(minimum: 0, maximum: 500, resolution: 1))
    for device in [touchscreen, units, Self.pad(pressure: nil)] {
      #expect(Self.isAbove(try Self.limit(device)) == nil)
    }
  }

  @Test func outsideOfTheMachineNoPressIsAPalm() throws {
    #expect(Self.isAbove(try Self.limit(integration: "external")) == nil)
    #expect(Self.isAbove(try Self.limit(Self.pad(bus: .bluetooth), integration: nil)) == nil)
    #expect(Self.isAbove(try Self.limit(Self.pad(vendor: 0x46d), integration: nil)) == nil)
    // udev's word goes first, and a keyboard above it makes palms likely.
    #expect(Self.isAbove(try Self.limit(Self.pad(bus: .bluetooth), integration: "internal")) == 130)
    #expect(Self.isAbove(try Self.limit(integration: nil)) == 130)
    #expect(
      Self.isAbove(try Self.limit(integration: "external", quirk: "AttrTPKComboLayout=below"))
        == 130)
  }

  @Test func theSectionThatTakesItAwayDoesSo() throws {
    let pad = Self.pad()
    let subject = QuirkSubject(
      name: pad.name, bus: pad.bus, vendor: pad.vendor, product: pad.product)
    let lines = subject.sectionWithoutPalms(maximum: 253)
    #expect(lines.contains("MatchVendor=0x05ac"))
    let folder = try TemporaryFolder()
    let file = try #require(fopen(folder.path("a.quirks"), "w"))
    fputs(lines.joined(separator: "\n"), file)
    fclose(file)
    let quirks = LibinputQuirks(folder: folder.path(""), overrides: nil)
    #expect(
      Self.isAbove(PalmLimit(of: pad, subject, integration: "internal", quirks: quirks)) == 253)
  }
}
