public import ForceTouchProtocol

/// Everything that is looked at on a machine; ``findings`` says what is wrong with it.
public struct Report: Equatable, Sendable {
  public var machine: MachineReport
  public var service: ServiceReport
  public var access: AccessReport
  public var settings: SettingsReport
  public var libinput: LibinputReport
  public var devices: [DeviceReport]
  /// Why the devices could not be listed.
  public var devicesProblem: String?

  public init(
    machine: MachineReport, service: ServiceReport, access: AccessReport, settings: SettingsReport,
    libinput: LibinputReport, devices: [DeviceReport], devicesProblem: String? = nil
  ) {
    self.machine = machine
    self.service = service
    self.access = access
    self.settings = settings
    self.libinput = libinput
    self.devices = devices
    self.devicesProblem = devicesProblem
  }
}

/// The software that is there.
public struct MachineReport: Encodable, Equatable, Sendable {
  /// The version of this program.
  public var version: String
  /// `uname -r` and `-m`.
  public var kernel: String
  public var architecture: String
  /// `PRETTY_NAME` of `os-release(5)`.
  public var distribution: String?
  /// The name of libinput's library file, which has its version in it.
  public var libinput: String?
  /// Whether systemd is the first process.
  public var systemd: Bool

  public init(
    version: String, kernel: String, architecture: String, distribution: String?,
    libinput: String?, systemd: Bool
  ) {
    self.version = version
    self.kernel = kernel
    self.architecture = architecture
    self.distribution = distribution
    self.libinput = libinput
    self.systemd = systemd
  }
}

/// The daemon, and what starts it.
public struct ServiceReport: Encodable, Equatable, Sendable {
  /// A unit as systemd has it (`org.freedesktop.systemd1(5)`).
  public struct Unit: Encodable, Equatable, Sendable {
    public var name: String
    public var load: String
    public var active: String
    public var sub: String
    /// `enabled`, `disabled`, …; empty for what has no file.
    public var file: String
    /// Why it failed; `success` where it did not.
    public var result: String

    public init(
      name: String, load: String, active: String, sub: String = "", file: String = "",
      result: String = "success"
    ) {
      self.name = name
      self.load = load
      self.active = active
      self.sub = sub
      self.file = file
      self.result = result
    }
  }

  /// Why the daemon does not answer.
  public enum Silence: String, Encodable, Sendable {
    /// There is no socket.
    case missing
    /// This user may not connect.
    case denied
    /// Nobody listens.
    case refused
    /// Somebody listens and does not answer in time.
    case late
    /// What came is no answer.
    case broken
  }

  public var units: [Unit]
  /// Why systemd could not be asked about them.
  public var unitsProblem: String?
  public var socket: String
  /// The permission bits of the socket in octal; nil when there is none.
  public var mode: String?
  /// The version of the daemon that answered.
  public var version: String?
  /// It told this user what it counts.
  public var statistics: Bool
  public var silence: Silence?

  public init(
    units: [Unit] = [], unitsProblem: String? = nil, socket: String, mode: String? = nil,
    version: String? = nil, statistics: Bool = false, silence: Silence? = nil
  ) {
    self.units = units
    self.unitsProblem = unitsProblem
    self.socket = socket
    self.mode = mode
    self.version = version
    self.statistics = statistics
    self.silence = silence
  }
}

/// What the user who asks may do.
public struct AccessReport: Encodable, Equatable, Sendable {
  /// A login session (`sd-login(3)`).
  public struct Session: Encodable, Equatable, Sendable {
    /// `wayland`, `x11`, `tty`, …
    public var type: String
    /// nil for one over the network.
    public var seat: String?
    public var active: Bool

    public init(type: String, seat: String?, active: Bool) {
      self.type = type
      self.seat = seat
      self.active = active
    }
  }

  /// The program runs as root.
  public var root: Bool
  /// The daemon's user `forcetouchd` is there.
  public var daemonUser: Bool
  /// The group `forcetouch` is there.
  public var group: Bool
  /// The user is in the group; with sudo, the user who called it.
  public var member: Bool
  /// The session has the group already: who joins must log in again. Always true for root.
  public var inSession: Bool
  public var session: Session?

  public init(
    root: Bool, daemonUser: Bool, group: Bool, member: Bool, inSession: Bool,
    session: Session? = nil
  ) {
    self.root = root
    self.daemonUser = daemonUser
    self.group = group
    self.member = member
    self.inSession = inSession
    self.session = session
  }
}

/// The files that decide, read now.
public struct SettingsReport: Encodable, Equatable, Sendable {
  /// What is not the default, with the place that says so.
  public var settings: [ControlMessage.Setting]
  /// What is wrong in settings, device tables and profiles, each with its place.
  public var problems: [String]

  public init(settings: [ControlMessage.Setting] = [], problems: [String] = []) {
    self.settings = settings
    self.problems = problems
  }
}

/// libinput's quirks.
public struct LibinputReport: Encodable, Equatable, Sendable {
  /// There are files of quirks.
  public var installed: Bool
  /// Why libinput goes by none of them.
  public var problem: String?

  public init(installed: Bool, problem: String? = nil) {
    self.installed = installed
    self.problem = problem
  }
}
