import ForceTouchModel

/// The lines of `evemu-record`, version 1.3.
enum WrittenEvemu: WrittenFormat {
  static let frameStart = ""

  static func numbers(_ event: InputEvent) -> String {
    let time = event.time.microseconds
    let (seconds, microseconds) = time.magnitude.quotientAndRemainder(dividingBy: 1_000_000)
    return "E: \(time < 0 ? "-" : "")\(seconds).\(pad(microseconds, 6, with: "0"))"
      + " \(hexadecimal(event.type, 4)) \(hexadecimal(event.code, 4)) \(event.value)"
  }

  static func head(_ device: DeviceDescription, kernel: String, comments: String) -> String {
    // evemu takes no device without a name.
    let name = device.name.withoutControls.trimmed
    let numbers = [device.bus.rawValue, device.vendor, device.product, device.version]
    var text = """
      # EVEMU 1.3
      # Kernel: \(kernel.withoutControls)
      # Written by forcetouchctl record.
      \(comments)N: \(name.isEmpty ? unnamed : name)
      I: \(numbers.map { hexadecimal($0, 4) }.joined(separator: " "))

      """
    text += lines("P:", bits: device.properties)
    var types: Set<UInt16> = [EventType.synchronization]
    if !device.keys.isEmpty { types.insert(EventType.key) }
    if !device.axes.isEmpty { types.insert(EventType.absolute) }
    text += lines("B: 00", bits: types)
    text += lines("B: 01", bits: device.keys)
    text += lines("B: 03", bits: Set(device.axes.keys))
    for (code, axis) in device.axes.sorted(by: { $0.key < $1.key }) {
      text +=
        "A: \(hexadecimal(code, 2)) \(axis.minimum) \(axis.maximum) \(axis.fuzz) \(axis.flat) "
        + "\(axis.resolution)\n"
    }
    return text
  }

  private static let unnamed = "unnamed"

  private static func hexadecimal(_ number: UInt16, _ width: Int) -> String {
    pad(number, width, with: "0", radix: 16)
  }

  /// Numbers as a bit each, lowest first, eight bytes a line; at least one line.
  private static func lines(_ start: String, bits: Set<UInt16>) -> String {
    var bytes = [UInt16](repeating: 0, count: (Int(bits.max() ?? 0) / 64 + 1) * 8)
    for bit in bits { bytes[Int(bit / 8)] |= 1 << (bit % 8) }
    return stride(from: 0, to: bytes.count, by: 8).map { index in
      start + bytes[index..<index + 8].map { " " + hexadecimal($0, 2) }.joined() + "\n"
    }.joined()
  }
}

extension String {
  /// Without what would end a line or move a cursor.
  var withoutControls: String { Array(utf8)[...].text }

  fileprivate var trimmed: String {
    var text = unicodeScalars.drop { $0 == " " }
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
