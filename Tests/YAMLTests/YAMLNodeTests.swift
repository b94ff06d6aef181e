import Testing
import YAML

@Suite("A YAML document")
struct YAMLNodeTests {
  private func node(_ text: String) throws(YAMLError) -> YAMLNode? {
    try YAMLNode(file: "settings.yaml", bytes: Array(text.utf8))
  }

  /// The problem of a text that is refused, as the user reads it.
  private func problem(_ text: String) -> String? {
    do throws(YAMLError) {
      _ = try node(text)
      return nil
    } catch {
      return error.description
    }
  }

  @Test("keeps mappings in the order of the file")
  func order() throws {
    let document = try #require(try node("b: 1\na: 2\nc: [x, 'y']\n"))
    #expect(try document.entries().map(\.key) == ["b", "a", "c"])
    #expect(try document["c"]?.elements().map { try $0.string() } == ["x", "y"])
    #expect(document["d"] == nil)
  }

  @Test("tells what is wrong in one line, whatever the file holds")
  func oneLine() {
    #expect(
      problem(#"{"a\n\e[2Jb\L\Pc": 1, "a\n\e[2Jb\L\Pc": 2}"#)
        == #"settings.yaml:1:23: a\u000a\u001b[2Jb\u2028\u2029c stands here twice"#)
    #expect(YAMLError("é 触 \u{1f600}\t\u{85}", at: nil).description == #"é 触 😀\u0009\u0085"#)
  }

  @Test("knows the line and column of every key and value")
  func marks() throws {
    let document = try #require(try node("# a comment\nouter:\n  inner: word\n"))
    let entry = try #require(try document["outer"]?.entries().first)
    #expect(entry.keyMark == YAMLMark(file: "settings.yaml", line: 3, column: 3))
    #expect(entry.value.mark.description == "settings.yaml:3:10")
  }

  @Test("is nil when there is nothing but comments", arguments: ["", "\n\n", "# only this\n"])
  func emptiness(text: String) throws {
    #expect(try node(text) == nil)
  }

  @Test("may begin with a byte order mark")
  func byteOrderMark() throws {
    #expect(try node("\u{feff}a: 1\n")?["a"]?.integer() == 1)
  }

  @Test(
    "converts whole numbers",
    arguments: [
      ("7", 7), ("-7", -7), ("+7", 7), ("007", 7), ("0x1f", 31), ("-0x1F", -31), ("0", 0),
      ("9223372036854775807", Int.max), ("-9223372036854775808", Int.min),
    ])
  func integers(text: String, value: Int) throws {
    #expect(try node("n: \(text)")?["n"]?.integer() == value)
  }

  @Test(
    "refuses what is no whole number, at its place",
    arguments: [
      "9223372036854775808", "0x8000000000000000", "0x", "0x-5", "-0x-5", "0x+5",
      "-0x-8000000000000000", "1.5", "1e3", "''", "'7'", "\"7\"", "[7]", "seven", "~", "",
    ])
  func noIntegers(text: String) throws {
    let value = try #require(try node("n: \(text)\n")?["n"])
    #expect(throws: YAMLError("expected a whole number", at: value.mark)) { try value.integer() }
  }

  @Test(
    "converts numbers",
    arguments: [("0.25", 0.25), ("-1e3", -1000), ("42", 42), ("0x10", 16), (".5", 0.5)])
  func numbers(text: String, value: Double) throws {
    #expect(try node("n: \(text)")?["n"]?.number() == value)
  }

  @Test(
    "refuses numbers that are not finite, and words",
    arguments: ["1e999", "inf", "-inf", "nan", "'1.0'", "one", "{a: 1}"])
  func noNumbers(text: String) throws {
    let value = try #require(try node("n: \(text)")?["n"])
    #expect(throws: YAMLError("expected a number", at: value.mark)) { try value.number() }
  }

  @Test("converts truths, but not quoted ones")
  func truths() throws {
    for text in ["true", "yes", "on"] { #expect(try node("t: \(text)")?["t"]?.boolean() == true) }
    for text in ["false", "no", "off"] {
      #expect(try node("t: \(text)")?["t"]?.boolean() == false)
    }
    for text in ["'true'", "1", "TRUE", "[]", "maybe"] {
      let value = try #require(try node("t: \(text)")?["t"])
      #expect(throws: YAMLError("expected true or false", at: value.mark)) { try value.boolean() }
    }
  }

  @Test("says what it expected instead of a mapping, a list or a text")
  func shapes() throws {
    let document = try #require(try node("a: [1]\nb: {c: 1}\n"))
    let list = try #require(document["a"])
    let mapping = try #require(document["b"])
    #expect(throws: YAMLError("expected `key: value` lines", at: list.mark)) {
      try list.entries()
    }
    #expect(throws: YAMLError("expected a list", at: mapping.mark)) { try mapping.elements() }
    #expect(throws: YAMLError("expected a text", at: mapping.mark)) { try mapping.string() }
    #expect(list["a"] == nil)
  }

  @Test("has no key twice")
  func duplicateKeys() {
    #expect(problem("a: 1\nb: 2\na: 3\n") == "settings.yaml:3:1: a stands here twice")
    #expect(problem("o:\n  a: 1\n  'a': 2\n") == "settings.yaml:3:3: a stands here twice")
  }

  @Test("refuses anchors, aliases and tags where they stand")
  func refusals() {
    #expect(problem("a: &x 1\n") == "settings.yaml:1:4: an anchor (&name) is not allowed")
    #expect(problem("a: &x [1]\n") == "settings.yaml:1:4: an anchor (&name) is not allowed")
    #expect(problem("&x {a: 1}\n") == "settings.yaml:1:1: an anchor (&name) is not allowed")
    #expect(problem("a: *x\n") == "settings.yaml:1:4: an alias (*name) is not allowed here")
    #expect(problem("a: !!str 1\n") == "settings.yaml:1:4: a tag (!name) is not allowed")
    #expect(problem("a: !x [1]\n") == "settings.yaml:1:4: a tag (!name) is not allowed")
    #expect(problem("a: !x {b: 1}\n") == "settings.yaml:1:4: a tag (!name) is not allowed")
  }

  @Test("refuses the laughs that grow a thousandfold by aliases")
  func laughs() {
    var text = "a0: &a0 [x, x, x]\n"
    for level in 1..<20 {
      let alias = "*a\(level - 1)"
      text += "a\(level): &a\(level) [\(alias), \(alias), \(alias)]\n"
    }
    #expect(problem(text) == "settings.yaml:1:5: an anchor (&name) is not allowed")
  }

  @Test("refuses a key that is no word, a second document, a broken line")
  func brokenTexts() {
    #expect(problem("[a]: 1\n") == "settings.yaml:1:1: a key must be a word")
    #expect(problem("a: 1\n---\nb: 2\n") == "settings.yaml:3:1: a second document is not allowed")
    #expect(problem("a: 1\n\tb: 2\n")?.hasPrefix("settings.yaml:2:1: ") == true)
    #expect(problem("a: 'open\n")?.hasPrefix("settings.yaml:2:1: ") == true)
    #expect(problem("a: 1\nb\nc: 2\n")?.hasPrefix("settings.yaml:3:") == true)
  }

  @Test("says at which byte it is no UTF-8")
  func noUTF8() {
    let bytes = Array("a: ".utf8) + [0xe9] + Array("\n".utf8)
    #expect {
      try YAMLNode(file: "f", bytes: bytes)
    } throws: { error in
      "\(error)".hasPrefix("f:") && "\(error)".hasSuffix("at byte 3")
    }
  }

  @Test("refuses what is nested too deeply, and reads what is not", arguments: [64, 65, 100_000])
  func depth(levels: Int) throws {
    let text = String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
    if levels <= 64 {
      #expect(try node(text) != nil)
    } else {
      #expect(problem(text) == "settings.yaml:1:65: nested too deeply")
    }
  }

  @Test("survives being cut off anywhere")
  func truncation() throws {
    let text = "a: {b: [1, 'two', \"thr\\x65e\"], c: |\n  text\n }\nd:\n  - e: 'é'\n  - f\n"
    for length in 0...text.utf8.count {
      do throws(YAMLError) {
        _ = try YAMLNode(file: "f", bytes: Array(text.utf8.prefix(length)))
      } catch {
        #expect(error.mark != nil)
      }
    }
  }
}
