public import ForceTouchModel

/// The calls and replies of `org.forcetouchd.Devices`.
public enum DevicesMessage {
  public static let interface = "org.forcetouchd.Devices"

  public struct ListReply: Codable, Equatable, Sendable {
    public var devices: [DeviceMessage]
    public init(devices: [DeviceMessage]) { self.devices = devices }
  }

  public struct GetCapabilityCall: Codable, Equatable, Sendable {
    public var device: String?
    public init(device: String?) { self.device = device }
  }

  public struct GetCapabilityReply: Codable, Equatable, Sendable {
    public var capability: ForceTouchCapability
    public var reason: CapabilityReason
    public var explanation: String

    public init(capability: ForceTouchCapability, reason: CapabilityReason) {
      self.capability = capability
      self.reason = reason
      explanation = reason.explanation
    }
  }

  /// Exactly one field is set.
  public struct WatchReply: Codable, Equatable, Sendable {
    public var snapshot: [DeviceMessage]?
    public var added: DeviceMessage?
    public var changed: DeviceMessage?
    public var removed: String?

    public init(
      snapshot: [DeviceMessage]? = nil, added: DeviceMessage? = nil, changed: DeviceMessage? = nil,
      removed: String? = nil
    ) {
      self.snapshot = snapshot
      self.added = added
      self.changed = changed
      self.removed = removed
    }
  }

}

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

    public init(
      device: String, open: Bool, frames: Int, events: Int, resynchronizations: Int
    ) {
      self.device = device
      self.open = open
      self.frames = frames
      self.events = events
      self.resynchronizations = resynchronizations
    }
  }

  public struct GetStatisticsReply: Codable, Equatable, Sendable {
    public var uptime: Int64
    public var connections: Int
    public var streams: Int
    public var coalesced: Int
    public var disconnected: Int
    public var devices: [DeviceStatistics]

    public init(
      uptime: Int64, connections: Int, streams: Int, coalesced: Int, disconnected: Int,
      devices: [DeviceStatistics]
    ) {
      self.uptime = uptime
      self.connections = connections
      self.streams = streams
      self.coalesced = coalesced
      self.disconnected = disconnected
      self.devices = devices
    }
  }

  public struct PermissionDenied: Codable, Equatable, Sendable {
    public static let error = "org.forcetouchd.Monitor.PermissionDenied"
    public var needed: String
    public init(needed: String) { self.needed = needed }
  }
}

/// `error NoSuchDevice` of both interfaces.
public struct NoSuchDevice: Codable, Equatable, Sendable {
  public var device: String
  public init(device: String) { self.device = device }

  public static func error(of interface: String) -> String { interface + ".NoSuchDevice" }
}

/// `type Frame` of `org.forcetouchd.Monitor`.
public struct FrameMessage: Codable, Equatable, Sendable {
  public struct InputEvent: Codable, Equatable, Sendable {
    public var type: UInt16
    public var code: UInt16
    public var value: Int32
  }

  public var device: String
  public var time: Int64
  public var resynchronized: Bool
  public var events: [InputEvent]

  public init(_ frame: Frame, device: String) {
    self.device = device
    time = frame.time.microseconds
    resynchronized = frame.isResynchronized
    events = frame.events.map { InputEvent(type: $0.type, code: $0.code, value: $0.value) }
  }

  /// The frame as the engine takes it.
  public var frame: Frame {
    let time = Timestamp(microseconds: time)
    return Frame(
      time: time,
      events: events.map {
        ForceTouchModel.InputEvent(time: time, type: $0.type, code: $0.code, value: $0.value)
      }, isResynchronized: resynchronized)
  }
}
