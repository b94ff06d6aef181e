import ForceTouchDoctor
import ForceTouchModel
import ForceTouchProtocol
import ForceTouchSettings

/// A report as one page for people, fit for a bug report.
struct ReportText {
  let report: Report
  let findings: [Finding]

  var text: String {
    machine + service + access + settings + libinput + devices + problems + recording
  }

  private typealias Row = (String, String?)

  /// A title, and what there is to say; what is nil is not said.
  private func section(_ title: String, _ rows: [Row]) -> String {
    title + "\n"
      + table(rows.compactMap { name, value in value.map { [name, printable($0)] } }, indent: "  ")
  }

  // MARK: Machine

  private var machine: String {
    let machine = report.machine
    return section(
      "machine",
      [
        ("forcetouchctl", machine.version),
        ("kernel", "Linux \(machine.kernel), \(machine.architecture)"),
        ("distribution", machine.distribution ?? "it does not say (no os-release)"),
        ("libinput", machine.libinput ?? "not found"),
      ])
  }

  // MARK: Service

  private var service: String {
    let service = report.service
    var rows: [Row] = [
      ("daemon", service.version.map { "answers, version \($0)" } ?? "does not answer"),
      ("socket", service.socket + (service.mode.map { ", mode \($0)" } ?? ", which is not there")),
    ]
    rows += service.units.map { unit in
      guard unit.load == "loaded" else { return (unit.name, unit.load) }
      return (
        unit.name,
        "\(unit.active) (\(unit.sub))" + (unit.file.isEmpty ? "" : ", \(unit.file)")
      )
    }
    if let why = service.unitsProblem { rows.append(("units", "nothing is known of them: \(why)")) }
    return section("service", rows)
  }

  // MARK: Access

  private var access: String {
    let access = report.access
    let group =
      !access.group
      ? "is missing"
      : !access.member
        ? "is there, this user not in it" : access.inSession ? "allows it" : "not in this session"
    let session = access.session.map { session in
      "\(session.type), " + (session.seat.map { "at \($0)" } ?? "not at a seat")
        + (session.active ? ", active" : ", not active")
    }
    return section(
      "access",
      [
        ("this user", access.root ? "root" : "not root"), ("group forcetouch", group),
        ("session", session ?? "none that logind knows"),
      ])
  }

  // MARK: Settings

  private var settings: String {
    let settings = report.settings.settings
    return section(
      "settings",
      settings.isEmpty
        ? [("all", "defaults")]
        : settings.map { ($0.name, "\($0.value)  \(place($0))") } + [("others", "defaults")])
  }

  private func place(_ setting: ControlMessage.Setting) -> String {
    setting.file.map { "\($0):\(setting.line ?? 0)" } ?? "default"
  }

  // MARK: libinput

  private var libinput: String {
    let libinput = report.libinput
    return section(
      "libinput's quirks",
      [
        (
          "files",
          libinput.problem.map { "not used by libinput: \($0)" }
            ?? (libinput.installed ? "used" : "none; libinput is not installed")
        )
      ])
  }

  // MARK: Devices

  private var devices: String {
    if let why = report.devicesProblem { return "devices\n  \(printable(why))\n" }
    guard !report.devices.isEmpty else {
      return "devices\n  none: there is no trackpad or touchscreen, or udev does not call it one\n"
    }
    let statement =
      report.devices.contains { $0.device.capability == .available }
      ? "" : "No device here is known to feel force.\n"
    return report.devices.map(device).joined() + statement
  }

  private func number(_ value: Double) -> String { EventPrinter.text(value) }

  private func hex(_ value: UInt16) -> String {
    let digits = String(value, radix: 16)
    return "0x" + String(repeating: "0", count: 4 - digits.count) + digits
  }

  private func device(_ report: DeviceReport) -> String {
    let device = report.device
    let kind = device.kind.map { "\($0.rawValue), " } ?? ""
    var rows: [Row] = [
      (
        "node",
        ([device.isRecording ? "none: a recording" : device.node ?? "unknown"] + report.links)
          .joined(separator: ", ")
      ),
      ("force", force(report)),
      (
        "device",
        "\(kind)bus \(device.bus), vendor \(hex(device.vendor)), product \(hex(device.product))"
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
    return section(printable(device.name.isEmpty ? device.device : device.name), rows)
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
    guard report.axes.isEmpty else {
      return report.axes.map { axis in
        let unit = axis.resolution == 0 ? "" : ", resolution \(axis.resolution)"
        let fuzz = axis.fuzz == 0 ? "" : ", fuzz \(axis.fuzz)"
        return (axis.name, "\(axis.minimum)…\(axis.maximum)\(unit)\(fuzz)")
      }
    }
    // The daemon tells of those that matter.
    let device = report.device
    return [("x", device.x), ("y", device.y), ("pressure", device.pressure)].map { name, axis in
      (
        name,
        axis.map {
          "\($0.minimum)…\($0.maximum)"
            + ($0.resolution == 0 ? "" : ", resolution \($0.resolution)")
        }
      )
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
    return "floor \(number(profile.floor)), average \(number(profile.average)), "
      + "ceiling \(number(profile.ceiling))"
      + (profile.click.map { ", click \(number($0))" } ?? "") + "; \(source)"
  }

  private func thresholds(_ device: DeviceMessage) -> String? {
    guard let thresholds = device.thresholds else { return nil }
    let set = report.settings.settings.filter { Settings.thresholdNames.contains($0.name) }
    return "hint \(number(thresholds.hint)), peek \(number(thresholds.peek)), "
      + "pop \(number(thresholds.pop)); "
      + (set.isEmpty
        ? "by the defaults"
        : set.map { "\($0.name) \($0.value) (\(place($0)))" }.joined(separator: ", "))
  }

  private func evidence(_ report: DeviceReport) -> String? {
    guard let seen = report.pressure, let independence = report.independence else {
      let isKept =
        report.judgedBy == .daemon && report.device.pressure != nil
        && !self.report.service.statistics
      return isKept ? "told to root and the group forcetouch only" : nil
    }
    func percent(_ share: Double?) -> String {
      share.map { "\(number(($0 * 1000).rounded() / 10)) %" } ?? "unknown"
    }
    var parts = [
      "pressure moves independently of contact size: \(independence.explanation)",
      "\(seen.samples) samples of \(seen.contacts) contacts",
    ]
    guard seen.samples > 0 else { return parts.joined(separator: "; ") }
    let correlations = [seen.majorCorrelation, seen.minorCorrelation].compactMap { $0 }
    if !correlations.isEmpty {
      parts.append("correlation " + correlations.map(number).joined(separator: " and "))
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

  // MARK: Findings

  private var problems: String {
    var text = "findings\n"
    for finding in findings {
      text += "  \(finding.gravity.rawValue): \(printable(finding.text))\n"
      text += "    -> \(printable(finding.remedy))\n"
      text += (finding.lines ?? []).map { "       \($0)\n" }.joined()
    }
    func count(_ gravity: Finding.Gravity) -> String {
      let count = findings.count { $0.gravity == gravity }
      return "\(count) \(gravity.rawValue)\(count == 1 ? "" : "s")"
    }
    return text + (findings.isEmpty ? "  nothing is wrong\n" : "")
      + "\(count(.problem)), \(count(.hint))\n"
  }

  private var recording: String {
    guard let node = report.devices.first(where: { !$0.device.isRecording })?.device.node else {
      return ""
    }
    let warning =
      report.devices.contains { $0.device.kind == .touchscreen }
      ? "A recording of a touchscreen holds what was typed on it; mind whom you give it.\n" : ""
    return """

      To report a bug, give this page and a recording of a few presses, ended by Ctrl-C:
        sudo forcetouchctl record \(node) --output pad.yml
      \(warning)
      """
  }
}
