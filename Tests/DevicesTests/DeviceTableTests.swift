import ForceTouchModel
import Foundation
import Testing
import YAML

@testable import ForceTouchDevices

/// The table that comes with the program.
@Suite struct ShippedTableTests {
  let shipped = DeviceTable.standard()

  @Test func everyEntryIsRead() throws {
    #expect(shipped.problems.isEmpty, "\(shipped.problems)")
    #expect(shipped.table.entries.count >= 50)
  }

  @Test func nothingIsWrongWithIt() {
    #expect(DeviceTableChecker.faults(shipped.table.entries) == [])
  }

  @Test(arguments: [
    (Bus.bluetooth, UInt16(0x004c), UInt16(0x0265)), (.usb, 0x05ac, 0x0265),
    (.bluetooth, 0x004c, 0x0324), (.usb, 0x05ac, 0x0324),
  ])
  func theMagicTrackpadMeasuresForce(bus: Bus, vendor: UInt16, product: UInt16) throws {
    var device = DeviceDescription.trackpad(pressure: Axis(minimum: 0, maximum: 253))
    (device.bus, device.vendor, device.product) = (bus, vendor, product)
    let verdict = forceTouchCapability(of: device, table: shipped.table)
    #expect((verdict.capability, verdict.reason) == (.available, .table))
    #expect(verdict.profile == (try ForceProfile(floor: 0, ceiling: 190, click: 50)))
  }

  @Test func theSameNumbersOnAnotherBusAreAnotherDevice() {
    let device = DeviceDescription(bus: .usb, vendor: 0x004c, product: 0x0265)
    #expect(shipped.table.entry(for: device) == nil)
  }

  @Test func whatNobodyEstablishedIsNotInIt() {
    #expect(shipped.table.entry(for: .trackpad()) == nil)
    // The Magic Mouse and the first Magic Trackpad have no pressure.
    for product in [UInt16(0x030d), 0x030e, 0x0269] {
      let device = DeviceDescription(bus: .bluetooth, vendor: 0x05ac, product: product)
      #expect(shipped.table.entry(for: device) == nil)
    }
  }

  /// As the drivers name what they make; a recording says that too.
  @Test(arguments: [
    (Bus.i8042, UInt16(2), UInt16(7), "SynPS/2 Synaptics TouchPad", CapabilityReason.contactSize),
    (.i8042, 2, 0xe, "ETPS/2 Elantech Touchpad", .contactSize),
    (.rmi, 0x06cb, 0, "Synaptics TM2668-002", .contactSize),
    (.usb, 0x05ac, 0x0273, "bcm5974", .contactSize),
    (.i2c, 0x04f3, 0x3022, "Elan Touchpad", .contactSize),
    (.usb, 0x04f3, 0x074d, "Elan Touchpad", .contactSize), (.i2c, 0, 0, "stmfts", .contactSize),
    (.usb, 0x046d, 0x4101, "Logitech Rechargeable Touchpad T650", .contactSize),
    (.bluetooth, 0x046d, 0xb00c, "Logitech Rechargeable Touchpad T651", .contactSize),
    (.i2c, 0, 0, "Atmel maXTouch Touchscreen", .amplitude),
    (.i2c, 0, 0, "Atmel maXTouch Touchpad", .amplitude),
    (.usb, 0x05ac, 0x021a, "appletouch", .amplitude),
    (.i2c, 0, 0, "Cypress APA Trackpad (cyapa)", .amplitude),
    (.i2c, 0, 0, "MELFAS MMS114 Touchscreen", .amplitude), (.i2c, 0, 0, "iqs550", .amplitude),
    (.spi, 0, 7846, "ADS7846 Touchscreen", .resistive),
    (.i2c, 0, 0, "TSC2007 Touchscreen", .resistive),
    (.i2c, 0, 2004, "TSC200X touchscreen", .resistive),
    (.spi, 0, 2005, "TSC2005 touchscreen", .resistive),
    (.host, 0, 0, "colibri-vf50-ts", .resistive),
  ])
  func wherePressureIsNoForceIdsAndNamesTell(
    bus: Bus, vendor: UInt16, product: UInt16, name: String, reason: CapabilityReason
  ) {
    var device = DeviceDescription.trackpad()
    (device.bus, device.vendor, device.product, device.name) = (bus, vendor, product, name)
    let verdict = forceTouchCapability(of: device, table: shipped.table)
    #expect((verdict.capability, verdict.reason) == (.unavailable, reason))
  }

  /// What one driver takes of many that are alike.
  @Test(arguments: [Bus.i2c, .usb]) func aDriverTellsWhereIdsDoNot(bus: Bus) {
    var device = DeviceDescription.trackpad()
    (device.bus, device.vendor, device.product) = (bus, 0x06cb, 0x2970)
    #expect(forceTouchCapability(of: device, table: shipped.table).reason == .undescribed)
    device.driver = "hid-rmi"
    #expect(forceTouchCapability(of: device, table: shipped.table).reason == .contactSize)
  }

  /// Of a pad in doubt the kernel's unit is believed, and what it calls itself is said.
  @Test func doubtDoesNotMakeADeviceWorse() {
    var device = DeviceDescription.trackpad(
      pressure: Axis(minimum: 0, maximum: 4000, resolution: 8),
      properties: [InputProperty.buttonPad, InputProperty.pressurePad])
    (device.bus, device.vendor, device.product) = (.i2c, 0x06cb, 0xce37)
    device.name = "SYNA2BA6:00 06CB:CE37 Touchpad"
    device.driver = "hid-multitouch"
    func verdict() -> CapabilityVerdict { forceTouchCapability(of: device, table: shipped.table) }
    #expect((verdict().capability, verdict().reason) == (.available, .units))
    #expect(verdict().tableEntry == "Synaptics pressure pads on I2C")
    device.axes[AxisCode.multitouchPressure]?.resolution = 0
    #expect((verdict().capability, verdict().reason) == (.unknown, .pressurePad))
    device.properties.remove(InputProperty.pressurePad)
    #expect((verdict().capability, verdict().reason) == (.unknown, .undescribed))
  }
}

/// Tables that people write.
@Suite struct DeviceTableTests {
  static func read(_ text: String) throws -> (entries: [DeviceTable.Entry], problems: [String]) {
    let node = try #require(try YAMLNode(file: "devices.yaml", bytes: Array(text.utf8)))
    var problems: [YAMLError] = []
    let entries = try DeviceTable.parse(node, &problems)
    return (entries, problems.map(\.description))
  }

  @Test func anEntryIsOneParagraph() throws {
    let (entries, problems) = try Self.read(
      """
      - name: A pad
        match: {bus: bluetooth, vendor: 0x004c, product: 613, name: "*Pad*", driver: magicmouse}
        kind: force
        profile: {floor: 1, average: 30.5, ceiling: 0xbe, click: 50}
        source: me
      """)
    #expect(problems == [])
    let entry = try #require(entries.first)
    #expect(entry.name == "A pad" && entry.source == "me")
    #expect(
      entry.match
        == DeviceTable.Match(
          bus: .bluetooth, vendor: 0x4c, products: [0x265], namePattern: "*Pad*",
          driver: "magicmouse"))
    #expect(
      entry.kind
        == .force(try ForceProfile(floor: 1, average: 30.5, ceiling: 190, click: 50)))
    #expect(entry.mark.description == "devices.yaml:1:3")
  }

  /// Each with a right entry after it.
  @Test(arguments: [
    ("- name: a\n  kind: unknown\n  source: s", "devices.yaml:1:3: match is missing"),
    ("- name: a\n  match: {vendor: 1}\n  source: s", "devices.yaml:1:3: kind is missing"),
    ("- name: a\n  match: {vendor: 1}\n  kind: unknown", "devices.yaml:1:3: source is missing"),
    (
      "- name: a\n  match: {vendor: 1}\n  kind: unknown\n  source: ' '",
      "devices.yaml:4:11: must not be empty"
    ),
    (
      "- name: a\n  match: {name: '**'}\n  kind: unknown\n  source: s",
      "devices.yaml:2:10: match must name something"
    ),
    (
      "- name: a\n  match: {}\n  kind: unknown\n  source: s",
      "devices.yaml:2:10: match must name something"
    ),
    (
      "- name: a\n  match: {bus: pci}\n  kind: unknown\n  source: s",
      "devices.yaml:2:16: pci is no bus"
    ),
    (
      "- name: a\n  match: {vendor: 65536}\n  kind: unknown\n  source: s",
      "devices.yaml:2:19: must lie between 0 and 65535"
    ),
    (
      "- name: a\n  match: {vendor: -1}\n  kind: unknown\n  source: s",
      "devices.yaml:2:19: must lie between 0 and 65535"
    ),
    (
      "- name: a\n  match: {product: []}\n  kind: unknown\n  source: s",
      "devices.yaml:2:20: product must name something"
    ),
    (
      "- name: a\n  match: {product: [1, 0x10000]}\n  kind: unknown\n  source: s",
      "devices.yaml:2:24: must lie between 0 and 65535"
    ),
    (
      "- name: a\n  match: {product: [1, 0x1]}\n  kind: unknown\n  source: s",
      "devices.yaml:2:24: the product stands here twice"
    ),
    (
      "- name: a\n  match: {color: red}\n  kind: unknown\n  source: s",
      "devices.yaml:2:11: color is not known here"
    ),
    (
      "- name: a\n  match: {vendor: 1}\n  kind: magic\n  source: s",
      "devices.yaml:3:9: magic is no kind; choose force, contactSize, amplitude, resistive or unknown"
    ),
    (
      "- name: a\n  match: {vendor: 1}\n  kind: force\n  source: s",
      "devices.yaml:3:9: kind force needs a profile"
    ),
    (
      "- name: a\n  match: {vendor: 1}\n  kind: unknown\n  profile: {floor: 0, ceiling: 9}\n  source: s",
      "devices.yaml:4:12: only kind force has a profile"
    ),
    (
      "- name: a\n  match: {vendor: 1}\n  kind: force\n  profile: {floor: 9, ceiling: 9}\n  source: s",
      "devices.yaml:4:12: the profile is not usable: floor, average and ceiling must ascend"
    ),
    (
      "- name: a\n  match: {vendor: 1}\n  kind: force\n  profile: {floor: .nan, ceiling: 9}\n  source: s",
      "devices.yaml:4:20: expected a number"
    ),
    ("- just a word", "devices.yaml:1:3: expected `key: value` lines"),
  ])
  func aWrongEntryIsReportedAndLeftOutAlone(entry: String, problem: String) throws {
    let (entries, problems) = try Self.read(
      entry + "\n- {name: right, match: {vendor: 2}, kind: unknown, source: s}\n")
    #expect(problems == [problem])
    #expect(entries.map(\.name) == ["right"])
  }

  @Test func allThatIsWrongWithAnEntryIsReportedInOrder() throws {
    let (entries, problems) = try Self.read(
      """
      - nam: a
        match: {bus: pci, vendr: 1, product: [70000, 1, 1]}
        kind: force
        profile: {floor: much, ceilin: 9}
        source: ''
      - {name: b, match: {vendor: 1}, kind: sort, source: s}
      """)
    #expect(entries.isEmpty)
    #expect(
      problems == [
        "devices.yaml:1:3: nam is not known here; did you mean name?",
        "devices.yaml:1:3: name is missing", "devices.yaml:2:16: pci is no bus",
        "devices.yaml:2:21: vendr is not known here; did you mean vendor?",
        "devices.yaml:2:41: must lie between 0 and 65535",
        "devices.yaml:2:51: the product stands here twice",
        "devices.yaml:4:12: ceiling is missing", "devices.yaml:4:20: expected a number",
        "devices.yaml:4:26: ceilin is not known here; did you mean ceiling?",
        "devices.yaml:5:11: must not be empty",
        "devices.yaml:6:39: sort is no kind; choose force, contactSize, amplitude, resistive or unknown",
      ])
  }

  @Test func theExampleOfThePageIsRight() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let page = try String(
      contentsOf: root.appending(path: "man/forcetouchd-devices.5"), encoding: .utf8)
    let displays = page.components(separatedBy: ".Bd -literal -offset indent\n").dropFirst()
    #expect(!displays.isEmpty)
    for display in displays {
      let (entries, problems) = try Self.read(display.components(separatedBy: ".Ed\n")[0])
      #expect(problems == [] && !entries.isEmpty)
    }
  }

  @Test func whatIsNoListIsReportedAsAWhole() throws {
    #expect(throws: YAMLError.self) { try Self.read("name: a") }
  }

  @Test(arguments: [
    ("Apple Inc. Magic Trackpad 2", "Apple Inc. Magic Trackpad 2", true),
    ("Apple Inc. Magic Trackpad 2", "Apple Inc. Magic Trackpad", false),
    ("Apple Inc. Magic Trackpad 2", "*Magic*", true),
    ("Apple Inc. Magic Trackpad 2", "Apple*Track*2", true),
    ("Apple Inc. Magic Trackpad 2", "Apple*2*2", false),
    ("Apple Inc. Magic Trackpad 2", "*Trackpad", false), ("", "*", true), ("abc", "**", true),
    ("ab", "ab*b", false), ("aXb", "a*b", true), ("abab", "*ab", true), ("abab", "ab*ab", true),
    ("aba", "ab*ba", false),
  ])
  func aStarStandsForAnyText(name: String, pattern: String, isMatch: Bool) {
    let match = DeviceTable.Match(namePattern: pattern)
    #expect(match.matches(DeviceDescription(name: name)) == isMatch)
  }

  @Test func allThatIsGivenMustMatch() {
    let match = DeviceTable.Match(bus: .usb, vendor: 1, products: [2, 3], driver: "x")
    let device = DeviceDescription(bus: .usb, vendor: 1, product: 2, driver: "x")
    #expect(match.matches(device))
    var sibling = device
    sibling.product = 3
    #expect(match.matches(sibling))
    for change: (inout DeviceDescription) -> Void in [
      { $0.bus = .i2c }, { $0.vendor = 9 }, { $0.product = 9 }, { $0.driver = "y" },
      { $0.driver = nil },
    ] {
      var other = device
      change(&other)
      #expect(!match.matches(other))
    }
  }

  @Test func laterFilesWin() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "forcetouchd-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    func write(_ name: String, _ text: String) throws -> String {
      let file = folder.appending(path: name)
      try Data(text.utf8).write(to: file)
      return file.path()
    }
    let first = try write(
      "1.yaml", "- {name: first, match: {vendor: 0x1234}, kind: amplitude, source: s}")
    let second = try write(
      "2.yaml",
      "- {name: wrong, match: {vendor: 0x1234}, kind: x, source: s}\n"
        + "- {name: second, match: {vendor: 0x1234}, kind: contactSize, source: s}")
    let broken = try write("3.yaml", "- {name: ")
    let empty = try write("4.yaml", "# nothing\n")

    let (table, problems) = DeviceTable.load([first, second, broken, empty])
    #expect(table.entry(for: .trackpad())?.name == "second")
    #expect(table.entries.map(\.name) == ["second", "first"])
    #expect(problems.count == 2)
    #expect(problems.first?.mark == YAMLMark(file: second, line: 1, column: 48))
    #expect(problems.last?.mark?.file == broken)

    // Over the shipped table too.
    let magic = try write(
      "5.yaml",
      "- {name: mine, match: {vendor: 0x004c, product: 0x0265}, kind: unknown, source: s}")
    var device = DeviceDescription.trackpad()
    (device.bus, device.vendor, device.product) = (.bluetooth, 0x004c, 0x0265)
    #expect(DeviceTable.standard().table.entry(for: device)?.name != "mine")
    #expect(DeviceTable.standard(overrides: [magic]).table.entry(for: device)?.name == "mine")
  }

  @Test func aFileThatIsNotThereIsAProblemThatNamesIt() {
    let (table, problems) = DeviceTable.load(["/nonexistent/devices.yaml"])
    #expect(table.entries.isEmpty)
    #expect(
      problems.map(\.problem)
        == ["cannot read /nonexistent/devices.yaml: No such file or directory"])
  }
}
