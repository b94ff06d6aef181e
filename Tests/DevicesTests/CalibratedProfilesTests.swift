import ForceTouchDevices
import ForceTouchModel
import Foundation
import Testing

@Suite struct CalibratedProfilesTests {
  private let path = FileManager.default.temporaryDirectory
    .appending(path: "profiles-\(UUID().uuidString).yaml").path()

  /// Names come from devices: they may hold anything.
  @Test(arguments: [
    "Apple Inc. Magic Trackpad 2", "", "a \"b\" \\ c: {d} # e", "two\nlines\r\ttab", "\u{1b}[2J",
    "ends in a space ", "- list", "*", "né 触 \u{2028}", "0x05", "null", "~",
  ])
  func whatIsWrittenReadsBack(name: String) throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    let device = DeviceDescription(name: name, bus: .i2c, vendor: 0xffff, product: 1)
    let profile = try ForceProfile(floor: -3.25, average: 12, ceiling: 1e-3 + 200, click: 17.5)
    var profiles = CalibratedProfiles()
    profiles.set(profile, for: device)
    try profiles.text.write(toFile: path, atomically: true, encoding: .utf8)

    let (read, problems) = CalibratedProfiles.load(path)
    #expect(problems.isEmpty)
    #expect(read.profile(for: device) == profile)
    var other = device
    other.bus = .usb
    #expect(read.profile(for: other) == nil, "the same pad behaves differently on another bus")
    #expect(read.text == profiles.text)
  }

  @Test func eachDeviceHasItsOwnAndTheLastCounts() throws {
    let first = DeviceDescription(name: "a", bus: .usb, vendor: 1, product: 1)
    let second = DeviceDescription(name: "b", bus: .usb, vendor: 1, product: 1)
    var profiles = CalibratedProfiles()
    profiles.set(try ForceProfile(floor: 0, ceiling: 100), for: first)
    profiles.set(try ForceProfile(floor: 0, ceiling: 200), for: second)
    profiles.set(try ForceProfile(floor: 0, ceiling: 300), for: first)
    #expect(profiles.profile(for: first)?.ceiling == 300)
    #expect(profiles.profile(for: second)?.ceiling == 200)
    profiles.set(nil, for: first)
    #expect(profiles.profile(for: first) == nil)
    #expect(profiles.profile(for: second)?.ceiling == 200)
  }

  @Test func aFileThatIsNotThereIsEmpty() {
    let (profiles, problems) = CalibratedProfiles.load("/nonexistent/profiles.yaml")
    #expect(problems.isEmpty)
    #expect(profiles == CalibratedProfiles())
  }

  /// The daemon writes the file anew with each calibration.
  @Test func whatAPersonWroteIsKept() throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    let text = """
      - name: "ours"
        match:
          vendor: 0x1
          product: [0x1, 0xa]
          driver: "hid-multitouch"
        kind: force
        profile: {floor: 1.0, average: 20.0, ceiling: 100.0, click: 30.0}
        source: "me"

      """
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    var (profiles, problems) = CalibratedProfiles.load(path)
    #expect(problems.isEmpty && profiles.text.hasSuffix(text))

    // It matches the device that is calibrated, too, which goes before.
    let device = DeviceDescription(
      name: "a", bus: .usb, vendor: 1, product: 1, driver: "hid-multitouch")
    #expect(profiles.profile(for: device)?.ceiling == 100)
    profiles.set(try ForceProfile(floor: 0, ceiling: 300), for: device)
    #expect(profiles.profile(for: device)?.ceiling == 300)
    #expect(profiles.text.hasSuffix(text))
    try profiles.text.write(toFile: path, atomically: true, encoding: .utf8)
    #expect(CalibratedProfiles.load(path).profiles.profile(for: device)?.ceiling == 300)
    profiles.set(nil, for: device)
    #expect(profiles.profile(for: device)?.ceiling == 100)
  }
}
