import ForceTouchDevices
import ForceTouchModel
import Glibc

/// The input devices of this machine, for whoever misses one, with no daemon running.
struct SeenDevices {
  private let all = SeenDevice.all(Udev())

  /// Why nobody has a touch device, device by device.
  var whyNone: String {
    let absence = SeenDevice.absence(all).map { $0.prefix(1).uppercased() + $0.dropFirst() }
    let statement = absence ?? "The daemon has no device; forcetouchctl doctor says why"
    if all.isEmpty { return statement + ".\n" }
    return statement + ". There are:\n"
      + table(
        all.map { [$0.node, $0.name.printable, $0.objection ?? "a \($0.kind?.rawValue ?? "")"] },
        indent: "  ")
  }

  /// The touch devices by their nodes; nil where there is none.
  var choices: String? {
    let touch = all.filter { $0.objection == nil }
    guard !touch.isEmpty else { return nil }
    return table(
      touch.map {
        let columns = [$0.node, $0.name.printable, $0.kind?.rawValue ?? ""]
        return access($0.node, R_OK) == 0 ? columns : columns + ["needs sudo"]
      }, indent: "  ")
  }
}
