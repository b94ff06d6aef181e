internal import ForceTouchModel
public import ForceTouchProtocol

extension DeviceMessage {
  /// What finds out whether it feels force, where nobody knows that.
  public var nextStep: String? {
    switch reason {
    case .undescribed, .pressurePad, .unusableProfile:
      isRecording
        ? "forcetouchctl calibrate --from FILE finds out by a recording of a few presses"
        : "sudo forcetouchctl calibrate \(node ?? device) finds out by a few presses"
    case .noDescription: "--description FILE names a recording that describes its device"
    case .noDevice, .notTouch, .disabled, .virtual, .noPressureAxis, .degenerateAxis, .equalsSize,
      .constant, .binary, .contactSize, .amplitude, .resistive, .calibrated, .table, .units,
      .semiMT:
      nil
    }
  }
}

/// A touch device, with where everything that is known of it comes from.
public struct DeviceReport: Encodable, Equatable, Sendable {
  public struct Axis: Encodable, Equatable, Sendable {
    /// `ABS_…`.
    public var name: String
    public var minimum: Int32
    public var maximum: Int32
    public var fuzz: Int32
    public var flat: Int32
    public var resolution: Int32

    public init(
      name: String, minimum: Int32, maximum: Int32, fuzz: Int32, flat: Int32, resolution: Int32
    ) {
      self.name = name
      self.minimum = minimum
      self.maximum = maximum
      self.fuzz = fuzz
      self.flat = flat
      self.resolution = resolution
    }
  }

  public struct TableEntry: Encodable, Equatable, Sendable {
    public var name: String
    /// `devices.yaml` without a folder is the table in the programs.
    public var place: Place
    /// What the entry rests on.
    public var source: String

    public init(name: String, place: Place, source: String) {
      self.name = name
      self.place = place
      self.source = source
    }
  }

  public struct Permissions: Encodable, Equatable, Sendable {
    /// In octal.
    public var mode: String
    public var owner: String
    public var group: String
    /// Further users and groups of the access control list.
    public var list: [String]
    /// Whether this program, and whether the daemon's user, may read; nil: there is no such user.
    public var readable: Bool
    public var readableByDaemon: Bool?

    public init(
      mode: String, owner: String, group: String, list: [String] = [], readable: Bool,
      readableByDaemon: Bool?
    ) {
      self.mode = mode
      self.owner = owner
      self.group = group
      self.list = list
      self.readable = readable
      self.readableByDaemon = readableByDaemon
    }
  }

  /// From which pressure on libinput takes a touch for a palm.
  public struct Palm: Encodable, Equatable, Sendable {
    public var limit: Int64?
    /// The quirk that says so; nil where libinput's own limit counts.
    public var place: Place?
    /// Why there is no limit.
    public var reason: String?
    /// The section of quirks that would take the limit away.
    public var section: [String]?

    /// - Parameter section: Lines that would take a limit away.
    public init(_ limit: PalmLimit, section: [String]) {
      switch limit {
      case .above(let value, let place):
        (self.limit, self.place) = (value, place)
        self.section = section
      case .none(let reason): self.reason = reason
      }
    }
  }

  /// Who said something.
  public enum Witness: String, Encodable, Sendable {
    case daemon
    /// This program, by the files.
    case files
    /// Nobody could look at the device.
    case nobody
  }

  /// As the protocol has it; from the daemon where it serves the device, else from the files.
  public var device: DeviceMessage
  public var judgedBy: Witness
  /// What the daemon says otherwise than the files, and not by what it saw in use.
  public var outdated: Bool
  /// The daemon answers, and has no such device.
  public var unserved: Bool
  public var links: [String]
  /// Empty when the node could not be read.
  public var axes: [Axis]
  public var properties: [String]
  public var table: TableEntry?
  /// The line of a calibrated profile.
  public var calibration: Place?
  /// Who switched the device off: a line of a settings file, or udev.
  public var switchedOffBy: String?
  /// The line that asks for recognition by a guess.
  public var estimatedBy: Place?
  public var permissions: Permissions?
  public var palm: Palm?
  /// What the daemon saw pressure do; nil where it may not be asked, or saw no pressure axis.
  public var pressure: MonitorMessage.PressureStatistics? {
    didSet { independence = pressure.map { Independence($0) } }
  }
  /// What follows from that; nil where nothing is known.
  public private(set) var independence: Independence?

  public init(
    device: DeviceMessage, judgedBy: Witness, outdated: Bool = false, unserved: Bool = false,
    links: [String] = [], axes: [Axis] = [], properties: [String] = [], table: TableEntry? = nil,
    calibration: Place? = nil, switchedOffBy: String? = nil, estimatedBy: Place? = nil,
    permissions: Permissions? = nil, palm: Palm? = nil,
    pressure: MonitorMessage.PressureStatistics? = nil
  ) {
    self.device = device
    self.judgedBy = judgedBy
    self.outdated = outdated
    self.unserved = unserved
    self.links = links
    self.axes = axes
    self.properties = properties
    self.table = table
    self.calibration = calibration
    self.switchedOffBy = switchedOffBy
    self.estimatedBy = estimatedBy
    self.permissions = permissions
    self.palm = palm
    self.pressure = pressure
    independence = pressure.map { Independence($0) }
  }
}
