public import ForceTouchModel

/// `type Device` of `org.forcetouchd.Devices` and `org.forcetouchd.Monitor`.
public struct DeviceMessage: Codable, Equatable, Sendable {
  public struct Axis: Codable, Equatable, Sendable {
    public var minimum: Int32
    public var maximum: Int32
    public var resolution: Int32

    init(_ axis: ForceTouchModel.Axis) {
      minimum = axis.minimum
      maximum = axis.maximum
      resolution = axis.resolution
    }
  }

  /// See `ForceProfile` for meaning and ranges.
  public struct Profile: Codable, Equatable, Sendable {
    public var floor: Double
    public var average: Double
    public var ceiling: Double
    public var click: Double?
    public var maximumPossibleForce: Double

    public init(_ profile: ForceProfile) {
      floor = profile.floor
      average = profile.average
      ceiling = profile.ceiling
      click = profile.click
      maximumPossibleForce = profile.maximumPossibleForce
    }
  }

  public struct Thresholds: Codable, Equatable, Sendable {
    public var hint: Double
    public var peek: Double
    public var pop: Double

    public init(hint: Double, peek: Double, pop: Double) {
      self.hint = hint
      self.peek = peek
      self.pop = pop
    }
  }

  public var device: String
  public var name: String
  public var node: String?
  public var seat: String?
  public var kind: TouchKind?
  public var bus: String
  public var vendor: UInt16
  public var product: UInt16
  public var driver: String?
  public var capability: ForceTouchCapability
  public var reason: CapabilityReason
  public var explanation: String
  public var estimated: Bool
  public var x: Axis?
  public var y: Axis?
  public var pressure: Axis?
  public var profile: Profile?
  public var thresholds: Thresholds?

  public init(
    device: String, description: DeviceDescription, kind: TouchKind?,
    capability: ForceTouchCapability, reason: CapabilityReason, isEstimated: Bool = false,
    profile: ForceProfile? = nil, thresholds: Thresholds? = nil
  ) {
    self.device = device
    name = description.name
    node = description.node
    seat = description.seat
    self.kind = kind
    bus = description.bus.name
    vendor = description.vendor
    product = description.product
    driver = description.driver
    self.capability = capability
    self.reason = reason
    explanation = reason.explanation
    estimated = isEstimated
    let positions = description.positionAxes
    x = positions.map { Axis($0.x) }
    y = positions.map { Axis($0.y) }
    pressure = description.pressureAxis.map { Axis($0) }
    self.profile = profile.map { Profile($0) }
    self.thresholds = thresholds
  }
}

extension DeviceMessage {
  /// Played from a file, with a clock that is none of this machine's: every real device has a seat. A
  /// recording may name the node of the machine that it was made on, which says nothing here.
  public var isRecording: Bool { seat == nil }

  /// Its node, for people.
  public var place: String { isRecording ? "a recording" : node ?? "unknown" }
}

extension TouchKind: Codable {}
extension ForceTouchCapability: Codable {}
extension CapabilityReason: Codable {}
extension CancelReason: Codable {}
extension FailureReason: Codable {}
