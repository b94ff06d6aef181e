import ForceTouchProtocol
import Glibc

@testable import Varlink

/// A hostile service, heard by the client half: however its bytes are cut it says the same, never
/// more than was asked for, and after an error nothing.
func fuzzClient(_ bytes: [UInt8]) {
  var input = InputBytes(bytes)
  let chunk = Int(input.byte()) + 1
  let calls = input.byte()
  let stream = wire(input.all())
  let whole = listen(to: stream, chunk: 4096, calls: calls)
  let cut = listen(to: stream, chunk: chunk, calls: calls)
  check(whole == cut, "cut into \(chunk) bytes it is heard otherwise: \(whole) \(cut)")
}

private struct Heard: Equatable {
  var replies: [[UInt8]] = []
  var error = ""
}

/// - Parameter calls: How many calls are made, and which of them take several replies, bit by bit.
private func listen(to stream: [UInt8], chunk: Int, calls: UInt8) -> Heard {
  let pair = SocketPair()
  let connection = ClientConnection(
    FileDescriptor(owning: pair.near), maximumMessageLength: 1 << 16)
  var heard = Heard()
  let count = Int(calls & 3)
  do throws(ClientError) {
    for index in 0..<count { try connection.call("a.B", more: calls >> (2 + index) & 1 == 1) }
    connection.flush()
    var finals = 0
    func take() throws(ClientError) {
      connection.receive()
      while let reply = try connection.nextReply() {
        heard.replies.append(reply.parameters)
        if !reply.continues { finals += 1 }
        check(finals <= count, "more replies than calls")
        check(JSONMembers(reply.parameters[...]) != nil, "parameters that are no object")
        decode(reply)
      }
    }
    var rest = stream[...]
    while !rest.isEmpty {
      check(pair.send(rest.prefix(chunk)), "closed for no reason")
      rest = rest.dropFirst(chunk)
      try take()
    }
    pair.endSending()
    while true { try take() }
  } catch {
    heard.error = "\(error)"
  }
  return heard
}

private func decode(_ reply: Reply) {
  func decode<Value: Codable & Equatable>(_ type: Value.Type) {
    if let value = try? reply.decoded(as: type) { checkRoundTrip(value) }
  }
  if let failure = reply.failure {
    _ = failure.description
    _ = failure.parameters(as: PreviewingMessage.TouchError.self)
    return
  }
  decode(DevicesMessage.ListReply.self)
  decode(DevicesMessage.WatchReply.self)
  decode(DevicesMessage.GetCapabilityReply.self)
  decode(MonitorMessage.WatchReply.self)
  decode(DescriptionMessage.self)
  decode(MonitorMessage.GetStatisticsReply.self)
  decode(PreviewingMessage.RegisterReply.self)
  decode(ControlMessage.GetSettingsReply.self)
  decode(ControlMessage.ReloadReply.self)
}
