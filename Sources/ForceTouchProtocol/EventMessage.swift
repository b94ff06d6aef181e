public import ForceTouchModel

/// `type Event` of `org.forcetouchd.Monitor`.
public struct EventMessage: Codable, Equatable, Sendable {
  public enum Kind: String, Codable, Sendable, CaseIterable {
    case began, changed, peek, pop, peekEnded, peekCancelled, ended, cancelled

    init(_ kind: ContactEvent.Kind) {
      self =
        switch kind {
        case .began: .began
        case .changed: .changed
        case .peek: .peek
        case .pop: .pop
        case .peekEnded: .peekEnded
        case .peekCancelled: .peekCancelled
        case .ended: .ended
        case .cancelled: .cancelled
        }
    }
  }

  public var event: Kind
  public var device: String
  public var contact: UInt32
  public var slot: Int32
  public var time: Int64
  public var reason: CancelReason?
  public var x: Int32?
  public var y: Int32?
  public var raw: Int32?
  public var pressure: Double?
  public var force: Double?
  public var grams: Double?
  public var gramsUncertainty: Double?
  public var stage: UInt8
  public var peekProgress: Double
  public var popProgress: Double
  public var alreadyDown: Bool?
  public var resynchronized: Bool?
  public var estimated: Bool?
  public var failure: FailureReason?

  /// The message that ``EventEncoder`` writes; reals are rounded as it rounds them.
  public init(_ event: ContactEvent, device: String) {
    self.event = Kind(event.kind)
    self.device = device
    contact = event.contact.rawValue
    slot = event.slot
    time = event.time.microseconds
    reason = event.kind.reason
    x = event.position?.x
    y = event.position?.y
    raw = event.rawPressure
    pressure = event.force.map { $0.pressure.rounded4 }
    force = event.force.map { $0.force.rounded4 }
    grams = event.force?.grams.map { $0.value.rounded4 }
    gramsUncertainty = event.force?.grams.map { $0.uncertainty.rounded4 }
    stage = event.stage
    peekProgress = event.peekProgress.rounded4
    popProgress = event.popProgress.rounded4
    alreadyDown = event.wasAlreadyDown ? true : nil
    resynchronized = event.isResynchronized ? true : nil
    estimated = event.isEstimated ? true : nil
    failure = event.failure
  }
}

extension ContactEvent.Kind {
  /// Why, where something was cancelled.
  public var reason: CancelReason? {
    switch self {
    case .peekCancelled(let reason), .cancelled(let reason): reason
    case .began, .changed, .peek, .pop, .peekEnded, .ended: nil
    }
  }
}

extension Double {
  /// Rounded to the four decimals that the wire carries.
  var rounded4: Double { (self * 10_000).rounded() / 10_000 }
}
