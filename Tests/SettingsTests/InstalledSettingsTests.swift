import ForceTouchRecognition
import ForceTouchSettings
import Foundation
import Testing

/// The settings file that is installed: every setting with its default, commented out.
@Suite struct InstalledSettingsTests {
  private static let file = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../etc/forcetouchd.yaml").standardized

  /// The file with every setting in force. A comment for people has one space behind its `#`.
  private func uncommented() throws -> String {
    try String(contentsOf: Self.file, encoding: .utf8).split(
      separator: "\n", omittingEmptySubsequences: false
    ).map { line in
      let isComment = line.hasPrefix("# ") && !line.hasPrefix("#  ")
      return isComment ? String(line) : String(line.trimmingPrefix("#"))
    }.joined(separator: "\n")
  }

  private func load(_ text: String) throws -> (settings: Settings, problems: [String]) {
    let file = FileManager.default.temporaryDirectory.appending(
      path: "settings-\(UUID().uuidString).yaml")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data(text.utf8).write(to: file)
    let (settings, problems) = Settings.load(file.path())
    return (settings, problems.map(\.description))
  }

  @Test func asInstalledItSetsNothing() throws {
    let (settings, problems) = Settings.load(Self.file.path(), isRequired: true)
    #expect(problems.isEmpty)
    #expect(settings == Settings())
  }

  @Test func itHasEverySettingAndItsDefault() throws {
    let (settings, problems) = try load(try uncommented())
    #expect(problems.isEmpty)
    let defaults = Settings().effective
    for (setting, expected) in zip(settings.effective, defaults) {
      #expect(setting.name == expected.name)
      #expect(setting.value == expected.value, "\(setting.name)")
      #expect(setting.origin != nil, "\(setting.name) is not in the file")
    }
    let rule = try #require(settings.devices.first)
    #expect(rule.isEnabled == true)
    #expect(rule.isEstimated == false)
  }
}
