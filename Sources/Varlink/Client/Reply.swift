/// A reply, good or bad.
public struct Reply: Sendable {
  /// Its parameters as they came, a JSON object.
  public let parameters: [UInt8]
  /// More replies follow.
  public let continues: Bool
  /// The name of the error that it is; nil for a good one.
  public let error: String?

  /// What is around the parameters is not decoded as they are: that would double the cost of each
  /// event of a stream.
  init(_ bytes: [UInt8]) throws(ClientError) {
    guard let members = JSONMembers(bytes[...]),
      let continues = members.flag("continues", of: bytes)
    else { throw .malformedReply }
    let parameters = members.parameters(of: bytes)
    // Foundation's decoder does not look at what it is not asked for.
    guard JSONMembers(parameters) != nil else { throw .malformedReply }
    self.parameters = Array(parameters)
    self.continues = continues
    do {
      error = try members["error"].flatMap { try JSON.decode(String?.self, from: bytes[$0]) }
    } catch {
      throw .malformedReply
    }
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
