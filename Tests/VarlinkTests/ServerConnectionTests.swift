import Glibc
import Testing

@testable import Varlink

@Suite struct ServerConnectionTests {
  private let value1 = #"{"parameters":{"value":1},"continues":true}"#
  private let value2 = #"{"parameters":{"value":2}}"#

  private func echo(_ text: String, _ flags: String = "") -> String {
    #"{"method":"org.example.Counter.Echo","parameters":{"text":"\#(text)"}\#(flags)}"#
  }

  private func echoed(_ text: String) -> String { #"{"parameters":{"text":"\#(text)"}}"# }

  /// What the owner does when the connection is readable.
  private func handle(_ connection: ServerConnection) throws {
    try connection.receive()
    try ExampleService.answerAll(connection)
    try connection.flush()
  }

  @Test func callsInOnePacketAreAnsweredInOrder() throws {
    let (peer, connection) = try TestPeer.pair()
    peer.send(echo("a"), echo("b"), #"{"method":"a.B"}"#, echo("c"))
    try handle(connection)
    #expect(
      peer.messages() == [
        echoed("a"), echoed("b"),
        #"{"error":"org.varlink.service.InterfaceNotFound","parameters":{"interface":"a"}}"#,
        echoed("c"),
      ])
  }

  @Test func aCallMayComeByteByByte() throws {
    let (peer, connection) = try TestPeer.pair()
    for byte in Array(echo("a").utf8) + [0] {
      #expect(peer.messages() == [])
      peer.send([byte])
      try handle(connection)
    }
    #expect(peer.messages() == [echoed("a")])
  }

  @Test func nothingToReadIsNoTrouble() throws {
    let (peer, connection) = try TestPeer.pair()
    try handle(connection)
    #expect(peer.messages() == [])
    #expect(connection.wantsInput)
    #expect(!connection.isFinished)
  }

  @Test func callsBehindAStreamWaitForItsEnd() throws {
    let (peer, connection) = try TestPeer.pair()
    peer.send(#"{"method":"a.Stream","more":true}"#, echo("after"))
    try connection.receive()
    let stream = try #require(try connection.nextCall())
    #expect(stream.wantsMore)
    connection.reply(ExampleService.Value(value: 1), continues: true)
    #expect(try connection.nextCall()?.method == nil)
    connection.reply(ExampleService.Value(value: 2))
    try ExampleService.answerAll(connection)
    try connection.flush()
    #expect(peer.messages() == [value1, value2, echoed("after")])
  }

  @Test func aOnewayCallGetsNoReplyWhateverHappens() throws {
    let (peer, connection) = try TestPeer.pair()
    let oneway = #","oneway":true"#
    peer.send(
      echo("a", oneway), #"{"method":"a.B"\#(oneway)}"#,
      #"{"method":"org.example.Counter.Add","parameters":{"steps":1}\#(oneway)}"#,
      #"{"method":"org.example.Counter.Count","parameters":{"to":3}\#(oneway),"more":true}"#,
      #"{"method":"org.varlink.service.GetInfo"\#(oneway)}"#, echo("b"))
    try handle(connection)
    #expect(peer.messages() == [echoed("b")])
  }

  @Test func aReplyThatNoCallWaitsForIsDropped() throws {
    let (peer, connection) = try TestPeer.pair()
    connection.reply(ExampleService.Value(value: 1))
    connection.send(Array((value1 + "\0").utf8).span)
    connection.reply(.expectedMore)
    peer.send(echo("a"))
    try handle(connection)
    connection.reply(ExampleService.Value(value: 2))
    try connection.flush()
    #expect(peer.messages() == [echoed("a")])
  }

  @Test func aReplyThatWasEncodedElsewhereIsSentAsItIs() throws {
    let (peer, connection) = try TestPeer.pair()
    peer.send(#"{"method":"a.Stream","more":true}"#)
    try connection.receive()
    _ = try connection.nextCall()
    connection.send(Array((value1 + "\0").utf8).span)
    connection.reply(ExampleService.Value(value: 2))
    #expect(connection.pendingBytes == value1.utf8.count + value2.utf8.count + 2)
    try connection.flush()
    #expect(connection.pendingBytes == 0)
    #expect(peer.messages() == [value1, value2])
  }

  @Test func whatIsWrittenAtOnceKeepsItsPlaceAndWaitsWhereItMust() throws {
    let (peer, connection) = try TestPeer.pair()
    peer.send(#"{"method":"a.Stream","more":true}"#)
    try connection.receive()
    _ = try connection.nextCall()
    connection.send((Array("queued".utf8) + [0]).span)
    try connection.write((Array("written".utf8) + [0]).span)
    #expect(connection.pendingBytes == 0)
    #expect(peer.messages() == ["queued", "written"])
    var expected: [String] = []
    while connection.pendingBytes == 0, expected.count < 1000 {
      expected.append("\(expected.count)" + String(repeating: "x", count: 9_999))
      try connection.write((Array(expected[expected.count - 1].utf8) + [0]).span)
    }
    expected.append("last")
    try connection.write((Array("last".utf8) + [0]).span)
    var received: [String] = []
    for _ in expected {
      received += peer.messages()
      try connection.flush()
    }
    #expect(received + peer.messages() == expected)
    #expect(connection.pendingBytes == 0)
  }

  @Test func aReplyThatCannotBeEncodedIsAnErrorAndNotSilence() throws {
    struct Ratio: Encodable { var ratio: Double }
    let (peer, connection) = try TestPeer.pair()
    peer.send(#"{"method":"a.Divide"}"#)
    try connection.receive()
    _ = try connection.nextCall()
    connection.reply(Ratio(ratio: .nan))
    try connection.flush()
    #expect(
      peer.messages() == [
        #"{"error":"org.varlink.service.MethodNotImplemented","parameters":{"method":"Divide"}}"#
      ])
  }

  @Test func aHalfClosedPeerStillGetsItsReplies() throws {
    let (peer, connection) = try TestPeer.pair()
    peer.send(echo("a"), #"{"method":"a.Stream","more":true}"#, echo("b"))
    peer.endSending()
    try connection.receive()
    while let call = try connection.nextCall(), call.method != "Stream" {
      connection.reply(ExampleService.Echo(text: "a"))
    }
    connection.reply(ExampleService.Value(value: 1), continues: true)
    try connection.receive()
    try connection.flush()
    #expect(!connection.wantsInput)
    #expect(!connection.isFinished, "a stream is open")
    connection.reply(ExampleService.Value(value: 2))
    try connection.flush()
    #expect(!connection.isFinished, "a call waits")
    try handle(connection)
    #expect(connection.isFinished)
    #expect(peer.messages() == [echoed("a"), value1, value2, echoed("b")])
  }

  @Test func halfACallAndThenTheEndIsTheEnd() throws {
    let (peer, connection) = try TestPeer.pair()
    peer.send(Array(echo("a").utf8))
    peer.endSending()
    try handle(connection)
    try handle(connection)
    #expect(connection.isFinished)
    #expect(peer.messages() == [])
  }

  @Test func whatTheSocketDoesNotTakeWaits() throws {
    let (peer, connection) = try TestPeer.pair()
    peer.send(#"{"method":"a.Stream","more":true}"#)
    try connection.receive()
    _ = try connection.nextCall()
    let message = Array(String(repeating: "x", count: 9_999).utf8) + [0]
    for _ in 0..<300 {
      connection.send(message.span)
      try connection.flush()
    }
    #expect(connection.pendingBytes > 0)
    var received: [String] = []
    while received.count < 300 {
      received += peer.messages()
      try connection.flush()
    }
    #expect(connection.pendingBytes == 0)
    #expect(received.allSatisfy { $0.utf8.count == 9_999 })
  }

  @Test func aClientThatDoesNotReadIsNotReadFrom() throws {
    let (peer, connection) = try TestPeer.pair()
    let call = Array(#"{"method":"org.varlink.service.GetInfo"}"#.utf8) + [0]
    let calls = Array(repeatElement(call, count: 100).joined())
    var sent = 0
    while connection.wantsInput {
      peer.send(calls)
      sent += 100
      while try hasInput(connection), connection.wantsInput { try handle(connection) }
      try #require(sent < 100_000)
    }
    #expect(connection.pendingBytes < 512 * 1024)
    var replies = 0
    while replies < sent {
      replies += peer.messages().count
      try handle(connection)
    }
    #expect(replies == sent)
    #expect(connection.wantsInput)
  }

  private func hasInput(_ connection: ServerConnection) throws -> Bool {
    var wait = pollfd(fd: connection.descriptor, events: Int16(POLLIN), revents: 0)
    return try immediate("poll") { poll(&wait, 1, 0) } > 0
  }

  @Test func aClientThatVanishesIsAnErrorAndNoSignal() throws {
    let (peer, connection) = try TestPeer.pair()
    peer.send(#"{"method":"a.Stream","more":true}"#)
    try connection.receive()
    _ = try connection.nextCall()
    _ = consume peer
    connection.reply(ExampleService.Value(value: 1), continues: true)
    #expect(throws: SystemError(call: "send", code: EPIPE)) { try connection.flush() }
  }

  @Test func thePeerIsKnownByTheKernel() throws {
    let (_, connection) = try TestPeer.pair()
    #expect(connection.peer.processID == getpid())
    #expect(connection.peer.userID == geteuid())
    #expect(connection.peer.groupID == getegid())
    var groups = [gid_t](repeating: 0, count: Int(getgroups(0, nil)))
    getgroups(Int32(groups.count), &groups)
    #expect(connection.peer.groups.sorted() == groups.sorted())
  }
}
