internal import Glibc

/// A connection to a Varlink service that never waits and has no loop: whoever owns it watches
/// ``descriptor`` (a ``Poller`` helps), calls ``receive()`` and ``flush()``, and takes what there is
/// with ``nextReply()``. After an error it is of no use any more. Not safe for several threads at
/// once.
public final class ClientConnection {
  private let socket: FileDescriptor
  private var input: MessageBuffer
  private var output = OutputBuffer()
  /// The calls that wait for replies, oldest first: whether they take several.
  private var pendingCalls: [Bool] = []
  /// Why nothing more will come.
  private var end: String?

  /// How much may wait for a service that does not read, in bytes.
  public static let maximumBacklog = 256 * 1024

  /// Connects to the socket at `path`. A Unix socket connects at once or not at all; the service
  /// need not have accepted.
  ///
  /// - Parameter maximumMessageLength: The longest reply that is taken, in bytes.
  public convenience init(
    path: String, maximumMessageLength: Int = 1 << 20
  ) throws(ClientError) {
    guard let address = SocketAddress(path: path) else {
      throw .cannotConnect(path: path, reason: "the path is empty or too long")
    }
    do throws(SystemError) {
      let flags = streamSocket | Int32(SOCK_NONBLOCK.rawValue)
      let socket = FileDescriptor(
        owning: try immediate("socket") { Glibc.socket(AF_UNIX, flags, 0) })
      try immediate("connect") { address.withPointer { connect(socket.raw, $0, $1) } }
      self.init(socket, maximumMessageLength: maximumMessageLength)
    } catch {
      throw .cannotConnect(path: path, reason: error.reason)
    }
  }

  init(_ socket: consuming FileDescriptor, maximumMessageLength: Int) {
    self.socket = socket
    input = MessageBuffer(limit: maximumMessageLength)
  }

  public var descriptor: Int32 { socket.raw }

  // MARK: Calling

  /// Queues a call. Its reply comes when those of all earlier calls came; with `more` there may be
  /// several, and calls made after it wait for the last.
  public func call(
    _ method: String, _ parameters: some Encodable = Empty(), more: Bool = false
  ) throws(ClientError) {
    let message = try encodedCall(method, parameters, more: more)
    guard output.pendingBytes + message.count <= Self.maximumBacklog else {
      throw .connectionLost(reason: "the service does not read")
    }
    output.append(message)
    pendingCalls.append(more)
  }

  /// Whether something waits for the socket to become writable.
  public var wantsOutput: Bool { output.pendingBytes > 0 }

  /// Writes what the socket takes. That the service is gone is said by ``nextReply()``, after what
  /// it sent before.
  public func flush() {
    do throws(SystemError) {
      try output.flush(to: socket.raw)
    } catch {
      output = OutputBuffer()
      // What failed otherwise than by the service's end must be noticed as if it had.
      if error.code != EPIPE && error.code != ECONNRESET { shutdown(socket.raw, Int32(SHUT_RDWR)) }
    }
  }

  // MARK: Receiving

  /// Reads some of what is there. Not all: a service that never stops would keep the program from
  /// everything else.
  public func receive() {
    guard end == nil, input.hasRoom else { return }
    do throws(SystemError) {
      if case .done(0) = try input.receive(from: socket.raw, atMost: 16 * 1024) {
        end = "the service closed it"
      }
    } catch {
      end = error.reason
    }
  }

  /// The next reply, good or bad; nil when none is there yet. Throws when none will come any more:
  /// the connection was lost, or what came is no reply to any call.
  public func nextReply() throws(ClientError) -> Reply? {
    let message: [UInt8]?
    do throws(MessageBuffer.TooLong) {
      message = try input.next()
    } catch {
      throw .malformedReply
    }
    guard let message else {
      if let end { throw .connectionLost(reason: end) }
      return nil
    }
    guard let takesSeveral = pendingCalls.first else { throw .malformedReply }
    let reply = try Reply(message)
    if reply.continues {
      guard takesSeveral, reply.error == nil else { throw .malformedReply }
    } else {
      pendingCalls.removeFirst()
    }
    return reply
  }
}
