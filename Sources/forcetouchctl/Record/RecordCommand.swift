import ForceTouchDevices
import ForceTouchModel
import ForceTouchRecordings
import Glibc

enum RecordCommand: Command {
  static let name = "record"
  static let summary = "Record a device as libinput record or evemu-record do, until Ctrl-C."
  static let synopsis = "[NODE] [--output FILE] [--format FORMAT] [--anonymize] [--limit SIZE]"
  static let options: [Option] = [
    (name: "--output", value: "FILE", meaning: "write here instead of standard output"),
    (
      name: "--format", value: "FORMAT",
      meaning: "libinput, or evemu, the default where FILE ends in .evemu"
    ),
    (
      name: "--anonymize", value: nil,
      meaning: "leave out where the fingers were, keep their force"
    ),
    (
      name: "--limit", value: "SIZE",
      meaning: "end when FILE is so large: 500K, 2G; 100M unless told"
    ),
  ]
  static let choices = ["--format": RecordingWriter.Format.allCases.map(\.rawValue)]
  static let notes = "\nWithout NODE it says what can be recorded.\n"
  static let operands = 0...1

  private static let defaultLimit = ByteSize(bytes: 100 << 20)
  /// Less than that has no room for the description of a device.
  private static let leastLimit = ByteSize(bytes: 16 << 10)

  static func run(_ arguments: Arguments) throws(CommandError) {
    let format = format(arguments)
    let limit = try limit(arguments)
    guard let path = arguments.operands.first else { throw complaintWithList() }
    let node = try LiveNode(path)
    let device = try node.describe()
    let reader = try node.open()
    let anonymizer = arguments.has("--anonymize") ? Anonymizer(device) : nil
    let holdsWhatIsTyped = device.touchKind == .touchscreen && anonymizer == nil
    if holdsWhatIsTyped {
      Output.complain(
        "a touchscreen's recording holds what is typed on it; mind whom you give it, or --anonymize"
      )
    }
    let signals = try Signals([SIGINT, SIGTERM, SIGHUP])
    let file = try RecordingFile(path: arguments["--output"], limit: limit.bytes)
    do {
      var recorder = Recorder(
        reader: reader, anonymizer: anonymizer, file: file,
        writer: try RecordingWriter(
          format, description: anonymizer?.description ?? device, kernel: Kernel().release,
          remarks: remarks(holdsWhatIsTyped, isAnonymous: anonymizer != nil), write: file.write))
      // Not where the recording itself is shown.
      if arguments.has("--output") || isatty(STDOUT_FILENO) == 0 { recorder.showStatus(of: device) }
      let end = try recorder.record(until: signals)
      try file.close()
      switch end {
      case .stopped: break
      case .gone: Output.complain("the device is gone; the recording ends")
      case .full:
        Output.complain(
          "the recording is as large as it may be, \(limit.text), and ends; --limit allows more")
      case .failed(let error): throw CommandError.failed(error.description)
      }
    } catch let error as CommandError {
      throw error
    } catch {
      throw .failed("\(error)")
    }
  }

  /// Lists what can be recorded, or why nothing can.
  private static func complaintWithList() -> CommandError {
    let seen = SeenDevices()
    Output.write(Array((seen.choices ?? seen.whyNone).utf8), to: STDERR_FILENO)
    return seen.choices == nil
      ? .failed("there is nothing to record")
      : .usage("which device? forcetouchctl record NODE, out of these")
  }

  private static func format(_ arguments: Arguments) -> RecordingWriter.Format {
    arguments["--format"].flatMap(RecordingWriter.Format.init)
      ?? (arguments["--output"]?.hasSuffix(".evemu") == true ? .evemu : .libinput)
  }

  private static func limit(_ arguments: Arguments) throws(CommandError) -> ByteSize {
    guard let text = arguments["--limit"] else { return defaultLimit }
    guard let limit = ByteSize(text) else {
      throw .usage("\(text) is no size; say a number with K, M or G behind it, such as 100M")
    }
    guard limit.bytes >= leastLimit.bytes else {
      throw .usage("--limit \(text) leaves no room; say at least \(leastLimit.text)")
    }
    return limit
  }

  /// What stands in the file for whoever it is given to.
  static func remarks(_ holdsWhatIsTyped: Bool, isAnonymous: Bool) -> [String] {
    if isAnonymous {
      return [
        "Anonymized: every contact is said to be in the middle. Force, sizes and times are as they",
        "were, and with them the rhythm of touches.",
      ]
    }
    return holdsWhatIsTyped
      ? [
        "This holds where a screen was touched, and so what was typed on it: mind whom you give it."
      ]
      : []
  }
}
