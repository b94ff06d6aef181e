import Glibc
import TestSupport
import Testing

@testable import Varlink

/// The client that never waits, against servers that behave and servers that do not.
@Suite struct ClientConnectionTests {
  private let peer: TestPeer
  private let connection: ClientConnection

  init() throws {
    let (ours, theirs) = try socketPair()
    peer = TestPeer(owning: ours)
    connection = ClientConnection(FileDescriptor(owning: theirs), maximumMessageLength: 1000)
  }

  private func text(_ reply: Reply?) -> String? {
    reply.map { String(decoding: $0.parameters, as: UTF8.self) }
  }

  private func call(_ method: String, more: Bool = false) throws {
    try connection.call(method, more: more)
    connection.flush()
  }

  /// What it says after `bytes` came, with one call that waits.
  private func outcome(of bytes: [UInt8], more: Bool = false) throws -> String {
    try call("a.B", more: more)
    peer.send(bytes)
    do throws(ClientError) {
      var replies: [String] = []
      while true {
        connection.receive()
        guard let reply = try connection.nextReply() else { return replies.joined(separator: " ") }
        replies.append(text(reply) ?? "")
      }
    } catch {
      return "\(error)"
    }
  }

  private let malformed = "the service sent something that is no Varlink reply"

  @Test func repliesComeInTheOrderOfTheCalls() throws {
    try call("a.B")
    try connection.call("a.C", ["x": 1])
    connection.flush()
    #expect(
      peer.messages() == [
        #"{"method":"a.B","parameters":{}}"#, #"{"method":"a.C","parameters":{"x":1}}"#,
      ])
    #expect(try connection.nextReply()?.continues == nil)
    peer.send(#"{"parameters":{"n":1}}"#, #"{"error":"a.Bad","parameters":{"why":2}}"#)
    connection.receive()
    let first = try connection.nextReply()
    #expect(text(first) == #"{"n":1}"#)
    #expect(first?.failure == nil)
    let second = try connection.nextReply()
    #expect(second?.error == "a.Bad")
    #expect(second.flatMap(\.failure).map { "\($0)" } == #"a.Bad {"why":2}"#)
    #expect(try connection.nextReply()?.continues == nil)
  }

  @Test func callsBehindAStreamWaitForItsLastReply() throws {
    try call("a.Stream", more: true)
    try call("a.B")
    peer.send(
      #"{"parameters":{"n":1},"continues":true}"#, #"{"parameters":{"n":2}}"#,
      #"{"parameters":{"n":3}}"#, #"{"parameters":{"n":4}}"#)
    connection.receive()
    for number in 1...3 { #expect(try text(connection.nextReply()) == #"{"n":\#(number)}"#) }
    // Nobody asked for the fourth.
    #expect(throws: ClientError.self) { try connection.nextReply() }
  }

  @Test(arguments: [
    "", "garbage", "[]", "null", "1", "{", #"{"error":1}"#, #"{"continues":"yes"}"#,
    #"{"parameters":{},"parameters":{}}"#, #"{"parameters":{},"continues":true}"#,
    #"{"parameters":1}"#, #"{"parameters":[]}"#, #"{"parameters":{"a\h":1}}"#,
  ])
  func whatIsNoReplyIsMalformed(text: String) throws {
    #expect(try outcome(of: Array(text.utf8) + [0]) == malformed)
  }

  @Test func anErrorDoesNotContinue() throws {
    #expect(
      try outcome(of: Array(#"{"error":"a.Bad","continues":true}"#.utf8) + [0], more: true)
        == malformed)
  }

  @Test func whatNobodyAskedForIsMalformed() throws {
    peer.send("{}")
    connection.receive()
    #expect(throws: ClientError.self) { try connection.nextReply() }
  }

  @Test func whatIsTooLongIsNotKept() throws {
    try call("a.B")
    let chunk = [UInt8](repeating: UInt8(ascii: "x"), count: 800)
    peer.send(chunk)
    connection.receive()
    #expect(try connection.nextReply()?.continues == nil)
    peer.send(chunk)
    connection.receive()
    #expect(throws: ClientError.self) { try connection.nextReply() }
  }

  @Test func whatIsNestedDeeplyIsMalformed() throws {
    let deep = String(repeating: "[", count: 400)
    #expect(try outcome(of: Array(#"{"parameters":\#(deep)"#.utf8) + [0]) == malformed)
  }

  @Test func aReplyMayComeByteByByte() throws {
    try call("a.B")
    for byte in #"{"parameters":{"n":1}}"#.utf8 {
      peer.send([byte])
      connection.receive()
      #expect(try connection.nextReply()?.continues == nil)
    }
    peer.send([0])
    connection.receive()
    #expect(try text(connection.nextReply()) == #"{"n":1}"#)
  }

  @Test func whatCameBeforeTheEndIsTaken() throws {
    var peer: TestPeer? = nil
    let (ours, theirs) = try socketPair()
    peer = TestPeer(owning: ours)
    let connection = ClientConnection(FileDescriptor(owning: theirs), maximumMessageLength: 1000)
    try connection.call("a.B")
    peer?.send(#"{"parameters":{"n":1}}"#)
    peer = nil
    // The call that is written now finds nobody.
    connection.flush()
    connection.receive()
    #expect(try text(connection.nextReply()) == #"{"n":1}"#)
    connection.receive()
    #expect(throws: ClientError.self) { try connection.nextReply() }
    #expect(!connection.wantsOutput)
  }

  @Test func aServiceThatDoesNotReadIsGivenUp() throws {
    #expect(throws: ClientError.self) {
      for _ in 0..<100_000 { try call("a.LongerThanNothing") }
    }
    #expect(connection.wantsOutput)
  }

  @Test func whatWasNotTakenIsWrittenLater() throws {
    let text = String(repeating: "x", count: 10_000)
    var sent = 0
    while !connection.wantsOutput {
      try connection.call("a.B", ["text": text])
      connection.flush()
      sent += 1
    }
    var read = 0
    while read < sent {
      read += peer.messages().count
      connection.flush()
    }
    #expect(!connection.wantsOutput)
  }

  @Test func aSocketThatIsNotThereIsNamed() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("socket")
    for (path, reason) in [
      (path, "No such file or directory"), ("", "the path is empty or too long"),
      (String(repeating: "x", count: 200), "the path is empty or too long"),
    ] {
      do throws(ClientError) {
        _ = try ClientConnection(path: path)
        Issue.record("no error")
      } catch {
        #expect("\(error)" == "cannot connect to \(path): \(reason)")
      }
    }
  }

  @Test func aRealServerIsServedByAPoller() throws {
    let server = try RunningServer()
    let connection = try ClientConnection(path: server.path)
    let poller = try Poller()
    try poller.add(connection.descriptor, key: 7, wantsOutput: true)
    try connection.call("org.example.Counter.Count", ExampleService.Count(to: 5), more: true)
    var values: [String] = []
    while values.count < 5 {
      var wait = pollfd(fd: poller.descriptor, events: Int16(POLLIN), revents: 0)
      try #require(poll(&wait, 1, 20_000) == 1)
      #expect(poller.ready() == [7])
      connection.flush()
      try poller.change(connection.descriptor, key: 7, wantsOutput: connection.wantsOutput)
      connection.receive()
      while let reply = try connection.nextReply() { values.append(text(reply) ?? "") }
    }
    #expect(values == (1...5).map { #"{"value":\#($0)}"# })
    poller.remove(connection.descriptor)
    #expect(poller.ready() == [])
  }
}

@Suite struct PollerTests {
  @Test func itsTimerWakesOnce() throws {
    let poller = try Poller()
    var wait = pollfd(fd: poller.descriptor, events: Int16(POLLIN), revents: 0)
    #expect(poll(&wait, 1, 0) == 0)
    poller.wake(after: .milliseconds(1))
    #expect(poll(&wait, 1, 20_000) == 1)
    #expect(poller.ready() == [Poller.timerKey])
    #expect(poll(&wait, 1, 0) == 0)
    poller.wake(after: .zero)
    #expect(poll(&wait, 1, 20_000) == 1)
    poller.wake(after: nil)
    #expect(poll(&wait, 1, 0) == 0)
    poller.wake(after: .seconds(1_000_000_000_000))
    #expect(poll(&wait, 1, 0) == 0)
    poller.wake(after: .seconds(-1))
    #expect(poll(&wait, 1, 20_000) == 1)
  }

  @Test func aDescriptorThatIsNoneIsAnError() throws {
    let poller = try Poller()
    #expect(throws: SystemError.self) { try poller.add(-1, key: 1, wantsOutput: false) }
    #expect(throws: SystemError.self) { try poller.change(0, key: 1, wantsOutput: false) }
  }
}
