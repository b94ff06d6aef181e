import ForceTouchDaemon
import ForceTouchProtocol
import Glibc
import Varlink

// The daemon as it is, with one interface more: a stream that is served as a previewing context
// is, only while its user sits at the device's seat. It says when that begins and ends.

final class Contexts: InterfaceHandler {
  let interface = "org.forcetouchd.test.Contexts"
  let interfaceText = """
    interface org.forcetouchd.test.Contexts

    type Any ()

    method Watch() -> (active: ?bool, snapshot: ?Any, event: ?Any)

    """
  private let hub: Hub
  private let access: AccessPolicy
  private var contexts: [Context] = []

  private final class Context {
    let session: ClientSession
    var isActive: Bool

    init(_ session: ClientSession, isActive: Bool) {
      self.session = session
      self.isActive = isActive
    }
  }

  init(_ hub: Hub, _ access: AccessPolicy) {
    self.hub = hub
    self.access = access
  }

  private struct State: Encodable {
    var active: Bool
  }

  func handle(_ call: Call, of session: ClientSession) throws(ServiceError) {
    guard call.wantsMore else { throw .expectedMore }
    let peer = session.connection.peer
    let stream = MonitorStream(
      session: session, call: .init(), sees: { [access] in access.mayPreview(peer, seat: $0) })
    let context = Context(session, isActive: access.mayPreview(peer, seat: "seat0"))
    session.closeStream = { [unowned self] in
      hub.remove(stream)
      contexts.removeAll { $0 === context }
    }
    contexts.append(context)
    session.reply(State(active: context.isActive), continues: true)
    hub.add(stream)
  }

  func seatsChanged() {
    for context in contexts {
      let isActive = access.mayPreview(context.session.connection.peer, seat: "seat0")
      guard isActive != context.isActive else { continue }
      context.isActive = isActive
      context.session.reply(State(active: isActive), continues: true)
      context.session.flush()
    }
  }
}

do throws(Daemon.Failure) {
  exit(try Daemon.run(.init(), additions: { hub, access in [Contexts(hub, access)] }))
} catch {
  fatalError(error.description)
}
