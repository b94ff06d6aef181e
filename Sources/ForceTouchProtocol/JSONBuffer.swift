/// A reused buffer that JSON is written into without any allocation once it has grown.
public struct JSONBuffer: Sendable {
  public private(set) var bytes: [UInt8] = []

  public init() {
    bytes.reserveCapacity(1024)
  }

  public mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
  }

  /// Text that is JSON already.
  @inline(__always)
  mutating func append(_ text: StaticString) {
    bytes.append(
      contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// A string, quoted and escaped.
  mutating func append(string: String) {
    bytes.append(UInt8(ascii: "\""))
    for byte in string.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(byte)
      case 0..<0x20:
        append("\\u00")
        bytes.append(Self.hexDigit(byte >> 4))
        bytes.append(Self.hexDigit(byte & 15))
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private static func hexDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
  }

  mutating func append(_ value: some FixedWidthInteger & SignedInteger) {
    if value < 0 { bytes.append(UInt8(ascii: "-")) }
    append(digits: UInt64(value.magnitude))
  }

  mutating func append(_ value: some FixedWidthInteger & UnsignedInteger) {
    append(digits: UInt64(value))
  }

  /// A real with at most four decimals; one that is not finite, or too large for any force, is
  /// written as 0: it never leaves the recognizer.
  mutating func append(_ value: Double) {
    let scaled = (value * 10_000).rounded()
    guard scaled.magnitude < 1e18 else {
      append(digits: 0)
      return
    }
    if scaled < 0 { bytes.append(UInt8(ascii: "-")) }
    let magnitude = UInt64(scaled.magnitude)
    append(digits: magnitude / 10_000)
    var decimals = magnitude % 10_000
    guard decimals > 0 else { return }
    bytes.append(UInt8(ascii: "."))
    var place: UInt64 = 1000
    while decimals > 0 {
      bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: decimals / place))
      decimals %= place
      place /= 10
    }
  }

  private mutating func append(digits value: UInt64) {
    var place: UInt64 = 1
    var rest = value
    while rest >= 10 {
      rest /= 10
      place *= 10
    }
    rest = value
    while place > 0 {
      bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest / place))
      rest %= place
      place /= 10
    }
  }

  mutating func terminate() { bytes.append(0) }
}
