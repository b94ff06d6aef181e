import ForceTouchProtocol

enum CapabilityCommand: Command {
  static let name = "capability"
  static let summary = "Say whether a device, or any device, feels force, and why."
  static let synopsis = "[DEVICE] [--json] [--socket PATH]"
  static let options = [jsonOption, socketOption]
  static let operands = 0...1

  static func run(_ arguments: Arguments) throws(CommandError) {
    let connection = try Connection(arguments)
    var device: String?
    if let text = arguments.operands.first { device = try connection.device(named: text).device }
    let reply = try connection.call(
      DevicesMessage.interface + ".GetCapability", DevicesMessage.GetCapabilityCall(device: device))
    if arguments.has("--json") {
      Output.writeLine(reply.parameters)
      return
    }
    let answer = try decode(reply, as: DevicesMessage.GetCapabilityReply.self)
    Output.write("\(answer.capability.rawValue): \(answer.explanation)\n")
    if answer.reason == .noDevice { Output.write(SeenDevices().whyNone) }
  }
}
