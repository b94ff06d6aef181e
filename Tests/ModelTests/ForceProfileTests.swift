import ForceTouchModel
import Testing

/// Raw pressure becomes force by the profile, and nothing else.
@Suite struct ForceProfileTests {
  /// floor 0, click 50, ceiling 190: what is known of the Magic Trackpad 2.
  static let magicTrackpad = try! ForceProfile(floor: 0, ceiling: 190, click: 50)

  @Test func thresholdsOfAPadThatClicksStartAtTheClick() {
    let profile = Self.magicTrackpad
    #expect([0.25, 0.40, 0.75].map { profile.raw(fraction: $0).rounded() } == [85, 106, 155])
    #expect(profile.raw(fraction: 0) == 50)
    #expect(profile.raw(fraction: 1) == 190)
  }

  @Test func thresholdsOfAPadThatDoesNotClickStartAtTheFloor() throws {
    let profile = try ForceProfile(floor: 10, ceiling: 110)
    #expect([0, 0.25, 0.40, 0.75, 1].map(profile.raw) == [10, 35, 50, 85, 110])
  }

  @Test func pressureIsTheShareOfTheRangeAndIsClamped() {
    let profile = Self.magicTrackpad
    let pressures = [Int32.min, -1, 0, 19, 95, 190, 191, .max].map(profile.pressure)
    #expect(pressures == [0, 0, 0, 0.1, 0.5, 1, 1, 1])
  }

  @Test func anAverageTouchHasForceOne() throws {
    let profile = try ForceProfile(floor: 20, average: 60, ceiling: 220)
    #expect(profile.maximumPossibleForce == 5)
    #expect(profile.force(raw: 60) == 1)
    #expect(profile.force(raw: 220) == profile.maximumPossibleForce)
    #expect(profile.force(raw: 0) == 0)
    #expect(profile.force(raw: .max) == profile.maximumPossibleForce)
  }

  @Test func anUnknownAverageGivesTheMaximumForceOfAnIPhone() throws {
    let profile = try ForceProfile(floor: 100, ceiling: 300)
    #expect(profile.average == 130)
    #expect(abs(profile.maximumPossibleForce - 20.0 / 3) < 1e-9)
  }

  @Test func negativeRangesAreRangesToo() throws {
    let profile = try ForceProfile(floor: -32768, ceiling: 32767)
    #expect(profile.pressure(raw: -32768) == 0)
    #expect(profile.pressure(raw: 32767) == 1)
    #expect(abs(profile.pressure(raw: 0) - 0.5) < 1e-4)
  }

  struct Refused: Sendable {
    var floor: Double
    var average: Double?
    var ceiling: Double
    var click: Double?
    var error: ForceProfileError
  }

  @Test(arguments: [
    Refused(floor: .nan, ceiling: 1, error: .notFinite),
    Refused(floor: 0, ceiling: .infinity, error: .notFinite),
    Refused(floor: 0, average: .nan, ceiling: 1, error: .notFinite),
    Refused(floor: 0, average: 10, ceiling: 100, click: -.infinity, error: .notFinite),
    Refused(floor: -1e308, ceiling: 1e308, error: .notFinite),
    Refused(floor: 0, ceiling: 0, error: .notAscending),
    Refused(floor: 10, ceiling: 5, error: .notAscending),
    Refused(floor: 0, average: 0, ceiling: 100, error: .notAscending),
    Refused(floor: 0, average: 100, ceiling: 100, error: .notAscending),
    Refused(floor: 10, average: 20, ceiling: 100, click: 9, error: .clickOutside),
    Refused(floor: 10, average: 20, ceiling: 100, click: 100, error: .clickOutside),
    Refused(floor: 0, average: 51, ceiling: 100, error: .maximumPossibleForceOutside),
    Refused(floor: 0, average: 4.9, ceiling: 100, error: .maximumPossibleForceOutside),
  ])
  func aProfileThatIsNotUsableIsRefused(_ refused: Refused) {
    #expect(throws: refused.error) {
      try ForceProfile(
        floor: refused.floor, average: refused.average, ceiling: refused.ceiling,
        click: refused.click)
    }
  }

  @Test func theBoundsThemselvesAreUsable() throws {
    #expect(try ForceProfile(floor: 0, average: 50, ceiling: 100).maximumPossibleForce == 2)
    #expect(try ForceProfile(floor: 0, average: 5, ceiling: 100).maximumPossibleForce == 20)
    #expect(try ForceProfile(floor: 10, ceiling: 100, click: 10).thresholdBase == 10)
    // 0.1 is no binary fraction: the quotient misses 20 by its rounding.
    #expect(throws: Never.self) { try ForceProfile(floor: 0, average: 0.1, ceiling: 2.0000000001) }
  }
}

/// Grams exist only where the kernel names a unit, and are as exact as its rounding.
@Suite struct GramsTests {
  @Test func gramsAreRawByResolution() throws {
    let grams = try #require(Grams(raw: 500, resolution: 10))
    #expect(grams.value == 50)
    // 9.5 to 10.5 units per gram.
    #expect(abs(grams.uncertainty - (500 / 9.5 - 50)) < 1e-9)
    #expect(500 / 10.5 > grams.value - grams.uncertainty)
  }

  @Test func oneUnitPerGramMayBeTwoGramsAUnit() throws {
    let grams = try #require(Grams(raw: 100, resolution: 1))
    #expect(grams.value == 100)
    #expect(grams.uncertainty == 100)
  }

  @Test(arguments: [Int32.min, -1, 0])
  func withoutAUnitThereAreNone(resolution: Int32) {
    #expect(Grams(raw: 100, resolution: resolution) == nil)
  }

  @Test(arguments: [Int32.min, -5, 0, .max])
  func everyRawValueGivesFiniteGrams(raw: Int32) throws {
    for resolution in [Int32(1), 7, .max] {
      let grams = try #require(Grams(raw: raw, resolution: resolution))
      #expect(grams.value.isFinite && grams.uncertainty.isFinite && grams.uncertainty >= 0)
    }
  }

  @Test func whatIsNotANumberClampsToZero() {
    #expect(
      [Double.nan, -.infinity, -1, 0, 0.5, 1, .infinity].map(clampToUnit)
        == [0, 0, 0, 0, 0.5, 1, 1])
  }
}
