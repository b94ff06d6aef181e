/// A size of a file, as people write it: `4096`, `100M`.
struct ByteSize {
  let bytes: Int

  private static let units: [(letter: Character, bytes: Int)] = [
    ("K", 1 << 10), ("M", 1 << 20), ("G", 1 << 30),
  ]

  init(bytes: Int) { self.bytes = bytes }

  /// - Parameter text: A whole number, with K, M or G for 2¹⁰, 2²⁰ or 2³⁰ bytes.
  /// - Returns: nil for anything else, and for what is more than there can be.
  init?(_ text: String) {
    let unit = Self.units.first { $0.letter == text.uppercased().last }
    guard let number = Int(unit == nil ? text : String(text.dropLast())), number >= 0 else {
      return nil
    }
    let (bytes, isTooMuch) = number.multipliedReportingOverflow(by: unit?.bytes ?? 1)
    guard !isTooMuch else { return nil }
    self.bytes = bytes
  }

  /// In the largest unit of which there is one.
  var text: String {
    guard let unit = Self.units.last(where: { bytes >= $0.bytes }) else { return "\(bytes) bytes" }
    let tenths = (Double(bytes) / Double(unit.bytes) * 10).rounded() / 10
    let isWhole = tenths == tenths.rounded()
    return (isWhole ? "\(Int(tenths))" : "\(tenths)") + " \(unit.letter)iB"
  }
}
