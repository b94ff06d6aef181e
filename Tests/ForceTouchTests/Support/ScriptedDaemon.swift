import ForceTouchModel
import ForceTouchProtocol
import Glibc
import Testing
import Varlink

/// A daemon that says what a test wants it to say, and remembers what it was told. It runs in
/// ``step()``, on the test's own thread.
final class ScriptedDaemon {
  let path: String
  private var listener: ListeningSocket?
  private var connections: [ServerConnection] = []
  /// The streams of contexts, in the order in which they were registered; nil when they are closed.
  private(set) var contexts: [Registration?] = []
  private(set) var watches: [ServerConnection] = []
  /// Answer, Claim and SetActive, as a line each.
  private(set) var calls: [String] = []
  /// What the next call of a method is refused with.
  var refusals: [String: ServiceError] = [:]
  var capabilities: [ForceTouchCapability] = [.available]
  var isDormant = false
  /// Accepts no connection, as one that was stopped by a debugger.
  var isAsleep = false
  private(set) var connectionCount = 0
  private var lastToken = 0

  struct Registration {
    let token: String
    let call: PreviewingMessage.RegisterCall
    let connection: ServerConnection
  }

  private static let service = Service(
    identity: .init(vendor: "", product: "scripted", version: "", url: ""),
    interfaces: [DevicesMessage.interfaceText, PreviewingMessage.interfaceText])

  init(path: String) throws {
    self.path = path
    try start()
  }

  /// The lock of the socket that was closed may live on for a moment in a process that another
  /// test is about to start.
  func start() throws {
    for _ in 0..<1000 {
      listener = try? ListeningSocket(path: path)
      if listener != nil { return }
      usleep(2000)
    }
    listener = try ListeningSocket(path: path)
  }

  /// As a crash: no last replies.
  func crash() {
    listener = nil
    connections = []
    watches = []
    contexts = contexts.map { _ in nil }
  }

  /// As SIGTERM: what is open gets a last reply.
  func stop() {
    for connection in watches + contexts.compactMap({ $0?.connection }) {
      connection.reply(Empty())
      try? connection.flush()
    }
    crash()
  }

  var openConnections: Int { connections.count }

  func step() {
    while !isAsleep, let listener, case .connection(let connection) = listener.accept() {
      connections.append(connection)
      connectionCount += 1
    }
    connections.removeAll { connection in
      if !serve(connection) || connection.isFinished { return true }
      return false
    }
    // A stream whose client is gone never finishes by itself.
    connections.removeAll { isGone($0) }
    contexts = contexts.map { context in
      context.flatMap { context in
        connections.contains { $0 === context.connection } ? context : nil
      }
    }
  }

  private func isGone(_ connection: ServerConnection) -> Bool {
    var wait = pollfd(fd: connection.descriptor, events: 0, revents: 0)
    return poll(&wait, 1, 0) > 0 && wait.revents & Int16(POLLHUP) != 0
  }

  private func serve(_ connection: ServerConnection) -> Bool {
    do {
      try connection.receive()
      while let call = try connection.nextCall() {
        guard Self.service.isForProgram(call, on: connection) else { continue }
        if let refusal = refusals.removeValue(forKey: call.method) {
          connection.reply(refusal)
        } else {
          do throws(ServiceError) {
            try answer(call, connection)
          } catch {
            connection.reply(error)
          }
        }
      }
      try connection.flush()
      return true
    } catch {
      return false
    }
  }

  private func answer(_ call: Call, _ connection: ServerConnection) throws(ServiceError) {
    switch call.method {
    case "Watch":
      watches.append(connection)
      connection.reply(["snapshot": capabilities.enumerated().map(device)], continues: true)
    case "Register":
      let register = try call.parameters(as: PreviewingMessage.RegisterCall.self)
      lastToken += 1
      let token = "token\(lastToken)"
      contexts.append(Registration(token: token, call: register, connection: connection))
      connection.reply(
        PreviewingMessage.RegisterReply(snapshot: .init(token: token, active: !isDormant)),
        continues: true)
    case "Answer":
      let answer = try call.parameters(as: PreviewingMessage.AnswerCall.self)
      var line = "\(answer.token) \(answer.interaction) \(answer.preview ? "yes" : "no")"
      if let rect = answer.sourceRect {
        line += " \(rect.x),\(rect.y) \(rect.width)x\(rect.height)"
      }
      if answer.allowsPop == false { line += " without-pop" }
      calls.append(line)
      connection.reply(Empty())
    case "Claim":
      let claim = try call.parameters(as: PreviewingMessage.ClaimCall.self)
      calls.append("\(claim.token) claim \(claim.touchTime)")
      connection.reply(Empty())
    case "SetActive":
      let active = try call.parameters(as: PreviewingMessage.SetActiveCall.self)
      calls.append("\(active.token) \(active.active ? "active" : "inactive")")
      connection.reply(Empty())
    default: throw .methodNotFound(call.method)
    }
  }

  func takeCalls() -> [String] {
    defer { calls = [] }
    return calls
  }

  // MARK: What it says

  struct Device: Encodable {
    var device: String
    var seat: String?
    var capability: String
  }

  private func device(_ index: Int, _ capability: ForceTouchCapability) -> Device {
    Device(device: "d\(index + 1)", seat: "seat0", capability: capability.rawValue)
  }

  func watchReply(_ field: String, _ device: Device) {
    for watch in watches {
      watch.reply([field: device], continues: true)
      try? watch.flush()
    }
  }

  func remove(_ device: String) {
    for watch in watches {
      watch.reply(["removed": device], continues: true)
      try? watch.flush()
    }
  }

  /// Says something on a context's stream, word for word.
  func say(_ parameters: String, to context: Int = 0, last: Bool = false) {
    guard let connection = contexts[context]?.connection else {
      Issue.record("context \(context) is not open")
      return
    }
    let message = #"{"parameters":\#(parameters)\#(last ? "}" : #","continues":true}"#)"#
    connection.send((Array(message.utf8) + [0]).span)
    try? connection.flush()
  }

  func sayBytes(_ bytes: [UInt8], to context: Int = 0) {
    contexts[context]?.connection.send(bytes.span)
    try? contexts[context]?.connection.flush()
  }

  func event(_ kind: String, _ interaction: Int, _ more: String = "", to context: Int = 0) {
    say(
      #"{"event":{"event":"\#(kind)","interaction":\#(interaction),"device":"d1","time":1000,"force":1.5\#(more)}}"#,
      to: context)
  }

  func question(_ interaction: Int, _ more: String = "", to context: Int = 0) {
    event(
      "question", interaction, #","timeout":50000,"maximumPossibleForce":6.5\#(more)"#,
      to: context)
  }

  func cancel(_ interaction: Int, _ reason: String, to context: Int = 0) {
    event("peekCancelled", interaction, #","reason":"\#(reason)""#, to: context)
  }
}
