import ForceTouchModel
import TestSupport
import Testing

@testable import ForceTouchDevices

/// From touches to a profile, or to why there is none.
@Suite struct CalibrationTests {
  typealias Touches = [Effort: [CalibrationTouch]]

  private func failure(_ touches: Touches, _ pad: SimulatedPad) -> CalibrationFailure? {
    switch Calibration(touches, axis: pad.axis).profile {
    case .success: nil
    case .failure(let failure): failure
    }
  }

  /// Any pad that measures force: what it reads of nothing, of a gram, how much it hums, how coarse
  /// it is and how it wanders.
  @Test(arguments: 0..<200 as Range<UInt64>)
  func aForcePadIsCalibratedSoThatNormalTouchesAreOne(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var pad = SimulatedPad(measure: SimulatedPad.force)
    let maximum = [253, 1023, 4095, 65535].randomElement(using: &generator) ?? 253
    let minimum = [0, 0, -128].randomElement(using: &generator) ?? 0
    pad.axis = Axis(minimum: Int32(minimum), maximum: Int32(maximum))
    let span = Double(maximum - minimum)
    pad.gain = span * Double.random(in: 0.08...0.18, using: &generator)
    pad.floor = Double(minimum) + span * Double.random(in: 0...0.15, using: &generator)
    pad.noise = pad.gain * Double.random(in: 0...0.05, using: &generator)
    pad.drift = pad.gain * Double.random(in: -0.04...0.04, using: &generator)
    pad.step = max(1, (pad.gain * Double.random(in: 0...0.1, using: &generator)).rounded())
    pad.reportsSize = Bool.random(using: &generator)
    pad.click = Bool.random(using: &generator) ? 1.6 : nil
    let touches = pad.touches(count: Int.random(in: 3...5, using: &generator), &generator)

    let calibration = Calibration(touches, axis: pad.axis)
    let profile = try calibration.profile.get()
    #expect(profile.floor >= Double(minimum) && profile.ceiling <= Double(maximum))
    // What is one was pressed by a person whose touches differ, and the pad hums.
    #expect(abs(profile.average - (pad.floor + pad.gain)) < 0.25 * pad.gain + pad.step)
    let forces = try #require(touches[.normal]).map { touch in
      profile.force(raw: Int32(touch.level.raw.rounded()))
    }
    #expect(abs(try #require(median(forces)) - 1) < 0.05)
    #expect(forces.allSatisfy { (0.6...1.5).contains($0) }, "\(forces)")
    #expect(abs(profile.floor - pad.floor) < 0.25 * pad.gain + pad.step)
    #expect((2.5...5.5).contains(profile.maximumPossibleForce))
    if let click = pad.click {
      let found = try #require(profile.click)
      #expect(abs(found - pad.floor - pad.gain * click) < pad.gain)
    } else {
      #expect(profile.click == nil)
    }
    #expect(calibration.excludesSize)
  }

  @Test func itIsJudgedAvailableAsCalibrated() throws {
    var generator = SeededGenerator(seed: 1)
    let pad = SimulatedPad(measure: SimulatedPad.force)
    let profile = try Calibration(pad.touches(&generator), axis: pad.axis).profile.get()
    let verdict = forceTouchCapability(
      of: .trackpad(pressure: pad.axis), table: DeviceTable(),
      policy: CapabilityPolicy(calibration: profile))
    #expect(verdict.reason == .calibrated)
  }

  @Test(arguments: 0..<100 as Range<UInt64>)
  func thePadThatMeasuresSizeIsFound(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var pad = SimulatedPad(measure: SimulatedPad.size)
    pad.gain = Double.random(in: 30...80, using: &generator)
    pad.noise = Double.random(in: 0...1, using: &generator)
    pad.reportsSize = seed % 2 == 0
    // Size grows with force, so the person's efforts differ in it too.
    let found = try #require(failure(pad.touches(&generator), pad))
    switch found {
    case .evidence(.equalsSize) where pad.reportsSize: break
    case .measuresSize where !pad.reportsSize: break
    case .notSeparated, .firmTooLight: break
    default: Issue.record("\(found)")
    }
  }

  @Test func aSizeThatTellsTheEffortsApartIsStillNoForce() {
    var generator = SeededGenerator(seed: 7)
    // Twice as wide for each effort: order and distance are those of force.
    var pad = SimulatedPad { force, area in area > 2 ? 5 : force }
    pad.reportsSize = false
    #expect(failure(pad.touches(&generator), pad) == .measuresSize)
    pad = SimulatedPad { force, _ in force }
    pad.reportsSize = false
    let withoutFlat = pad.touches(of: [.light, .normal, .firm], &generator)
    let calibration = Calibration(withoutFlat, axis: pad.axis)
    #expect((try? calibration.profile.get()) != nil)
    #expect(!calibration.excludesSize, "neither sizes nor flat touches say so")
  }

  @Test func pressureThatIsTheSizeItself() throws {
    var generator = SeededGenerator(seed: 3)
    let pad = SimulatedPad(measure: SimulatedPad.force)
    let touches = pad.touches(&generator).mapValues { touches in
      touches.map { touch in
        var touch = touch
        for index in touch.samples.indices { touch.samples[index].size = touch.samples[index].raw }
        return touch
      }
    }
    #expect(failure(touches, pad) == .evidence(.equalsSize))
    let scaled = touches.mapValues { touches in
      touches.map { touch in
        var touch = touch
        for index in touch.samples.indices {
          touch.samples[index].size = 80 + 3 * touch.samples[index].raw
        }
        return touch
      }
    }
    #expect(failure(scaled, pad) == .evidence(.equalsSize), "in other units")
  }

  @Test func constantAndBinaryPressure() {
    var generator = SeededGenerator(seed: 4)
    var pad = SimulatedPad { _, _ in 1 }
    #expect(failure(pad.touches(&generator), pad) == .evidence(.constant))
    pad.measure = { force, _ in force > 0.1 ? 3 : 0 }
    #expect(failure(pad.touches(&generator), pad) == .evidence(.binary))
    pad.measure = SimulatedPad.force
    pad.step = 30
    guard case .tooFewValues(let count)? = failure(pad.touches(&generator), pad) else {
      Issue.record("a handful of values is no force")
      return
    }
    #expect(count < 10)
  }

  @Test(arguments: 0..<100 as Range<UInt64>)
  func noiseAloneSeparatesNothing(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var pad = SimulatedPad { _, _ in 2 }
    pad.noise = Double.random(in: 5...30, using: &generator)
    pad.drift = Double.random(in: -3...3, using: &generator)
    #expect(failure(pad.touches(&generator), pad) == .notSeparated(.light, .normal))
  }

  @Test func touchesInAnotherOrder() {
    var generator = SeededGenerator(seed: 5)
    let pad = SimulatedPad(measure: SimulatedPad.force)
    var touches = pad.touches(&generator)
    (touches[.light], touches[.normal]) = (touches[.normal], touches[.light])
    #expect(failure(touches, pad) == .reversed(.light, .normal))
    (touches[.light], touches[.normal]) = (touches[.normal], touches[.light])
    (touches[.firm], touches[.normal]) = (touches[.normal], touches[.firm])
    #expect(failure(touches, pad) == .reversed(.normal, .firm))
    // An inverted axis, as of a resistance.
    let inverted = SimulatedPad { force, _ in 5 - force }
    #expect(failure(inverted.touches(&generator), inverted) == .reversed(.light, .normal))
  }

  @Test func oneTouchThatWasPressedLikeTheOthersIsEnough() {
    var generator = SeededGenerator(seed: 6)
    let pad = SimulatedPad(measure: SimulatedPad.force)
    var touches = pad.touches(&generator)
    touches[.normal]?[1] = pad.touch(0.3, &generator)
    #expect(failure(touches, pad) == .notSeparated(.light, .normal))
    touches[.normal]?.removeLast()
    #expect(failure(touches, pad) == .tooFewTouches(.normal))
    touches[.normal] = nil
    #expect(failure(touches, pad) == .tooFewTouches(.normal))
  }

  @Test func firmTouchesMustBeTwiceAsHardAndGoPastTheClick() {
    var generator = SeededGenerator(seed: 8)
    var pad = SimulatedPad(measure: SimulatedPad.force)
    var touches = pad.touches(&generator)
    touches[.firm] = (0..<3).map { _ in pad.touch(1.7, &generator) }
    #expect(failure(touches, pad) == .firmTooLight)
    pad.click = 3.1
    touches = pad.touches(&generator)
    touches[.firm] = (0..<3).map { _ in pad.touch(3.5, &generator) }
    #expect(failure(touches, pad) == .hardlyPastClick)
    pad = SimulatedPad(measure: SimulatedPad.force, gain: 7)
    #expect(failure(pad.touches(&generator), pad) == .tooFewSteps)
  }

  /// A button beside the pad knows nothing of the finger.
  @Test func clicksThatHaveNothingToDoWithPressureAreNone() throws {
    var generator = SeededGenerator(seed: 9)
    let pad = SimulatedPad(measure: SimulatedPad.force)
    var touches = pad.touches(&generator)
    for index in 0..<3 { touches[.firm]?[index].click = [20, 90, 160][index] }
    #expect(try Calibration(touches, axis: pad.axis).profile.get().click == nil)
    for index in 0..<3 { touches[.firm]?[index].click = [50, 52, 60][index] }
    #expect(try Calibration(touches, axis: pad.axis).profile.get().click == 50)
    touches[.firm]?[0].click = nil
    #expect(try Calibration(touches, axis: pad.axis).profile.get().click == nil)
  }

  /// Nothing was ever seen near no force: the floor would lie right under the average.
  @Test func theFloorOfTouchesThatStartAtOnceIsLowered() throws {
    func group(_ level: Int32) -> [CalibrationTouch] {
      (0..<3).map { number in
        let samples = (0..<20).map { index in
          CalibrationTouch.Sample(
            time: .zero + .milliseconds(Int64(index) * 50), raw: level + Int32(index % 6 + number))
        }
        return CalibrationTouch(samples: samples, end: .zero + .milliseconds(1000))
      }
    }
    let axis = Axis(minimum: 0, maximum: 4000)
    func calibrate(_ light: Int32, _ normal: Int32, _ firm: Int32) -> Calibration {
      Calibration([.light: group(light), .normal: group(normal), .firm: group(firm)], axis: axis)
    }
    let profile = try calibrate(1000, 1100, 3800).profile.get()
    #expect(profile.floor < 970)
    #expect(abs(profile.maximumPossibleForce - 20) < 0.05)
    #expect(abs(profile.force(raw: 1103) - 1) < 0.01)
    #expect(calibrate(20, 40, 3800).profile == .failure(.normalTooLight))
  }

  /// Whatever came: a profile that is given can be used.
  @Test(arguments: 0..<300 as Range<UInt64>)
  func noProfileIsOutsideOfTheContract(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let minimum = Int32.random(in: -100...100, using: &generator)
    let axis = Axis(
      minimum: minimum, maximum: minimum + Int32.random(in: 32...5000, using: &generator))
    var touches: Touches = [:]
    var base = Int32.random(in: -50...300, using: &generator)
    for effort in Effort.allCases {
      let width = Int32.random(in: 1...400, using: &generator)
      touches[effort] = (0..<3).map { _ in
        var time = Timestamp.zero
        let samples = (0..<20).map { _ in
          time = time + .milliseconds(Int64.random(in: 0...90, using: &generator))
          return CalibrationTouch.Sample(
            time: time,
            raw: generator.chance(50)
              ? Int32.random(in: .min ... .max, using: &generator)
              : base + Int32.random(in: 0...width, using: &generator) / 8)
        }
        return CalibrationTouch(
          samples: samples, end: time + .milliseconds(20),
          click: generator.chance(2) ? samples.randomElement(using: &generator)?.raw : nil)
      }
      base += effort == .firm ? -width : Int32.random(in: 0...900, using: &generator)
    }
    guard case .success(let profile) = Calibration(touches, axis: axis).profile else { return }
    let verdict = forceTouchCapability(
      of: .trackpad(pressure: axis), table: DeviceTable(),
      policy: CapabilityPolicy(calibration: profile))
    #expect(verdict.reason == .calibrated)
    #expect((2...20).contains(profile.maximumPossibleForce.rounded()))
    #expect(abs(profile.force(raw: Int32(profile.average.rounded())) - 1) < 0.2)
  }

  @Test func theLevelIsThatOfTheTimeNotOfTheSamples() {
    func time(_ milliseconds: Int64) -> Timestamp { .zero + .milliseconds(milliseconds) }
    // Most samples lie in the landing; most of the time the finger was held at 100.
    var samples = (0..<30).map {
      CalibrationTouch.Sample(time: time(Int64($0) * 5), raw: Int32($0))
    }
    samples.append(.init(time: time(300), raw: 100))
    var level = CalibrationTouch(samples: samples, end: time(1000)).level
    #expect(level.raw == 100)
    #expect(level.noise == 0)
    #expect(level.drift == 0)
    // A straight slope of 60 a second, in steps, is drift and hardly noise.
    samples = (0..<200).map { .init(time: time(Int64($0) * 10), raw: 100 + Int32($0) * 6 / 10) }
    level = CalibrationTouch(samples: samples, end: time(2000)).level
    #expect(abs(level.drift - 60) < 2)
    #expect(level.noise < 0.6)
    #expect(abs(level.raw - 169) < 2)
    // One up, one down: the noise is what it is.
    samples = (0..<100).map { .init(time: time(Int64($0) * 10), raw: $0 % 2 == 0 ? 90 : 110) }
    level = CalibrationTouch(samples: samples, end: time(1000)).level
    #expect(abs(level.noise - 10) < 0.5)
  }
}
