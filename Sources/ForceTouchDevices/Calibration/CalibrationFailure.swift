/// Why a device was not calibrated.
public enum CalibrationFailure: Error, Equatable, Sendable, CustomStringConvertible {
  /// There were fewer than ``Calibration/leastTouches`` touches of this effort.
  case tooFewTouches(Effort)
  /// Pressure is the contact's size or a linear function of it, is constant, or has two values.
  case evidence(PressureEvidence)
  /// Pressure has fewer than ``Calibration/leastValues`` values.
  case tooFewValues(Int)
  /// Light touches with the flat of the finger read as hard ones.
  case measuresSize
  /// Touches of the two efforts cannot be told apart.
  case notSeparated(Effort, Effort)
  /// Harder touches read lower.
  case reversed(Effort, Effort)
  /// The firm touches were less than twice as hard as the normal ones.
  case firmTooLight
  /// The normal touches are so close to no force, beside the firm ones, that no profile is usable.
  case normalTooLight
  /// The firm touches hardly went past the pad's own click.
  case hardlyPastClick
  /// There are too few steps between no force and a firm press.
  case tooFewSteps

  /// What is wrong and what to do, in one line for people.
  public var description: String {
    switch self {
    case .tooFewTouches(let effort):
      "there must be at least \(Calibration.leastTouches) \(effort.rawValue) touches"
    case .evidence(.equalsSize):
      "its pressure goes with the size of the contact alone; it cannot feel force"
    case .evidence(.constant):
      "its pressure never changes; it cannot feel force"
    case .evidence(.binary):
      "its pressure has only two values; it cannot feel force"
    case .tooFewValues(let count):
      "its pressure has only \(count) different values; peek and pop need at least "
        + "\(Calibration.leastValues)"
    case .measuresSize:
      "a light touch with the flat of the finger reads as a hard one: its pressure is the size of "
        + "the contact, not force; if you pressed there, try again without"
    case .notSeparated(let lower, let higher):
      "it does not tell \(lower.rawValue) touches from \(higher.rawValue) ones; if they felt "
        + "different, try again and make the difference greater, else it cannot feel force"
    case .reversed(let lower, let higher):
      "\(higher.rawValue) touches read lower than \(lower.rawValue) ones; were they in the asked "
        + "order? If so, its pressure is not force"
    case .firmTooLight:
      "the firm touches were less than twice as hard as the normal ones; try again and press as "
        + "hard as is comfortable, else it cannot feel force"
    case .normalTooLight:
      "beside the firm touches the normal ones were hardly any; try again and touch as you always do"
    case .hardlyPastClick:
      "the firm touches hardly went past the pad's own click; try again and press on past it"
    case .tooFewSteps:
      "there are fewer than \(leastPressureRange) steps between no force and a firm press; try again "
        + "and press harder, else it is too coarse for peek and pop"
    }
  }
}
