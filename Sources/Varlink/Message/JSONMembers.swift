/// Cuts a JSON object into its members without understanding their values, and refuses what is
/// nested too deeply before a recursive decoder sees it.
public struct JSONMembers: Sendable {
  /// Keys as they are written, without quotes; values as ranges of the given bytes.
  public private(set) var members: [(key: String, value: Range<Int>)] = []

  /// What no message of ours comes near.
  public static let maximumDepth = 32

  /// nil when the bytes are no object, or nested more than ``maximumDepth`` levels.
  public init?(_ bytes: ArraySlice<UInt8>) {
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

  private struct Scanner {
    let bytes: ArraySlice<UInt8>
    var position: Int

    var current: UInt8? { position < bytes.endIndex ? bytes[position] : nil }

    mutating func skipSpace() {
      while let byte = current, byte == 0x20 || (0x09...0x0d).contains(byte) { position += 1 }
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
      return String(decoding: bytes[start..<position - 1], as: UTF8.self)
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
          if depth == 1 { return start < position ? start..<position : nil }
          depth -= 1
        case UInt8(ascii: ","):
          if depth == 1 { return start < position ? start..<position : nil }
        default: break
        }
        position += 1
      }
      return nil
    }
  }
}
