import ForceTouchDoctor
import ForceTouchEngine
import ForceTouchModel
import ForceTouchProtocol

enum ReplayCommand: Command {
  static let name = "replay"
  static let summary = "Print the events that a recording gives, with no daemon running."
  static let synopsis =
    "FILE \(RecordingPlayer.synopsis) [--speed original|max] [--all] [--json]"
  static let options =
    RecordingPlayer.options + [
      (name: "--speed", value: "SPEED", meaning: "original, or max (the default)"),
      (name: "--all", value: nil, meaning: "print every change of force, not ten a second"),
      jsonOption,
    ]
  static let choices = RecordingPlayer.choices.merging(["--speed": ["original", "max"]]) { $1 }
  static let notes = RecordingPlayer.notes
  static let operands = 1...1

  /// The name of the one device there is, as the daemon would call it.
  private static let device = "d1"

  static func run(_ arguments: Arguments) throws(CommandError) {
    var player = try RecordingPlayer(arguments.operands[0], arguments)
    var sink = EventSink(
      isJSON: arguments.has("--json"), device: device,
      printer: EventPrinter(showsAll: arguments.has("--all")), line: player.line)
    sink.begin(player.engine)
    try player.play(isOriginalSpeed: arguments["--speed"] == "original") {
      _, events, engine, isJudgedAnew in
      sink.take(events)
      if isJudgedAnew { sink.begin(engine) }
    }
    sink.end()
    player.recording.complain()
  }
}

/// Where the events of a replay go.
private struct EventSink: ~Copyable {
  let isJSON: Bool
  let device: String
  var printer: EventPrinter
  /// How far the recording is read; what is printed may go to the same terminal.
  let line: LiveLine
  private var buffer = JSONBuffer()

  init(isJSON: Bool, device: String, printer: EventPrinter, line: LiveLine) {
    self.isJSON = isJSON
    self.device = device
    self.printer = printer
    self.line = line
  }

  /// Prints the device, as it is judged now.
  mutating func begin(_ engine: DeviceEngine) {
    line.clear()
    if !isJSON { printer.add(DeviceMessage(engine, device: device)) }
  }

  mutating func take(_ events: [ContactEvent]) {
    if !events.isEmpty { line.clear() }
    for event in events {
      if isJSON {
        buffer.removeAll()
        EventEncoder.encode(event, device: device, into: &buffer)
        Output.writeLine(buffer.bytes)
      } else {
        printer.print(EventMessage(event, device: device))
      }
    }
  }

  /// Says how many there were.
  func end() {
    if !isJSON { Output.write(summary(of: printer.counts) + whyNot + "\n") }
  }

  /// What came closest to a peek, where there is none.
  private var whyNot: String {
    guard printer.counts[.peek] == nil, let hardest = printer.hardest,
      let thresholds = printer.devices[device]?.thresholds
    else { return "" }
    return "; " + thresholds.whyNoPeek(hardest: hardest)
  }
}
