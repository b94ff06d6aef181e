import Testing

@testable import ForceTouchPlot

@Suite struct TickStepTests {
  static func labels(atLeast least: Double, in range: ClosedRange<Double>) -> [String] {
    TickStep(atLeast: least).ticks(in: range).map(\.label)
  }

  @Test(arguments: [
    (0.3, 0.5), (0.5, 0.5), (0.51, 1), (1, 1), (1.2, 2), (2.1, 5), (7, 10), (0.000_3, 0.000_5),
    (300_000, 500_000), (0, 0.000_001), (-1, 0.000_001), (.nan, 0.000_001), (.infinity, 1e10),
  ])
  func aStepIsOneTwoOrFiveTimesAPowerOfTen(least: Double, step: Double) {
    #expect(TickStep(atLeast: least).value == step)
  }

  @Test func ticksAreMultiplesWithTheDecimalsThatTheStepHas() {
    #expect(Self.labels(atLeast: 0.5, in: -0.7...1.2) == ["−0.5", "0", "0.5", "1.0"])
    #expect(Self.labels(atLeast: 20, in: 3...100) == ["20", "40", "60", "80", "100"])
    #expect(Self.labels(atLeast: 0.02, in: 0...0.05) == ["0", "0.02", "0.04"])
    #expect(Self.labels(atLeast: 2e6, in: -3e6...3e6) == ["−2000000", "0", "2000000"])
  }

  @Test func aValueOnTheEdgeIsATick() {
    // 0.1 × 3 is a little more than 0.3.
    #expect(Self.labels(atLeast: 0.1, in: 0.1...(0.1 * 3)) == ["0.1", "0.2", "0.3"])
    #expect(Self.labels(atLeast: 0.1, in: (0.1 * 3)...0.4) == ["0.3", "0.4"])
  }

  @Test func aShortStretchHasATickOfAFinerStep() {
    #expect(Self.labels(atLeast: 1, in: 12.03...12.11) == ["12.1"])
    #expect(Self.labels(atLeast: 1, in: 12.001...12.003) == ["12.002"])
  }

  @Test func whereTicksCannotBeToldApartThereAreNone() {
    #expect(Self.labels(atLeast: 1, in: 1e300...1e301) == [])
    #expect(Self.labels(atLeast: 1, in: 0.3...0.3) == ["0.3"])
    #expect(Self.labels(atLeast: 1, in: 0.333_333_33...0.333_333_34) == [])
  }
}
