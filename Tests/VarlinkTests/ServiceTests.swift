import Testing

@testable import Varlink

@Suite struct ServiceTests {
  /// The reply to one call.
  private func reply(_ call: String) throws -> String? {
    let (peer, connection) = try TestPeer.pair()
    peer.send(call)
    try connection.receive()
    try ExampleService.answerAll(connection)
    try connection.flush()
    let replies = peer.messages()
    #expect(replies.count <= 1)
    return replies.first
  }

  private func error(_ name: String, _ parameters: String) -> String {
    #"{"error":"org.varlink.service.\#(name)","parameters":\#(parameters)}"#
  }

  @Test func aServiceSaysWhatItIs() throws {
    #expect(
      try reply(#"{"method":"org.varlink.service.GetInfo"}"#)
        == #"{"parameters":{"interfaces":["org.varlink.service","org.example.Counter"],"#
        + #""product":"Counter","url":"https://example.org","vendor":"Example","version":"1.2"}}"#
    )
  }

  @Test(arguments: ["org.example.Counter", "org.varlink.service"])
  func aServiceDescribesItsInterfaces(name: String) throws {
    struct Description: Decodable { var description: String }
    let answer = try #require(
      try reply(
        #"{"method":"org.varlink.service.GetInterfaceDescription","#
          + #""parameters":{"interface":"\#(name)"}}"#))
    let text = try Reply(Array(answer.utf8)).decoded(as: Description.self).description
    #expect(Interface(text: text)?.name == name)
    if name == ExampleService.interface { #expect(text == ExampleService.text) }
  }

  @Test func eachThingThatIsUnknownHasItsError() throws {
    #expect(
      try reply(#"{"method":"org.example.Nothing.Add"}"#)
        == error("InterfaceNotFound", #"{"interface":"org.example.Nothing"}"#))
    #expect(
      try reply(#"{"method":"Add"}"#) == error("InterfaceNotFound", #"{"interface":""}"#))
    #expect(
      try reply(#"{"method":"org.example.Counter.Subtract"}"#)
        == error("MethodNotFound", #"{"method":"Subtract"}"#))
    #expect(
      try reply(#"{"method":"org.varlink.service.GetInformation"}"#)
        == error("MethodNotFound", #"{"method":"GetInformation"}"#))
    #expect(
      try reply(#"{"method":"org.example.Counter.Echo","parameters":{"text":"a","txet":"b"}}"#)
        == error("InvalidParameter", #"{"parameter":"txet"}"#))
    #expect(
      try reply(#"{"method":"org.varlink.service.GetInfo","parameters":{"all":true}}"#)
        == error("InvalidParameter", #"{"parameter":"all"}"#))
    #expect(
      try reply(
        #"{"method":"org.varlink.service.GetInterfaceDescription","#
          + #""parameters":{"interface":"org.example.Nothing"}}"#)
        == error("InterfaceNotFound", #"{"interface":"org.example.Nothing"}"#))
    #expect(
      try reply(#"{"method":"org.varlink.service.GetInterfaceDescription"}"#)
        == error("InvalidParameter", #"{"parameter":"interface"}"#))
    #expect(
      try reply(#"{"method":"org.example.Counter.Echo","parameters":["text"]}"#)
        == error("InvalidParameter", #"{"parameter":"parameters"}"#))
  }

  @Test func whatTheClientNamesIsEscapedInTheError() throws {
    #expect(
      try reply(#"{"method":"org.example.Counter.\"}\u0000"}"#)
        == error("MethodNotFound", #"{"method":"\"}\u0000"}"#))
  }

  @Test func aStreamingMethodExpectsMore() throws {
    #expect(
      try reply(#"{"method":"org.example.Counter.Count","parameters":{"to":3}}"#)
        == error("ExpectedMore", "{}"))
  }

  @Test func noProtocolIsUpgraded() throws {
    #expect(
      try reply(#"{"method":"org.example.Counter.Watch","upgrade":true}"#)
        == error("MethodNotImplemented", #"{"method":"Watch"}"#))
  }

  @Test func anInterfaceHasErrorsOfItsOwn() throws {
    #expect(
      try reply(#"{"method":"org.example.Counter.Fail","parameters":{"reason":"so \"it\" is"}}"#)
        == #"{"error":"org.example.Counter.Failed","parameters":{"reason":"so \"it\" is"}}"#)
  }

  @Test func theErrorsOfTheServiceAreThoseItDescribes() {
    let errors: [(ServiceError, String, String)] = [
      (.interfaceNotFound("a"), "InterfaceNotFound", #"{"interface":"a"}"#),
      (.methodNotFound("a"), "MethodNotFound", #"{"method":"a"}"#),
      (.methodNotImplemented("a"), "MethodNotImplemented", #"{"method":"a"}"#),
      (.invalidParameter("a"), "InvalidParameter", #"{"parameter":"a"}"#),
      (.permissionDenied, "PermissionDenied", "{}"), (.expectedMore, "ExpectedMore", "{}"),
    ]
    for (error, name, parameters) in errors {
      #expect(error.name == "org.varlink.service." + name)
      #expect(String(decoding: error.parameters, as: UTF8.self) == parameters)
    }
  }
}
