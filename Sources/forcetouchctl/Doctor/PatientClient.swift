import Glibc
import Varlink

/// A connection to the daemon that never waits for longer than it says: whoever looks for what is
/// wrong must not be kept by it.
struct PatientClient {
  /// Nothing came in time.
  struct TooLate: Error {}

  private let connection: ClientConnection
  /// In milliseconds, for each call.
  private let patience: Int32

  init(path: String, patience: Int32 = 5000) throws(ClientError) {
    connection = try ClientConnection(path: path, maximumMessageLength: 16 << 20)
    self.patience = patience
  }

  /// Calls a method and gives its reply, good or bad.
  func call(_ method: String, _ parameters: some Encodable = Empty()) throws -> Reply {
    try connection.call(method, parameters)
    let end = Self.now() + Int64(patience)
    while true {
      connection.flush()
      if let reply = try connection.nextReply() { return reply }
      let rest = end - Self.now()
      guard rest > 0 else { throw TooLate() }
      let events = Int16(POLLIN) | (connection.wantsOutput ? Int16(POLLOUT) : 0)
      var waited = pollfd(fd: connection.descriptor, events: events, revents: 0)
      if poll(&waited, 1, Int32(clamping: rest)) > 0 { connection.receive() }
    }
  }

  /// In milliseconds, of no clock in particular.
  static func now() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }
}
