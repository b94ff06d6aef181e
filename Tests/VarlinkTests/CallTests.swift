import Testing

@testable import Varlink

@Suite struct CallTests {
  private func call(_ text: String) throws -> Call { try Call(Array(text.utf8)) }

  /// The parameter that is at fault.
  private func fault<Parameters: Decodable>(
    _ type: Parameters.Type, _ parameters: String
  ) throws -> String? {
    let call = try call(#"{"method":"a.B","parameters":\#(parameters)}"#)
    do throws(ServiceError) {
      _ = try call.parameters(as: type)
      return nil
    } catch {
      #expect(error.name == "org.varlink.service.InvalidParameter")
      return String(decoding: error.parameters, as: UTF8.self)
    }
  }

  @Test func theMethodIsBehindTheLastDot() throws {
    let call = try call(#"{"method":"org.example.Counter.Add"}"#)
    #expect(call.interface == "org.example.Counter")
    #expect(call.method == "Add")
    for (name, interface, method) in [
      ("Add", "", "Add"), ("", "", ""), (".", "", ""), ("a.", "a", ""), (".B", "", "B"),
    ] {
      let call = try self.call(#"{"method":"\#(name)"}"#)
      #expect(call.interface == interface)
      #expect(call.method == method)
    }
  }

  @Test func aOnewayCallWantsNoMore() throws {
    #expect(try call(#"{"method":"a.B"}"#).wantsMore == false)
    #expect(try call(#"{"method":"a.B","more":true}"#).wantsMore)
    #expect(try call(#"{"method":"a.B","more":null}"#).wantsMore == false)
    let both = try call(#"{"method":"a.B","more":true,"oneway":true}"#)
    #expect(both.isOneway)
    #expect(!both.wantsMore)
  }

  @Test(arguments: [
    "", "{", "[]", "null", "{}", #"{"method":1}"#, #"{"method":null}"#,
    #"{"method":"a.B","more":1}"#, #"{"method":"a.B","oneway":"yes"}"#, #"{"method":"a.B"} {}"#,
    #"{"method":"a.B","parameters":[}}"#, #"{"method":"a.B","parameters":{"x":01 2}}"#,
    #"{"method":"\ud800.B"}"#,
  ])
  func whatIsNoCallIsMalformed(text: String) {
    #expect(throws: Call.Malformed.self) { try call(text) }
  }

  @Test(arguments: [
    #"{"method":"a.B"}"#, #"{"method":"a.B","parameters":{}}"#,
    #"{"method":"a.B","parameters":null}"#, #"{"method":"a.B","parameters" : null }"#,
  ])
  func absentParametersAreAnEmptyObject(text: String) throws {
    let call = try call(text)
    #expect(try call.parameters(as: Empty.self) == Empty())
    try call.check([])
  }

  @Test func anEscapedKeyHidesNoParameters() throws {
    let call = try call(#"{"method":"a.B","p\u0061rameters":{"value":5}}"#)
    #expect(try call.parameters(as: ExampleService.Value.self).value == 5)
  }

  @Test(arguments: [
    (#"{"steps":[]}"#, nil),
    (#"{"steps":[{"by":1}],"scale":0.5,"limit":255}"#, nil),
    (#"{"steps":[],"limit":null}"#, nil),
    ("{}", "steps"), (#"{"steps":null}"#, "steps"), (#"{"steps":"text"}"#, "steps"),
    (#"{"steps":[{"by":"1"}]}"#, "steps.0.by"), (#"{"steps":[{"by":1},{}]}"#, "steps.1.by"),
    (#"{"steps":[{"by":1.5}]}"#, "steps.0.by"),
    (#"{"steps":[{"by":2147483648}]}"#, "steps.0.by"),
    (#"{"steps":[{"by":9223372036854775808}]}"#, "steps.0.by"),
    (#"{"steps":[{"by":1e999}]}"#, "steps.0.by"),
    (#"{"steps":[{"by":1},{"by":2},{"by":-1e999},{"by":3}],"limit":0}"#, "steps.2.by"),
    (#"{"steps":[{"by":1}],"scale":-1.5e-3,"limit":-1}"#, "limit"),
    (#"{"steps":[{"by":1,"note":"1e999 \" 2"}],"scale":01,"limit":1}"#, "scale"),
    (#"{"steps":[{"by":1,"note":"\x"}]}"#, "parameters"),
    (#"{"steps":[],"scale":1e999}"#, "scale"), (#"{"steps":[],"scale":-1e999}"#, "scale"),
    (#"{"steps":[],"limit":-1}"#, "limit"), (#"{"steps":[],"limit":256}"#, "limit"),
    (#"{"steps":[],"limit":1e2000000000}"#, "limit"), (#"{"steps":[],"limit":true}"#, "limit"),
    (#"{"steps":[{"by":1,"note":{}}]}"#, "steps.0.note"),
    ("[]", "parameters"), ("1", "parameters"), (#""text""#, "parameters"),
  ])
  func aWrongValueIsNamedByItsPath(parameters: String, path: String?) throws {
    #expect(
      try fault(ExampleService.Add.self, parameters) == path.map { #"{"parameter":"\#($0)"}"# })
  }

  /// The search decodes again and again, and other clients wait.
  @Test func inALongCallNoNumberIsSearchedFor() throws {
    let many = String(repeating: #"{"by":1},"#, count: 10_000)
    #expect(
      try fault(ExampleService.Add.self, #"{"steps":[\#(many){"by":1e999}]}"#)
        == #"{"parameter":"parameters"}"#)
    // What the decoder finds itself is told all the same.
    #expect(
      try fault(ExampleService.Add.self, #"{"steps":[\#(many){"by":"1"}]}"#)
        == #"{"parameter":"steps.10000.by"}"#)
  }

  @Test func aKeyThatIsANumberIsNamedAsItIsWritten() throws {
    #expect(try fault([String: Int32].self, #"{"07":"x"}"#) == #"{"parameter":"07"}"#)
    #expect(try fault([String: [Int32]].self, #"{"07":[1,"x"]}"#) == #"{"parameter":"07.1"}"#)
  }

  @Test func anUnknownWordOfAnEnumIsNamed() throws {
    #expect(try fault(ExampleService.Echo.self, #"{"text":"","mood":"good"}"#) == nil)
    #expect(
      try fault(ExampleService.Echo.self, #"{"text":"","mood":"so-so"}"#)
        == #"{"parameter":"mood"}"#)
  }
}
