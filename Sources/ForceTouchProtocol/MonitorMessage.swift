public import ForceTouchModel

/// The calls and replies of `org.forcetouchd.Monitor`.
public enum MonitorMessage {
  public static let interface = "org.forcetouchd.Monitor"

  public struct WatchCall: Codable, Equatable, Sendable {
    public var device: String?
    public var frames: Bool?

    public init(device: String? = nil, frames: Bool? = nil) {
      self.device = device
      self.frames = frames
    }
  }

  /// Exactly one field is set.
  public struct WatchReply: Codable, Equatable, Sendable {
    public var snapshot: Snapshot?
    public var event: EventMessage?
    public var frame: FrameMessage?
    public var added: DeviceMessage?
    public var changed: DeviceMessage?
    public var removed: String?
    public var coalesced: Int?

    public init(
      snapshot: Snapshot? = nil, event: EventMessage? = nil, frame: FrameMessage? = nil,
      added: DeviceMessage? = nil, changed: DeviceMessage? = nil, removed: String? = nil,
      coalesced: Int? = nil
    ) {
      self.snapshot = snapshot
      self.event = event
      self.frame = frame
      self.added = added
      self.changed = changed
      self.removed = removed
      self.coalesced = coalesced
    }
  }

  public struct DescribeCall: Codable, Equatable, Sendable {
    public var device: String
    public init(device: String) { self.device = device }
  }

  public struct Snapshot: Codable, Equatable, Sendable {
    public var devices: [DeviceMessage]
    public var events: [EventMessage]

    public init(devices: [DeviceMessage], events: [EventMessage]) {
      self.devices = devices
      self.events = events
    }
  }

  public struct DeviceStatistics: Codable, Equatable, Sendable {
    public var device: String
    public var open: Bool
    public var frames: Int
    public var events: Int
    public var resynchronizations: Int
    public var outOfRange: Int
    public var pressure: PressureStatistics?

    public init(
      device: String, open: Bool, frames: Int, events: Int, resynchronizations: Int,
      outOfRange: Int, pressure: PressureStatistics? = nil
    ) {
      self.device = device
      self.open = open
      self.frames = frames
      self.events = events
      self.resynchronizations = resynchronizations
      self.outOfRange = outOfRange
      self.pressure = pressure
    }
  }

  /// `type PressureStatistics`: what pressure was seen to do while the device was used. Fields
  /// that cannot be computed yet are nil.
  public struct PressureStatistics: Codable, Equatable, Sendable {
    /// States of fingers that differ from the last in position, size or pressure.
    public var samples: Int
    public var contacts: Int
    /// The least and the greatest raw pressure.
    public var minimum: Int32?
    public var maximum: Int32?
    /// Samples outside of what the axis declares.
    public var outside: Int
    /// Different pressures: exact up to 3, and where they span less than 1024.
    public var distinct: Int
    /// Of pressure with the contact's size along its axes, −1…1.
    public var majorCorrelation: Double?
    public var minorCorrelation: Double?
    /// In which part of the samples with a size pressure was the same number, 0…1.
    public var equal: Double?
    /// In which part of what moved pressure stayed the same, 0…1.
    public var stuck: Double?
    /// Of how many samples one after another.
    public var longestStuck: Int
    /// Jumps over nearly the whole range.
    public var wraps: Int
    /// `equalsSize`, `constant` or `binary`.
    public var proven: CapabilityReason?

    public init(
      samples: Int, contacts: Int, minimum: Int32? = nil, maximum: Int32? = nil, outside: Int = 0,
      distinct: Int, majorCorrelation: Double? = nil, minorCorrelation: Double? = nil,
      equal: Double? = nil, stuck: Double? = nil, longestStuck: Int = 0, wraps: Int = 0,
      proven: CapabilityReason? = nil
    ) {
      self.samples = samples
      self.contacts = contacts
      self.minimum = minimum
      self.maximum = maximum
      self.outside = outside
      self.distinct = distinct
      self.majorCorrelation = majorCorrelation
      self.minorCorrelation = minorCorrelation
      self.equal = equal
      self.stuck = stuck
      self.longestStuck = longestStuck
      self.wraps = wraps
      self.proven = proven
    }
  }

  public struct Seat: Codable, Equatable, Sendable {
    public var seat: String
    public var user: UInt32

    public init(seat: String, user: UInt32) {
      self.seat = seat
      self.user = user
    }
  }

  public struct GetStatisticsReply: Codable, Equatable, Sendable {
    public var uptime: Int64
    public var connections: Int
    public var streams: Int
    public var coalesced: Int
    public var disconnected: Int
    public var seats: [Seat]
    public var devices: [DeviceStatistics]

    public init(
      uptime: Int64, connections: Int, streams: Int, coalesced: Int, disconnected: Int,
      seats: [Seat], devices: [DeviceStatistics]
    ) {
      self.uptime = uptime
      self.connections = connections
      self.streams = streams
      self.coalesced = coalesced
      self.disconnected = disconnected
      self.seats = seats
      self.devices = devices
    }
  }
}
