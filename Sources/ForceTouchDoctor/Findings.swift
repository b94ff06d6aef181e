internal import ForceTouchModel
internal import ForceTouchProtocol

/// Something that is wrong, or may be, and what to do.
public struct Finding: Encodable, Equatable, Sendable {
  public enum Severity: String, Encodable, Sendable {
    /// It keeps forcetouchd from doing on this machine what it is there for.
    case problem
    /// Perhaps it is meant to be so.
    case hint
  }

  public var severity: Severity
  /// What is the matter, with what it is about, for people.
  public var text: String
  /// What to do, for people; a command where there is one.
  public var remedy: String
  /// Lines to be written into a file that the remedy names.
  public var lines: [String]?

  init(_ severity: Severity, _ text: String, _ remedy: String, lines: [String]? = nil) {
    self.severity = severity
    self.text = text
    self.remedy = remedy
    self.lines = lines
  }
}

extension Report {
  /// What is wrong, gravest first.
  public var findings: [Finding] {
    let found =
      serviceFindings + settingsFindings + deviceFindings + libinputFindings
      + accessFindings
    return found.filter { $0.severity == .problem } + found.filter { $0.severity == .hint }
  }

  // MARK: Service

  private static let socketUnit = "forcetouchd.socket"
  private static let serviceUnit = "forcetouchd.service"

  private func unit(_ name: String) -> ServiceReport.Unit? {
    service.units.first { $0.name == name && $0.load != "not-found" }
  }

  private var isInstalled: Bool { unit(Self.socketUnit) != nil || unit(Self.serviceUnit) != nil }

  private var serviceFindings: [Finding] {
    guard let silence = service.silence else {
      guard let version = service.version, version != machine.version else { return [] }
      return [
        Finding(
          .problem, "the daemon is of version \(version), this program of \(machine.version)",
          "sudo systemctl restart \(Self.serviceUnit)")
      ]
    }
    // One that cannot start is failed, or on its way again for those who wait.
    if let unit = unit(Self.serviceUnit),
      unit.active == "failed" || (silence == .late || silence == .broken) && unit.active != "active"
    {
      let result = unit.result == "success" ? "" : ", \(unit.result)"
      return [
        Finding(
          .problem, "the service does not run (\(unit.active)\(result))",
          "journalctl -u forcetouchd -b says why; then sudo systemctl restart \(Self.serviceUnit)")
      ]
    }
    let problem: String
    switch silence {
    case .missing: problem = "the daemon does not run: there is no socket \(service.socket)"
    case .refused: problem = "the daemon does not run: nobody listens on \(service.socket)"
    case .denied: problem = "this user may not connect to \(service.socket)"
    case .late: problem = "the daemon does not answer in time"
    case .broken: problem = "what listens on \(service.socket) does not answer as forcetouchd does"
    }
    return [Finding(.problem, problem, remedy(silence))]
  }

  private func remedy(_ silence: ServiceReport.Silence) -> String {
    switch silence {
    case .denied:
      return "see its mode; SocketMode= of \(Self.socketUnit) should be 0666"
    case .late, .broken:
      return isInstalled
        ? "sudo systemctl restart \(Self.serviceUnit)"
        : "end what listens there, and start forcetouchd"
    case .missing, .refused: break
    }
    guard let socket = unit(Self.socketUnit) else {
      return machine.systemd && service.unitsProblem == nil
        ? "install forcetouchd, or start it by hand: forcetouchd --socket \(service.socket)"
        : "start it: forcetouchd --socket \(service.socket)"
    }
    if socket.load == "masked" {
      return
        "sudo systemctl unmask \(Self.socketUnit), then sudo systemctl enable --now \(Self.socketUnit)"
    }
    return socket.active == "active"
      ? "sudo systemctl restart \(Self.socketUnit)"
      : "sudo systemctl enable --now \(Self.socketUnit)"
  }

  // MARK: Settings

  private var settingsFindings: [Finding] {
    settings.problems.map {
      Finding(.problem, "\($0); ignored", "mend it, then sudo systemctl reload forcetouchd")
    }
  }

  // MARK: Devices

  private var deviceFindings: [Finding] {
    if let devicesProblem {
      return [Finding(.problem, devicesProblem, "is systemd-udevd running?")]
    }
    return devices.flatMap { $0.findings + seatFindings($0.device) }
  }

  private func seatFindings(_ device: DeviceMessage) -> [Finding] {
    guard device.capability == .available, let seat = device.seat, let own = access.session?.seat,
      seat != own
    else { return [] }
    return [
      Finding(
        .hint,
        "\(device.name) is at \(seat), this session at \(own): programs in it get no previews of it",
        "use a session there, or move the device: see attach in loginctl(1)")
    ]
  }

  // MARK: libinput

  private var libinputFindings: [Finding] {
    guard let problem = libinput.problem else { return [] }
    return [
      Finding(
        .hint, "libinput goes by no quirks at all because of one line: \(problem)", "mend it")
    ]
  }

  // MARK: Access

  private var accessFindings: [Finding] {
    var found: [Finding] = []
    if !access.daemonUser && isInstalled {
      found.append(
        Finding(
          .problem, "the daemon's user forcetouchd is missing", "sudo systemd-sysusers"))
    }
    if !access.group {
      found.append(
        Finding(
          isInstalled ? .problem : .hint,
          "the group forcetouch is missing: only root can watch contacts", "sudo systemd-sysusers"))
    } else if !access.member {
      found.append(
        Finding(
          .hint, "this user is not in the group forcetouch and cannot watch contacts",
          "sudo usermod -aG forcetouch $USER, and log in again"))
    } else if !access.inSession {
      found.append(
        Finding(
          .hint, "this user is in the group forcetouch, this session not yet", "log in again"))
    }
    if let session = access.session {
      if session.seat == nil {
        found.append(
          Finding(
            .hint, "this session is not at a seat: programs in it get no previews",
            "use a session in front of the device"))
      } else if !session.active {
        found.append(
          Finding(
            .hint, "this session is not active: programs in it get no previews now",
            "switch to it"))
      }
    }
    return found
  }
}
