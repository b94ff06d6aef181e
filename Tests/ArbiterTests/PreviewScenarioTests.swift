import Foundation
import TestSupport
import Testing

@Suite struct PreviewScenarioTests {
  static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "PreviewScenarios")

  static let files: [String] =
    ((try? FileManager.default.contentsOfDirectory(atPath: folder.path())) ?? [])
    .filter { $0.hasSuffix(".preview") }.sorted()

  @Test func thereAreScenarios() {
    #expect(Self.files.count >= 50)
  }

  @Test(arguments: files)
  func aScenarioGivesWhatItExpects(file: String) throws {
    let text = try String(contentsOf: Self.folder.appending(path: file), encoding: .utf8)
    let scenario = try PreviewScenario(text, name: file)
    var player = try PreviewScenarioPlayer(scenario)
    player.play()
    let isEqual =
      player.received.count == scenario.expected.count
      && zip(player.received, scenario.expected).allSatisfy { $0.matches($1) }
    #expect(
      isEqual,
      """
      \(file): \(scenario.title)
      \(PreviewScenarioPlayer.table(scenario.expected, player.received))
      """)
    #expect(player.checker.problems.isEmpty, "\(file): \(player.checker.problems)")
  }

  @Test func everyScenarioIsNamedAfterItsSentence() throws {
    for file in Self.files {
      let text = try String(contentsOf: Self.folder.appending(path: file), encoding: .utf8)
      let title = try PreviewScenario(text, name: file).title
      #expect(title.hasSuffix("."), "\(file): a title is a sentence")
      let words = title.lowercased().split { !$0.isLetter && !$0.isNumber }
      #expect(file == words.joined(separator: "-") + ".preview")
    }
  }

  @Test(
    arguments: [
      ("0ms pad down\n--\n", "x:1: the first line must be # and a title"),
      ("# A.\n0ms pad down\n", "x:3: the line -- is missing"),
      ("# A.\n0ms pad jump\n--\n", "x:2: jump is not known"),
      ("# A.\n0ms nobody down\n--\n", "x:2: nobody is neither a device nor a context"),
      ("# A.\n8ms pad down\n0ms pad up\n--\n", "x:3: 0ms comes after 8ms"),
      ("# A.\ncontext A cube\n--\n", "x:2: cube is no kind of context"),
      ("# A.\ncontext A view\ncontext A view\n--\n", "x:3: there is a context A already"),
      ("# A.\ncontext A view\n--\n0ms A peak\n", "x:4: peak is no event"),
      ("# A.\ncontext A view\n--\n0ms A peekProgress 1\n", "x:4: peekProgress needs events all"),
      ("# A.\n0ms pad down pressure\n--\n", "x:2: the line needs more"),
      ("# A.\nsetting colour 3\n--\n", "x:2: colour is no setting"),
      ("# A.\ncontext A view\n0ms A no more\n--\n", "x:3: more is too much"),
    ])
  func aScenarioThatIsWrongSaysWhere(text: String, message: String) {
    let error = #expect(throws: ScenarioProblem.self) { try PreviewScenario(text, name: "x") }
    #expect(error?.description == message)
  }

  /// Without this, a comparison that compares nothing would pass everything.
  @Test func aScenarioThatExpectsSomethingElseFails() throws {
    let scenario = try PreviewScenario(
      """
      # A press.
      context A view active
      0ms pad down
      8ms pad pressure 0.3
      16ms A no
      --
      8ms A question timeout 40ms
      16ms A peek
      """, name: "x")
    var player = try PreviewScenarioPlayer(scenario)
    player.play()
    #expect(player.received.map(\.text) == ["8ms A question"])
    let table = PreviewScenarioPlayer.table(scenario.expected, player.received)
    #expect(table.split(separator: "\n").map { $0.hasPrefix("✗") } == [false, true, true])
  }
}
