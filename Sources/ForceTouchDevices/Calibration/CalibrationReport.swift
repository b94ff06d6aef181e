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
  /// of a straight line from size to pressure. nil where sizes are not reported or never change.
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
    sizeShare = determination(
      samples.compactMap { sample in sample.size.map { (Double($0), Double(sample.raw)) } })
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

/// R² of a straight line through the points; nil when there are too few, or one coordinate never
/// changes.
private func determination(_ points: [(x: Double, y: Double)]) -> Double? {
  guard points.count >= 16 else { return nil }
  let count = Double(points.count)
  let x = points.reduce(0) { $0 + $1.x } / count
  let y = points.reduce(0) { $0 + $1.y } / count
  var (xx, yy, xy) = (0.0, 0.0, 0.0)
  for point in points {
    xx += (point.x - x) * (point.x - x)
    yy += (point.y - y) * (point.y - y)
    xy += (point.x - x) * (point.y - y)
  }
  guard xx > 0, yy > 0 else { return nil }
  return min(1, xy * xy / (xx * yy))
}
