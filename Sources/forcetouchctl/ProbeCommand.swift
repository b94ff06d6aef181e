import ForceTouchDevices
import ForceTouchDoctor
import ForceTouchEngine
import ForceTouchModel
import ForceTouchProtocol
import ForceTouchRecordings

enum ProbeCommand: Command {
  static let name = "probe"
  static let summary = "Judge a device node or a recording, with no daemon running."
  static let synopsis = "NODE-or-FILE [--description FILE] [--config FILE] [--json]"
  static let options = [Judge.descriptionOption, Judge.configOption, jsonOption]
  static let operands = 1...1

  static func run(_ arguments: Arguments) throws(CommandError) {
    let path = arguments.operands[0]
    let description = try describe(path, arguments)
    let judge = try Judge(arguments)
    let engine = DeviceEngine(description: description, judge: judge)
    let message = DeviceMessage(engine, device: path)
    if arguments.has("--json") {
      Output.writeLine(try encode(message))
    } else {
      Output.write(text(message, tableEntry: judge.table.entry(for: description)))
    }
  }

  private static func describe(
    _ path: String, _ arguments: Arguments
  ) throws(CommandError) -> DeviceDescription {
    if LiveNode.isNode(path) {
      if arguments.has("--description") {
        throw .usage("--description is for recordings; \(path) describes itself")
      }
      return try LiveNode(path).describe()
    }
    let line = LiveLine()
    defer { line.clear() }
    do throws(RecordingError) {
      return try Recording(path, arguments, progress: line).description
    } catch {
      throw .failed(error.description)
    }
  }

  private static func text(_ device: DeviceMessage, tableEntry: DeviceTable.Entry?) -> String {
    let guess = device.estimated ? " (a guess)" : ""
    var lines = [
      (device.name.isEmpty ? device.device : device.name).printable,
      "  force       \(device.capability.rawValue) (\(device.reason.rawValue)): "
        + device.explanation,
      "  node        \(device.place)",
      "  bus         \(device.bus), vendor \(hexadecimal(device.vendor)), "
        + "product \(hexadecimal(device.product))",
    ]
    if let kind = device.kind { lines.append("  kind        \(kind.rawValue)") }
    if let driver = device.driver { lines.append("  driver      \(driver)") }
    if let axis = device.pressure {
      let unit = axis.resolution == 0 ? "without a unit" : "\(axis.resolution) per gram"
      lines.append("  pressure    \(axis.minimum)…\(axis.maximum), \(unit)")
    }
    if let tableEntry {
      let doubt =
        tableEntry.kind == .unknown ? ": nobody has established yet what its pressure measures" : ""
      lines.append("  table       \(tableEntry.name)\(doubt)")
    }
    if let profile = device.profile { lines.append("  profile     \(profile.text)\(guess)") }
    if let thresholds = device.thresholds { lines.append("  thresholds  \(thresholds.text)") }
    if let step = device.nextStep { lines.append("  next        \(step)") }
    return lines.joined(separator: "\n") + "\n"
  }
}
