import Glibc
import Varlink

/// The socket, the clients on it, and who answers their calls.
final class Server {
  /// As systemd's Varlink server has it. A context has a connection of its own, so this bounds a
  /// user's contexts as well.
  private static let maximumConnectionsPerUser = 128
  /// So many clients that wait are let in before the others have their turn: there may be no end
  /// of them.
  private static let admissionsPerTurn = 16
  /// Descriptors that clients leave to the loop, the bus, devices and files.
  private static let reservedDescriptors = 64
  private static let maximumConnections = max(16, descriptorLimit() - reservedDescriptors)

  let hub: Hub
  let log: Log
  private let loop: EventLoop
  /// nil when it no longer serves.
  private var socket: ListeningSocket?
  private let service: Service
  private let handlers: [any InterfaceHandler]
  private var accepting: ReadinessSource?
  private var sessions: [ObjectIdentifier: ClientSession] = [:]
  private var leaving: [ClientSession] = []
  private var closing: TimerSource?
  private var acceptingAgain: TimerSource?
  private(set) var disconnectedCount = 0
  /// Called when a client came or went.
  var whenCountChanges: () -> Void = {}

  init(
    socket: ListeningSocket, identity: Service.Identity, handlers: [any InterfaceHandler],
    hub: Hub, loop: EventLoop, log: Log
  ) throws(LoopError) {
    self.socket = socket
    self.hub = hub
    self.loop = loop
    self.log = log
    self.handlers = handlers
    service = Service(identity: identity, interfaces: handlers.map(\.interfaceText))
    closing = try loop.timer(priority: .session) { [weak self] in self?.closeLeaving() }
    acceptingAgain = try loop.timer(priority: .traffic) { [weak self] in
      self?.accepting?.wait(for: .readable)
    }
    accepting = try loop.watch(
      socket.descriptor, priority: .traffic
    ) { [weak self] _ in self?.accept() }
  }

  var connectionCount: Int { sessions.count }

  func countDisconnected() { disconnectedCount += 1 }

  /// Whether everything that was queued has been written.
  var isFlushed: Bool { sessions.values.allSatisfy { $0.connection.pendingBytes == 0 } }

  func flushAll() {
    for session in sessions.values { session.flush() }
  }

  func stopAccepting() { accepting = nil }

  /// Closes every connection, and the socket.
  func close() {
    stopAccepting()
    socket = nil
    for session in sessions.values { session.close() }
    sessions.removeAll()
  }

  // MARK: Calls

  func handle(_ call: Call, of session: ClientSession) {
    guard service.isForProgram(call, on: session.connection) else { return }
    guard let handler = handlers.first(where: { $0.interface == call.interface }) else {
      session.connection.reply(.interfaceNotFound(call.interface))
      return
    }
    do throws(ServiceError) {
      try handler.handle(call, of: session)
    } catch {
      session.connection.reply(error)
    }
  }

  /// Somebody else sits at some seat, or the settings are others.
  func accessChanged() {
    for handler in handlers { handler.accessChanged() }
  }

  // MARK: Sessions

  private func accept() {
    for _ in 0..<Self.admissionsPerTurn {
      guard let socket else { return }
      guard sessions.count < Self.maximumConnections else {
        return letWait("\(sessions.count) connections are all that there may be")
      }
      switch socket.accept() {
      case .none:
        log.forget("accept")
        return
      case .exhausted(let error): return letWait("\(error)")
      case .connection(let connection): admit(connection)
      }
    }
  }

  /// Lets no client in until one goes, or there may be room for another reason.
  private func letWait(_ reason: String) {
    log.once(
      .error, .daemon, about: "accept",
      "\(reason); new clients wait until one of the \(sessions.count) goes")
    // Waiting for the socket would only spin: what waits there stays ready.
    accepting?.wait(for: [])
    acceptingAgain?.set(at: MonotonicTime.now() + .milliseconds(1000))
  }

  /// How many descriptors this process may have (`getrlimit(2)`).
  private static func descriptorLimit() -> Int {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1024 }
    return Int(clamping: limit.rlim_cur)
  }

  private func admit(_ connection: ServerConnection) {
    let user = connection.peer.userID
    let others = sessions.values.count { $0.connection.peer.userID == user }
    guard others < Self.maximumConnectionsPerUser else {
      log.once(
        .warning, .client, about: "connections \(user)",
        "uid \(user) has \(others) connections; further ones are closed")
      return
    }
    do throws(LoopError) {
      let session = try ClientSession(connection, server: self, loop: loop)
      sessions[ObjectIdentifier(session)] = session
      whenCountChanges()
    } catch {
      log.write(.error, .daemon, "cannot serve a client: \(error)")
    }
  }

  /// Closes a session when nobody walks through sessions or streams any more.
  func closeLater(_ session: ClientSession) {
    guard !leaving.contains(where: { $0 === session }) else { return }
    leaving.append(session)
    closing?.setToNext()
  }

  private func closeLeaving() {
    while let session = leaving.popLast() {
      session.close()
      sessions[ObjectIdentifier(session)] = nil
    }
    accepting?.wait(for: .readable)
    whenCountChanges()
  }
}
