import ForceTouchModel

/// Reads words and numbers from a line of ASCII. Numbers that do not fit are clamped.
struct Scanner {
  private var rest: ArraySlice<UInt8>

  init(_ line: ArraySlice<UInt8>) { rest = line }

  var isAtEnd: Bool { rest.isEmpty }
  var next: UInt8? { rest.first }
  /// What was not read yet.
  var remaining: ArraySlice<UInt8> { rest }

  mutating func skipSpace() {
    while let byte = rest.first, byte == 0x20 || byte == 0x09 { rest.removeFirst() }
  }

  /// Takes `text` if it comes next.
  mutating func take(_ text: StaticString) -> Bool {
    guard rest.starts(with: text) else { return false }
    rest = rest.dropFirst(text.utf8CodeUnitCount)
    return true
  }

  /// Moves behind the next occurrence of `text`.
  mutating func skip(past text: StaticString) -> Bool {
    guard let found = rest.firstRange(of: text) else { return false }
    rest = rest[found.upperBound...]
    return true
  }

  /// Everything up to white space.
  mutating func word() -> ArraySlice<UInt8> {
    skipSpace()
    let word = rest.prefix { $0 != 0x20 && $0 != 0x09 }
    rest = rest[word.endIndex...]
    return word
  }

  /// A whole number with an optional sign; leading zeros mean nothing.
  mutating func decimal() -> Int64? {
    skipSpace()
    let isNegative = rest.first == UInt8(ascii: "-")
    if isNegative { rest.removeFirst() }
    guard let magnitude = digits(radix: 10) else { return nil }
    return isNegative ? -magnitude : magnitude
  }

  /// Hexadecimal digits, with or without `0x`.
  mutating func hexadecimal() -> Int64? {
    skipSpace()
    if rest.starts(with: "0x") || rest.starts(with: "0X") { rest = rest.dropFirst(2) }
    return digits(radix: 16)
  }

  /// `seconds.fraction`.
  mutating func time() -> Timestamp? {
    skipSpace()
    let isNegative = rest.first == UInt8(ascii: "-")
    guard let seconds = decimal() else { return nil }
    var microseconds: Int64 = 0
    if take(".") {
      var place: Int64 = 100_000
      while let byte = rest.first, let digit = Self.digit(byte), digit < 10 {
        microseconds += place * digit
        place /= 10
        rest.removeFirst()
      }
    }
    return Timestamp(clamping: seconds, microseconds: isNegative ? -microseconds : microseconds)
  }

  /// Whether the number or word that was read ends here.
  var isAtWordEnd: Bool { rest.first.map { $0 == 0x20 || $0 == 0x09 } ?? true }

  private mutating func digits(radix: Int64) -> Int64? {
    var value: Int64 = 0
    var count = 0
    while let byte = rest.first, let digit = Self.digit(byte), digit < radix {
      value = value > (1 << 50) ? value : value * radix + digit
      count += 1
      rest.removeFirst()
    }
    return count > 0 ? value : nil
  }

  private static func digit(_ byte: UInt8) -> Int64? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): Int64(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): Int64(byte - UInt8(ascii: "a")) + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): Int64(byte - UInt8(ascii: "A")) + 10
    default: nil
    }
  }
}

extension ArraySlice<UInt8> {
  func starts(with text: StaticString) -> Bool {
    guard count >= text.utf8CodeUnitCount else { return false }
    var index = startIndex
    for offset in 0..<text.utf8CodeUnitCount {
      if self[index] != text.utf8Start[offset] { return false }
      index += 1
    }
    return true
  }

  func firstRange(of text: StaticString) -> Range<Int>? {
    var rest = self
    while let start = rest.firstIndex(of: text.utf8Start.pointee) {
      rest = self[start...]
      if rest.starts(with: text) { return start..<start + text.utf8CodeUnitCount }
      rest = rest.dropFirst()
    }
    return nil
  }

  func contains(_ text: StaticString) -> Bool { firstRange(of: text) != nil }

  /// Without white space, a mail's quotation marks and Markdown's indentation around it.
  var unquoted: ArraySlice<UInt8> {
    var line = self
    while let byte = line.first, byte == 0x20 || byte == 0x09 || byte == UInt8(ascii: ">") {
      line.removeFirst()
    }
    while let byte = line.last, byte == 0x20 || byte == 0x09 || byte == 0x0d {
      line.removeLast()
    }
    return line
  }

  /// As UTF-8, or as Latin-1 where it is none. Control characters become spaces.
  var text: String {
    let decoded =
      String(validating: self, as: UTF8.self)
      ?? String(String.UnicodeScalarView(map { Unicode.Scalar($0) }))
    var text = String.UnicodeScalarView()
    for scalar in decoded.unicodeScalars {
      let isControl = scalar.properties.generalCategory == .control
      text.append(isControl ? " " : scalar)
    }
    return String(text)
  }
}

extension Timestamp {
  /// A clock that is farther off than 2⁴⁰ seconds is a mistake of the file.
  init(clamping seconds: Int64, microseconds: Int64) {
    let farthest: Int64 = 1 << 40
    let time = Timestamp(
      seconds: min(max(seconds, -farthest), farthest), microseconds: microseconds)
    let limit = farthest * 1_000_000
    self.init(microseconds: min(max(time.microseconds, -limit), limit))
  }
}

extension Int32 {
  init(clamping value: Int64?) { self = value.map { Int32(clamping: $0) } ?? 0 }
}
