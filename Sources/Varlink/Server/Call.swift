/// One method call of a client.
public struct Call: Sendable {
  /// `org.example.Interface`, without the method.
  public let interface: String
  public let method: String
  /// The client takes several replies.
  public let wantsMore: Bool
  /// The client takes no reply at all.
  public let isOneway: Bool
  /// The client wants to speak another protocol after the reply.
  let wantsUpgrade: Bool
  private let parametersBytes: ArraySlice<UInt8>

  /// Why a message is no call. The connection it came on cannot be trusted any further.
  public struct Malformed: Error {}

  private struct Header: Decodable {
    var method: String
    var more: Bool?
    var oneway: Bool?
    var upgrade: Bool?
  }

  /// - Parameter bytes: A whole message without its NUL.
  init(_ bytes: [UInt8]) throws(Malformed) {
    guard let members = JSONMembers(bytes[...]),
      let header = try? JSON.decode(Header.self, from: bytes[...])
    else { throw Malformed() }
    let parts = header.method.lastIndex(of: ".")
    interface = parts.map { String(header.method[..<$0]) } ?? ""
    method =
      parts.map { String(header.method[header.method.index(after: $0)...]) } ?? header.method
    isOneway = header.oneway ?? false
    wantsMore = (header.more ?? false) && !isOneway
    wantsUpgrade = header.upgrade ?? false
    parametersBytes = members.parameters(of: bytes)
  }

  /// The parameters, or an `InvalidParameter` that names the one at fault.
  public func parameters<Parameters: Decodable>(
    as type: Parameters.Type
  ) throws(ServiceError) -> Parameters {
    do {
      return try JSON.decode(type, from: parametersBytes)
    } catch {
      throw .invalidParameter(JSON.fault(of: parametersBytes, as: type) ?? "parameters")
    }
  }

  /// Throws for a parameter that the method does not have: a misspelled one, ignored, would be
  /// found only by its user.
  func check(_ declared: Set<String>) throws(ServiceError) {
    guard let members = JSONMembers(parametersBytes) else {
      throw .invalidParameter("parameters")
    }
    if let unknown = members.members.keys.filter({ !declared.contains($0) }).min() {
      throw .invalidParameter(unknown)
    }
  }
}
