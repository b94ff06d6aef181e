import ForceTouchDevices
import ForceTouchModel
import Glibc

/// The input devices of this machine, for whoever misses one, with no daemon running.
struct SeenDevices {
  private let all = SeenDevice.all(Udev())

  /// Why nobody has a touch device, device by device.
  var whyNone: String {
    guard !all.isEmpty else {
      return "There is no trackpad or touchscreen: udev knows no input device at all.\n"
    }
    let lines = table(
      all.map { [$0.node, $0.name.printable, $0.objection ?? "a \($0.kind?.rawValue ?? "")"] },
      indent: "  ")
    guard all.allSatisfy({ $0.objection != nil }) else {
      return "The daemon has no device; forcetouchctl doctor says why. There are:\n" + lines
    }
    return "There is no trackpad or touchscreen. There are:\n" + lines
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
