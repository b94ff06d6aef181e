import ForceTouchModel
import ForceTouchProtocol

/// Puts the pressure of a device on a scale from 0 to 1, thresholds included: by its profile, or, where
/// it has none, by what its axis declares.
public struct ForceScale: Equatable, Sendable {
  /// Raw pressure of 0 and of 1.
  private let start: Double
  private let end: Double
  /// Force at 1; nil where nobody knows what pressure means.
  public let maximumPossibleForce: Double?
  /// Where they lie, 0…1; nil without a profile.
  public let marks: (hint: Double, peek: Double, pop: Double)?

  /// - Parameter thresholds: Instead of the device's own.
  public init(_ device: DeviceMessage, thresholds: DeviceMessage.Thresholds? = nil) {
    let axis = device.pressure
    start = device.profile?.floor ?? Double(axis?.minimum ?? 0)
    end = device.profile?.ceiling ?? Double(axis?.maximum ?? 0)
    maximumPossibleForce = device.profile?.maximumPossibleForce
    let (start, end) = (start, end)
    func part(_ raw: Double) -> Double {
      end > start ? clampToUnit((raw - start) / (end - start)) : 0
    }
    marks = (thresholds ?? device.thresholds).map {
      (part($0.hint), part($0.peek), part($0.pop))
    }
  }

  public func part(raw: Int32) -> Double {
    end > start ? clampToUnit((Double(raw) - start) / (end - start)) : 0
  }

  public static func == (left: Self, right: Self) -> Bool {
    left.start == right.start && left.end == right.end
      && left.maximumPossibleForce == right.maximumPossibleForce
      && left.marks?.hint == right.marks?.hint && left.marks?.peek == right.marks?.peek
      && left.marks?.pop == right.marks?.pop
  }
}
