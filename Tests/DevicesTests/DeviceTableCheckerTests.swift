import Foundation
import Testing

@testable import ForceTouchDevices

/// The checker on tables with a fault each, and on ones without.
@Suite struct DeviceTableCheckerTests {
  private static func paragraph(
    _ name: String, _ match: String, _ kind: String = "unknown",
    profile: String = "{floor: 0, ceiling: 100}", source: String = "https://example.org"
  ) -> String {
    """
    - name: \(name)
      match: {\(match)}
      kind: \(kind)
      source: \(source)
      \(kind == "force" ? "profile: " + profile : "")

    """
  }

  /// Two paragraphs, of kinds that differ, and what is wrong with them.
  @Test(arguments: [
    // One device can match both.
    ("bus: usb, vendor: 1", "vendor: 1, product: 2", "a and b: one device can match both"),
    ("vendor: 1, product: 2", "driver: magicmouse", "a and b: one device can match both"),
    ("product: [1, 2]", "product: [2, 3]", "a and b: one device can match both"),
    (#"bus: usb, name: "Pad*""#, #"name: "*2""#, "a and b: one device can match both"),
    (#"bus: usb, name: "*Touch*""#, #"name: "A Touchpad""#, "a and b: one device can match both"),
    // The later one is never asked.
    ("vendor: 1", "vendor: 1, product: 2", "b: never asked, a matches all of it"),
    ("product: [1, 2]", "bus: usb, product: 2", "b: never asked, a matches all of it"),
    (#"name: "*Pad*""#, #"name: "Some Pad 2""#, "b: never asked, a matches all of it"),
    (#"name: "*Pad*""#, #"name: "Some Pad*""#, "b: never asked, a matches all of it"),
    // The same twice.
    ("bus: usb, vendor: 1", "vendor: 0x1, bus: 0x3", "a and b: the same match"),
    ("product: [1, 2]", "product: [2, 1]", "a and b: the same match"),
    // Nothing.
    ("bus: usb, vendor: 1", "bus: bluetooth, vendor: 1", nil),
    ("vendor: 1", "vendor: 2", nil), ("driver: a", "driver: b", nil),
    ("product: [1, 2]", "product: [3, 4]", nil),
    (#"name: "Elan Touchpad""#, #"name: "* 04F3:*""#, nil),
    (#"name: "TSC200* touch""#, #"name: "TSC2007 Touch""#, nil),
    (#"name: "a*b""#, #"name: "*c""#, nil),
  ])
  func twoParagraphsThatSayDifferentThings(first: String, second: String, fault: String?) throws {
    let table = Self.paragraph("a", first, "amplitude") + Self.paragraph("b", second, "contactSize")
    #expect(try DeviceTableChecker.faults(table) == (fault.map { [$0] } ?? []))
  }

  @Test func twoThatSayTheSameOfOneDeviceDoNotContradict() throws {
    let table =
      Self.paragraph("a", "bus: usb, vendor: 1", "amplitude")
      + Self.paragraph("b", "vendor: 1, product: 2", "amplitude")
    #expect(try DeviceTableChecker.faults(table).isEmpty)
  }

  @Test func twoProfilesForOneDeviceContradict() throws {
    let table =
      Self.paragraph("a", "bus: usb, vendor: 1, product: [1, 2]", "force")
      + Self.paragraph(
        "b", "bus: usb, vendor: 1, product: [2, 3]", "force", profile: "{floor: 0, ceiling: 200}")
    #expect(try DeviceTableChecker.faults(table) == ["a and b: one device can match both"])
  }

  @Test func aNameThatStandsThereTwice() throws {
    let table = Self.paragraph("a", "vendor: 1") + Self.paragraph("a", "vendor: 2")
    #expect(try DeviceTableChecker.faults(table) == ["a: the name stands there twice"])
  }

  @Test func forceWithoutABus() throws {
    let table = Self.paragraph("a", "vendor: 1, product: 2", "force")
    #expect(try DeviceTableChecker.faults(table) == ["a: force without a bus"])
  }

  /// `(ceiling − floor) / (average − floor)` from 2 to 20.
  @Test(arguments: [
    ("{floor: 0, average: 51, ceiling: 100}", false),
    ("{floor: 0, average: 50, ceiling: 100}", true),
    ("{floor: 10, average: 15, ceiling: 110}", true),
    ("{floor: 10, average: 14, ceiling: 110}", false),
    ("{floor: 0, click: 100, ceiling: 100}", false),
  ])
  func aProfileThatIsNone(profile: String, isUsable: Bool) throws {
    let faults = try DeviceTableChecker.faults(
      Self.paragraph("a", "bus: usb, vendor: 1", "force", profile: profile))
    #expect(faults.isEmpty == isUsable)
    #expect(faults.allSatisfy { $0.contains("the profile is not usable") })
  }

  @Test(arguments: [
    ("''", "devices.yaml:4:11: must not be empty"),
    ("somebody said so", "a: the source is nothing that anybody can read"),
    ("Linux", "a: the source is nothing that anybody can read"),
  ])
  func aSourceThatIsNone(source: String, fault: String) throws {
    let table = Self.paragraph("a", "vendor: 1", source: source)
    #expect(try DeviceTableChecker.faults(table) == [fault])
  }

  @Test func aSourceThatIsMissing() throws {
    let faults = try DeviceTableChecker.faults("- {name: a, match: {vendor: 1}, kind: unknown}")
    #expect(faults == ["devices.yaml:1:3: source is missing"])
  }

  @Test func anEmptyTable() throws {
    #expect(try DeviceTableChecker.faults("# nothing\n") == ["the table is empty"])
  }
}
