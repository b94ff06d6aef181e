public import ForceTouchModel

/// The thresholds of a configuration on the pressure axis of one device, or of one contact.
public struct RawThresholds: Equatable, Sendable {
  public let hint: Double
  public let peek: Double
  public let pop: Double
  public let peekLeave: Double
  public let popLeave: Double
  /// Forgives the rounding of a threshold that was meant to lie on a whole raw value.
  private let tolerance: Double

  /// - Parameter baseline: The level of a contact that is its own measure.
  public init(
    _ configuration: RecognizerConfiguration, profile: ForceProfile, baseline: Int32? = nil
  ) {
    func raw(_ fraction: Double) -> Double {
      profile.raw(
        fraction: fraction * configuration.sensitivity.factor, above: baseline.map(Double.init))
    }
    hint = raw(configuration.hint)
    peek = raw(configuration.peek)
    pop = raw(configuration.pop)
    peekLeave = raw(configuration.peekLeave)
    popLeave = raw(configuration.popLeave)
    tolerance = 1e-9 * (profile.ceiling - profile.floor)
  }

  func reaches(_ raw: Int32, _ threshold: Double) -> Bool { Double(raw) >= threshold - tolerance }

  /// The stage that follows `stage` at this pressure.
  func stage(after stage: UInt8, raw: Int32) -> UInt8 {
    if reaches(raw, pop) || (stage == 2 && reaches(raw, popLeave)) { return 2 }
    if reaches(raw, peek) || (stage >= 1 && reaches(raw, peekLeave)) { return 1 }
    return 0
  }

  func peekProgress(_ raw: Int32) -> Double { progress(raw, from: hint, to: peek) }

  func popProgress(_ raw: Int32) -> Double { progress(raw, from: peek, to: pop) }

  private func progress(_ raw: Int32, from start: Double, to end: Double) -> Double {
    reaches(raw, end) ? 1 : clampToUnit((Double(raw) - start) / (end - start))
  }
}
