/// How raw pressure of one device becomes force.
///
/// Raw values are in units of the pressure axis. `floor < average < ceiling`, and
/// `floor ≤ click < ceiling`; a profile that breaks this cannot be made.
public struct ForceProfile: Hashable, Sendable {
  /// Raw pressure of no force.
  public let floor: Double
  /// Raw pressure of an ordinary touch: force 1.0.
  public let average: Double
  /// Raw pressure of the hardest comfortable press: the maximum possible force.
  public let ceiling: Double
  /// Raw pressure at which the pad itself clicks, where it does.
  public let click: Double?

  /// Where the average lies between floor and ceiling when nobody knows better: 3/20, which
  /// makes the maximum possible force that of an iPhone, 20/3.
  static let unknownAverage = 3.0 / 20

  /// What `maximumPossibleForce` may be.
  public static let maximumPossibleForceRange = 2.0...20.0

  /// Throws when the order of the values or the maximum possible force is not usable.
  ///
  /// - Parameter average: nil when unknown: `floor + 3/20 (ceiling − floor)`.
  public init(floor: Double, average: Double? = nil, ceiling: Double, click: Double? = nil)
    throws(ForceProfileError)
  {
    let average = average ?? floor + Self.unknownAverage * (ceiling - floor)
    guard floor.isFinite, average.isFinite, ceiling.isFinite, click?.isFinite ?? true else {
      throw .notFinite
    }
    guard floor < average, average < ceiling else { throw .notAscending }
    if let click, !(floor <= click && click < ceiling) { throw .clickOutside }
    // The bound itself is usable; a quotient that misses it by rounding is too.
    let maximum = (ceiling - floor) / (average - floor)
    let bounds = Self.maximumPossibleForceRange
    guard maximum >= bounds.lowerBound - 1e-9, maximum <= bounds.upperBound + 1e-9 else {
      throw .maximumPossibleForceOutside
    }
    self.floor = floor
    self.average = average
    self.ceiling = ceiling
    self.click = click
  }

  /// The largest value ``force(raw:)`` gives, 2…20. UIKit: `UITouch.maximumPossibleForce`.
  public var maximumPossibleForce: Double { (ceiling - floor) / (average - floor) }

  /// Pressure from 0 to 1 between floor and ceiling, clamped.
  public func pressure(raw: Int32) -> Double {
    clampToUnit((Double(raw) - floor) / (ceiling - floor))
  }

  /// Force, 1.0 being an average touch, from 0 to ``maximumPossibleForce``. UIKit: `UITouch.force`.
  public func force(raw: Int32) -> Double { pressure(raw: raw) * maximumPossibleForce }

  /// Raw pressure at which thresholds count as 0: the click where there is one, so that an
  /// ordinary click is no peek, else the floor.
  public var thresholdBase: Double { click ?? floor }

  /// The raw value that the fraction of a threshold stands for.
  ///
  /// - Parameter baseline: What counts as 0 where it lies above ``thresholdBase``.
  public func raw(fraction: Double, above baseline: Double? = nil) -> Double {
    let base = max(thresholdBase, baseline ?? thresholdBase)
    return base + fraction * (ceiling - base)
  }
}

/// Why a ``ForceProfile`` was refused.
public enum ForceProfileError: Error, Equatable, CustomStringConvertible {
  case notFinite
  case notAscending
  case clickOutside
  case maximumPossibleForceOutside

  public var description: String {
    switch self {
    case .notFinite: "a value is not a finite number"
    case .notAscending: "floor, average and ceiling must ascend"
    case .clickOutside: "click must not lie below floor and must lie below ceiling"
    case .maximumPossibleForceOutside:
      "(ceiling − floor) / (average − floor) must lie between 2 and 20"
    }
  }
}

/// Grams of a raw pressure, where the axis has a resolution.
public struct Grams: Hashable, Sendable {
  /// `raw / resolution`.
  public var value: Double
  /// How far the true value may lie away: the kernel rounds the resolution to an integer, so
  /// what it calls r units per gram is anything from r − ½ to r + ½.
  public var uncertainty: Double

  /// nil when the axis has no resolution.
  public init?(raw: Int32, resolution: Int32) {
    guard resolution > 0 else { return nil }
    let raw = Double(raw)
    value = raw / Double(resolution)
    uncertainty = (raw / (Double(resolution) - 0.5) - value).magnitude
  }
}

/// Clamps to 0…1; what is not a number becomes 0.
@inlinable public func clampToUnit(_ value: Double) -> Double {
  value > 0 ? (value < 1 ? value : 1) : 0
}
