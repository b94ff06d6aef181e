internal import Glibc

/// Bytes that wait for a socket to take them.
struct OutputBuffer {
  private var bytes: [UInt8] = []
  private var written = 0

  /// What is queued and not yet written.
  var pendingBytes: Int { bytes.count - written }

  mutating func append(_ new: some Sequence<UInt8>) { bytes.append(contentsOf: new) }

  mutating func append(_ byte: UInt8) { bytes.append(byte) }

  /// Writes what the socket takes. Whatever is left waits for it to become writable.
  mutating func flush(to socket: Int32) throws(SystemError) {
    while pendingBytes > 0 {
      let result = try system("send") {
        bytes.withUnsafeBytes {
          send(
            socket, $0.baseAddress.map { $0 + written }, pendingBytes,
            Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
        }
      }
      switch result {
      case .done(let count): written += count
      case .wouldBlock:
        // So that a queue which is never empty does not grow by what was written.
        if written > 64 * 1024 {
          bytes.removeFirst(written)
          written = 0
        }
        return
      }
    }
    bytes.removeAll(keepingCapacity: bytes.count <= 64 * 1024)
    written = 0
  }
}
