import ForceTouchDevices
import ForceTouchModel
import Foundation
import TestSupport

/// A pad and the person who calibrates it: touches come out as the kernel would report them.
struct SimulatedPad {
  /// What the pressure axis carries, from a force (1: an ordinary touch) and an area (1: an ordinary
  /// fingertip).
  var measure: @Sendable (_ force: Double, _ area: Double) -> Double
  /// Raw value of nothing, and raw units of what is measured.
  var floor = 0.0
  var gain = 40.0
  /// Standard deviation, raw units.
  var noise = 0.0
  /// Raw units a second.
  var drift = 0.0
  /// Raw values are multiples of it.
  var step = 1.0
  var axis = Axis(minimum: 0, maximum: 255)
  var reportsSize = true
  /// Of measured units; nil: it does not click.
  var click: Double?

  static let force: @Sendable (Double, Double) -> Double = { force, _ in force }
  /// A fingertip flattens under force, and then no more: as capacitive pads see it.
  static let size: @Sendable (Double, Double) -> Double = { _, area in area }

  /// How large the contact is: it grows with force, by the finger's curvature (Hertz: the radius
  /// with the third root), and is large from the beginning for the flat of the finger.
  static func area(_ force: Double, isFlat: Bool) -> Double {
    let area = 0.35 + 0.65 * pow(max(0, force), 2.0 / 3)
    return isFlat ? 2.6 + 0.4 * area : area
  }

  /// What the person does: forces that differ from touch to touch.
  static func forces(
    _ effort: Effort, _ count: Int, _ generator: inout SeededGenerator
  ) -> [Double] {
    let range =
      switch effort {
      case .light: 0.2...0.45
      case .normal: 0.85...1.2
      case .firm: 3.2...4.5
      case .flat: 0.2...0.6
      }
    return (0..<count).map { _ in Double.random(in: range, using: &generator) }
  }

  func touches(
    of efforts: [Effort] = Effort.allCases, count: Int = 3, _ generator: inout SeededGenerator
  ) -> [Effort: [CalibrationTouch]] {
    var touches: [Effort: [CalibrationTouch]] = [:]
    var start = Timestamp.zero
    for effort in efforts {
      touches[effort] = Self.forces(effort, count, &generator).map { force in
        let touch = touch(force, isFlat: effort == .flat, at: start, &generator)
        start = touch.end + .milliseconds(500)
        return touch
      }
    }
    return touches
  }

  /// 150 ms down, a second held with a tremor of 3 %, 100 ms up, 90 times a second.
  func touch(
    _ force: Double, isFlat: Bool = false, at start: Timestamp = .zero,
    _ generator: inout SeededGenerator
  ) -> CalibrationTouch {
    var samples: [CalibrationTouch.Sample] = []
    var clicked: Int32?
    // A finger has a size of its own in each touch.
    let posture = Double.random(in: 0.8...1.25, using: &generator)
    for frame in 0...112 {
      let seconds = Double(frame) / 90
      let ramp = min(1, (seconds + 0.01) / 0.15, max(0.02, (1.25 - seconds) / 0.1))
      let held = force * ramp * (1 + 0.03 * Self.gauss(&generator))
      let area = Self.area(held, isFlat: isFlat) * posture
      let measured = measure(held, area)
      let exact = floor + gain * measured + drift * seconds + noise * Self.gauss(&generator)
      let stepped = (exact / step).rounded() * step
      let raw = Int32(max(Double(axis.minimum), min(Double(axis.maximum), stepped)))
      let size = reportsSize ? Int32(400 * area) : nil
      if let click, clicked == nil, measured >= click { clicked = raw }
      guard raw != samples.last?.raw || size != samples.last?.size else { continue }
      samples.append(
        .init(time: start + .milliseconds(Int64(seconds * 1000)), raw: raw, size: size))
    }
    return CalibrationTouch(samples: samples, end: start + .milliseconds(1255), click: clicked)
  }

  /// Normally distributed, by Box and Muller.
  private static func gauss(_ generator: inout SeededGenerator) -> Double {
    let radius = (-2 * log(Double.random(in: 1e-12..<1, using: &generator))).squareRoot()
    return radius * cos(2 * .pi * Double.random(in: 0..<1, using: &generator))
  }
}
