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
