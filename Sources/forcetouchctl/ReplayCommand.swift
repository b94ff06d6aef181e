import ForceTouchDevices
import ForceTouchDoctor
import ForceTouchEngine
import ForceTouchModel
import ForceTouchProtocol
import ForceTouchRecognition
import ForceTouchRecordings
import Glibc

enum ReplayCommand: Command {
  static let name = "replay"
  static let summary = "Print the events that a recording gives, with no daemon running."
  static let synopsis =
    "FILE [--description FILE] [--speed original|max] [--estimated] [--without RULE]... [--all] "
    + "[--config FILE] [--json]"
  static let options = [
    Judge.descriptionOption,
    (name: "--speed", value: "SPEED", meaning: "original, or max (the default)"),
    (name: "--estimated", value: nil, meaning: "recognize by a guess on a device without force"),
    (name: "--without", value: "RULE", meaning: "switch off a rule that rejects presses"),
    (name: "--all", value: nil, meaning: "print every change of force, not ten a second"),
    Judge.configOption, jsonOption,
  ]
  static let choices = [
    "--speed": ["original", "max"], "--without": RejectionRule.allCases.map(\.rawValue),
  ]
  static let notes =
    "\nRules, by each of which no peek or pop comes of:\n"
    + RejectionRule.allCases.map { "  " + pad($0.rawValue, 22) + $0.meaning + "\n" }.joined()
  static let operands = 1...1

  /// The name of the one device there is, as the daemon would call it.
  private static let device = "d1"

  static func run(_ arguments: Arguments) throws(CommandError) {
    let line = LiveLine()
    let recording: Recording
    do throws(RecordingError) {
      recording = try Recording(arguments.operands[0], arguments, progress: line)
    } catch {
      throw .failed(error.description)
    }
    var judge = try Judge(arguments)
    for rule in arguments.all("--without").compactMap(RejectionRule.init) {
      judge.settings.recognition.rules.remove(rule)
    }
    let engine = DeviceEngine(
      description: recording.description, judge: judge, estimates: arguments.has("--estimated"))
    var sink = EventSink(
      isJSON: arguments.has("--json"), device: device,
      printer: EventPrinter(showsAll: arguments.has("--all")), line: line)
    sink.begin(engine)
    try play(recording, engine, arguments["--speed"] == "original", &sink)
    sink.end(recording)
  }

  private static func play(
    _ recording: Recording, _ engine: DeviceEngine, _ isOriginalSpeed: Bool,
    _ sink: inout EventSink
  ) throws(CommandError) {
    var engine = engine
    var frame = Frame()
    var events: [ContactEvent] = []
    var last: Timestamp?
    do throws(RecordingError) {
      while try recording.nextFrame(into: &frame) {
        if isOriginalSpeed, var now = last {
          if let due = engine.deadline, due <= frame.time {
            pause(due - now)
            engine.timeout(at: due, into: &events)
            sink.take(&events)
            now = due
          }
          pause(frame.time - now)
        }
        last = frame.time
        let isJudgedAnew = engine.process(frame, into: &events)
        sink.take(&events)
        if isJudgedAnew { sink.begin(engine) }
      }
    } catch {
      // What was read counts; it ends here as it would at the end of the file.
      engine.cancel(.endOfRecording, at: last ?? .zero, into: &events)
      sink.take(&events)
      throw .failed(error.description)
    }
    engine.cancel(.endOfRecording, at: last ?? .zero, into: &events)
    sink.take(&events)
  }

  private static func pause(_ interval: Interval) {
    guard interval > .zero else { return }
    // usleep's range is an hour and a bit; nobody waits longer for a frame.
    usleep(UInt32(clamping: interval.microseconds))
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

  /// Prints the events and empties the list.
  mutating func take(_ events: inout [ContactEvent]) {
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
    events.removeAll(keepingCapacity: true)
  }

  func end(_ recording: Recording) {
    line.clear()
    if !isJSON {
      let counts = printer.counts
      func number(_ kind: EventMessage.Kind, _ one: String, _ several: String) -> String {
        let count = counts[kind] ?? 0
        return count == 1 ? "1 \(one)" : "\(count) \(several)"
      }
      Output.write(
        number(.began, "contact", "contacts") + ", " + number(.peek, "peek", "peeks") + ", "
          + number(.pop, "pop", "pops") + whyNot + "\n")
    }
    recording.complain()
  }

  /// What came closest to a peek, where there is none.
  private var whyNot: String {
    guard printer.counts[.peek] == nil, let hardest = printer.hardest,
      let thresholds = printer.devices[device]?.thresholds
    else { return "" }
    return "; " + thresholds.whyNoPeek(hardest: hardest)
  }
}

extension Recording {
  /// Tells what of it was left out, after it was read.
  func complain() {
    if skippedLines > 0 {
      let lines = skippedLines == 1 ? "line" : "lines"
      Output.complain("\(skippedLines) \(lines) of the recording could not be read")
    }
    if endsMidFrame {
      Output.complain("the recording ends in the middle of a frame, which was left out")
    }
  }
}
