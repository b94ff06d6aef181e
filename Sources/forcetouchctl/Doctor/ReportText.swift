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

  typealias Row = (String, String?)

  /// A title, and what there is to say; what is nil is not said.
  func section(_ title: String, _ rows: [Row]) -> String {
    title + "\n"
      + table(rows.compactMap { name, value in value.map { [name, $0.printable] } }, indent: "  ")
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
        : settings.map { ($0.name, "\($0.value)  \($0.place)") } + [("others", "defaults")])
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
    if let why = report.devicesProblem { return "devices\n  \(why.printable)\n" }
    guard !report.devices.isEmpty else {
      return "devices\n  none: there is no trackpad or touchscreen, or udev does not call it one;\n"
        + "  forcetouchctl record, alone, lists what there is\n"
    }
    let statement =
      report.devices.contains { $0.device.capability == .available }
      ? "" : "No device here is known to feel force.\n"
    return report.devices.map(device).joined() + statement
  }

  // MARK: Findings

  private var problems: String {
    var text = "findings\n"
    for finding in findings {
      text += "  \(finding.severity.rawValue): \(finding.text.printable)\n"
      text += "    -> \(finding.remedy.printable)\n"
      text += (finding.lines ?? []).map { "       \($0)\n" }.joined()
    }
    func count(_ severity: Finding.Severity) -> String {
      counted(findings.count { $0.severity == severity }, severity.rawValue)
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
