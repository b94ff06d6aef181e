internal import Glibc

/// Bytes that wait for a socket to take them.
struct OutputBuffer {
  private var bytes: [UInt8] = []
  private var written = 0

  /// What is queued and not yet written.
  var pendingBytes: Int { bytes.count - written }

  mutating func append(_ new: some Sequence<UInt8>) { bytes.append(contentsOf: new) }

  mutating func append(_ new: Span<UInt8>) {
    new.withUnsafeBufferPointer { bytes.append(contentsOf: $0) }
  }

  mutating func append(_ byte: UInt8) { bytes.append(byte) }

  /// Writes what the socket takes. Whatever is left waits for it to become writable.
  mutating func flush(to socket: Int32) throws(SystemError) {
    written += try Self.write(bytes.span.extracting(droppingFirst: written), to: socket)
    if pendingBytes > 0 {
      // So that a queue which is never empty does not grow by what was written.
      if written > 64 * 1024 {
        bytes.removeFirst(written)
        written = 0
      }
    } else {
      bytes.removeAll(keepingCapacity: bytes.count <= 64 * 1024)
      written = 0
    }
  }

  /// Writes what the socket takes, past any queue; gives how much that was.
  static func write(_ bytes: Span<UInt8>, to socket: Int32) throws(SystemError) -> Int {
    var written = 0
    while written < bytes.count {
      let result = try system("send") {
        bytes.withUnsafeBufferPointer {
          send(
            socket, $0.baseAddress.map { $0 + written }, $0.count - written,
            Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
        }
      }
      switch result {
      case .done(let count): written += count
      case .wouldBlock: return written
      }
    }
    return written
  }
}
