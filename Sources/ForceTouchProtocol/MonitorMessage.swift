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

    public init(
      device: String, open: Bool, frames: Int, events: Int, resynchronizations: Int,
      outOfRange: Int
    ) {
      self.device = device
      self.open = open
      self.frames = frames
      self.events = events
      self.resynchronizations = resynchronizations
      self.outOfRange = outOfRange
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
