import ForceTouchDoctor
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

extension ControlMessage.Setting {
  /// Where it was set.
  var place: String { file.map { "\($0):\(line ?? 0)" } ?? "default" }
}
