internal import ForceTouchProtocol
internal import Varlink

/// What a context says to the daemon beside its stream.
enum ControlCall {
  case answer(PreviewingMessage.AnswerCall)
  case claim(PreviewingMessage.ClaimCall)
  case setActive(PreviewingMessage.SetActiveCall)

  var token: String {
    switch self {
    case .answer(let call): call.token
    case .claim(let call): call.token
    case .setActive(let call): call.token
    }
  }
}

/// The connection for all that contexts say: one for the whole client, opened when it is needed.
/// Replies come in the order of the calls.
final class ControlConnection: Endpoint {
  private let hub: Hub
  private var key: Hub.Key = 0
  private var connection: ClientConnection?
  private var backOff: BackOff
  private var pending: [Pending] = []
  /// Those whose calls were lost, to be told when it is worth another try.
  private var waiting: [WeakContext] = []

  private struct Pending {
    let call: ControlCall
    weak var context: PreviewingContext?
  }

  private struct WeakContext {
    weak var context: PreviewingContext?
  }

  init(hub: Hub) {
    self.hub = hub
    backOff = BackOff(hub.delays)
    key = hub.add(self)
  }

  deinit {
    if let connection { hub.disconnect(connection) }
    hub.remove(key)
  }

  func send(_ call: ControlCall, for context: PreviewingContext) {
    do throws(ClientError) {
      let connection: ClientConnection
      if let open = self.connection {
        connection = open
      } else {
        connection = try hub.connect(for: key)
        self.connection = connection
      }
      pending.append(Pending(call: call, context: context))
      switch call {
      case .answer(let answer): try connection.call(Self.method("Answer"), answer)
      case .claim(let claim): try connection.call(Self.method("Claim"), claim)
      case .setActive(let active): try connection.call(Self.method("SetActive"), active)
      }
      hub.flush(connection, of: key)
    } catch {
      if connection == nil { pending.append(Pending(call: call, context: context)) }
      lose(ForceTouchError(error))
    }
  }

  private static func method(_ name: String) -> String {
    "\(PreviewingMessage.interface).\(name)"
  }

  func isReady() {
    guard let connection else { return }
    connection.receive()
    hub.flush(connection, of: key)
    do throws(ClientError) {
      while self.connection === connection, let reply = try connection.nextReply() {
        backOff.reset()
        let answered = pending.removeFirst()
        guard let failure = reply.failure else { continue }
        answered.context?.failed(answered.call, ForceTouchError(failure))
      }
    } catch {
      if self.connection === connection { lose(ForceTouchError(error)) }
    }
  }

  /// Whoever waits for a reply is told that none comes; the connection is opened again when
  /// somebody has something to say.
  private func lose(_ error: ForceTouchError) {
    if let connection { hub.disconnect(connection) }
    connection = nil
    let lost = pending
    pending = []
    if !lost.isEmpty {
      waiting += lost.map { WeakContext(context: $0.context) }
      hub.setDeadline(of: key, after: backOff.delay())
    }
    for one in lost { one.context?.failed(one.call, error) }
  }

  func isDue() {
    let woken = waiting
    waiting = []
    for one in woken { one.context?.tellActivity() }
  }
}
