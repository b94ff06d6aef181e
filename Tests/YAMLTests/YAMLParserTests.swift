import TestSupport
import Testing
import YAML

@Suite("A YAML parser")
struct YAMLParserTests {
  private func events(_ parser: YAMLParser) throws -> [YAMLEvent] {
    var events: [YAMLEvent] = []
    while let (event, _) = try parser.next() { events.append(event) }
    return events
  }

  @Test("gives event after event, and says what was quoted")
  func order() throws {
    let text = "a: [1, '2', \"3\"]\nb: {c: |\n  d\n }\n"
    let expected: [YAMLEvent] = [
      .mappingStart, .scalar("a", isPlain: true), .sequenceStart, .scalar("1", isPlain: true),
      .scalar("2", isPlain: false), .scalar("3", isPlain: false), .sequenceEnd,
      .scalar("b", isPlain: true), .mappingStart, .scalar("c", isPlain: true),
    ]
    let parser = YAMLParser(file: "f", bytes: Array(text.utf8))
    var events: [YAMLEvent] = []
    while events.count < expected.count, let (event, _) = try parser.next() { events.append(event) }
    #expect(events == expected)
  }

  @Test("reads from a source that gives one byte at a time")
  func slowSource() throws {
    let text = "list:\n- é\n- [1, 2]\n"
    var rest = Array(text.utf8)[...]
    let slow = YAMLParser(file: "f") { buffer in
      guard let byte = rest.popFirst() else { return 0 }
      buffer[0] = byte
      return 1
    }
    let events = try events(slow)
    #expect(events == (try self.events(YAMLParser(file: "f", bytes: Array(text.utf8)))))
    #expect(events.contains(.scalar("é", isPlain: true)))
  }

  @Test("gives what comes before an error, then the error, then nothing")
  func errors() throws {
    let parser = YAMLParser(file: "f", bytes: Array("a: 1\nb: ]\n".utf8))
    var events: [YAMLEvent] = []
    var problem: YAMLError?
    do throws(YAMLError) {
      while let (event, _) = try parser.next() { events.append(event) }
    } catch {
      problem = error
    }
    #expect(
      events.prefix(3) == [.mappingStart, .scalar("a", isPlain: true), .scalar("1", isPlain: true)])
    #expect(problem?.mark?.line == 2)
    #expect(try parser.next() == nil)
  }

  @Test("ends for good")
  func end() throws {
    let parser = YAMLParser(file: "f", bytes: Array("a\n".utf8))
    #expect(try parser.next()?.event == .scalar("a", isPlain: true))
    #expect(try parser.next() == nil)
    #expect(try parser.next() == nil)
  }

  @Test("never traps, whatever the bytes")
  func mutations() {
    let text = Array("a: {b: [1, 'two', \"3\"], c: &x !t *y}\n- d: |\n  é\n? f\n: g # h\n".utf8)
    var generator = SeededGenerator(seed: 20_261_130)
    for _ in 0..<3000 {
      var bytes = text
      for _ in 0..<Int.random(in: 1...6, using: &generator) {
        let index = Int.random(in: 0..<bytes.count, using: &generator)
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: bytes[index] = .random(in: 0...255, using: &generator)
        case 1: bytes.remove(at: index)
        default: bytes.insert(text.randomElement(using: &generator) ?? 0, at: index)
        }
      }
      _ = try? YAMLNode(file: "f", bytes: bytes)
    }
  }
}
