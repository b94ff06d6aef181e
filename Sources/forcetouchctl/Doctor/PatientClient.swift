import ForceTouchModel
import Glibc
import Varlink

/// A connection to the daemon that never waits for longer than it says: whoever looks for what is
/// wrong must not be kept by it.
struct PatientClient {
  /// Nothing came in time.
  struct TooLate: Error {}

  private let connection: ClientConnection
  /// For each call.
  private let patience: Interval

  init(path: String, patience: Interval = .milliseconds(5000)) throws(ClientError) {
    connection = try ClientConnection(path: path, maximumMessageLength: 16 << 20)
    self.patience = patience
  }

  /// Calls a method and gives its reply, good or bad.
  func call(_ method: String, _ parameters: some Encodable = Empty()) throws -> Reply {
    try connection.call(method, parameters)
    let end = Timestamp.now() + patience
    while true {
      connection.flush()
      if let reply = try connection.nextReply() { return reply }
      let rest = end - .now()
      guard rest > .zero else { throw TooLate() }
      let events = Int16(POLLIN) | (connection.wantsOutput ? Int16(POLLOUT) : 0)
      var waited = pollfd(fd: connection.descriptor, events: events, revents: 0)
      if poll(&waited, 1, rest.timeout) > 0 { connection.receive() }
    }
  }
}
