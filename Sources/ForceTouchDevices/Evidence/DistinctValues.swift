/// Counts different values in 136 bytes: exactly up to three, and where they span less than 1024.
struct DistinctValues: Sendable {
  private(set) var count = 0
  private var first: Int32 = 0
  private var second: Int32 = 0
  /// One bit for each of the others by its last ten bits.
  private var others = SIMD16<UInt64>(repeating: 0)

  mutating func insert(_ value: Int32) {
    switch count {
    case 0:
      first = value
      count = 1
    case _ where value == first: break
    case 1:
      second = value
      count = 2
    case _ where value == second: break
    default:
      let bits = Int(value & 1023)
      let bit: UInt64 = 1 << UInt64(bits & 63)
      guard others[bits >> 6] & bit == 0 else { return }
      others[bits >> 6] |= bit
      count += 1
    }
  }
}
