import Glibc

@testable import Varlink

/// The other end of a connection, that writes and reads bytes as it likes.
final class TestPeer {
  private let socket: FileDescriptor
  private var received: [UInt8] = []

  init(owning descriptor: Int32) {
    socket = FileDescriptor(owning: descriptor)
    // A test that waits for what never comes fails, and does not hang.
    var timeout = timeval(tv_sec: 20, tv_usec: 0)
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      setsockopt(
        socket.raw, SOL_SOCKET, option, &timeout, socklen_t(MemoryLayout<timeval>.size))
    }
  }

  /// Connects to the socket at `path`; nil when nobody listens.
  convenience init?(path: String) {
    let descriptor = Glibc.socket(AF_UNIX, streamSocket, 0)
    guard let address = SocketAddress(path: path),
      address.withPointer({ connect(descriptor, $0, $1) }) == 0
    else {
      close(descriptor)
      return nil
    }
    self.init(owning: descriptor)
  }

  /// A peer, and the server's connection to it.
  static func pair(limit: Int = 128 * 1024) throws -> (TestPeer, ServerConnection) {
    let (ours, theirs) = try socketPair()
    let connection = try ServerConnection(
      FileDescriptor(owning: theirs), maximumMessageLength: limit)
    return (TestPeer(owning: ours), connection)
  }

  var descriptor: Int32 { socket.raw }

  /// Sends bytes; false when the other side is gone.
  @discardableResult
  func send(_ bytes: [UInt8]) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes {
        Glibc.send(socket.raw, $0.baseAddress! + sent, bytes.count - sent, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      sent += count
    }
    return true
  }

  /// Sends messages in one packet, each with its NUL.
  @discardableResult
  func send(_ messages: String...) -> Bool {
    send(messages.flatMap { Array($0.utf8) + [0] })
  }

  /// Sends no more, and still receives.
  func endSending() { shutdown(socket.raw, Int32(SHUT_WR)) }

  /// The next message; nil when the connection is closed.
  func message() -> String? {
    while true {
      if let end = received.firstIndex(of: 0) {
        defer { received.removeFirst(end + 1) }
        return String(decoding: received[..<end], as: UTF8.self)
      }
      guard receive(flags: 0) else { return nil }
    }
  }

  /// All messages that came already.
  func messages() -> [String] {
    while receive(flags: Int32(MSG_DONTWAIT)) {}
    guard let end = received.lastIndex(of: 0) else { return [] }
    let parts = received[..<end].split(separator: 0, omittingEmptySubsequences: false)
    received.removeFirst(end + 1)
    return parts.map { String(decoding: $0, as: UTF8.self) }
  }

  private func receive(flags: Int32) -> Bool {
    var chunk = [UInt8](repeating: 0, count: 64 * 1024)
    let count = recv(socket.raw, &chunk, chunk.count, flags)
    guard count > 0 else { return false }
    received.append(contentsOf: chunk[..<count])
    return true
  }
}

/// Two connected sockets: a blocking one for a peer, one for a server.
func socketPair() throws -> (peer: Int32, server: Int32) {
  var pair: [Int32] = [-1, -1]
  try immediate("socketpair") { socketpair(AF_UNIX, streamSocket, 0, &pair) }
  return (pair[0], pair[1])
}
