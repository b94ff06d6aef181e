/// A reply, good or bad.
public struct Reply: Sendable {
  /// Its parameters as they came, a JSON object.
  public let parameters: [UInt8]
  /// More replies follow.
  public let continues: Bool
  /// The name of the error that it is; nil for a good one.
  public let error: String?

  private struct Header: Decodable {
    var error: String?
    var continues: Bool?
  }

  init(_ bytes: [UInt8]) throws(ClientError) {
    guard let members = JSONMembers(bytes[...]),
      let header = try? JSON.decode(Header.self, from: bytes[...])
    else { throw .malformedReply }
    let parameters = members.parameters(of: bytes)
    // Foundation's decoder does not look at what it is not asked for.
    guard JSONMembers(parameters) != nil else { throw .malformedReply }
    self.parameters = Array(parameters)
    continues = header.continues ?? false
    error = header.error
  }

  /// The error that it is, with its parameters; nil for a good one.
  public var failure: ClientError? {
    error.map { .service(name: $0, parameters: parameters) }
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
