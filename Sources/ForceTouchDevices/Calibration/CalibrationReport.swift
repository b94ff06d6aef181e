import ForceTouchModel

/// What the touches of a calibration say of a device, whether or not it can feel force.
public struct CalibrationReport: Equatable, Sendable {
  /// The touches of one effort.
  public struct Group: Equatable, Sendable {
    public var effort: Effort
    /// The raw pressure of each touch, in the order they came.
    public var levels: [Double]
    /// The median of ``levels``.
    public var median: Double
    /// The median of the touches' noise: raw units, standard deviation while held.
    public var noise: Double
    /// The median of the touches' drift: raw units a second while held.
    public var drift: Double
  }

  /// In the order of ``Effort``; an effort without touches is left out.
  public var groups: [Group]
  /// The lowest and the highest raw value that was seen; nil without any.
  public var range: ClosedRange<Int32>?
  /// How many different raw values were seen.
  public var distinctValues: Int
  /// How far pressure is a matter of the contact's size, 0…1: the coefficient of determination (R²)
  /// of a straight line from size to pressure. nil where sizes are not reported, or one of the two
  /// never changes.
  public var sizeShare: Double?
  /// Of touches at which the pad clicked: the raw pressures.
  public var clicks: [Int32]

  init(_ touches: [Effort: [CalibrationTouch]]) {
    groups = Effort.allCases.compactMap { effort in
      let levels = (touches[effort] ?? []).map(\.level)
      guard let median = median(levels.map(\.raw)) else { return nil }
      return Group(
        effort: effort, levels: levels.map(\.raw), median: median,
        noise: ForceTouchDevices.median(levels.map(\.noise)) ?? 0,
        drift: ForceTouchDevices.median(levels.map(\.drift)) ?? 0)
    }
    let all = Effort.allCases.flatMap { touches[$0] ?? [] }
    let samples = all.flatMap(\.samples)
    let values = Set(samples.map(\.raw))
    if let lowest = values.min(), let highest = values.max() { range = lowest...highest }
    distinctValues = values.count
    var relation = SizeRelation()
    for (number, touch) in all.enumerated() {
      for sample in touch.samples {
        guard let size = sample.size else { continue }
        relation.add(
          pressure: sample.raw, size: size, of: ContactID(rawValue: UInt32(number + 1)))
      }
    }
    sizeShare = relation.correlation.map { $0 * $0 }
    clicks = all.compactMap(\.click)
  }

  public subscript(_ effort: Effort) -> Group? { groups.first { $0.effort == effort } }
}

/// The middle one, or the mean of the two in the middle; nil of nothing.
func median(_ values: [Double]) -> Double? {
  guard !values.isEmpty else { return nil }
  let sorted = values.sorted()
  let middle = sorted.count / 2
  return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}
