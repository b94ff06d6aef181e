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
    if let error = reply.error { throw .service(name: error, parameters: reply.parameters) }
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

  private struct Header<Parameters: Encodable>: Encodable {
    var method: String
    var parameters: Parameters
    var more: Bool?
  }

  private func send(
    _ method: String, _ parameters: some Encodable, more: Bool
  ) throws(ClientError) {
    let header = Header(method: method, parameters: parameters, more: more ? true : nil)
    guard var message = try? JSON.encode(header) else { throw .cannotEncode(method: method) }
    message.append(0)
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

/// A reply, good or bad.
public struct Reply: Sendable {
  /// Its parameters as they came, a JSON object.
  public let parameters: [UInt8]
  /// More replies follow.
  public let continues: Bool
  let error: String?

  private struct Header: Decodable {
    var error: String?
    var continues: Bool?
  }

  init(_ bytes: [UInt8]) throws(ClientError) {
    guard let members = JSONMembers(bytes[...]),
      let header = try? JSON.decode(Header.self, from: bytes[...])
    else { throw .malformedReply }
    parameters = Array(members.parameters(of: bytes))
    continues = header.continues ?? false
    error = header.error
  }

  public func decoded<Parameters: Decodable>(
    as type: Parameters.Type
  ) throws(ClientError) -> Parameters {
    do {
      return try JSON.decode(type, from: parameters[...])
    } catch {
      throw .malformedReply
    }
  }
}

public enum ClientError: Error, CustomStringConvertible {
  case cannotConnect(path: String, reason: String)
  case connectionLost(reason: String)
  case malformedReply
  case cannotEncode(method: String)
  /// The service answered with an error. `parameters` is its JSON object.
  case service(name: String, parameters: [UInt8])

  public var description: String {
    switch self {
    case .cannotConnect(let path, let reason): "cannot connect to \(path): \(reason)"
    case .connectionLost(let reason): "the connection was lost: \(reason)"
    case .malformedReply: "the service sent something that is no Varlink reply"
    case .cannotEncode(let method): "the parameters of \(method) cannot be sent"
    case .service(let name, let parameters):
      "\(name) \(String(decoding: parameters, as: UTF8.self))"
    }
  }

  /// The parameters of an error reply.
  public func parameters<Parameters: Decodable>(as type: Parameters.Type) -> Parameters? {
    guard case .service(_, let bytes) = self else { return nil }
    return try? JSON.decode(type, from: bytes[...])
  }
}
