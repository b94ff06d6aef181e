public import ForceTouchModel

/// What a person's touches say of a device: whether it can feel force at all, and its profile.
///
/// A pure function of the touches, the same for a live device and for recordings. It is asked before
/// the device table is, so it demands evidence of its own. These must hold, in this order:
///
/// 1. pressure is not constant and not binary, and not equal to the contact's size: a straight line
///    from size to pressure explains less than ``mostSizeShare`` of it; it has at least
///    ``leastValues`` different values;
/// 2. harder is more: *each* normal touch reads harder than each light one, each firm one harder
///    than each normal one, and the groups lie apart by ``leastSeparation`` times their noise. Of
///    nine touches that are all alike, three times three, one order in 1680 is this one
///    (3!·3!·3!/9!): it comes by chance with p < 0.001;
/// 3. light touches with the flat of the finger, where there are any, read nearer to the normal
///    touches than to the firm ones: large contacts with little force are not hard;
/// 4. the profile obeys ``ForceProfile``'s contract, and has ``leastPressureRange`` steps between
///    its threshold base and its ceiling.
public struct Calibration: Equatable, Sendable {
  /// The fewest touches of an effort from which anything is concluded.
  public static let leastTouches = 3
  /// The fewest different raw values of all touches.
  public static let leastValues = 16
  /// How far apart the medians of two groups must be, in units of the greater noise.
  public static let leastSeparation = 3.0
  /// How far pressure may be a matter of size.
  public static let mostSizeShare = 0.95

  public let report: CalibrationReport
  /// What the device is calibrated to, or why it is not.
  public let profile: Result<ForceProfile, CalibrationFailure>

  /// The touches show that pressure is not the contact's size: flat ones were among them, or the
  /// device reports sizes. Otherwise nobody can tell, and the profile is only good for a device whose
  /// pressure is known to be force.
  public var excludesSize: Bool { report[.flat] != nil || report.sizeShare != nil }

  /// - Parameters:
  ///   - touches: By effort. ``Effort/flat`` may be missing.
  ///   - axis: The pressure axis.
  public init(_ touches: [Effort: [CalibrationTouch]], axis: Axis) {
    let report = CalibrationReport(touches)
    self.report = report
    do throws(CalibrationFailure) {
      try Self.demandForce(touches, report)
      profile = .success(try Self.profile(touches, report, axis))
    } catch {
      profile = .failure(error)
    }
  }

  // MARK: Can it feel force?

  private static func demandForce(
    _ touches: [Effort: [CalibrationTouch]], _ report: CalibrationReport
  ) throws(CalibrationFailure) {
    for effort in Effort.allCases where effort != .flat || report[.flat] != nil {
      guard report[effort]?.levels.count ?? 0 >= leastTouches else {
        throw .tooFewTouches(effort)
      }
    }
    if report.distinctValues == 1 { throw .evidence(.constant) }
    if report.distinctValues == 2 { throw .evidence(.binary) }
    if let share = report.sizeShare, share >= mostSizeShare { throw .evidence(.equalsSize) }
    if report.distinctValues < leastValues { throw .tooFewValues(report.distinctValues) }
    try demandOrder(report, .light, .normal)
    try demandOrder(report, .normal, .firm)
    if let flat = report[.flat], let normal = report[.normal], let firm = report[.firm],
      flat.median >= (normal.median + firm.median) / 2
    {
      throw .measuresSize
    }
  }

  private static func demandOrder(
    _ report: CalibrationReport, _ lower: Effort, _ higher: Effort
  ) throws(CalibrationFailure) {
    guard let low = report[lower], let high = report[higher] else { return }
    if areApart(low, high) { return }
    throw areApart(high, low) ? .reversed(lower, higher) : .notSeparated(lower, higher)
  }

  private static func areApart(
    _ low: CalibrationReport.Group, _ high: CalibrationReport.Group
  ) -> Bool {
    guard let top = low.levels.max(), let bottom = high.levels.min(), top < bottom else {
      return false
    }
    return high.median - low.median >= leastSeparation * max(low.noise, high.noise)
  }

  // MARK: The profile

  private static func profile(
    _ touches: [Effort: [CalibrationTouch]], _ report: CalibrationReport, _ axis: Axis
  ) throws(CalibrationFailure) -> ForceProfile {
    guard let normal = report[.normal], let firm = report[.firm] else {
      throw .tooFewTouches(.normal)
    }
    let average = rounded(normal.median)
    let ceiling = min(rounded(firm.median), Double(axis.maximum))
    var floor = max(floor(touches, below: average), Double(axis.minimum))
    let bounds = ForceProfile.maximumPossibleForceRange
    guard ceiling - floor >= bounds.lowerBound * (average - floor) else { throw .firmTooLight }
    if ceiling - floor > bounds.upperBound * (average - floor) {
      // The finger was never seen near no force; as low as it takes, it is still on the axis.
      let lowest = (bounds.upperBound * average - ceiling) / (bounds.upperBound - 1)
      floor = (lowest * 10).rounded(.down) / 10
      guard floor >= Double(axis.minimum) else { throw .normalTooLight }
    }
    let click = click(touches, from: floor, to: ceiling)
    let steps = Double(leastPressureRange)
    guard ceiling - floor >= steps else { throw .tooFewSteps }
    if let click, ceiling - click < steps { throw .hardlyPastClick }
    do throws(ForceProfileError) {
      return try ForceProfile(floor: floor, average: average, ceiling: ceiling, click: click)
    } catch {
      // What is left of the contract is its order, and that was demanded of the touches.
      throw .tooFewSteps
    }
  }

  /// No force: what a finger reads as it comes down and as it lifts. Of the touches' lowest values
  /// the lower quartile, so that a single wrong one does not decide; below every level.
  private static func floor(
    _ touches: [Effort: [CalibrationTouch]], below average: Double
  ) -> Double {
    let lowest = touches.values.joined().compactMap { $0.samples.map(\.raw).min() }.sorted()
    guard !lowest.isEmpty else { return average }
    return min(Double(lowest[lowest.count / 4]), average - 1)
  }

  /// Where the pad itself clicks: the lowest pressure at which it did, for a finger is past the click
  /// when it is next seen. Every firm touch clicked, and all clicks lie within a quarter of the
  /// range: buttons beside the pad, which know nothing of the finger, do not look like that.
  private static func click(
    _ touches: [Effort: [CalibrationTouch]], from floor: Double, to ceiling: Double
  ) -> Double? {
    let clicks = touches.values.joined().compactMap(\.click).map(Double.init)
    guard let first = clicks.min(), let last = clicks.max(),
      touches[.firm]?.allSatisfy({ $0.click != nil }) == true,
      last - first <= 0.25 * (ceiling - floor)
    else { return nil }
    return min(max(first, floor), ceiling)
  }

  /// To tenths of a raw unit: more nobody can press.
  private static func rounded(_ raw: Double) -> Double { (raw * 10).rounded() / 10 }
}

extension CapabilityReason {
  /// The device cannot be calibrated, because this is asked before its calibration would be.
  public var forbidsCalibration: Bool {
    switch self {
    case .noDevice, .notTouch, .disabled, .virtual, .noPressureAxis, .degenerateAxis, .equalsSize,
      .constant, .binary, .noDescription:
      true
    case .contactSize, .amplitude, .resistive, .calibrated, .table, .units, .semiMT, .pressurePad,
      .unusableProfile, .undescribed:
      false
    }
  }
}
