public import ForceTouchProtocol

/// Whether pressure was seen to be more than the size of the contact, as far as its use tells. It is
/// no proof of force.
public enum Independence: String, Encodable, Sendable {
  case yes
  case no
  /// Too little, or the device reports no size.
  case notEnoughSeen

  /// Of fewer samples or contacts nothing is said.
  static let fewestSamples = 500
  static let fewestContacts = 10
  /// A correlation with which pressure is hardly anything else (`docs/devices.md`).
  static let closeCorrelation = 0.9

  public init(_ seen: MonitorMessage.PressureStatistics) {
    let correlations = [seen.majorCorrelation, seen.minorCorrelation].compactMap { $0?.magnitude }
    if seen.proven != nil {
      self = .no
    } else if seen.samples < Self.fewestSamples || seen.contacts < Self.fewestContacts {
      self = .notEnoughSeen
    } else if let closest = correlations.max() {
      self = closest >= Self.closeCorrelation ? .no : .yes
    } else {
      self = .notEnoughSeen
    }
  }

  /// The word for people.
  public var explanation: String {
    switch self {
    case .yes: "yes"
    case .no: "no"
    case .notEnoughSeen: "not enough seen"
    }
  }
}
