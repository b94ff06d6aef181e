import ForceTouchModel

/// How pressure goes with the size of the contact along one axis.
struct SizeRelation: Sendable {
  private var moments = Moments()
  private var line = SizeLine()

  /// Pearson's coefficient; nil while one of the two is always the same.
  var correlation: Double? { moments.correlation }

  /// Pressure is the size, or a linear function of it.
  var isProven: Bool {
    line.testCount >= PressureProof.leastTests
      && line.contactCount >= PressureProof.leastTestedContacts
  }

  mutating func add(pressure: Int32, size: Int32, of contact: ContactID) {
    moments.add(Double(size), Double(pressure))
    line.add(.init(size: Double(size), pressure: Double(pressure)), of: contact)
  }
}

/// The variance of two quantities and what they have in common, kept up to date value by value
/// (Welford's method): no great sums whose difference would be lost.
private struct Moments: Sendable {
  private var count = 0.0
  private var mean = SIMD2(0.0, 0.0)
  /// Sums of the squared distances from the mean.
  private var squares = SIMD2(0.0, 0.0)
  /// The sum of the products of those distances.
  private var products = 0.0

  mutating func add(_ x: Double, _ y: Double) {
    let value = SIMD2(x, y)
    count += 1
    let before = value - mean
    mean += before / count
    let after = value - mean
    squares += before * after
    products += before.x * after.y
  }

  var correlation: Double? {
    guard squares.x > 0, squares.y > 0 else { return nil }
    return max(-1, min(1, products / (squares.x.squareRoot() * squares.y.squareRoot())))
  }
}

/// Whether pressure is a linear function of size, but for rounding to whole steps. The line goes
/// through the samples of the least and of the greatest size; a sample beside it begins a new one.
private struct SizeLine: Sendable {
  struct Sample: Sendable {
    var size: Double
    var pressure: Double
  }

  /// How often pressure had moved and lay on the line, since the last time that it did not.
  private(set) var testCount = 0
  /// In how many contacts that was.
  private(set) var contactCount = 0
  private var isEmpty = true
  private var smallest = Sample(size: 0, pressure: 0)
  private var largest = Sample(size: 0, pressure: 0)
  /// Steps of pressure for one of size.
  private var slope = 0.0
  private var lastTested = 0.0
  /// The numbers of contacts ascend.
  private var newestContact = ContactID(rawValue: 0)

  mutating func add(_ sample: Sample, of contact: ContactID) {
    let length = largest.size - smallest.size
    let expected = smallest.pressure + slope * (sample.size - smallest.size)
    let reach = max(length, largest.size - sample.size, sample.size - smallest.size)
    // Between the ends three rounded values are off by a step at most; beyond them, the more the
    // farther. A line that is a point yet says nothing of other sizes.
    let tolerance = length > 0 ? reach / length : reach > 0 ? .infinity : 0
    guard !isEmpty, (sample.pressure - expected).magnitude <= tolerance else {
      return begin(at: sample)
    }
    if reach > length {
      extend(to: sample)
    } else if (largest.pressure - smallest.pressure).magnitude >= Double(leastPressureRange),
      (sample.pressure - lastTested).magnitude >= PressureProof.testedMove
    {
      count(sample, contact)
    }
  }

  private mutating func begin(at sample: Sample) {
    self = SizeLine()
    isEmpty = false
    smallest = sample
    largest = sample
    lastTested = sample.pressure
  }

  private mutating func extend(to sample: Sample) {
    if sample.size < smallest.size { smallest = sample } else { largest = sample }
    slope = (largest.pressure - smallest.pressure) / (largest.size - smallest.size)
  }

  private mutating func count(_ sample: Sample, _ contact: ContactID) {
    testCount += 1
    lastTested = sample.pressure
    if newestContact < contact {
      newestContact = contact
      contactCount += 1
    }
  }
}
