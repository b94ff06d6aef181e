import ForceTouchModel
import ForceTouchProtocol
import Glibc
import Varlink

/// The daemon's devices as they come and go, for whoever polls for other things too.
final class DeviceWatch {
  private let connection: ClientConnection
  private(set) var devices: [DeviceMessage] = []
  /// Nothing more comes.
  private(set) var isOver = false

  init(socket: String) throws(ClientError) {
    connection = try ClientConnection(path: socket, maximumMessageLength: 16 << 20)
    try connection.call(DevicesMessage.interface + ".Watch", more: true)
    connection.flush()
  }

  /// Readable when ``dispatch()`` has something to do; nil when nothing more comes.
  var descriptor: Int32? { isOver ? nil : connection.descriptor }

  /// Takes what came, and waits for nothing.
  func dispatch() {
    guard !isOver else { return }
    connection.receive()
    do throws(ClientError) {
      while let reply = try connection.nextReply() {
        // A daemon that stops says so; one that refuses says no more than that either.
        guard reply.continues else {
          isOver = true
          return
        }
        take(try reply.decoded(as: DevicesMessage.WatchReply.self))
      }
    } catch {
      isOver = true
    }
  }

  /// The device of a name; one that was not told of yet is waited for.
  func device(_ id: String, patience: Interval) -> DeviceMessage? {
    let end = Timestamp.now() + patience
    while true {
      if let device = devices.first(where: { $0.device == id }) { return device }
      let rest = end - .now()
      guard !isOver, rest > .zero else { return nil }
      var waited = pollfd(fd: connection.descriptor, events: Int16(POLLIN), revents: 0)
      _ = poll(&waited, 1, rest.timeout)
      dispatch()
    }
  }

  private func take(_ reply: DevicesMessage.WatchReply) {
    if let snapshot = reply.snapshot { devices = snapshot }
    let id = reply.removed ?? reply.changed?.device
    devices.removeAll { $0.device == id }
    if let device = reply.added ?? reply.changed { devices.append(device) }
  }
}
