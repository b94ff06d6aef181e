internal import Glibc

/// A connection to a Varlink service that waits for its replies. Not safe for several threads at
/// once.
public final class Client {
  private let socket: FileDescriptor
  private var input: MessageBuffer

  /// Connects to the socket at `path`.
  ///
  /// - Parameter maximumMessageLength: The longest reply that is taken, in bytes.
  public init(path: String, maximumMessageLength: Int = 16 << 20) throws(ClientError) {
    guard let address = SocketAddress(path: path) else {
      throw .cannotConnect(path: path, reason: "the path is empty or too long")
    }
    do throws(SystemError) {
      let socket = FileDescriptor(
        owning: try immediate("socket") { Glibc.socket(AF_UNIX, streamSocket, 0) })
      try immediate("connect") { address.withPointer { connect(socket.raw, $0, $1) } }
      self.socket = socket
    } catch {
      throw .cannotConnect(path: path, reason: error.reason)
    }
    input = MessageBuffer(limit: maximumMessageLength)
  }

  public var descriptor: Int32 { socket.raw }

  /// Calls a method and waits for its reply.
  public func call(
    _ method: String, _ parameters: some Encodable = Empty()
  ) throws(ClientError) -> Reply {
    try send(method, parameters, more: false)
    return try nextReply()
  }

  /// Calls a method that replies more than once: take its replies with ``nextReply()``.
  public func stream(
    _ method: String, _ parameters: some Encodable = Empty()
  ) throws(ClientError) {
    try send(method, parameters, more: true)
  }

  /// Waits for the next reply.
  public func nextReply() throws(ClientError) -> Reply {
    while true {
      if let reply = try bufferedReply() { return reply }
      try receive()
    }
  }

  /// A reply that was received already; nil when there is none.
  public func bufferedReply() throws(ClientError) -> Reply? {
    let message: [UInt8]?
    do throws(MessageBuffer.TooLong) {
      message = try input.next()
    } catch {
      throw .malformedReply
    }
    guard let message else { return nil }
    let reply = try Reply(message)
    if let failure = reply.failure { throw failure }
    return reply
  }

  /// Waits until something comes, and keeps it for ``bufferedReply()``.
  public func receive() throws(ClientError) {
    let capacity = 64 * 1024
    let count = try withUnsafeTemporaryAllocation(byteCount: capacity, alignment: 1) {
      chunk -> Result<Int, ClientError> in
      do throws(SystemError) {
        let count = try immediate("recv") { recv(socket.raw, chunk.baseAddress, capacity, 0) }
        input.append(UnsafeRawBufferPointer(rebasing: chunk[..<count]))
        return .success(count)
      } catch {
        return .failure(.connectionLost(reason: error.reason))
      }
    }.get()
    guard count > 0 else { throw .connectionLost(reason: "the service closed it") }
  }

  private func send(
    _ method: String, _ parameters: some Encodable, more: Bool
  ) throws(ClientError) {
    let message = try encodedCall(method, parameters, more: more)
    var written = 0
    while written < message.count {
      do throws(SystemError) {
        written += try immediate("send") {
          message.withUnsafeBytes {
            Glibc.send(
              socket.raw, $0.baseAddress.map { $0 + written }, message.count - written,
              Int32(MSG_NOSIGNAL))
          }
        }
      } catch {
        throw .connectionLost(reason: error.reason)
      }
    }
  }
}
