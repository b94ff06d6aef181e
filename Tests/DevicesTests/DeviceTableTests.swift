import ForceTouchDevices
import ForceTouchModel
import Foundation
import Testing

@Suite struct DeviceTableTests {
  @Test func theTableThatComesWithTheProgramIsWithoutFault() {
    let (table, problems) = DeviceTable.standard()
    #expect(problems.isEmpty, "\(problems)")
    #expect(table.entries.count > 10)
    for entry in table.entries { #expect(entry.source.count > 10, "\(entry.name)") }
    #expect(Set(table.entries.map(\.match)).count == table.entries.count, "two match the same")
    #expect(Set(table.entries.map(\.name)).count == table.entries.count)
  }

  @Test(arguments: [
    (Bus.bluetooth, UInt16(0x004c), UInt16(0x0265)), (.usb, 0x05ac, 0x0265),
    (.bluetooth, 0x004c, 0x0324), (.usb, 0x05ac, 0x0324),
  ])
  func aMagicTrackpadIsKnownOnBothBuses(bus: Bus, vendor: UInt16, product: UInt16) {
    let device = DeviceDescription(name: "any", bus: bus, vendor: vendor, product: product)
    guard case .force(let profile) = DeviceTable.standard().table.entry(for: device)?.kind else {
      Issue.record("not known as force")
      return
    }
    #expect((profile.floor, profile.click, profile.ceiling) == (0, 50, 190))
  }

  @Test func theSameNumbersOnAnotherBusAreAnotherDevice() {
    let device = DeviceDescription(bus: .usb, vendor: 0x004c, product: 0x0265)
    #expect(DeviceTable.standard().table.entry(for: device) == nil)
  }

  private func load(_ text: String) throws -> (DeviceTable, [String]) {
    let path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try Data(text.utf8).write(to: path)
    defer { try? FileManager.default.removeItem(at: path) }
    let (table, problems) = DeviceTable.load([path.path()])
    return (
      table, problems.map { $0.description.replacingOccurrences(of: path.path(), with: "t") }
    )
  }

  @Test func aWrongEntryIsReportedAndLeftOutAlone() throws {
    let (table, problems) = try load(
      """
      - {name: good, match: {vendor: 1}, kind: contactSize, source: someone}
      - {name: no source, match: {vendor: 2}, kind: contactSize}
      - {name: no kind of ours, match: {vendor: 3}, kind: magic, source: someone}
      - {name: force without a profile, match: {vendor: 4}, kind: force, source: someone}
      - {name: bad profile, match: {vendor: 5}, kind: force, profile: {floor: 9, ceiling: 1}, source: s}
      - {name: matches all, match: {}, kind: contactSize, source: someone}
      - {name: bad bus, match: {bus: ship}, kind: contactSize, source: someone}
      - {name: bad vendor, match: {vendor: 0x12345}, kind: contactSize, source: someone}
      - {name: typo, match: {vendr: 1}, kind: contactSize, source: someone}
      - {name: good too, match: {name: "Wacom*Finger"}, kind: unknown, source: someone}
      """)
    #expect(table.entries.map(\.name) == ["good", "good too"])
    #expect(problems.count == 8)
    #expect(problems.allSatisfy { $0.hasPrefix("t:") }, "\(problems)")
    #expect(
      problems[1]
        == "t:3:53: magic is no kind; choose force, contactSize, amplitude, resistive or unknown")
  }

  @Test(arguments: [
    ("Wacom*Finger", "Wacom Intuos Finger", true), ("Wacom*Finger", "WacomFinger", true),
    ("Wacom*Finger", "Wacom Finger 2", false), ("*", "", true), ("A*B*C", "AxxBxxC", true),
    ("A*B*C", "AxxC", false), ("exact", "exact", true), ("exact", "exactly", false),
    ("*AB", "AAB", true), ("AB*B", "AB", false),
  ])
  func aNamePatternMatchesWholeNames(pattern: String, name: String, matches: Bool) throws {
    let (table, problems) = try load(
      "- {name: x, match: {name: \"\(pattern)\"}, kind: unknown, source: someone}")
    #expect(problems.isEmpty)
    #expect((table.entry(for: DeviceDescription(name: name)) != nil) == matches)
  }
}
