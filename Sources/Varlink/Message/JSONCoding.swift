internal import FoundationEssentials

/// JSON of the control path. Everything that comes every frame is written by hand elsewhere.
enum JSON {
  static func encode(_ value: some Encodable) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return Array(try encoder.encode(value))
  }

  static func decode<Value: Decodable>(
    _ type: Value.Type, from bytes: ArraySlice<UInt8>
  ) throws -> Value {
    try JSONDecoder().decode(type, from: Data(bytes))
  }

  /// Where in the value the trouble is, as a dotted path; nil where it is the whole value.
  static func path(of error: any Error) -> String? {
    let path: [any CodingKey] =
      switch error as? DecodingError {
      case .keyNotFound(let key, let context): context.codingPath + [key]
      case .typeMismatch(_, let context), .valueNotFound(_, let context),
        .dataCorrupted(let context):
        context.codingPath
      case nil: []
      @unknown default: []
      }
    guard !path.isEmpty else { return nil }
    return path.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
  }
}

/// A reply without parameters.
public struct Empty: Codable, Equatable, Sendable {
  public init() {}
}
