import ForceTouchModel
import Testing

@Suite struct ForceProfileTests {
  @Test func anUnknownAverageMakesTheForceOfAnIPhone() throws {
    let profile = try ForceProfile(floor: 0, ceiling: 190, click: 50)
    #expect(profile.average == 28.5)
    #expect(abs(profile.maximumPossibleForce - 20.0 / 3) < 1e-12)
  }

  @Test func aMagicTrackpadPeeksAt106AndPopsAt155() throws {
    let profile = try ForceProfile(floor: 0, ceiling: 190, click: 50)
    #expect(profile.raw(fraction: 0.25) == 85)
    #expect(profile.raw(fraction: 0.40) == 106)
    #expect(profile.raw(fraction: 0.75) == 155)
  }

  @Test func anAverageTouchIsForceOne() throws {
    let profile = try ForceProfile(floor: 10, average: 60, ceiling: 510)
    #expect(profile.maximumPossibleForce == 10)
    #expect(profile.force(raw: 60) == 1)
    #expect(profile.force(raw: 510) == 10)
    #expect(profile.pressure(raw: 260) == 0.5)
  }

  @Test func rawValuesOutsideTheRangeAreClamped() throws {
    let profile = try ForceProfile(floor: 10, average: 60, ceiling: 510)
    #expect(profile.pressure(raw: .min) == 0)
    #expect(profile.force(raw: .max) == profile.maximumPossibleForce)
  }

  @Test(arguments: [
    (0.0, Double?(100), 100.0, Double?.none, ForceProfileError.notAscending),
    (0, 0, 100, nil, .notAscending), (50, nil, 0, nil, .notAscending),
    (0, 15, 100, -1, .clickOutside), (0, 15, 100, 100, .clickOutside),
    (0, 60, 100, nil, .maximumPossibleForceOutside), (0, 4, 100, nil, .maximumPossibleForceOutside),
    (.nan, 15, 100, nil, .notFinite), (0, 15, .infinity, nil, .notFinite),
    (0, 15, 100, .nan, .notFinite),
  ])
  func aProfileThatMakesNoSenseIsRefused(
    floor: Double, average: Double?, ceiling: Double, click: Double?, error: ForceProfileError
  ) {
    #expect(throws: error) {
      try ForceProfile(floor: floor, average: average, ceiling: ceiling, click: click)
    }
  }

  @Test(arguments: [50.0, 5.0]) func theBoundsOfTheMaximumPossibleForceAreUsable(average: Double) {
    #expect(throws: Never.self) { try ForceProfile(floor: 0, average: average, ceiling: 100) }
  }

  @Test func gramsKnowHowFarTheyMayBeOff() throws {
    // The kernel rounds: 1 unit per gram is anything from ½ to 1½.
    let coarse = try #require(Grams(raw: 200, resolution: 1))
    #expect(coarse.value == 200)
    #expect(coarse.uncertainty == 200)
    let fine = try #require(Grams(raw: 200, resolution: 10))
    #expect(fine.value == 20)
    #expect(abs(fine.uncertainty - (200 / 9.5 - 20)) < 1e-12)
    #expect(Grams(raw: 200, resolution: 0) == nil)
    #expect(Grams(raw: 200, resolution: -1) == nil)
  }
}
