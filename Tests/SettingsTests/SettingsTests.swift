import ForceTouchModel
import ForceTouchRecognition
import ForceTouchSettings
import Foundation
import Testing

@Suite struct SettingsTests {
  /// Reads texts as a settings file and its drop-ins.
  private func load(_ texts: String...) throws -> (settings: Settings, problems: [String]) {
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "settings-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    var paths: [String] = []
    for (index, text) in texts.enumerated() {
      let path = folder.appending(path: "\(index).yaml")
      try Data(text.utf8).write(to: path)
      paths.append(path.path())
    }
    let (settings, problems) = Settings.load(paths[0], dropIns: Array(paths.dropFirst()))
    return (
      settings,
      problems.map { $0.description.replacingOccurrences(of: folder.path() + "/", with: "") }
    )
  }

  @Test func whatIsEffectiveCanBeTakenByName() throws {
    let (settings, _) = try load(
      "recognition: {hint: 0.31, peek: 0.4, pop: 0.6, sensitivity: light, rest-ms: 70}\n"
        + "service: {idle-exit-s: 7}\n")
    let taken = try Settings(named: settings.effective.map { ($0.name, $0.value) })
    #expect(taken.recognition == settings.recognition)
    #expect(taken.effective.map(\.value) == settings.effective.map(\.value))
    #expect(taken.effective.map(\.value) != Settings().effective.map(\.value))
    #expect(throws: StoredSettings.Refusal.unknownName) {
      try Settings(named: [("recognition.depth", "1")])
    }
    #expect(throws: StoredSettings.Refusal.self) {
      try Settings(named: [("recognition.peek", "lots")])
    }
  }

  @Test func theSettingsOfThresholdsAreSettings() {
    let names = Settings().effective.map(\.name)
    #expect(Settings.thresholdNames.allSatisfy(names.contains))
  }

  @Test func whatIsNotSetIsTheDefault() throws {
    let (settings, problems) = try load("")
    #expect(settings == Settings())
    #expect(problems.isEmpty)
    #expect(settings.effective.allSatisfy { $0.origin == nil })
  }

  @Test func aLaterFileReplacesAnEarlierValue() throws {
    let (settings, problems) = try load(
      "recognition:\n  peek: 0.5\n  sensitivity: light\n", "recognition:\n  peek: 0.45\n")
    #expect(problems.isEmpty)
    #expect(settings.recognition.peek == 0.45)
    #expect(settings.recognition.sensitivity == .light)
    let peek = try #require(settings.effective.first { $0.name == "recognition.peek" })
    #expect(peek.value == "0.45")
    #expect(peek.origin?.file.hasSuffix("1.yaml") == true)
    #expect(peek.origin?.line == 2)
  }

  @Test func aWrongValueIsIgnoredAlone() throws {
    let (settings, problems) = try load(
      """
      recognition:
        peek: lots
        rest-ms: -5
        trackpad-slop-mm: 1.5
        sensitivity: gentle
        color: red
      service:
        idle-exit-s: soon
      services: {}
      """)
    #expect(
      problems == [
        "0.yaml:2:9: expected a number", "0.yaml:3:12: must lie between 0 and 10000",
        "0.yaml:5:16: expected light, medium or firm", "0.yaml:6:3: color is not known here",
        "0.yaml:8:16: expected a whole number",
        "0.yaml:9:1: services is not known here; did you mean service?",
      ])
    #expect(settings.recognition.trackpadSlop == 1.5)
    #expect(settings.recognition.peek == 0.4)
  }

  @Test func thresholdsThatDoNotAscendAreAllTheDefaults() throws {
    let (settings, problems) = try load("recognition:\n  peek: 0.9\n")
    #expect(problems.count == 1)
    #expect(settings.recognition == RecognizerConfiguration())
  }

  @Test func textThatIsNoYAMLIsReportedWithItsPlace() throws {
    let (settings, problems) = try load("recognition: [\n")
    #expect(settings == Settings())
    #expect(problems.count == 1)
    #expect(problems[0].hasPrefix("0.yaml:2:1: "))
  }

  @Test func rulesAreForTheDevicesThatTheyName() throws {
    let (settings, problems) = try load(
      """
      devices:
      - {name: Bad pad, enabled: false}
      - {bus: usb, vendor: 0x1234, estimated: true}
      - {enabled: false}
      - {vendor: 70000, enabled: false}
      """)
    #expect(problems.count == 2)
    #expect(settings.isDisabled(DeviceDescription(name: "Bad pad")))
    #expect(!settings.isDisabled(DeviceDescription(name: "Good pad")))
    #expect(settings.isEstimated(DeviceDescription(bus: .usb, vendor: 0x1234)))
    #expect(!settings.isEstimated(DeviceDescription(bus: .bluetooth, vendor: 0x1234)))
  }
}
