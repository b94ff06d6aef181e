import ForceTouchDoctor
import ForceTouchModel
import ForceTouchProtocol
import ForceTouchSettings

// All that is known of a device, and where it comes from.

extension ReportText {
  /// The section of a device.
  func device(_ report: DeviceReport) -> String {
    let device = report.device
    let kind = device.kind.map { "\($0.rawValue), " } ?? ""
    var rows: [Row] = [
      (
        "node",
        ([device.place] + report.links).joined(separator: ", ")
      ),
      ("force", force(report)),
      (
        "device",
        "\(kind)bus \(device.bus), vendor \(hexadecimal(device.vendor)), "
          + "product \(hexadecimal(device.product))"
      ),
      ("driver", device.driver), ("seat", device.seat),
      ("properties", report.properties.isEmpty ? nil : report.properties.joined(separator: ", ")),
    ]
    rows += axes(report)
    rows += [
      ("table", report.table.map { "\($0.name) (\(tablePlace($0.place))): \($0.source)" }),
      ("profile", profile(report)), ("thresholds", thresholds(device)),
      ("in use", evidence(report)), ("permissions", permissions(report)), ("palms", palm(report)),
    ]
    return section((device.name.isEmpty ? device.device : device.name).printable, rows)
  }

  private func tablePlace(_ place: Place) -> String {
    place.file.contains("/") ? "\(place)" : "\(place) in this program"
  }

  private func force(_ report: DeviceReport) -> String {
    let device = report.device
    let who = report.switchedOffBy.map { " by \($0)" } ?? ""
    let guess =
      device.estimated
      ? "; recognized by a guess" + (report.estimatedBy.map { " (\($0))" } ?? "") : ""
    let witness =
      switch report.judgedBy {
      case .daemon: ", says the daemon"
      case .files: ", by the files"
      case .nobody: ""
      }
    guard report.judgedBy != .nobody else { return device.explanation }
    return "\(device.capability.rawValue) (\(device.reason.rawValue)): \(device.explanation)"
      + who + guess + witness
  }

  private func axes(_ report: DeviceReport) -> [Row] {
    func text(_ minimum: Int32, _ maximum: Int32, _ resolution: Int32) -> String {
      "\(minimum)…\(maximum)" + (resolution == 0 ? "" : ", resolution \(resolution)")
    }
    guard report.axes.isEmpty else {
      return report.axes.map { axis in
        let fuzz = axis.fuzz == 0 ? "" : ", fuzz \(axis.fuzz)"
        return (axis.name, text(axis.minimum, axis.maximum, axis.resolution) + fuzz)
      }
    }
    // The daemon tells of those that matter.
    let device = report.device
    return [("x", device.x), ("y", device.y), ("pressure", device.pressure)].map { name, axis in
      (name, axis.map { text($0.minimum, $0.maximum, $0.resolution) })
    }
  }

  private func profile(_ report: DeviceReport) -> String? {
    guard let profile = report.device.profile else { return nil }
    let source =
      switch report.device.reason {
      case .calibrated: report.calibration.map { "calibrated (\($0))" } ?? "calibrated"
      case .table: "from the table"
      case .units: "from the kernel's unit"
      case .noDevice, .notTouch, .disabled, .virtual, .noPressureAxis, .degenerateAxis, .equalsSize,
        .constant, .binary, .contactSize, .amplitude, .resistive, .semiMT, .pressurePad,
        .unusableProfile, .undescribed, .noDescription:
        "a guess from the declared range"
      }
    return "\(profile.text); \(source)"
  }

  private func thresholds(_ device: DeviceMessage) -> String? {
    guard let thresholds = device.thresholds else { return nil }
    let set = report.settings.settings.filter { Settings.thresholdNames.contains($0.name) }
    return "\(thresholds.text); "
      + (set.isEmpty
        ? "by the defaults"
        : set.map { "\($0.name) \($0.value) (\($0.place))" }.joined(separator: ", "))
  }

  private func evidence(_ report: DeviceReport) -> String? {
    guard let seen = report.pressure, let independence = report.independence else {
      let isKept =
        report.judgedBy == .daemon && report.device.pressure != nil
        && !self.report.service.statistics
      return isKept ? "told to root and the group forcetouch only" : nil
    }
    func percent(_ share: Double?) -> String {
      share.map { "\(decimal(($0 * 1000).rounded() / 10)) %" } ?? "unknown"
    }
    var parts = [
      "pressure moves independently of contact size: \(independence.explanation)",
      "\(seen.samples) samples of \(seen.contacts) contacts",
    ]
    guard seen.samples > 0 else { return parts.joined(separator: "; ") }
    let correlations = [seen.majorCorrelation, seen.minorCorrelation].compactMap { $0 }
    if !correlations.isEmpty {
      parts.append("correlation " + correlations.map(decimal).joined(separator: " and "))
    }
    if let minimum = seen.minimum, let maximum = seen.maximum {
      let declared = report.device.pressure.map { " of \($0.minimum)…\($0.maximum)" } ?? ""
      parts.append("\(minimum)…\(maximum)\(declared), \(seen.outside) outside")
    }
    parts += [
      "\(seen.distinct) distinct", "equal to the size \(percent(seen.equal))",
      "stuck \(percent(seen.stuck)), at most \(seen.longestStuck) in a row", "\(seen.wraps) wraps",
    ]
    return parts.joined(separator: "; ")
  }

  private func permissions(_ report: DeviceReport) -> String? {
    guard let permissions = report.permissions else { return nil }
    let daemon =
      switch permissions.readableByDaemon {
      case true?: "the daemon's user may read it"
      case false?: "the daemon's user may not read it"
      case nil: "there is no user forcetouchd"
      }
    return
      ([
        "\(permissions.mode) \(permissions.owner):\(permissions.group)",
        permissions.readable ? "this user may read it" : "this user may not read it", daemon,
      ] + permissions.list).joined(separator: ", ")
  }

  private func palm(_ report: DeviceReport) -> String? {
    guard let palm = report.palm else { return nil }
    if let limit = palm.limit {
      return "libinput takes more than \(limit) for a palm ("
        + (palm.place.map { "\($0)" } ?? "its default") + ")"
    }
    return palm.reason.map { "no press is one to libinput: \($0)" }
  }
}
