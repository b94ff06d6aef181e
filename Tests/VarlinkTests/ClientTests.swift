import Glibc
import TestSupport
import Testing

@testable import Varlink

@Suite struct ClientTests {
  private let server: RunningServer
  private let client: Client

  init() throws {
    server = try RunningServer()
    client = try Client(path: server.path)
  }

  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  @Test func aCallHasOneReply() throws {
    let reply = try client.call(
      "org.example.Counter.Add", ExampleService.Add(steps: [.init(by: 3), .init(by: -1)]))
    #expect(try reply.decoded(as: ExampleService.Total.self) == .init(total: 2, note: nil))
    #expect(text(reply.parameters) == #"{"total":2}"#)
    #expect(!reply.continues)
  }

  @Test func aStreamHasAsManyAsTheServiceSends() throws {
    try client.stream("org.example.Counter.Count", ExampleService.Count(to: 3))
    var values: [String] = []
    var continues = true
    while continues {
      let reply = try client.nextReply()
      values.append(text(reply.parameters))
      continues = reply.continues
    }
    #expect(values == [#"{"value":1}"#, #"{"value":2}"#, #"{"value":3}"#])
    #expect(
      try text(client.call("org.example.Counter.Echo", ["text": "a"]).parameters).contains("a"))
  }

  @Test func aStreamCanBeFollowedFromALoop() throws {
    try client.stream("org.example.Counter.Watch")
    var wait = pollfd(fd: client.descriptor, events: Int16(POLLIN), revents: 0)
    #expect(poll(&wait, 1, 20_000) == 1)
    #expect(try client.bufferedReply()?.continues == nil)
    try client.receive()
    #expect(try client.bufferedReply()?.continues == true)
    #expect(try client.bufferedReply()?.continues == nil)
  }

  @Test func anErrorReplyIsThrownWithItsNameAndParameters() throws {
    do throws(ClientError) {
      _ = try client.call("org.example.Counter.Fail", ExampleService.Reason(reason: "rain"))
      Issue.record("no error")
    } catch {
      guard case .service(let name, let parameters) = error else {
        Issue.record("\(error)")
        return
      }
      #expect(name == "org.example.Counter.Failed")
      #expect(text(parameters) == #"{"reason":"rain"}"#)
      #expect(error.parameters(as: ExampleService.Reason.self) == .init(reason: "rain"))
      #expect("\(error)" == #"org.example.Counter.Failed {"reason":"rain"}"#)
    }
    #expect(throws: Never.self) { try client.call("org.varlink.service.GetInfo") }
  }

  @Test func parametersThatAreNoJSONAreNotSent() throws {
    do throws(ClientError) {
      _ = try client.call("a.B", ["value": Double.infinity])
      Issue.record("no error")
    } catch {
      #expect("\(error)" == "the parameters of a.B cannot be sent")
    }
    #expect(throws: Never.self) { try client.call("org.varlink.service.GetInfo") }
  }

  @Test func manyClientsAreServedSideBySide() throws {
    let clients = try (0..<50).map { _ in try Client(path: server.path) }
    for client in clients { try client.stream("org.example.Counter.Watch") }
    for client in clients { #expect(try client.nextReply().continues) }
    #expect(throws: Never.self) { try self.client.call("org.varlink.service.GetInfo") }
  }

  @Test func aClientThatSendsGarbageIsClosedAlone() throws {
    let peer = try #require(TestPeer(path: server.path))
    peer.send("garbage")
    #expect(peer.message() == nil)
    #expect(throws: Never.self) { try client.call("org.varlink.service.GetInfo") }
  }

  @Test func clientsThatVanishInAStreamHarmNobody() throws {
    for _ in 0..<20 {
      let peer = try #require(TestPeer(path: server.path))
      peer.send(#"{"method":"org.example.Counter.Count","parameters":{"to":2000},"more":true}"#)
    }
    #expect(throws: Never.self) { try client.call("org.varlink.service.GetInfo") }
  }
}

/// What a client makes of a server that is not there, or not as it should be.
@Suite struct ClientFailureTests {
  private func expectFailure(_ text: String, _ body: () throws -> Void) {
    do {
      try body()
      Issue.record("no error")
    } catch {
      #expect("\(error)" == text)
    }
  }

  /// What a client says when a server answers `bytes` and closes.
  private func failure(to bytes: [UInt8]) throws -> String? {
    let folder = try TemporaryFolder()
    let listener = try ListeningSocket(path: folder.path("socket"))
    let client = try Client(path: folder.path("socket"), maximumMessageLength: 1000)
    let peer = TestPeer(
      owning: try immediate("accept") { accept(listener.descriptor, nil, nil) })
    try client.stream("a.B")
    #expect(peer.message() == #"{"method":"a.B","more":true,"parameters":{}}"#)
    peer.send(bytes)
    peer.endSending()
    do throws(ClientError) {
      _ = try client.nextReply()
      return nil
    } catch {
      return "\(error)"
    }
  }

  @Test func aSocketThatIsNotThereIsNamed() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("socket")
    expectFailure("cannot connect to \(path): No such file or directory") {
      _ = try Client(path: path)
    }
    close(open(path, O_CREAT | O_WRONLY, 0o600))
    expectFailure("cannot connect to \(path): Connection refused") {
      _ = try Client(path: path)
    }
    expectFailure("cannot connect to : the path is empty or too long") {
      _ = try Client(path: "")
    }
  }

  @Test func aServerThatClosesIsALostConnection() throws {
    #expect(try failure(to: []) == "the connection was lost: the service closed it")
    #expect(
      try failure(to: Array(#"{"parameters":{}}"#.utf8))
        == "the connection was lost: the service closed it")
  }

  @Test(arguments: ["", "[]", "{", "x", #"{"error":1}"#, #"{"continues":"yes"}"#])
  func whatIsNoReplyIsMalformed(text: String) throws {
    #expect(
      try failure(to: Array(text.utf8) + [0])
        == "the service sent something that is no Varlink reply")
  }

  @Test func aReplyThatIsTooLongIsNotKept() throws {
    #expect(
      try failure(to: [UInt8](repeating: 0x20, count: 2000))
        == "the service sent something that is no Varlink reply")
  }

  @Test(arguments: [
    #"{"parameters":{}}"#, #"{}"#, #"{"parameters":null}"#, #"{"error":null,"continues":null}"#,
  ])
  func absentParametersAreAnEmptyObject(text: String) throws {
    let reply = try Reply(Array(text.utf8))
    #expect(reply.parameters == Array("{}".utf8))
    #expect(try reply.decoded(as: Empty.self) == Empty())
  }

  @Test func parametersAreKeptAsTheyCame() throws {
    let reply = try Reply(Array(#"{ "parameters" : {"b": 1.50, "a":[ ]} , "continues":true}"#.utf8))
    #expect(String(decoding: reply.parameters, as: UTF8.self) == #"{"b": 1.50, "a":[ ]}"#)
    #expect(reply.continues)
    #expect(throws: ClientError.self) { try reply.decoded(as: ExampleService.Value.self) }
  }
}
