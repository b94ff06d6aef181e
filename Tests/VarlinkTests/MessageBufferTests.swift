import Testing

@testable import Varlink

@Suite struct MessageBufferTests {
  private func buffer(_ text: String, limit: Int = 16) -> MessageBuffer {
    var buffer = MessageBuffer(limit: limit)
    append(text, to: &buffer)
    return buffer
  }

  private func append(_ text: String, to buffer: inout MessageBuffer) {
    Array(text.utf8).withUnsafeBytes { buffer.append($0) }
  }

  private func next(_ buffer: inout MessageBuffer) throws -> String? {
    try buffer.next().map { String(decoding: $0, as: UTF8.self) }
  }

  @Test func bytesAreCutAtEachNUL() throws {
    var buffer = buffer("one\0two\0\0thr")
    #expect(buffer.hasMessage)
    #expect(try next(&buffer) == "one")
    #expect(try next(&buffer) == "two")
    #expect(try next(&buffer) == "")
    #expect(try next(&buffer) == nil)
    #expect(!buffer.hasMessage)
    append("ee\0four\0", to: &buffer)
    #expect(try next(&buffer) == "three")
    #expect(try next(&buffer) == "four")
    #expect(try next(&buffer) == nil)
  }

  @Test func aMessageMayComeByteByByte() throws {
    var buffer = buffer("")
    for byte in "message" {
      append(String(byte), to: &buffer)
      #expect(try next(&buffer) == nil)
    }
    append("\0", to: &buffer)
    #expect(try next(&buffer) == "message")
  }

  @Test func theLimitIsTheLongestMessageThatIsTaken() throws {
    var fits = buffer("1234\0", limit: 4)
    #expect(try next(&fits) == "1234")
    var long = buffer("12345\0", limit: 4)
    #expect(throws: MessageBuffer.TooLong.self) { try long.next() }
  }

  @Test func whatIsTooLongIsRefusedBeforeItsEndIsThere() throws {
    var buffer = buffer("1234", limit: 4)
    #expect(buffer.hasRoom)
    #expect(try next(&buffer) == nil)
    append("5", to: &buffer)
    #expect(!buffer.hasRoom)
    #expect(throws: MessageBuffer.TooLong.self) { try buffer.next() }
  }

  @Test func aShortMessageBeforeALongOneIsStillTaken() throws {
    var buffer = buffer("ab\0123456", limit: 4)
    #expect(try next(&buffer) == "ab")
    #expect(throws: MessageBuffer.TooLong.self) { try buffer.next() }
  }
}
