/// The bytes of an input, taken as small decisions one by one. Behind the end there are zeros, so
/// that a shorter input means something, too.
struct InputBytes {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

  /// One of `count` decisions.
  mutating func choice(_ count: Int) -> Int { Int(byte()) % count }

  mutating func bool() -> Bool { byte() & 1 == 1 }

  mutating func int16() -> Int16 {
    Int16(truncatingIfNeeded: Int(byte()) | Int(byte()) << 8)
  }

  mutating func int32() -> Int32 {
    Int32(truncatingIfNeeded: Int(UInt16(bitPattern: int16())) | Int(int16()) << 16)
  }

  /// So many bytes, or what is left.
  mutating func take(_ count: Int) -> ArraySlice<UInt8> {
    let taken = rest.prefix(count)
    rest = rest.dropFirst(count)
    return taken
  }

  /// What is left.
  mutating func all() -> ArraySlice<UInt8> { take(rest.count) }
}
