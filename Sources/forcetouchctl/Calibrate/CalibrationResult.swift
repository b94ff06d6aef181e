import ForceTouchDevices
import ForceTouchDoctor
import ForceTouchModel
import ForceTouchProtocol
import ForceTouchRecognition

/// What a calibration came to: as text for people, as one object for programs.
struct CalibrationResult: Encodable {
  struct Group: Encodable {
    var effort: String
    /// Raw pressure of each touch.
    var levels: [Double]
    var median: Double
    /// Standard deviation while held, raw.
    var noise: Double
    /// Raw units a second while held.
    var drift: Double
  }

  struct Pressure: Encodable {
    /// Declared by the axis.
    var minimum: Int32
    var maximum: Int32
    /// Seen.
    var lowest: Int32?
    var highest: Int32?
    var distinct: Int
  }

  var device: String?
  var name: String
  var feelsForce: Bool
  /// Why it was not calibrated, for people: it feels no force, or its profile was not stored.
  var problem: String?
  var touches: [Group]
  var pressure: Pressure
  /// How far pressure is a matter of the contact's size, 0…1.
  var sizeShare: Double?
  var profile: DeviceMessage.Profile?
  var thresholds: DeviceMessage.Thresholds?
  /// The daemon keeps the profile; nil when it did not answer whether it does.
  var stored: Bool? = false

  static let sizeWarning =
    "nothing in the touches shows that pressure is not the size of the contact; record light touches "
    + "with the flat of the finger as well"

  /// Of a device that the daemon has.
  init(
    _ calibration: Calibration, _ recognition: RecognizerConfiguration, _ device: DeviceMessage
  ) {
    self.init(
      calibration, recognition, name: device.name,
      axis: (device.pressure?.minimum ?? 0, device.pressure?.maximum ?? 0))
    self.device = device.device
  }

  /// Of a device that was recorded.
  init(
    _ calibration: Calibration, _ recognition: RecognizerConfiguration,
    _ description: DeviceDescription
  ) {
    self.init(
      calibration, recognition, name: description.name,
      axis: (description.pressureAxis?.minimum ?? 0, description.pressureAxis?.maximum ?? 0))
  }

  private init(
    _ calibration: Calibration, _ recognition: RecognizerConfiguration, name: String,
    axis: (minimum: Int32, maximum: Int32)
  ) {
    let report = calibration.report
    self.name = name
    touches = report.groups.map {
      Group(
        effort: $0.effort.rawValue, levels: $0.levels.map(Self.rounded),
        median: Self.rounded($0.median), noise: Self.rounded($0.noise),
        drift: Self.rounded($0.drift))
    }
    pressure = Pressure(
      minimum: axis.minimum, maximum: axis.maximum, lowest: report.range?.lowerBound,
      highest: report.range?.upperBound, distinct: report.distinctValues)
    sizeShare = report.sizeShare.map(Self.rounded)
    switch calibration.profile {
    case .failure(let failure):
      feelsForce = false
      problem = failure.description
    case .success(let profile):
      feelsForce = true
      self.profile = DeviceMessage.Profile(profile)
      thresholds = DeviceMessage.Thresholds(RawThresholds(recognition, profile: profile))
    }
  }

  private static func rounded(_ value: Double) -> Double { (value * 100).rounded() / 100 }

  var text: String {
    let rows = touches.map { group in
      [
        group.effort, group.levels.map(decimal).joined(separator: ", "), decimal(group.median),
        decimal(group.noise), decimal(group.drift),
      ]
    }
    var text = name.printable + "\n"
    text += table(
      [["touches", "raw pressure of each", "median", "noise", "drift a second"]] + rows,
      indent: "  ")
    var lines: [[String]] = []
    if let lowest = pressure.lowest, let highest = pressure.highest {
      lines.append([
        "pressure",
        "\(lowest)…\(highest) of \(pressure.minimum)…\(pressure.maximum), "
          + "\(pressure.distinct) different values",
      ])
    }
    lines.append([
      "size",
      sizeShare.map { "\(Int(($0 * 100).rounded())) % of the pressure is a matter of it" }
        ?? "not comparable: it is not reported, or one of the two never changes",
    ])
    if let profile { lines.append(["profile", profile.text]) }
    if let thresholds { lines.append(["thresholds", thresholds.text]) }
    return text + table(lines, indent: "  ")
  }
}
