import ForceTouchDoctor
import ForceTouchModel
import Glibc
import TestSupport
import Testing

/// Which quirks hold for a device.
@Suite struct LibinputQuirksTests {
  static let trackpad = QuirkSubject(
    name: "Apple Inc. Magic Trackpad 2", bus: .bluetooth, vendor: 0x4c, product: 0x265, version: 7,
    types: ["touchpad"], modalias: "dmi:bvnLENOVO:pnX1:", deviceTree: "acme,board")

  @Test(
    arguments: [
      ("MatchName=*Magic Trackpad*", true), ("MatchName=Magic Trackpad", false),
      ("MatchName=Apple Inc. Magic Trackpad [12]", true), ("MatchBus=bluetooth", true),
      ("MatchBus=usb", false), ("MatchVendor=0x004C", true), ("MatchVendor=0x4C", true),
      ("MatchVendor=4C", false), ("MatchVendor=0x05AC;0x004C", true),
      ("MatchProduct=0x0265", true), ("MatchProduct=0x0324;0x0266", false),
      ("MatchVersion=0x0007", true), ("MatchVersion=0x0008", false),
      ("MatchUdevType=touchpad", true), ("MatchUdevType=mouse", false),
      ("MatchDMIModalias=dmi:*svnApple*", false), ("MatchDMIModalias=dmi:bvnLENOVO*", true),
      ("MatchDeviceTree=acme,*", true), ("MatchFutureThing=1", false),
      ("MatchVendor=0x004C\nMatchProduct=0x0265", true),
      ("MatchVendor=0x004C\nMatchProduct=0x0266", false),
    ])
  func allConditionsMustHold(conditions: String, holds: Bool) throws {
    let file = try QuirksFile(name: "a", text: "[A]\n\(conditions)\nModelX=1\n")
    #expect(Self.trackpad.fulfills(file.sections[0]) == holds)
  }

  @Test func whatTheMachineDoesNotHaveHoldsNot() throws {
    var subject = Self.trackpad
    subject.modalias = nil
    subject.deviceTree = nil
    for condition in ["MatchDMIModalias=*", "MatchDeviceTree=*"] {
      let file = try QuirksFile(name: "a", text: "[A]\n\(condition)\nModelX=1\n")
      #expect(!subject.fulfills(file.sections[0]))
    }
  }

  private static func write(_ text: String, _ path: String) throws {
    let file = try #require(fopen(path, "w"))
    fputs(text, file)
    fclose(file)
  }

  private static func section(_ value: Int) -> String {
    "[A]\nMatchVendor=0x004C\nAttrPalmPressureThreshold=\(value)\n"
  }

  private static func limit(_ quirks: LibinputQuirks) -> QuirksFile.Value? {
    quirks.values(for: trackpad)["AttrPalmPressureThreshold"]
  }

  @Test func laterFilesCountInTheOrderOfTheirNumbersAndOverridesLast() throws {
    let folder = try TemporaryFolder()
    try Self.write(Self.section(9), folder.path("9-a.quirks"))
    try Self.write(Self.section(10), folder.path("10-a.quirks"))
    try Self.write(Self.section(99), folder.path("99-a.quirks.bak"))
    let overrides = folder.path("local")
    func quirks() -> LibinputQuirks {
      LibinputQuirks(folder: folder.path(""), overrides: overrides)
    }
    #expect(quirks().isInstalled)
    #expect(Self.limit(quirks())?.text == "10")
    try Self.write(Self.section(250), overrides)
    #expect(Self.limit(quirks())?.text == "250")
    #expect(Self.limit(quirks())?.place == Place(file: overrides, line: 3))
  }

  @Test func oneWrongLineAndLibinputHasNoQuirks() throws {
    let folder = try TemporaryFolder()
    try Self.write(Self.section(190), folder.path("50-a.quirks"))
    try Self.write("AttrPalmPressureThreshold=250\n", folder.path("local"))
    let quirks = LibinputQuirks(folder: folder.path(""), overrides: folder.path("local"))
    #expect(
      quirks.problem == "\(folder.path("local")):1: this stands before the first [section]")
    #expect(Self.limit(quirks) == nil)
  }

  @Test func withoutFilesOfItsOwnLibinputDoesNotReadTheOverrides() throws {
    let folder = try TemporaryFolder()
    try Self.write(Self.section(250), folder.path("local"))
    for name in ["", "nowhere"] {
      let quirks = LibinputQuirks(folder: folder.path(name), overrides: folder.path("local"))
      #expect(!quirks.isInstalled)
      #expect(Self.limit(quirks) == nil)
      #expect(quirks.problem == nil)
    }
  }
}
