import ForceTouchDoctor
import ForceTouchModel
import ForceTouchProtocol

enum DevicesCommand: Command {
  static let name = "devices"
  static let summary = "List the touch devices and whether they feel force."
  static let synopsis = "[--json] [--socket PATH]"
  static let options = [jsonOption, socketOption]
  static let operands = 0...0

  static func run(_ arguments: Arguments) throws(CommandError) {
    let devices = try Connection(arguments).devices()
    if arguments.has("--json") {
      for device in devices { Output.writeLine(try encode(device)) }
      return
    }
    guard !devices.isEmpty else { return Output.write(SeenDevices().whyNone) }
    let rows = devices.map {
      [
        $0.device, $0.name.printable, $0.place, $0.capability.rawValue,
        $0.explanation,
      ]
    }
    Output.write(table([["DEVICE", "NAME", "NODE", "FORCE", "WHY"]] + rows))
    for device in devices {
      if let step = device.nextStep { Output.write("\(device.device): \(step)\n") }
    }
  }
}
