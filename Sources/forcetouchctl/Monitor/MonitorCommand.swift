import ForceTouchProtocol
import Glibc
import Varlink

/// `forcetouchctl monitor`: on a terminal ``LiveMonitor``, else lines for people or for programs.
enum MonitorCommand: Command {
  static let name = "monitor"
  static let summary = "Watch contacts, peeks and pops as they happen."
  static let synopsis = "[DEVICE] [--plain] [--all] [--frames] [--json] [--socket PATH]"
  static let options = [
    (
      name: "--plain", value: String?.none,
      meaning: "print lines on a terminal too, instead of the live screen"
    ),
    (name: "--all", value: nil, meaning: "lines: print every change of force, not ten a second"),
    (name: "--frames", value: nil, meaning: "with --json: raw frames as well"),
    jsonOption, socketOption,
  ]
  static let operands = 0...1

  static func run(_ arguments: Arguments) throws(CommandError) {
    let isJSON = arguments.has("--json")
    if arguments.has("--frames") && !isJSON {
      throw .usage("--frames needs --json; see forcetouchctl monitor --help")
    }
    let isLive =
      !isJSON && !arguments.has("--plain") && !arguments.has("--all") && CursesTerminal.isPossible
    let connect = { () throws(CommandError) -> (Connection, MonitorMessage.WatchCall) in
      let connection = try Connection(arguments)
      var call = MonitorMessage.WatchCall()
      if let text = arguments.operands.first {
        call.device = try connection.device(named: text).device
      }
      if isLive || arguments.has("--frames") { call.frames = true }
      return (connection, call)
    }
    if isLive { return try LiveMonitor(socket: arguments.socket, connect: connect).run() }
    let (connection, call) = try connect()
    var printer = EventPrinter(showsAll: arguments.has("--all"))
    try connection.stream(MonitorMessage.interface + ".Watch", call) { reply throws(CommandError) in
      if isJSON {
        Output.writeLine(reply.parameters)
        guard call.device != nil else { return true }
      }
      let message = try decode(reply, as: MonitorMessage.WatchReply.self)
      if !isJSON { show(message, &printer) }
      // A device that comes back has another name: there is nothing left to wait for.
      return call.device == nil || message.removed != call.device
    }
  }

  private static func show(_ reply: MonitorMessage.WatchReply, _ printer: inout EventPrinter) {
    if let event = reply.event { printer.print(event) }
    if let snapshot = reply.snapshot {
      if snapshot.devices.isEmpty {
        Output.write(SeenDevices().whyNone + "Waiting for one; Ctrl-C ends it.\n")
      }
      for device in snapshot.devices { printer.add(device) }
      for event in snapshot.events { printer.print(event) }
    }
    if let device = reply.added { printer.add(device) }
    if let device = reply.changed { printer.add(device, verb: " (changed)") }
    if let device = reply.removed { printer.remove(device) }
    if let count = reply.coalesced {
      Output.write("          \(count) changes left out: this terminal is too slow\n")
    }
  }
}
