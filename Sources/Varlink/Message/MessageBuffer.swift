internal import Glibc

/// Bytes that came in, cut into messages at each NUL.
struct MessageBuffer {
  /// The longest message that is taken.
  let limit: Int
  private var bytes: [UInt8] = []
  /// Where the first message that was not taken begins.
  private var start = 0
  /// Up to where no NUL was found.
  private var searched = 0

  init(limit: Int) { self.limit = limit }

  struct TooLong: Error {}

  /// Whether more may be read before a message is taken.
  var hasRoom: Bool { bytes.count - start <= limit }

  /// Whether a whole message is there.
  var hasMessage: Bool { bytes[searched...].contains(0) }

  mutating func append(_ new: UnsafeRawBufferPointer) {
    if start > 0 {
      bytes.removeFirst(start)
      searched -= start
      start = 0
    }
    bytes.append(contentsOf: new)
  }

  /// Appends what a socket has, without waiting for it; 0 bytes are its end.
  mutating func receive(
    from socket: Int32, atMost capacity: Int
  ) throws(SystemError) -> Attempt<Int> {
    try withUnsafeTemporaryAllocation(byteCount: capacity, alignment: 1) {
      chunk -> Result<Attempt<Int>, SystemError> in
      do throws(SystemError) {
        let attempt = try system("recv") {
          recv(socket, chunk.baseAddress, capacity, Int32(MSG_DONTWAIT))
        }
        if case .done(let count) = attempt {
          append(UnsafeRawBufferPointer(rebasing: chunk[..<count]))
        }
        return .success(attempt)
      } catch {
        return .failure(error)
      }
    }.get()
  }

  /// The next whole message, without its NUL; nil when none is complete.
  mutating func next() throws(TooLong) -> [UInt8]? {
    guard let end = bytes[searched...].firstIndex(of: 0) else {
      searched = bytes.count
      if bytes.count - start > limit { throw TooLong() }
      return nil
    }
    guard end - start <= limit else { throw TooLong() }
    let message = Array(bytes[start..<end])
    start = end + 1
    searched = start
    if start == bytes.count {
      bytes.removeAll(keepingCapacity: bytes.capacity <= 32 * 1024)
      start = 0
      searched = 0
    }
    return message
  }
}
