import ForceTouchModel
import TestSupport
import Testing

@testable import ForceTouchDevices

/// What is counted of pressure in use.
@Suite struct PressureStatisticsTests {
  private var statistics = PressureStatistics(axis: Axis(minimum: 0, maximum: 255))
  private var x: Int32 = 0

  /// One contact in one frame, at another place each time unless it is given.
  private mutating func take(
    _ pressure: Int32?, at x: Int32? = nil, major: Int32? = nil, minor: Int32? = nil,
    id: UInt32 = 1, phase: Contact.Phase = .stayed, tool: ContactTool = .finger,
    isResynchronized: Bool = false, isButtonHeld: Bool = false
  ) {
    self.x += 1
    let contact = Contact(
      id: ContactID(rawValue: id), slot: 0, phase: phase,
      position: Position(x: x ?? self.x, y: 0), rawPressure: pressure, touchMajor: major,
      touchMinor: minor, tool: tool)
    statistics.add(
      ContactFrame(
        isResynchronized: isResynchronized, isButtonHeld: isButtonHeld, contacts: [contact]))
  }

  @Test func nothingIsSaidBeforeThereIsAnything() {
    #expect(statistics.sampleCount == 0)
    #expect(statistics.observed == nil)
    #expect(statistics.majorCorrelation == nil)
    #expect(statistics.equalShare == nil)
    #expect(statistics.stuckShare == nil)
    #expect(statistics.distinctCount == 0)
    #expect(statistics.evidence == nil)
  }

  @Test mutating func whatIsRepeatedIsNoSample() {
    take(nil, at: 5, id: 1, phase: .began)
    take(10, at: 5, id: 1)
    for _ in 0..<5 { take(10, at: 5) }
    take(12, at: 5)
    take(12, at: 6)
    take(12, at: 6, phase: .ended)
    #expect(statistics.sampleCount == 3)
    #expect(statistics.contactCount == 1)
    #expect(statistics.observed == 10...12)
    #expect(statistics.distinctCount == 2)
  }

  @Test mutating func aLiftIsNoSampleAndANewContactIsComparedWithNone() {
    take(200, phase: .began)
    take(0, phase: .ended)
    take(10, id: 2, phase: .began)
    take(0, id: 2, phase: .cancelled(.dropped))
    #expect(statistics.sampleCount == 2)
    #expect(statistics.contactCount == 2)
    #expect(statistics.moveCount == 0)
    #expect(statistics.observed == 10...200)
  }

  @Test mutating func pensAndPalmsAreNoFingers() {
    take(10, tool: .other)
    take(200, tool: .palm)
    #expect(statistics.sampleCount == 0)
  }

  @Test mutating func pressureThatStaysWhileTheFingerMovesIsStuck() throws {
    take(10, at: 0, major: 5, phase: .began)
    take(10, at: 1, major: 5)
    take(10, at: 1, major: 6)
    take(10, at: 2, major: 6)
    take(11, at: 3, major: 6)
    take(12, at: 3, major: 6)
    take(12, at: 4, major: 6)
    #expect(statistics.moveCount == 5)
    #expect(statistics.stuckCount == 4)
    #expect(statistics.longestStuckRun == 3)
    #expect(try #require(statistics.stuckShare) == 0.8)
  }

  @Test mutating func twoFingersAreComparedEachWithItself() {
    for index in 0..<10 {
      take(index.isMultiple(of: 2) ? 20 : 220, id: index.isMultiple(of: 2) ? 1 : 2)
    }
    #expect(statistics.contactCount == 2)
    #expect(statistics.wrapCount == 0)
    #expect(statistics.stuckCount == 8)
  }

  @Test mutating func aSawtoothWraps() {
    var value: Int32 = 0
    take(value, phase: .began)
    for _ in 0..<60 {
      value = (value + 10) % 250
      take(value)
    }
    #expect(statistics.wrapCount == 2)
    // What happened while events were lost, nobody knows.
    take(0)
    take(255, isResynchronized: true)
    #expect(statistics.wrapCount == 2)
    #expect(statistics.sampleCount == 63)
  }

  @Test mutating func aHardTapDoesNotWrap() {
    for tap in UInt32(1)...20 {
      take(3, id: tap, phase: .began)
      take(110, id: tap)
      take(200, id: tap)
      take(60, id: tap)
      take(0, id: tap, phase: .ended)
    }
    #expect(statistics.wrapCount == 0)
  }

  @Test mutating func valuesOutsideOfTheDeclaredRangeAreCounted() {
    for value: Int32 in [-1, 0, 255, 256, .max, .min] { take(value) }
    #expect(statistics.outsideCount == 4)
    #expect(statistics.observed == .min ... .max)
  }

  @Test mutating func theShareOfEqualSamplesIsOfThoseWithASize() {
    take(10)
    take(10, major: 10)
    take(20, major: 10)
    take(7, minor: 7)
    take(8, major: 9, minor: 8)
    #expect(statistics.sizedCount == 4)
    #expect(statistics.equalShare == 0.75)
  }

  @Test mutating func onlyAPadThatIsItsOwnButtonIsClicked() {
    func click(_ test: inout Self) {
      test.take(10, id: 1, phase: .began)
      test.take(10, id: 1, isButtonHeld: true)
      test.take(10, id: 1, isButtonHeld: true)
      test.take(10, id: 1, phase: .ended, isButtonHeld: true)
      test.take(nil, id: 2, phase: .ended)
      // A button that is pressed without a finger on the pad says nothing of it.
      test.take(nil, id: 2, phase: .ended, isButtonHeld: true)
      test.take(10, id: 3, phase: .began)
    }
    click(&self)
    #expect(statistics.clickCount == 0)
    statistics = PressureStatistics(axis: Axis(minimum: 0, maximum: 255), surfaceClicks: true)
    click(&self)
    #expect(statistics.clickCount == 1)
  }

  @Test mutating func whatWasDownWhenTheDeviceWasClosedIsForgotten() {
    take(250, id: 1, phase: .began)
    statistics.forgetContacts()
    take(5, id: 1)
    #expect(statistics.wrapCount == 0)
    #expect(statistics.moveCount == 0)
  }

  @Test func aDeviceWithoutAPressureAxisHasNone() {
    #expect(PressureStatistics(of: .trackpad()) != nil)
    #expect(PressureStatistics(of: .trackpad(pressure: nil)) == nil)
  }

  /// The reference keeps all values and computes in the obvious way; the numbers lie far from zero,
  /// where sums of squares would have lost what is asked for.
  @Test(arguments: 0..<8) mutating func correlationIsThatOfAllSamples(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let offset: Int32 = seed.isMultiple(of: 2) ? 0 : 2_000_000_000
    let share = Double(seed) / 7
    var pairs: [(x: Double, y: Double)] = []
    for _ in 0..<3000 {
      let size = Int32.random(in: 0...100, using: &generator)
      let other = Double.random(in: 0...100, using: &generator)
      let pressure = Int32((Double(size) * (1 - share) + other * share).rounded())
      pairs.append((Double(size), Double(pressure)))
      take(pressure + offset, major: size + offset, minor: -size)
    }
    let count = Double(pairs.count)
    let meanX = pairs.reduce(0) { $0 + $1.x } / count
    let meanY = pairs.reduce(0) { $0 + $1.y } / count
    let products = pairs.reduce(0) { $0 + ($1.x - meanX) * ($1.y - meanY) }
    let squaresX = pairs.reduce(0) { $0 + ($1.x - meanX) * ($1.x - meanX) }
    let squaresY = pairs.reduce(0) { $0 + ($1.y - meanY) * ($1.y - meanY) }
    let expected = products / (squaresX * squaresY).squareRoot()
    let major = try #require(statistics.majorCorrelation)
    let minor = try #require(statistics.minorCorrelation)
    #expect((major - expected).magnitude < 1e-6)
    #expect((minor + expected).magnitude < 1e-6)
  }

  @Test mutating func whatNeverChangesCorrelatesWithNothing() {
    for _ in 0..<100 { take(20, major: Int32.random(in: 0...100)) }
    #expect(statistics.majorCorrelation == nil)
    #expect(statistics.minorCorrelation == nil)
  }

  @Test(arguments: [1, 2, 3, 50, 1000]) func distinctValuesAreCountedExactly(span: Int32) {
    var generator = SeededGenerator(seed: UInt64(span))
    var values = DistinctValues()
    var reference: Set<Int32> = []
    let base = Int32.random(in: -100_000...100_000, using: &generator)
    for _ in 0..<2000 {
      let value = base + Int32.random(in: 0..<span, using: &generator)
      values.insert(value)
      reference.insert(value)
      #expect(values.count == reference.count)
    }
  }

  /// Three values whose last bits are the same are three; more are never too many.
  @Test func distinctValuesFarApartAreNotOverrated() {
    var values = DistinctValues()
    for value: Int32 in [0, 1024, 0, 2048] { values.insert(value) }
    #expect(values.count == 3)
    for value in Int32(0)...5000 { values.insert(value * 1024) }
    #expect(values.count == 3)
    values.insert(.min)
    values.insert(.max)
    #expect(values.count == 4)
  }
}
