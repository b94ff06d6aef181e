import ForceTouchModel
import ForceTouchProtocol

/// Puts the pressure of a device on a scale from 0 to 1, thresholds included: by its profile, or, where
/// it has none, by what its axis declares.
public struct ForceScale: Sendable {
  /// Raw pressure of 0 and of 1.
  private let start: Double
  private let end: Double
  /// Force at 1; nil where nobody knows what pressure means.
  public let maximumPossibleForce: Double?
  private let thresholds: DeviceMessage.Thresholds?

  /// - Parameter thresholds: Instead of the device's own.
  public init(_ device: DeviceMessage, thresholds: DeviceMessage.Thresholds? = nil) {
    let axis = device.pressure
    start = device.profile?.floor ?? Double(axis?.minimum ?? 0)
    end = device.profile?.ceiling ?? Double(axis?.maximum ?? 0)
    maximumPossibleForce = device.profile?.maximumPossibleForce
    self.thresholds = thresholds ?? device.thresholds
  }

  /// Where they lie, 0…1; nil without a profile.
  public var marks: (hint: Double, peek: Double, pop: Double)? {
    thresholds.map { (part(raw: $0.hint), part(raw: $0.peek), part(raw: $0.pop)) }
  }

  public func part(raw: Double) -> Double {
    end > start ? clampToUnit((raw - start) / (end - start)) : 0
  }
}
