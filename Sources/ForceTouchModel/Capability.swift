/// Whether a device can feel force. The UIKit counterpart is `UIForceTouchCapability`.
public enum ForceTouchCapability: String, Sendable, CaseIterable {
  /// It cannot be told: nothing proves that the pressure axis measures force.
  case unknown
  /// It cannot feel force, or it was switched off.
  case unavailable
  /// Its pressure is force.
  case available
}

/// Why a device has the capability it has. The raw values are the words on the wire.
public enum CapabilityReason: String, Sendable, CaseIterable {
  // unavailable
  /// Of no device in particular: there is none.
  case noDevice
  /// Not a trackpad or touchscreen, or a pen.
  case notTouch
  /// Switched off by the user.
  case disabled
  /// Made by uinput and not allowed by the administrator.
  case virtual
  /// No axis carries pressure.
  case noPressureAxis
  /// The pressure axis has fewer than 32 steps, or none.
  case degenerateAxis
  /// Seen in use: pressure is always equal to the size of the contact.
  case equalsSize
  /// Seen in use: pressure never changes.
  case constant
  /// Seen in use: pressure has two values.
  case binary
  /// The device table says that pressure is the size of the contact.
  case contactSize
  /// The device table says that pressure is a capacitive signal's amplitude.
  case amplitude
  /// The device table says that pressure is computed from a resistance.
  case resistive

  // available
  /// Calibrated by the user.
  case calibrated
  /// The device table says that pressure is force.
  case table
  /// The pressure axis has a resolution: units per gram, by the kernel's ABI.
  case units

  // unknown
  /// `INPUT_PROP_SEMI_MT`: contacts are corners of a box, pressure belongs to none of them.
  case semiMT
  /// `INPUT_PROP_PRESSUREPAD` without units: the kernel also sets it by the HID button type alone.
  case pressurePad
  /// Force is there, but no usable range of it is known.
  case unusableProfile
  /// Nobody has described this device.
  case undescribed
  /// A recording without a description of its device.
  case noDescription

  /// One sentence for people.
  public var explanation: String {
    switch self {
    case .noDevice: "there is no trackpad or touchscreen"
    case .notTouch: "not a trackpad or touchscreen"
    case .disabled: "switched off in the settings"
    case .virtual: "a virtual device that is not allowed by a udev rule"
    case .noPressureAxis: "it reports no pressure"
    case .degenerateAxis: "its pressure axis has too few steps"
    case .equalsSize: "in use its pressure always equals the size of the contact"
    case .constant: "in use its pressure never changes"
    case .binary: "in use its pressure has only two values"
    case .contactSize: "its pressure is the size of the contact, not force"
    case .amplitude: "its pressure is the amplitude of a capacitive signal, not force"
    case .resistive: "its pressure is computed from a resistance and too crude"
    case .calibrated: "calibrated on this machine"
    case .table: "known to measure force"
    case .units: "the kernel gives its pressure in units per gram"
    case .semiMT: "its contacts are not tracked one by one"
    case .pressurePad: "it calls itself a pressure pad but gives no unit or range"
    case .unusableProfile: "no usable range of force is known for it"
    case .undescribed: "nobody has described yet what its pressure measures"
    case .noDescription: "the recording does not describe its device"
    }
  }
}
