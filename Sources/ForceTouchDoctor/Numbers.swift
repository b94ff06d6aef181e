// Numbers as people read them.

/// A number with two decimals at most.
public func decimal(_ value: Double) -> String {
  let rounded = (value * 100).rounded() / 100
  return rounded == rounded.rounded() && rounded.magnitude < 1e15
    ? "\(Int64(rounded))" : "\(rounded)"
}

/// A vendor's or a product's number: `0x05ac`.
public func hexadecimal(_ number: UInt16) -> String { "0x" + padded(String(number, radix: 16)) }

/// Permission bits as `chmod` takes them.
public func octal(_ mode: UInt32) -> String { padded(String(mode, radix: 8)) }

private func padded(_ digits: String) -> String {
  String(repeating: "0", count: max(0, 4 - digits.count)) + digits
}
