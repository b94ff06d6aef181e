public import ForceTouchModel

/// One press that was said yes to, from the question to its close, as commands hear of it.
public struct ActionPress: Equatable, Sendable {
  /// What an event measured; nil is not known, and then what was known before still holds.
  public struct Sample: Equatable, Sendable {
    /// On the device's clock.
    public var time: Timestamp
    public var pressure: Double?
    /// 1.0 is an ordinary touch.
    public var force: Double?
    public var grams: Double?
    /// In parts of the touchscreen, from its upper left corner.
    public var location: ViewPoint?

    public init(
      time: Timestamp, pressure: Double? = nil, force: Double? = nil, grams: Double? = nil,
      location: ViewPoint? = nil
    ) {
      self.time = time
      self.pressure = pressure
      self.force = force
      self.grams = grams
      self.location = location
    }
  }

  public let device: ActionDevice
  public let interaction: UInt64
  public let maximumPossibleForce: Double?
  public let isEstimated: Bool
  public private(set) var sample: Sample
  /// Whether there was a peek: only then there is something to end.
  public private(set) var hasPeeked = false

  public init(
    device: ActionDevice, interaction: UInt64, maximumPossibleForce: Double?, isEstimated: Bool,
    sample: Sample
  ) {
    self.device = device
    self.interaction = interaction
    self.maximumPossibleForce = maximumPossibleForce
    self.isEstimated = isEstimated
    self.sample = sample
  }

  public mutating func take(_ sample: Sample) {
    self.sample.time = sample.time
    self.sample.pressure = sample.pressure ?? self.sample.pressure
    self.sample.force = sample.force ?? self.sample.force
    self.sample.grams = sample.grams ?? self.sample.grams
    self.sample.location = sample.location ?? self.sample.location
  }

  /// Whether rules for this may be followed now. A press that is taken back before its peek has
  /// nothing to end.
  public mutating func isWorthTelling(_ trigger: ActionTrigger) -> Bool {
    switch trigger {
    case .peek:
      hasPeeked = true
      return true
    case .pop, .peekEnded: return true
    case .peekCancelled: return hasPeeked
    }
  }

  /// The variables that a command may find in its environment. All of them are set by us or not at
  /// all, never inherited.
  public static let variables: Set<String> = [
    "FORCETOUCH_EVENT", "FORCETOUCH_INTERACTION", "FORCETOUCH_TIME", "FORCETOUCH_DEVICE",
    "FORCETOUCH_DEVICE_ID", "FORCETOUCH_NODE", "FORCETOUCH_PRESSURE", "FORCETOUCH_FORCE",
    "FORCETOUCH_MAXIMUM_FORCE", "FORCETOUCH_GRAMS", "FORCETOUCH_X", "FORCETOUCH_Y",
    "FORCETOUCH_REASON", "FORCETOUCH_ESTIMATED",
  ]

  /// What a command finds in its environment.
  ///
  /// - Parameter reason: Why a peek was taken back.
  public func environment(
    of trigger: ActionTrigger, reason: String? = nil
  ) -> [(name: String, value: String)] {
    let values: [(name: String, value: String?)] = [
      ("FORCETOUCH_EVENT", trigger.rawValue),
      ("FORCETOUCH_INTERACTION", "\(interaction)"),
      ("FORCETOUCH_TIME", "\(sample.time.microseconds)"),
      ("FORCETOUCH_DEVICE", device.name),
      ("FORCETOUCH_DEVICE_ID", device.id),
      ("FORCETOUCH_NODE", device.node),
      ("FORCETOUCH_PRESSURE", sample.pressure.map { "\($0)" }),
      ("FORCETOUCH_FORCE", sample.force.map { "\($0)" }),
      ("FORCETOUCH_MAXIMUM_FORCE", maximumPossibleForce.map { "\($0)" }),
      ("FORCETOUCH_GRAMS", sample.grams.map { "\($0)" }),
      ("FORCETOUCH_X", sample.location.map { "\($0.x)" }),
      ("FORCETOUCH_Y", sample.location.map { "\($0.y)" }),
      ("FORCETOUCH_REASON", reason),
      ("FORCETOUCH_ESTIMATED", isEstimated ? "1" : nil),
    ]
    return values.compactMap { name, value in
      // For the kernel a text ends at a NUL.
      value.map { (name, String($0.prefix { $0 != "\0" })) }
    }
  }
}
