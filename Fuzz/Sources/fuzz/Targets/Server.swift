import ForceTouchProtocol

@testable import Varlink

/// A hostile client of a server with all our interfaces. However its bytes are cut, the server
/// answers the same: each call once, in JSON, until it hangs up.
func fuzzServer(_ bytes: [UInt8]) {
  var input = InputBytes(bytes)
  let chunk = Int(input.byte()) + 1
  let stream = wire(input.all())
  let whole = serve(stream, chunk: 4096)
  let cut = serve(stream, chunk: chunk)
  check(whole == cut, "cut into \(chunk) bytes it is answered otherwise: \(whole) \(cut)")
}

private struct Outcome: Equatable {
  /// Calls that wait for replies.
  var calls = 0
  var replies: [WireReply] = []
  var failure: ServerConnection.Failure?
}

private let service = Service(
  identity: .init(vendor: "", product: "fuzz", version: "", url: ""),
  interfaces: [
    DevicesMessage.interfaceText, PreviewingMessage.interfaceText, MonitorMessage.interfaceText,
    ControlMessage.interfaceText,
  ])

private func serve(_ stream: [UInt8], chunk: Int) -> Outcome {
  let pair = SocketPair()
  var outcome = Outcome()
  var received: [UInt8] = []
  do {
    let connection = try ServerConnection(FileDescriptor(owning: pair.near))
    func work() throws {
      try connection.receive()
      while let call = try connection.nextCall() {
        if !call.isOneway { outcome.calls += 1 }
        if service.isForProgram(call, on: connection) { answer(call, on: connection) }
        try connection.flush()
        received += pair.received()
        check(connection.pendingBytes == 0, "a reply that the socket does not take")
      }
    }
    var rest = stream[...]
    while !rest.isEmpty {
      check(pair.send(rest.prefix(chunk)), "closed for no reason")
      rest = rest.dropFirst(chunk)
      try work()
    }
    pair.endSending()
    try work()
    check(connection.isFinished, "not finished at the end")
  } catch let error as ServerConnection.Failure {
    outcome.failure = error
  } catch {
    fail("\(error)")
  }
  received += pair.received()
  outcome.replies = replies(received)
  let last = outcome.replies.count { $0.continues != true }
  check(last == outcome.calls, "\(last) replies to \(outcome.calls) calls")
  return outcome
}

private func answer(_ call: Call, on connection: ServerConnection) {
  do throws(ServiceError) {
    try checkParameters(of: call)
    if call.wantsMore {
      connection.reply(Empty(), continues: true)
      let message = Array(#"{"parameters":{},"continues":true}"#.utf8) + [0]
      connection.send(message.span)
    }
    connection.reply(Empty())
  } catch {
    connection.reply(error)
  }
}

private func checkParameters(of call: Call) throws(ServiceError) {
  func check<Value: Codable & Equatable>(_ type: Value.Type) throws(ServiceError) {
    checkRoundTrip(try call.parameters(as: type))
  }
  switch "\(call.interface).\(call.method)" {
  case DevicesMessage.interface + ".GetCapability":
    try check(DevicesMessage.GetCapabilityCall.self)
  case MonitorMessage.interface + ".Watch": try check(MonitorMessage.WatchCall.self)
  case PreviewingMessage.interface + ".Register": try check(PreviewingMessage.RegisterCall.self)
  case PreviewingMessage.interface + ".Answer": try check(PreviewingMessage.AnswerCall.self)
  case PreviewingMessage.interface + ".Claim": try check(PreviewingMessage.ClaimCall.self)
  case PreviewingMessage.interface + ".SetActive": try check(PreviewingMessage.SetActiveCall.self)
  case PreviewingMessage.interface + ".Unregister":
    try check(PreviewingMessage.UnregisterCall.self)
  case ControlMessage.interface + ".SetProfile": try check(ControlMessage.SetProfileCall.self)
  case ControlMessage.interface + ".ResetProfile": try check(ControlMessage.ResetProfileCall.self)
  case ControlMessage.interface + ".SetSetting": try check(ControlMessage.SetSettingCall.self)
  case ControlMessage.interface + ".ResetSetting": try check(ControlMessage.ResetSettingCall.self)
  default: break
  }
}
