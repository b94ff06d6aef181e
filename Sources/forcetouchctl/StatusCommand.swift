import ForceTouchDoctor
import ForceTouchModel
import ForceTouchProtocol

enum StatusCommand: Command {
  static let name = "status"
  static let summary = "Show the daemon: uptime, devices, clients, counters, effective settings."
  static let synopsis = "[--json] [--socket PATH]"
  static let options = [jsonOption, socketOption]
  static let operands = 0...0

  private struct Info: Decodable {
    var product: String
    var version: String
  }

  static func run(_ arguments: Arguments) throws(CommandError) {
    let connection = try Connection(arguments)
    let info = try connection.call("org.varlink.service.GetInfo")
    let devices = try connection.call(DevicesMessage.interface + ".List")
    if arguments.has("--json") {
      for object in [info, devices] { Output.writeLine(object.parameters) }
      for method in ["Monitor.GetStatistics", "Control.GetSettings"] {
        do throws(CommandError) {
          Output.writeLine(try connection.call("org.forcetouchd." + method).parameters)
        } catch .refused(let why) {
          Output.complain("\(method): \(why)")
        }
      }
      return
    }
    let about = try decode(info, as: Info.self)
    Output.write("\(about.product.printable) \(about.version.printable)\n")
    let list = try decode(devices, as: DevicesMessage.ListReply.self).devices
    var statistics: MonitorMessage.GetStatisticsReply?
    do throws(CommandError) {
      let reply = try connection.call("org.forcetouchd.Monitor.GetStatistics")
      statistics = try decode(reply, as: MonitorMessage.GetStatisticsReply.self)
      Output.write(statistics.map(text) ?? "")
    } catch .refused(let why) {
      Output.write("counters\n  \(why)\n")
    }
    Output.write("devices\n" + text(list, statistics?.devices ?? []))
    try section("settings") { () throws(CommandError) in
      let reply = try connection.call("org.forcetouchd.Control.GetSettings")
      return text(try decode(reply, as: ControlMessage.GetSettingsReply.self))
    }
  }

  /// What the user may not see is said in its place; the rest is shown.
  private static func section(
    _ title: String, _ body: () throws(CommandError) -> String
  ) throws(CommandError) {
    Output.write(title + "\n")
    do throws(CommandError) {
      Output.write(try body())
    } catch .refused(let why) {
      Output.write("  \(why)\n")
    }
  }

  private static func text(_ statistics: MonitorMessage.GetStatisticsReply) -> String {
    let seats = statistics.seats.map { "\($0.seat.printable): uid \($0.user)" }
    return table([
      ["up", duration(statistics.uptime)],
      [
        "clients",
        "\(statistics.connections) connected (this is one), \(statistics.streams) listening",
      ],
      [
        "left out",
        "\(statistics.coalesced) changes that clients read too slowly, "
          + "\(statistics.disconnected) clients disconnected",
      ],
      ["at the seats", seats.isEmpty ? "nobody" : seats.joined(separator: ", ")],
    ])
  }

  /// - Parameter statistics: Empty where the user may not see them.
  private static func text(
    _ devices: [DeviceMessage], _ statistics: [MonitorMessage.DeviceStatistics]
  ) -> String {
    if devices.isEmpty {
      return SeenDevices().whyNone.split(separator: "\n").map { "  \($0)\n" }.joined()
    }
    let counts = Dictionary(
      statistics.map { ($0.device, $0) }, uniquingKeysWith: { first, _ in first })
    return table(
      devices.map { device in
        [
          device.device, device.name.printable, device.place,
          "\(device.capability.rawValue) (\(device.reason.rawValue))",
        ]
          + (counts[device.device].map {
            [
              $0.open ? "read now" : "closed",
              "\($0.frames) frames, \($0.events) events, lost events \($0.resynchronizations) times, "
                + "\($0.outOfRange) values out of range",
            ]
          } ?? [])
      }, indent: "  ")
  }

  private static func text(_ reply: ControlMessage.GetSettingsReply) -> String {
    table(
      reply.settings.map { setting in
        [setting.name, setting.value.printable, setting.place.printable]
      }, indent: "  ")
      + reply.problems.map { "  ignored: \($0.printable)\n" }.joined()
  }

  private static func duration(_ microseconds: Int64) -> String {
    let seconds = microseconds / 1_000_000
    let (minutes, hours, days) = (seconds / 60, seconds / 3600, seconds / 86_400)
    if days > 0 { return "\(days) d \(hours % 24) h" }
    if hours > 0 { return "\(hours) h \(minutes % 60) min" }
    return minutes > 0 ? "\(minutes) min \(seconds % 60) s" : "\(seconds) s"
  }
}
