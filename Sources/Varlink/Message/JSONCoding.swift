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

  /// Where in the bytes is what keeps them from being a `type`, as a dotted path; nil where that
  /// is the whole of them, or nothing.
  static func fault<Value: Decodable>(
    of bytes: ArraySlice<UInt8>, as type: Value.Type
  ) -> String? {
    switch failure(of: bytes, as: type) {
    case .none: nil
    case .somewhere(let path): path
    case .anywhere: faultyNumber(of: bytes, as: type)
    }
  }

  private enum Failure {
    case none
    case somewhere(path: String)
    case anywhere
  }

  private static func failure<Value: Decodable>(
    of bytes: ArraySlice<UInt8>, as type: Value.Type
  ) -> Failure {
    do {
      _ = try decode(type, from: bytes)
      return .none
    } catch {
      let path: [any CodingKey] =
        switch error as? DecodingError {
        case .keyNotFound(let key, let context): context.codingPath + [key]
        case .typeMismatch(_, let context), .valueNotFound(_, let context),
          .dataCorrupted(let context):
          context.codingPath
        case nil: []
        @unknown default: []
        }
      guard !path.isEmpty else { return .anywhere }
      return .somewhere(path: path.map(name).joined(separator: "."))
    }
  }

  /// The decoder calls an index "Index 7"; a key that is a number stays as it was written.
  private static func name(_ key: any CodingKey) -> String {
    guard let index = key.intValue, Int(key.stringValue) == nil else { return key.stringValue }
    return String(index)
  }

  /// Whose text is longer than that must find a number that does not fit without us: everybody
  /// else would wait while we search.
  private static let longestToSearch = 4096

  /// The decoder does not say which number it is that does not fit its type. It is the last of
  /// the fewest that, made zero, mend the matter; and text in its place is an error with a path.
  private static func faultyNumber<Value: Decodable>(
    of bytes: ArraySlice<UInt8>, as type: Value.Type
  ) -> String? {
    guard bytes.count <= longestToSearch else { return nil }
    var scanner = JSONScanner(bytes)
    let numbers = scanner.numbers()
    func failure(zeros: Int, then last: String = "") -> Failure {
      var changed: [UInt8] = []
      var position = bytes.startIndex
      for (index, number) in numbers.prefix(last.isEmpty ? zeros : zeros + 1).enumerated() {
        changed += bytes[position..<number.lowerBound]
        changed += (index < zeros ? "0" : last).utf8
        position = number.upperBound
      }
      return Self.failure(of: (changed + bytes[position...])[...], as: type)
    }
    func isMended(zeros: Int) -> Bool {
      switch failure(zeros: zeros) {
      case .none, .somewhere: true
      case .anywhere: false
      }
    }
    guard isMended(zeros: numbers.count) else { return nil }
    var tooFew = 0
    var enough = numbers.count
    while tooFew + 1 < enough {
      let middle = (tooFew + enough) / 2
      if isMended(zeros: middle) { enough = middle } else { tooFew = middle }
    }
    guard case .somewhere(let path) = failure(zeros: tooFew, then: "\"\"") else { return nil }
    return path
  }
}

/// A reply without parameters.
public struct Empty: Codable, Equatable, Sendable {
  public init() {}
}
