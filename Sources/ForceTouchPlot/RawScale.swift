import ForceTouchModel

/// The vertical axis of a panel: raw pressure on its right, force on its left.
struct RawScale {
  let bottom: Double
  let top: Double
  private let unitsPerGram: Int32

  /// Room for a name above the hardest press.
  private static let headroom = 1.12

  /// From no force to the hardest that there is, or that was pressed.
  init(_ panel: PlotPanel) {
    let seen = panel.trace.contacts.flatMap { $0.samples.compactMap { $0.raw.map(Double.init) } }
    let axis = panel.pressureAxis
    // What lies outside of what the device declares is painted at the edge.
    let most = max(Double(axis.maximum), panel.profile?.ceiling ?? -.infinity)
    let least = min(Double(axis.minimum), panel.profile?.floor ?? .infinity)
    let hardest = min(seen.max() ?? most, most)
    let lightest = max(seen.min() ?? least, least)
    bottom = min(panel.profile?.floor ?? 0, lightest)
    let above = max(panel.profile?.ceiling ?? 0, hardest, panel.thresholds?.pop ?? 0)
    top = bottom + max(1, Self.headroom * (above - bottom))
    unitsPerGram = panel.pressureAxis.resolution
  }

  /// How high a value is, from 0 to 1.
  func height(_ raw: Double) -> Double { clampToUnit((raw - bottom) / (top - bottom)) }

  func ticks(atLeast share: Double) -> [(raw: Double, label: String)] {
    TickStep(atLeast: max(1, share * (top - bottom))).ticks(in: bottom...top).map {
      ($0.value, $0.label + grams($0.value))
    }
  }

  func forceTicks(of profile: ForceProfile, atLeast share: Double) -> [(raw: Double, label: String)]
  {
    let perForce = profile.average - profile.floor
    let step = TickStep(atLeast: share * (top - bottom) / perForce)
    return step.ticks(in: 0...profile.maximumPossibleForce).map {
      (profile.floor + $0.value * perForce, $0.label)
    }
  }

  /// What a value is in grams, where that is known and not the same number.
  func grams(_ raw: Double) -> String {
    guard unitsPerGram > 0 else { return "" }
    return " = \(rounded(raw / Double(unitsPerGram))) g"
  }
}

/// A number with one decimal at most.
func rounded(_ value: Double) -> String {
  let tenths = Int64((value * 10).rounded())
  let sign = tenths < 0 ? "−" : ""
  let (whole, tenth) = tenths.magnitude.quotientAndRemainder(dividingBy: 10)
  return sign + (tenth == 0 ? "\(whole)" : "\(whole).\(tenth)")
}
