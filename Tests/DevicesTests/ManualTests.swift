import ForceTouchDevices
import Foundation
import Testing

/// forcetouchd-devices(5) shows a paragraph of the device table.
@Suite struct ManualTests {
  @Test func theExampleIsRight() throws {
    let page = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../man/forcetouchd-devices.5").standardized
    let lines = try String(contentsOf: page, encoding: .utf8).split(separator: "\n")
    let example = lines.drop { !$0.hasPrefix(".Bd -literal") }.dropFirst().prefix { $0 != ".Ed" }
    #expect(example.count > 3)

    let file = FileManager.default.temporaryDirectory.appending(
      path: "devices-\(UUID().uuidString).yaml")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data(example.joined(separator: "\n").utf8).write(to: file)
    let (table, problems) = DeviceTable.load([file.path()])
    #expect(problems.isEmpty)
    #expect(table.entries.count == 1)
  }
}
