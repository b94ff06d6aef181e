import ForceTouchDoctor
import ForceTouchEngine
import ForceTouchProtocol
import ForceTouchSettings
import Glibc
import YAML

/// What is there on this machine, and what is wrong with it, whether or not the daemon runs.
enum DoctorCommand: Command {
  static let name = "doctor"
  static let summary = "Look at this machine and say what is wrong, with or without the daemon."
  static let synopsis = "[--json] [--socket PATH]"
  static let options = [
    (name: "--json", value: String?.none, meaning: "print the report as objects, one a line"),
    socketOption,
  ]
  static let operands = 0...0

  static func run(_ arguments: Arguments) throws(CommandError) {
    let report = try look(socket: arguments.socket)
    let findings = report.findings
    if arguments.has("--json") {
      try printObjects(report, findings)
    } else {
      Output.write(ReportText(report: report, findings: findings).text)
    }
    if findings.contains(where: { $0.severity == .problem }) { exit(1) }
  }

  private static func look(socket: String) throws(CommandError) -> Report {
    let judge: Judge
    let problems: [YAMLError]
    do throws(YAMLError) {
      (judge, problems) = try Judge.load(Judge.Files())
    } catch {
      throw .failed(error.description)
    }
    let daemon = DaemonAnswers(socket: socket)
    let quirks = LibinputQuirks.standard()
    var report = Report(
      machine: .look(), service: .look(socket: socket, daemon), access: .look(),
      settings: SettingsReport(
        settings: judge.settings.effective.compactMap { setting in
          setting.origin.map {
            .init(
              name: setting.name, value: setting.value, file: $0.file, line: $0.line,
              column: $0.column)
          }
        }
          + judge.settings.devices.map { rule in
            .init(
              name: "devices", value: rule.description, file: rule.mark?.file,
              line: rule.mark?.line,
              column: rule.mark?.column)
          }, problems: problems.map(\.description)),
      libinput: LibinputReport(installed: quirks.isInstalled, problem: quirks.problem), devices: [])
    do throws(DeviceInspection.Failure) {
      report.devices = try DeviceInspection(judge: judge, daemon: daemon, quirks: quirks).reports()
    } catch {
      report.devicesProblem = error.description
    }
    return report
  }

  // MARK: Objects

  private static func printObjects(
    _ report: Report, _ findings: [Finding]
  ) throws(CommandError) {
    func write(_ kind: String, _ value: some Encodable) throws(CommandError) {
      Output.writeLine(try encode([kind: value]))
    }
    try write("machine", report.machine)
    try write("service", report.service)
    try write("access", report.access)
    try write("settings", report.settings)
    try write("libinput", report.libinput)
    for device in report.devices { try write("device", device) }
    for finding in findings { try write("finding", finding) }
  }
}
