/// A reused buffer that JSON is written into without any allocation once it has grown.
///
/// Memory of its own, not an array: each of the many small appends to one costs as much as the
/// writing itself.
public struct JSONBuffer: ~Copyable {
  private var start: UnsafeMutablePointer<UInt8>?
  private var capacity = 0
  public private(set) var count = 0

  /// An empty one has no memory yet, and costs nothing.
  public init() {}

  deinit { start?.deallocate() }

  /// Calls `body` with what was written.
  public func withBytes<Result: ~Copyable, Failure: Error>(
    _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(UnsafeBufferPointer(start: start, count: count).span)
  }

  /// What was written, as a copy.
  public var bytes: [UInt8] { Array(UnsafeBufferPointer(start: start, count: count)) }

  public mutating func removeAll() { count = 0 }

  /// Room for so many bytes more, at the end of what was written.
  @inline(__always)
  private mutating func room(for more: Int) -> UnsafeMutablePointer<UInt8> {
    guard capacity - count >= more, let start else { return grow(by: more) }
    return start + count
  }

  @inline(never)
  private mutating func grow(by more: Int) -> UnsafeMutablePointer<UInt8> {
    capacity = max(1024, 2 * capacity, count + more)
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    if let start {
      larger.moveInitialize(from: start, count: count)
      start.deallocate()
    }
    start = larger
    return larger + count
  }

  @inline(__always)
  private mutating func append(byte: UInt8) {
    room(for: 1).initialize(to: byte)
    count += 1
  }

  /// Text that is JSON already.
  @inline(__always)
  mutating func append(_ text: StaticString) {
    let length = text.utf8CodeUnitCount
    room(for: length).initialize(from: text.utf8Start, count: length)
    count += length
  }

  /// A string, quoted and escaped.
  mutating func append(string: String) {
    var string = string
    append(byte: UInt8(ascii: "\""))
    string.withUTF8 { text in
      for byte in text {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"):
          append(byte: UInt8(ascii: "\\"))
          append(byte: byte)
        case 0..<0x20:
          append("\\u00")
          append(byte: Self.hexDigit(byte >> 4))
          append(byte: Self.hexDigit(byte & 15))
        default: append(byte: byte)
        }
      }
    }
    append(byte: UInt8(ascii: "\""))
  }

  private static func hexDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
  }

  mutating func append(_ value: some FixedWidthInteger & SignedInteger) {
    if value < 0 { append(byte: UInt8(ascii: "-")) }
    append(digits: UInt64(value.magnitude))
  }

  mutating func append(_ value: some FixedWidthInteger & UnsignedInteger) {
    append(digits: UInt64(value))
  }

  /// A real with at most four decimals; one that is not finite, or too large for any force, is
  /// written as 0: it never leaves the recognizer.
  mutating func append(_ value: Double) {
    let scaled = value.magnitude * 10_000 + 0.5
    guard scaled < 1e18 else {
      append(digits: 0)
      return
    }
    let magnitude = UInt64(scaled)
    if value < 0 && magnitude > 0 { append(byte: UInt8(ascii: "-")) }
    append(digits: magnitude / 10_000)
    var decimals = magnitude % 10_000
    guard decimals > 0 else { return }
    append(byte: UInt8(ascii: "."))
    var length = 4
    while decimals % 10 == 0 {
      decimals /= 10
      length -= 1
    }
    append(digits: decimals, length: length)
  }

  @inline(__always)
  private mutating func append(digits value: UInt64) {
    // Most numbers of an event have one.
    if value < 10 {
      append(byte: UInt8(ascii: "0") &+ UInt8(value))
    } else {
      append(manyDigits: value)
    }
  }

  private mutating func append(manyDigits value: UInt64) {
    var length = 1
    var limit: UInt64 = 10
    // 20 digits are the most that there can be.
    while value >= limit, length < 20 {
      length &+= 1
      limit &*= 10
    }
    append(digits: value, length: length)
  }

  /// The last digits of a number, as many as `length`.
  @inline(__always)
  private mutating func append(digits value: UInt64, length: Int) {
    let first = room(for: length)
    var place = first + length
    var rest = value
    while place > first {
      place -= 1
      place.initialize(to: UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest % 10))
      rest /= 10
    }
    count &+= length
  }

  mutating func terminate() { append(byte: 0) }
}
