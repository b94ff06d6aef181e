import ForceTouchModel
import TestSupport
import Testing

@testable import ForceTouchDevices

/// What use proves: lies soon, and nothing of a pad that measures force.
@Suite struct PressureProofTests {
  // MARK: Pads that measure force

  /// However well size follows force, and however coarse either is.
  @Test(arguments: 0..<40) func aForcePadIsNeverAccused(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    func one(of values: [Double]) -> Double { values.randomElement(using: &generator) ?? 0 }
    let steps = one(of: [32, 63, 253, 1023, 6000, 65535])
    let sizes = one(of: [8, 40, 255, 4000])
    let hardest = one(of: [0.06, 0.3, 1])
    let hasPostures = !generator.chance(3)
    let hasNoise = !generator.chance(3)
    var use = Use(
      axis: Axis(minimum: 0, maximum: Int32(steps)), surfaceClicks: true, hardest: hardest,
      seed: seed)
    for _ in 0..<400 {
      use.press { finger, generator in
        let noise = hasNoise ? Double.random(in: -0.02...0.02, using: &generator) : 0
        // A finger flattens the less, the flatter it is.
        let flatness = hasPostures ? finger.posture : 1
        let size = 0.7 * sizes * flatness * finger.force.squareRoot() * (1 + noise)
        let pressure = finger.force * steps
        return (Int32(pressure.rounded()), Int32(size.rounded()), Int32((size * 0.8).rounded()))
      }
    }
    // What was proven once would have stayed.
    #expect(use.statistics.evidence == nil)
    #expect(use.statistics.sampleCount > 10_000)
    if hardest == 1 { #expect(use.statistics.clickCount > 100) }
  }

  /// Nobody ever pressed: all that is reported is 0, or 0 and 1.
  @Test(arguments: [0, 1] as [Int32]) func aPadThatIsTouchedLightlyIsNotAccused(most: Int32) {
    var use = Use(axis: Axis(minimum: 0, maximum: 253), surfaceClicks: true, hardest: 0.1)
    for _ in 0..<1000 {
      use.press { finger, _ in
        (finger.force > 0.05 ? most : 0, Int32(20 * finger.posture + 30 * finger.force), nil)
      }
    }
    #expect(use.statistics.sampleCount > 20_000)
    #expect(use.statistics.evidence == nil)
  }

  /// One finger that stays down proves nothing, whatever it does.
  @Test func aFingerThatRestsProvesNothing() {
    var use = Use(axis: Axis(minimum: 0, maximum: 253), surfaceClicks: true, hardest: 1)
    for x in Int32(0)..<30_000 {
      use.take(pressure: 90, major: x % 7, minor: nil, x: x)
    }
    #expect(use.statistics.sampleCount == 30_000)
    #expect(use.statistics.evidence == nil)
  }

  /// One press in which size goes exactly with pressure is chance; the next is different.
  @Test func aSizeThatFollowsPressureWithinOneContactProvesNothing() {
    var use = Use(axis: Axis(minimum: 0, maximum: 253), hardest: 1)
    for _ in 0..<400 {
      let offset = Int32.random(in: 0...40, using: &use.generator)
      use.press { finger, _ in
        let pressure = Int32(200 * finger.force)
        return (pressure, pressure / 2 + offset, nil)
      }
    }
    #expect(use.statistics.evidence == nil)
  }

  // MARK: Pads that do not

  /// `bcm5974` reports half of the size; others the size, scaled and rounded, or turned around.
  @Test(
    arguments: ["the same", "half", "rounded", "linear", "inverted", "multiples of 32"], 0..<5)
  func pressureThatIsTheSizeIsProven(relation: String, seed: UInt64) {
    var use = Use(axis: Axis(minimum: 0, maximum: 255), hardest: 1, seed: seed)
    func pressure(_ size: Int32) -> Int32 {
      switch relation {
      case "half": size / 2
      case "rounded": Int32((Double(size) * 0.37).rounded())
      case "linear": 3 * size + 7
      case "inverted": 255 - size
      default: size
      }
    }
    var contacts = 0
    while use.statistics.evidence == nil && contacts < 40 {
      contacts += 1
      use.press { finger, _ in
        let size = 20 + 200 * finger.force.squareRoot() * finger.posture / 2
        let steps: Int32 =
          switch relation {
          case "multiples of 32": Int32(size) / 32 * 32
          case "half": Int32(size) / 2 * 2
          default: Int32(size)
          }
        return (pressure(steps), steps, 3)
      }
    }
    #expect(use.statistics.evidence == .equalsSize)
    #expect(contacts >= PressureProof.leastTestedContacts)
    let correlation = use.statistics.majorCorrelation ?? 0
    #expect(correlation.magnitude > 0.99)
  }

  @Test func pressureThatIsTheMinorAxisIsProven() {
    var use = Use(axis: Axis(minimum: 0, maximum: 255), hardest: 1)
    for _ in 0..<40 {
      use.press { finger, generator in
        let minor = Int32(20 + 200 * finger.force)
        return (minor, Int32.random(in: 0...100, using: &generator), minor)
      }
    }
    #expect(use.statistics.evidence == .equalsSize)
  }

  /// A sample that is not the size, once in a while, delays the proof only.
  @Test func aRareSlipDelaysTheProofOnly() {
    var use = Use(axis: Axis(minimum: 0, maximum: 255), hardest: 1)
    for press in 0..<200 {
      var isSlip = press.isMultiple(of: 40)
      use.press { finger, _ in
        let size = Int32(20 + 200 * finger.force)
        defer { isSlip = false }
        return (isSlip ? 0 : size, size, nil)
      }
      if press == 8 { #expect(use.statistics.evidence == nil) }
    }
    #expect(use.statistics.evidence == .equalsSize)
  }

  @Test(
    arguments: [
      // What it reports when touched lightly and when pressed, and whether it has to be clicked.
      (55, 55, false), (0, 0, true), (3, 3, true), (0, 255, false), (0, 1, true), (40, 200, false),
    ] as [(Int32, Int32, Bool)])
  func fewerThanThreeValuesAreProven(light: Int32, pressed: Int32, byClicks: Bool) {
    for surfaceClicks in [false, true] {
      var use = Use(
        axis: Axis(minimum: 0, maximum: 255), surfaceClicks: surfaceClicks, hardest: 1)
      var contacts = 0
      while use.statistics.evidence == nil && contacts < 300 {
        contacts += 1
        use.press { finger, generator in
          (finger.force > 0.3 ? pressed : light, Int32.random(in: 0...40, using: &generator), nil)
        }
      }
      guard surfaceClicks || !byClicks else {
        #expect(use.statistics.evidence == nil)
        continue
      }
      #expect(use.statistics.evidence == (light == pressed ? .constant : .binary))
      #expect(contacts >= PressureProof.leastContacts)
      #expect(use.statistics.sampleCount >= PressureProof.leastSamples)
    }
  }

  @Test func whatWasProvenStays() {
    var use = Use(axis: Axis(minimum: 0, maximum: 255), hardest: 1)
    while use.statistics.evidence == nil { use.press { _, _ in (55, nil, nil) } }
    for _ in 0..<20 { use.press { finger, _ in (Int32(255 * finger.force), nil, nil) } }
    #expect(use.statistics.distinctCount > 20)
    #expect(use.statistics.evidence == .constant)
  }
}

/// A hand that uses a pad: presses of any length and force, from postures of any size, moving.
private struct Use {
  struct Finger {
    /// 0…1.
    var force: Double
    /// How flat it lies: 0.6…1.4, another for each press.
    var posture: Double
  }

  private(set) var statistics: PressureStatistics
  var generator: SeededGenerator
  /// The force of the hardest press.
  private let hardest: Double
  private var contact: UInt32 = 1
  private var isFirst = true
  private var x: Int32 = 0

  init(axis: Axis, surfaceClicks: Bool = false, hardest: Double, seed: UInt64 = 1) {
    statistics = PressureStatistics(axis: axis, surfaceClicks: surfaceClicks)
    generator = SeededGenerator(seed: seed)
    self.hardest = hardest
  }

  /// One press, from landing to lifting.
  ///
  /// - Parameter report: What the pad says of a finger.
  mutating func press(
    _ report: (Finger, inout SeededGenerator) -> (pressure: Int32, major: Int32?, minor: Int32?)
  ) {
    let posture = Double.random(in: 0.6...1.4, using: &generator)
    let target = hardest * Double.random(in: 0.1...1, using: &generator)
    let landing = Int.random(in: 3...8, using: &generator)
    let holding = Int.random(in: 10...60, using: &generator)
    var force = 0.0
    for frame in 0..<(2 * landing + holding) {
      if frame < landing {
        force += target / Double(landing)
      } else if frame < landing + holding {
        force *= 1 + Double.random(in: -0.05...0.05, using: &generator)
      } else {
        force -= force / Double(2 * landing + holding - frame)
      }
      force = max(0, min(1, force))
      let said = report(Finger(force: force, posture: posture), &generator)
      x += Int32.random(in: -2...3, using: &generator)
      // On a pad the click is at some 40 % of the force.
      take(
        pressure: said.pressure, major: said.major, minor: said.minor, x: x,
        isButtonHeld: force > 0.4)
    }
    lift()
  }

  mutating func take(
    pressure: Int32, major: Int32?, minor: Int32?, x: Int32, isButtonHeld: Bool = false
  ) {
    add(
      Contact(
        id: ContactID(rawValue: contact), slot: 0, phase: isFirst ? .began : .stayed,
        position: Position(x: x, y: 0), rawPressure: pressure, touchMajor: major,
        touchMinor: minor), isButtonHeld)
    isFirst = false
  }

  private mutating func lift() {
    add(Contact(id: ContactID(rawValue: contact), slot: 0, phase: .ended, rawPressure: 0), false)
    contact += 1
    isFirst = true
  }

  private mutating func add(_ contact: Contact, _ isButtonHeld: Bool) {
    statistics.add(ContactFrame(isButtonHeld: isButtonHeld, contacts: [contact]))
  }
}
