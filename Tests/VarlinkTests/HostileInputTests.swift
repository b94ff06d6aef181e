import TestSupport
import Testing

@testable import Varlink

@Suite struct HostileInputTests {
  /// What the server makes of bytes, and what the client got until then.
  private func outcome(
    of bytes: [UInt8], limit: Int = 1024
  ) throws -> (failure: ServerConnection.Failure?, replies: [String]) {
    let (peer, connection) = try TestPeer.pair(limit: limit)
    var rest = bytes[...]
    do throws(ServerConnection.Failure) {
      while !connection.isFinished {
        peer.send(Array(rest.prefix(8192)))
        rest = rest.dropFirst(8192)
        if rest.isEmpty { peer.endSending() }
        try connection.receive()
        try ExampleService.answerAll(connection)
        do throws(SystemError) { try connection.flush() } catch { throw .system(error) }
      }
      return (nil, peer.messages())
    } catch {
      return (error, peer.messages())
    }
  }

  @Test(arguments: [
    "", "{", "}", "[]", "null", "\"text\"", "1", "{}", #"{"method":1}"#, #"{"method":"a.b"}}"#,
    #"{"method":"a.b","more":"yes"}"#, "{'method':'a.b'}", "GET / HTTP/1.1\r\n\r\n",
  ])
  func whatIsNoCallClosesTheConnection(text: String) throws {
    let outcome = try outcome(of: Array(text.utf8) + [0])
    #expect(outcome.failure == .malformedMessage)
    #expect(outcome.replies == [])
  }

  @Test func aMessageOfNULsAloneClosesTheConnection() throws {
    #expect(try outcome(of: [0]).failure == .malformedMessage)
    #expect(try outcome(of: [UInt8](repeating: 0, count: 10_000)).failure == .malformedMessage)
  }

  @Test func whatIsNoUTF8ClosesTheConnection() throws {
    for bytes: [UInt8] in [[0xff, 0xfe], [0xc0, 0x80], [0xed, 0xa0, 0x80]] {
      let call =
        Array(#"{"method":"org.example.Counter.Echo","parameters":{"text":""#.utf8) + bytes
        + Array("\"}}".utf8) + [0]
      #expect(try outcome(of: call).failure == .malformedMessage)
    }
  }

  @Test func whatWasAskedBeforeGarbageIsAnswered() throws {
    let outcome = try outcome(
      of: Array(#"{"method":"org.example.Counter.Echo","parameters":{"text":"a"}}"#.utf8)
        + [0, 0xff, 0])
    #expect(outcome.failure == .malformedMessage)
    #expect(outcome.replies == [#"{"parameters":{"text":"a"}}"#])
  }

  @Test func theLimitIsExact() throws {
    func call(_ length: Int) -> [UInt8] {
      let frame = #"{"method":"org.example.Counter.Echo","parameters":{"text":""}}"#.utf8.count
      let text = String(repeating: "x", count: length - frame)
      return Array(#"{"method":"org.example.Counter.Echo","parameters":{"text":"\#(text)"}}"#.utf8)
        + [0]
    }
    #expect(try outcome(of: call(1024)).failure == nil)
    #expect(try outcome(of: call(1025)).failure == .messageTooLong)
  }

  @Test func anEndlessMessageIsCutEarly() throws {
    let (peer, connection) = try TestPeer.pair()
    let chunk = [UInt8](repeating: UInt8(ascii: "x"), count: 16 * 1024)
    var sent = 0
    #expect(throws: ServerConnection.Failure.messageTooLong) {
      while sent < 100 << 20 {
        peer.send(chunk)
        sent += chunk.count
        try connection.receive()
        _ = try connection.nextCall()
      }
    }
    #expect(sent <= 160 * 1024)
  }

  @Test func anEndlessMessageBehindAStreamIsNotKept() throws {
    let (peer, connection) = try TestPeer.pair(limit: 1024)
    peer.send(#"{"method":"org.example.Counter.Watch","more":true}"#)
    try connection.receive()
    try ExampleService.answerAll(connection)
    peer.send([UInt8](repeating: UInt8(ascii: "x"), count: 20_000))
    try connection.receive()
    #expect(!connection.wantsInput)
    #expect(try connection.nextCall()?.method == nil)
  }

  @Test(arguments: ["[", #"{"a":"#])
  func whatIsNestedDeeplyClosesTheConnection(opening: String) throws {
    let call = #"{"method":"a.b","parameters":{"a":"# + String(repeating: opening, count: 100_000)
    #expect(
      try outcome(of: Array(call.utf8) + [0], limit: 1 << 20).failure == .malformedMessage)
  }

  /// Calls that are changed at random: the server answers or closes, and does not die.
  @Test(arguments: 0..<20)
  func changedCallsAreAnsweredOrRefused(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let calls = [
      #"{"method":"org.example.Counter.Add","parameters":{"steps":[{"by":-12,"note":"a\u00e9"}],"scale":1.5e2,"limit":7}}"#,
      #"{"method":"org.example.Counter.Count","parameters":{"to":3},"more":true}"#,
      #"{"method":"org.varlink.service.GetInterfaceDescription","parameters":{"interface":"a"}}"#,
    ].map { Array($0.utf8) }
    let pieces = [
      "1e999", "-1", "9223372036854775808", "null", "\"\"", "{", "}", "[", "]", ",", ":", "\\",
      "\\u12", "\\ud800", "0x1", "NaN", "1.", "\u{0}", "\u{7f}", "é", "true", "\"by\":",
    ].map { Array($0.utf8) }
    for _ in 0..<100 {
      var call = calls.randomElement(using: &random) ?? []
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let place = Int.random(in: 0..<call.count, using: &random)
        let end = min(call.count, place + Int.random(in: 0...6, using: &random))
        switch Int.random(in: 0..<3, using: &random) {
        case 0: call[place] = UInt8.random(in: .min ... .max, using: &random)
        case 1: call.replaceSubrange(place..<end, with: pieces.randomElement(using: &random) ?? [])
        default: call.insert(contentsOf: call[place..<end], at: place)
        }
      }
      let outcome = try outcome(of: call + [0])
      for reply in outcome.replies {
        #expect(throws: Never.self, "\(reply)") { try Reply(Array(reply.utf8)) }
      }
      if outcome.failure == nil {
        #expect(!outcome.replies.isEmpty, "\(String(decoding: call, as: UTF8.self))")
      }
    }
  }
}
