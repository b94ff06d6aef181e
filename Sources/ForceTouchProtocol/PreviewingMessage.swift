public import ForceTouchModel

/// The calls, replies and errors of `org.forcetouchd.Previewing`.
public enum PreviewingMessage {
  public static let interface = "org.forcetouchd.Previewing"

  /// Which contacts a context may be asked about.
  public enum Coverage: String, Codable, Sendable {
    case view, region, everything
  }

  public struct Rect: Codable, Equatable, Sendable {
    public var x: Double
    public var y: Double
    public var width: Double
    public var height: Double

    public init(x: Double, y: Double, width: Double, height: Double) {
      self.x = x
      self.y = y
      self.width = width
      self.height = height
    }
  }

  public struct Size: Codable, Equatable, Sendable {
    public var width: Double
    public var height: Double

    public init(width: Double, height: Double) {
      self.width = width
      self.height = height
    }
  }

  public struct Point: Codable, Equatable, Sendable {
    public var x: Double
    public var y: Double

    public init(x: Double, y: Double) {
      self.x = x
      self.y = y
    }
  }

  public struct RegisterCall: Codable, Equatable, Sendable {
    public var coverage: Coverage
    public var size: Size?
    public var region: Rect?
    public var touchscreens: Bool?
    public var device: String?
    public var seat: String?
    public var active: Bool?

    public init(
      coverage: Coverage, size: Size? = nil, region: Rect? = nil, touchscreens: Bool? = nil,
      device: String? = nil, seat: String? = nil, active: Bool? = nil
    ) {
      self.coverage = coverage
      self.size = size
      self.region = region
      self.touchscreens = touchscreens
      self.device = device
      self.seat = seat
      self.active = active
    }
  }

  public struct Snapshot: Codable, Equatable, Sendable {
    public var token: String
    public var active: Bool

    public init(token: String, active: Bool) {
      self.token = token
      self.active = active
    }
  }

  /// Exactly one field is set; none in the last reply of all.
  public struct RegisterReply: Codable, Equatable, Sendable {
    public var snapshot: Snapshot?
    public var active: Bool?
    public var event: Event?
    public var coalesced: Int?

    public init(
      snapshot: Snapshot? = nil, active: Bool? = nil, event: Event? = nil, coalesced: Int? = nil
    ) {
      self.snapshot = snapshot
      self.active = active
      self.event = event
      self.coalesced = coalesced
    }
  }

  /// `type Event`. The interface says what each field means and when it is there.
  public struct Event: Codable, Equatable, Sendable {
    public enum Kind: String, Codable, Sendable, CaseIterable {
      case question, peekProgress, peek, popProgress, pop, peekEnded, peekCancelled

      init(_ kind: PreviewEvent.Kind) {
        self =
          switch kind {
          case .question: .question
          case .peekProgress: .peekProgress
          case .peek: .peek
          case .popProgress: .popProgress
          case .pop: .pop
          case .peekEnded: .peekEnded
          case .peekCancelled: .peekCancelled
          }
      }
    }

    public var event: Kind
    public var interaction: UInt64
    public var device: String
    public var time: Int64
    public var timeout: Int64?
    public var claimed: UInt32?
    public var location: Point?
    public var progress: Double?
    public var reason: PreviewCancelReason?
    public var pressure: Double?
    public var force: Double?
    public var maximumPossibleForce: Double?
    public var grams: Double?
    public var estimated: Bool?

    /// The message that ``EventEncoder`` writes; reals are rounded as it rounds them.
    ///
    /// - Parameters:
    ///   - device: Its name on the wire.
    ///   - maximumPossibleForce: Of the device; nil without a profile.
    public init(_ event: PreviewEvent, device: String, maximumPossibleForce: Double?) {
      self.event = Kind(event.kind)
      interaction = event.interaction.rawValue
      self.device = device
      time = event.time.microseconds
      location = event.location.map { Point(x: $0.x.rounded4, y: $0.y.rounded4) }
      pressure = event.force?.pressure.rounded4
      force = event.force?.force.rounded4
      grams = event.force?.grams?.value.rounded4
      estimated = event.isEstimated ? true : nil
      switch event.kind {
      case .question(let timeout, let claimed):
        self.timeout = timeout.microseconds
        self.claimed = claimed
        self.maximumPossibleForce = maximumPossibleForce?.rounded4
      case .peekProgress(let progress), .popProgress(let progress):
        self.progress = progress.rounded4
      case .peekCancelled(let reason): self.reason = reason
      case .peek, .pop, .peekEnded: break
      }
    }
  }

  public struct AnswerCall: Codable, Equatable, Sendable {
    public var token: String
    public var interaction: UInt64
    public var preview: Bool
    public var sourceRect: Rect?
    public var allowsPop: Bool?

    public init(
      token: String, interaction: UInt64, preview: Bool, sourceRect: Rect? = nil,
      allowsPop: Bool? = nil
    ) {
      self.token = token
      self.interaction = interaction
      self.preview = preview
      self.sourceRect = sourceRect
      self.allowsPop = allowsPop
    }
  }

  public struct ClaimCall: Codable, Equatable, Sendable {
    public var token: String
    public var touchTime: UInt32

    public init(token: String, touchTime: UInt32) {
      self.token = token
      self.touchTime = touchTime
    }
  }

  public struct SetActiveCall: Codable, Equatable, Sendable {
    public var token: String
    public var active: Bool

    public init(token: String, active: Bool) {
      self.token = token
      self.active = active
    }
  }

  public struct UnregisterCall: Codable, Equatable, Sendable {
    public var token: String
    public init(token: String) { self.token = token }
  }
}

extension PreviewCancelReason: Codable {}
