import ForceTouchDoctor
import ForceTouchModel
import ForceTouchProtocol

// Parts of the protocol's objects as people read them.

extension DeviceMessage.Profile {
  var text: String {
    "floor \(decimal(floor)), average \(decimal(average)), ceiling \(decimal(ceiling))"
      + (click.map { ", click \(decimal($0))" } ?? "")
      + "; maximum possible force \(decimal(maximumPossibleForce))"
  }
}

extension DeviceMessage.Thresholds {
  var text: String { "hint \(decimal(hint)), peek \(decimal(peek)), pop \(decimal(pop))" }
}

extension DeviceMessage.Thresholds {
  /// Why a contact that was pressed so hard at most, and gave no peek, did not; for all who tell it.
  func whyNoPeek(hardest raw: Int32) -> String {
    Double(raw) < peek
      ? "the hardest was raw \(raw), peek is at \(decimal(peek))"
      : "raw \(raw) went past peek at \(decimal(peek)): replay --without RULE finds the rule that said no"
  }
}

extension FailureReason {
  /// The same of a contact that can give no peek any more.
  var whyNoPeek: String { "no peek any more: \(explanation) (\(rawValue))" }
}

extension ControlMessage.Setting {
  /// Where it was set.
  var place: String { file.map { "\($0):\(line ?? 0)" } ?? "default" }
}
