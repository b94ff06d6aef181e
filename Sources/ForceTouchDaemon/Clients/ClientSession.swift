import Glibc
import Varlink

/// One connected client: its connection, and the stream it may have opened.
final class ClientSession {
  let connection: ServerConnection
  private let server: Server
  private var readiness: ReadinessSource?
  private var resuming: TimerSource?
  /// Ends the stream that this client has open.
  var closeStream: (() -> Void)?
  private var isClosed = false
  private var isGivenUp = false
  private var waitedFor = Readiness.readable

  /// Above this a stream leaves out what may be left out.
  private static let comfortableBacklog = 64 * 1024
  /// Above this the client is given up. The first message of a stream must fit: 256 devices, each
  /// with its contacts.
  private static let largestBacklog = 1024 * 1024
  /// So many calls of one client are answered before the others have their turn.
  private static let callsPerTurn = 4

  init(_ connection: ServerConnection, server: Server, loop: EventLoop) throws(LoopError) {
    self.connection = connection
    self.server = server
    resuming = try loop.timer(priority: .traffic) { [weak self] in self?.handle([]) }
    readiness = try loop.watch(
      connection.descriptor, priority: .traffic
    ) { [weak self] ready in
      self?.handle(ready)
    }
  }

  /// Who it is, for the log.
  var name: String { "uid \(connection.peer.userID), pid \(connection.peer.processID)" }

  // MARK: Replies

  /// Whether everything that was sent has been written.
  var isFlushed: Bool { connection.pendingBytes == 0 }

  /// Whether the client reads fast enough for what may be left out.
  var hasRoom: Bool { connection.pendingBytes < Self.comfortableBacklog }

  func reply(_ parameters: some Encodable, continues: Bool = false) {
    connection.reply(parameters, continues: continues)
  }

  /// Queues whole messages of its stream.
  func send(_ messages: Span<UInt8>) {
    guard !isClosed else { return }
    connection.send(messages)
  }

  /// As ``send(_:)`` and ``flush()``, without copying what the socket takes at once.
  func write(_ messages: Span<UInt8>) {
    guard !isClosed else { return }
    do throws(SystemError) {
      try connection.write(messages)
    } catch {
      server.closeLater(self)
      return
    }
    if connection.pendingBytes > 0 { flush() }
  }

  /// Gives the last reply of the stream. What waited behind it is answered when whatever runs now
  /// is done: no more input need come for that.
  func endStream(_ parameters: some Encodable) {
    closeStream = nil
    reply(parameters)
    flush()
    resuming?.setToNext()
  }

  /// Writes what the socket takes, and gives the client up when it does not read at all.
  func flush() {
    guard !isClosed else { return }
    do throws(SystemError) {
      try connection.flush()
    } catch {
      // It went away: that is no trouble.
      server.closeLater(self)
      return
    }
    if connection.pendingBytes > Self.largestBacklog, !isGivenUp {
      isGivenUp = true
      server.log.once(
        .warning, .client, about: "slow \(connection.peer.userID)",
        "\(name) does not read its stream; it is disconnected")
      server.countDisconnected()
      server.closeLater(self)
    }
    updateWait()
  }

  // MARK: Loop

  private func handle(_ ready: Readiness) {
    guard !isClosed else { return }
    var answered = 0
    do throws(ServerConnection.Failure) {
      if ready.contains(.readable) { try connection.receive() }
      // Calls that came in one go are answered as fast as the answers are read.
      while answered < Self.callsPerTurn, hasRoom, let call = try connection.nextCall() {
        server.handle(call, of: self)
        answered += 1
        if !hasRoom { flush() }
      }
    } catch {
      switch error {
      case .system: break
      case .messageTooLong, .malformedMessage:
        server.log.once(
          .warning, .client, about: "malformed \(connection.peer.userID)",
          "\(name) sent \(error); it is disconnected")
      }
      server.closeLater(self)
      return
    }
    let wasFull = !hasRoom
    flush()
    if ready.contains(.writable) { server.hub.catchUp(self) }
    // For the calls that wait no more input need come, and perhaps there is room again already.
    guard answered < Self.callsPerTurn, !(wasFull && hasRoom) else {
      resuming?.setToNext()
      return
    }
    // What a client said before it went away is heard: calls that want no reply are often all.
    let isGone = !ready.isDisjoint(with: .gone) && !connection.mayHaveCalls
    if connection.isFinished || isGone { server.closeLater(self) }
  }

  private func updateWait() {
    var wanted: Readiness = []
    if connection.wantsInput { wanted.insert(.readable) }
    if connection.pendingBytes > 0 { wanted.insert(.writable) }
    guard wanted != waitedFor else { return }
    waitedFor = wanted
    readiness?.wait(for: wanted)
  }

  /// Only ``Server`` calls this, outside of any walk through sessions or streams.
  func close() {
    guard !isClosed else { return }
    isClosed = true
    readiness = nil
    resuming = nil
    closeStream?()
    closeStream = nil
  }
}
