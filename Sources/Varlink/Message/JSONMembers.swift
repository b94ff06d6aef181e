/// Cuts a JSON object into its members without understanding their values, and refuses what is
/// nested too deeply before a recursive decoder sees it.
public struct JSONMembers: Sendable {
  /// Keys without quotes and escapes; values as ranges of the given bytes.
  public private(set) var members: [(key: String, value: Range<Int>)] = []

  /// What no message of ours comes near.
  public static let maximumDepth = 32

  /// nil when the bytes are no object, no UTF-8, or nested more than ``maximumDepth`` levels.
  public init?(_ bytes: ArraySlice<UInt8>) {
    guard String(validating: bytes, as: UTF8.self) != nil else { return nil }
    var scanner = Scanner(bytes: bytes, position: bytes.startIndex)
    guard scanner.take("{") else { return nil }
    if !scanner.take("}") {
      repeat {
        guard let key = scanner.string(), scanner.take(":"), let value = scanner.value() else {
          return nil
        }
        members.append((key, value))
      } while scanner.take(",")
      guard scanner.take("}") else { return nil }
    }
    scanner.skipSpace()
    guard scanner.position == bytes.endIndex else { return nil }
  }

  public subscript(_ key: String) -> Range<Int>? {
    members.last { $0.key == key }?.value
  }

  /// The object that is the parameters of a call or a reply. Absent and null are an empty one.
  func parameters(of message: [UInt8]) -> ArraySlice<UInt8> {
    guard let range = self["parameters"], message[range] != Array("null".utf8)[...] else {
      return Array("{}".utf8)[...]
    }
    return message[range]
  }

  private struct Scanner {
    let bytes: ArraySlice<UInt8>
    var position: Int

    var current: UInt8? { position < bytes.endIndex ? bytes[position] : nil }

    mutating func skipSpace() {
      while let byte = current, Self.isSpace(byte) { position += 1 }
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
      byte == 0x20 || byte == 0x09 || byte == 0x0a || byte == 0x0d
    }

    mutating func take(_ character: Unicode.Scalar) -> Bool {
      skipSpace()
      guard current == UInt8(ascii: character) else { return false }
      position += 1
      return true
    }

    mutating func string() -> String? {
      guard take("\"") else { return nil }
      let start = position
      guard skipString() else { return nil }
      let text = bytes[start..<position - 1]
      guard text.contains(UInt8(ascii: "\\")) else {
        return String(decoding: text, as: UTF8.self)
      }
      return try? JSON.decode(String.self, from: bytes[start - 1..<position])
    }

    /// Moves behind the closing quote.
    private mutating func skipString() -> Bool {
      while let byte = current {
        position += 1
        switch byte {
        case UInt8(ascii: "\""): return true
        case UInt8(ascii: "\\"): position += 1
        default: break
        }
      }
      return false
    }

    mutating func value() -> Range<Int>? {
      skipSpace()
      let start = position
      var depth = 1
      while let byte = current {
        switch byte {
        case UInt8(ascii: "\""):
          position += 1
          guard skipString() else { return nil }
          continue
        case UInt8(ascii: "{"), UInt8(ascii: "["):
          depth += 1
          guard depth <= JSONMembers.maximumDepth else { return nil }
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
          if depth == 1 { return trimmed(start..<position) }
          depth -= 1
        case UInt8(ascii: ","):
          if depth == 1 { return trimmed(start..<position) }
        default: break
        }
        position += 1
      }
      return nil
    }

    /// Without the space at its end; nil when nothing is left.
    private func trimmed(_ range: Range<Int>) -> Range<Int>? {
      guard let last = bytes[range].lastIndex(where: { !Self.isSpace($0) }) else { return nil }
      return range.lowerBound..<last + 1
    }
  }
}
