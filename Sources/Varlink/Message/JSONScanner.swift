/// Walks through JSON text far enough to tell where its strings, values and numbers are. Whether
/// they are any good is the decoder's to say.
struct JSONScanner {
  private let bytes: ArraySlice<UInt8>
  private var position: Int

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    position = bytes.startIndex
  }

  private var current: UInt8? { position < bytes.endIndex ? bytes[position] : nil }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0a || byte == 0x0d
  }

  private mutating func skipSpace() {
    while let byte = current, Self.isSpace(byte) { position += 1 }
  }

  /// Whether nothing but space is left.
  mutating func isAtEnd() -> Bool {
    skipSpace()
    return current == nil
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
    guard text.contains(UInt8(ascii: "\\")) else { return String(decoding: text, as: UTF8.self) }
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

  /// Where a value is, without the space around it; nil when it is nested more deeply, or the
  /// text ends before it.
  mutating func value(maximumDepth: Int) -> Range<Int>? {
    skipSpace()
    let start = position
    var depth = 0
    while let byte = current {
      switch byte {
      case UInt8(ascii: "\""):
        position += 1
        guard skipString() else { return nil }
        continue
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        guard depth <= maximumDepth else { return nil }
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        if depth == 0 { return trimmed(start..<position) }
        depth -= 1
      case UInt8(ascii: ","):
        if depth == 0 { return trimmed(start..<position) }
      default: break
      }
      position += 1
    }
    return nil
  }

  /// nil when nothing but space is there.
  private func trimmed(_ range: Range<Int>) -> Range<Int>? {
    guard let last = bytes[range].lastIndex(where: { !Self.isSpace($0) }) else { return nil }
    return range.lowerBound..<last + 1
  }

  /// Where the numbers are.
  mutating func numbers() -> [Range<Int>] {
    var numbers: [Range<Int>] = []
    while let byte = current {
      let start = position
      position += 1
      switch byte {
      case UInt8(ascii: "\""): _ = skipString()
      case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
        while let byte = current, Self.isInNumber(byte) { position += 1 }
        numbers.append(start..<position)
      default: break
      }
    }
    return numbers
  }

  private static func isInNumber(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "+-.eE".utf8.contains(byte)
  }
}
