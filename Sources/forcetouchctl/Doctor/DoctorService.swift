import ForceTouchDoctor
import ForceTouchProtocol
import Glibc
import Varlink

/// What the daemon told when it was asked.
struct DaemonAnswers {
  var version: String?
  var devices: [DeviceMessage] = []
  /// nil when this user may not see them.
  var statistics: MonitorMessage.GetStatisticsReply?
  var silence: ServiceReport.Silence?

  private struct Info: Decodable { var version: String }

  init(socket: String) {
    do {
      let client = try PatientClient(path: socket)
      version = try client.call("org.varlink.service.GetInfo").decoded(as: Info.self).version
      devices = try client.call(DevicesMessage.interface + ".List")
        .decoded(as: DevicesMessage.ListReply.self).devices
      let reply = try client.call(MonitorMessage.interface + ".GetStatistics")
      if reply.failure == nil {
        statistics = try reply.decoded(as: MonitorMessage.GetStatisticsReply.self)
      }
    } catch is PatientClient.TooLate {
      silence = .late
    } catch ClientError.cannotConnect {
      silence = Self.whyNobody(socket)
    } catch {
      // Of another version, its name is answer enough.
      if version == nil || version == Software.version { silence = .broken }
    }
  }

  private static func whyNobody(_ socket: String) -> ServiceReport.Silence {
    if access(socket, W_OK) == 0 { return .refused }
    return errno == EACCES ? .denied : .missing
  }
}

extension ServiceReport {
  /// The service as it is when the daemon has been asked: asking may have started it.
  static func look(socket: String, _ daemon: DaemonAnswers) -> ServiceReport {
    var report = ServiceReport(
      socket: socket, version: daemon.version, statistics: daemon.statistics != nil,
      silence: daemon.silence)
    var status = stat()
    if stat(socket, &status) == 0 { report.mode = octal(status.st_mode & 0o7777) }
    switch SystemdUnits.ask(["forcetouchd.socket", "forcetouchd.service"]) {
    case .success(let units): report.units = units
    case .failure(let why): report.unitsProblem = why.description
    }
    return report
  }
}
