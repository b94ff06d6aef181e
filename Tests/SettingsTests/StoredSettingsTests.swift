import ForceTouchSettings
import Foundation
import Testing
import YAML

@Suite struct StoredSettingsTests {
  private let path = FileManager.default.temporaryDirectory
    .appending(path: "stored-\(UUID().uuidString).yaml").path()

  @Test func whatIsWrittenReadsBack() throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    var stored = try StoredSettings(path: path)
    try stored.set("recognition.sensitivity", to: "firm")
    try stored.set("service.idle-exit-s", to: "7")
    try stored.set("recognition.peek", to: "0.45")
    try stored.text.write(toFile: path, atomically: true, encoding: .utf8)

    let read = try StoredSettings(path: path)
    #expect(read == stored)
    let (settings, problems) = Settings.load("/nonexistent", stored: read)
    #expect(problems.isEmpty)
    #expect(settings.recognition.sensitivity == .firm)
    #expect(settings.recognition.peek == 0.45)
    #expect(settings.service.idleExit == .milliseconds(7000))
    let peek = try #require(settings.effective.first { $0.name == "recognition.peek" })
    #expect(peek.origin == YAMLMark(file: path, line: 3, column: 9))
  }

  @Test func whatIsTakenBackIsTheDefaultAgain() throws {
    var stored = StoredSettings()
    try stored.set("recognition.peek", to: "0.45")
    try stored.set("recognition.peek", to: nil)
    #expect(stored.text == StoredSettings().text)
  }

  @Test(arguments: ["peek", "recognition", "recognition.", "", "devices", "recognition.peek: 1"])
  func aNameThatIsNoneIsRefused(name: String) {
    var stored = StoredSettings()
    #expect(throws: StoredSettings.Refusal.unknownName) { try stored.set(name, to: "1") }
    #expect(throws: StoredSettings.Refusal.unknownName) { try stored.set(name, to: nil) }
  }

  /// What a client sends must stay one value of one line, whatever it tries to add to the file.
  @Test(arguments: [
    "", "2", "-0.1", "lots", ".nan", "0.5 # more", "0.5\nsensitivity: firm", "[0.5]", "{a: 1}",
    "\"0.5\"", "0.5\n", " 0.5", "&a 0.5", "!!float 0.5", "0.5\u{0}", "*a", "---\n0.5", "\u{1b}[2J",
  ])
  func aValueThatIsNoneIsRefused(value: String) {
    var stored = StoredSettings()
    #expect(throws: StoredSettings.Refusal.self) { try stored.set("recognition.peek", to: value) }
    #expect(stored == StoredSettings())
  }

  @Test func aFileThatIsNoSettingsIsNotTakenForAnEmptyOne() throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    try "recognition: [".write(toFile: path, atomically: true, encoding: .utf8)
    #expect(throws: YAMLError.self) { try StoredSettings(path: path) }
  }

  /// The file of a daemon that was newer, or that a person changed.
  @Test func whatAPersonWroteIsKeptAsItIs() throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    let texts = [
      "recognition:\n  peek: \"0.45\"\n", "recognition:\n  peek: \"0.45\\n  pop: 0.5\"\n",
      "\"a: b\":\n  \"c\\nd\": 'e'\n", "newer:\n  setting: some words\n  none:\n", "{-: {\"\": ~}}",
    ]
    for text in texts {
      try text.write(toFile: path, atomically: true, encoding: .utf8)
      let read = try StoredSettings(path: path)
      try read.text.write(toFile: path, atomically: true, encoding: .utf8)
      #expect(try StoredSettings(path: path) == read, "\(text)")
    }
    // A text is no number, whoever keeps it.
    try texts[0].write(toFile: path, atomically: true, encoding: .utf8)
    let stored = try StoredSettings(path: path)
    #expect(Settings.load("/nonexistent", stored: stored).problems.count == 1)
  }

  @Test func aListIsNoValue() throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    try "recognition:\n  peek: [1]\n".write(toFile: path, atomically: true, encoding: .utf8)
    let error = #expect(throws: YAMLError.self) { try StoredSettings(path: path) }
    #expect(error?.description == "\(path):2:9: expected one value")
  }
}
