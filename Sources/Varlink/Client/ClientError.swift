/// Why a call could not be made, or what the service answered instead of a reply.
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
