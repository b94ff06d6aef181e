import Glibc

/// Two ends of a stream socket (`socketpair(2)`), neither of which waits. The far end is closed with
/// this value; whoever is tested owns the near one.
struct SocketPair: ~Copyable {
  let near: Int32
  private let far: Int32

  init() {
    var ends: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0 else {
      fail("socketpair: \(String(cString: strerror(errno)))")
    }
    for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    near = ends[0]
    far = ends[1]
  }

  deinit { close(far) }

  /// False when the other end is closed.
  func send(_ bytes: ArraySlice<UInt8>) -> Bool {
    let sent = bytes.withUnsafeBytes {
      Glibc.send(far, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
    }
    check(sent == bytes.count || sent < 0, "the socket took a part only")
    return sent >= 0
  }

  func endSending() { shutdown(far, Int32(SHUT_WR)) }

  /// All that is there.
  func received() -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 64 * 1024)
    while true {
      let count = recv(far, &chunk, chunk.count, 0)
      guard count > 0 else { return bytes }
      bytes += chunk[..<count]
    }
  }
}
