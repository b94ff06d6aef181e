public import ForceTouchModel

/// From which pressure on libinput takes a touch for a palm: the pointer then stands still until
/// the finger lifts.
///
/// Read off libinput 1.22 to 1.31 (`tp_init_palmdetect` and `tp_init_pressurepad` in
/// `src/evdev-mt-touchpad.c`): pressure counts on touchpads that are part of the machine, as long as
/// nobody told libinput that it is real force.
public enum PalmLimit: Equatable, Sendable {
  /// More than this is a palm, in units of the pressure axis; and the line that says so, nil for
  /// libinput's own.
  case above(Int64, Place?)
  /// No pressure is a palm, and why.
  case none(String)

  /// What libinput goes by where no quirk says anything (`tp_read_palm_pressure_prop`).
  static let standard: Int64 = 130

  /// - Parameters:
  ///   - integration: udev's `ID_INPUT_TOUCHPAD_INTEGRATION`.
  public init(
    of device: DeviceDescription, _ subject: QuirkSubject, integration: String?,
    quirks: LibinputQuirks
  ) {
    guard device.touchKind == .trackpad else {
      self = .none("only on trackpads libinput looks for palms")
      return
    }
    guard let axis = device.axes[AxisCode.multitouchPressure] else {
      self = .none("the device has no ABS_MT_PRESSURE")
      return
    }
    let values = quirks.values(for: subject)
    if axis.resolution != 0 || values["ModelPressurePad"]?.text == "1"
      || Self.isSwitchedOff("ABS_MT_PRESSURE", values)
    {
      self = .none("libinput does not look at this device's pressure")
      return
    }
    let isBelowKeyboard = values["AttrTPKComboLayout"]?.text == "below"
    guard isBelowKeyboard || !Self.isExternal(subject, integration, values) else {
      self = .none("libinput looks for no palms on a trackpad outside of the machine")
      return
    }
    let quirk = values["AttrPalmPressureThreshold"]
    let limit = quirk.flatMap { Int64($0.text) } ?? Self.standard
    self = limit == 0 ? .none("a quirk switches it off") : .above(limit, quirk?.place)
  }

  /// Versions before 1.23 have a word for it, later ones a minus.
  private static func isSwitchedOff(
    _ code: String, _ values: [String: QuirksFile.Value]
  ) -> Bool {
    func has(_ key: String, _ word: String) -> Bool {
      values[key]?.text.split(separator: ";").contains { $0 == word } ?? false
    }
    return has("AttrEventCodeDisable", code) || has("AttrEventCode", "-" + code)
  }

  /// udev's word where there is one, else libinput's own judgement.
  private static func isExternal(
    _ subject: QuirkSubject, _ integration: String?, _ values: [String: QuirksFile.Value]
  ) -> Bool {
    switch integration {
    case "internal": false
    case "external": true
    default:
      subject.bus == .bluetooth || subject.vendor == logitech
        || values["ModelWacomTouchpad"]?.text == "1"
    }
  }

  private static let logitech: UInt16 = 0x046d
}

extension QuirkSubject {
  /// The section that lets libinput take no press for a palm: the limit lies where the axis ends.
  public func sectionWithoutPalms(maximum: Int32) -> [String] {
    var lines = [
      "[No palms by pressure on \(hexadecimal(vendor)):\(hexadecimal(product))]",
      "MatchUdevType=touchpad",
    ]
    if let busName { lines.append("MatchBus=\(busName)") }
    return lines + [
      "MatchVendor=\(hexadecimal(vendor))", "MatchProduct=\(hexadecimal(product))",
      "AttrPalmPressureThreshold=\(maximum)",
    ]
  }
}
