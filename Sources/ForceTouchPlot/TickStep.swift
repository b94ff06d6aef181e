/// The distance between two ticks of an axis: 1, 2 or 5 times a power of ten.
struct TickStep: Equatable {
  private var digit: Int64
  private var exponent: Int

  /// The smallest that is at least so long; from a millionth to ten billion.
  init(atLeast least: Double) {
    (digit, exponent) = (1, -6)
    while value < least && exponent < 10 { self = coarser }
  }

  var value: Double { exponent < 0 ? Double(digit) / scale : Double(digit) * scale }

  private var coarser: TickStep {
    var step = self
    switch digit {
    case 1: step.digit = 2
    case 2: step.digit = 5
    default: (step.digit, step.exponent) = (1, exponent + 1)
    }
    return step
  }

  private var finer: TickStep {
    var step = self
    switch digit {
    case 5: step.digit = 2
    case 2: step.digit = 1
    default: (step.digit, step.exponent) = (5, exponent - 1)
    }
    return step
  }

  /// The ticks in a range, each with its label; at least one where the range is longer than a
  /// millionth.
  func ticks(in range: ClosedRange<Double>) -> [(value: Double, label: String)] {
    // Far from zero a real number does not tell two ticks apart.
    guard range.lowerBound.magnitude < 1e15 * value, range.upperBound.magnitude < 1e15 * value
    else { return [] }
    let first = Int64((range.lowerBound / value - 1e-9).rounded(.up))
    let last = Int64((range.upperBound / value + 1e-9).rounded(.down))
    guard first <= last else { return exponent > -6 ? finer.ticks(in: range) : [] }
    return (first...min(last, first + 1000)).map { multiple in
      let number = multiple * digit
      return (
        exponent < 0 ? Double(number) / scale : Double(number) * scale, label(number)
      )
    }
  }

  /// The power of ten, or its reciprocal where that is less than 1: both are whole.
  private var scale: Double {
    (0..<exponent.magnitude).reduce(1) { power, _ in power * 10 }
  }

  private func label(_ number: Int64) -> String {
    guard number != 0 else { return "0" }
    let sign = number < 0 ? "−" : ""
    let digits = String(number.magnitude)
    guard exponent < 0 else { return sign + digits + String(repeating: "0", count: exponent) }
    let padded = String(repeating: "0", count: max(0, 1 - exponent - digits.count)) + digits
    return sign + padded.dropLast(-exponent) + "." + padded.suffix(-exponent)
  }
}
