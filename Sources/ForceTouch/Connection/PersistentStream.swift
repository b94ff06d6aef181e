internal import Varlink

/// Who makes a streaming call and takes its replies.
protocol StreamOwner: AnyObject {
  /// Makes the call on a new connection.
  func call(on connection: ClientConnection) throws(ClientError)
  func received(_ reply: Reply) throws(ClientError)
  /// The stream is interrupted; it is opened again by itself.
  func lost(_ error: ForceTouchError)
  /// The daemon refuses; it is not tried again.
  func refused(_ error: ForceTouchError)
}

/// A streaming call on a connection of its own (a connection that streams is busy), which is made
/// again whenever the connection is lost.
final class PersistentStream: Endpoint {
  private let hub: Hub
  private weak var owner: (any StreamOwner)?
  private var key: Hub.Key = 0
  private var connection: ClientConnection?
  private var backOff: BackOff

  init(hub: Hub, owner: any StreamOwner) {
    self.hub = hub
    self.owner = owner
    backOff = BackOff(hub.delays)
    key = hub.add(self)
  }

  deinit { close() }

  func open() {
    guard let owner else { return }
    do throws(ClientError) {
      let connection = try hub.connect(for: key)
      self.connection = connection
      try owner.call(on: connection)
      hub.flush(connection, of: key)
    } catch {
      lose(ForceTouchError(error))
    }
  }

  /// Ends the stream for good.
  func close() {
    disconnect()
    hub.remove(key)
  }

  private func disconnect() {
    if let connection { hub.disconnect(connection) }
    connection = nil
  }

  /// Ends this connection, and tries another after a while.
  func lose(_ error: ForceTouchError) {
    disconnect()
    hub.setDeadline(of: key, after: backOff.delay())
    owner?.lost(error)
  }

  func isDue() { open() }

  func isReady() {
    guard let connection else { return }
    connection.receive()
    hub.flush(connection, of: key)
    do throws(ClientError) {
      // The owner may end the stream in the middle.
      while self.connection === connection, let owner, let reply = try connection.nextReply() {
        if let failure = reply.failure {
          close()
          return owner.refused(ForceTouchError(failure))
        }
        guard reply.continues else {
          throw .connectionLost(reason: "the daemon stops")
        }
        backOff.reset()
        try owner.received(reply)
      }
    } catch {
      if self.connection === connection { lose(ForceTouchError(error)) }
    }
  }
}
