import ForceTouchEngine
import ForceTouchModel
import ForceTouchRecognition
import ForceTouchRecordings
import Glibc

/// A recording and the engine that it goes through: the way of all commands from a file to its events.
struct RecordingPlayer {
  let recording: Recording
  /// How far it is read.
  let line = LiveLine()
  private(set) var engine: DeviceEngine

  /// The options of all commands that play recordings.
  static let options: [Option] = [
    Judge.descriptionOption,
    (
      name: "--sensitivity", value: "LEVEL",
      meaning: "light, medium or firm, whatever the settings say"
    ),
    (name: "--estimated", value: nil, meaning: "recognize by a guess on a device without force"),
    (name: "--without", value: "RULE", meaning: "switch off a rule that rejects presses"),
    Judge.configOption,
  ]
  static let synopsis =
    "[--description FILE] [--sensitivity LEVEL] [--estimated] [--without RULE]... [--config FILE]"
  static let choices = [
    "--sensitivity": Sensitivity.allCases.map(\.rawValue),
    "--without": RejectionRule.allCases.map(\.rawValue),
  ]
  static let notes =
    "\nRules, by each of which no peek or pop comes of:\n"
    + RejectionRule.allCases.map { "  " + pad($0.rawValue, 22) + $0.meaning + "\n" }.joined()

  init(_ path: String, _ arguments: Arguments) throws(CommandError) {
    var judge = try Judge(arguments)
    if let sensitivity = arguments["--sensitivity"].flatMap(Sensitivity.init) {
      judge.settings.recognition.sensitivity = sensitivity
    }
    for rule in arguments.all("--without").compactMap(RejectionRule.init) {
      judge.settings.recognition.rules.remove(rule)
    }
    try self.init(path, judge: judge, arguments)
  }

  /// By a judge whom the options of the command line do not change.
  init(_ path: String, judge: Judge, _ arguments: Arguments) throws(CommandError) {
    do throws(RecordingError) {
      recording = try Recording(path, arguments, progress: line)
    } catch {
      throw .failed(error.description)
    }
    engine = DeviceEngine(
      description: recording.description, judge: judge, estimates: arguments.has("--estimated"))
  }

  /// Plays it to its end, once.
  ///
  /// - Parameters:
  ///   - isOriginalSpeed: Wait as long as the recording did.
  ///   - take: Gets the frame of each step, nil where time alone passed, and at the end; its events;
  ///     and whether the engine judged its device anew in it.
  mutating func play(
    isOriginalSpeed: Bool = false,
    _ take: (
      _ frame: Frame?, _ events: [ContactEvent], _ engine: DeviceEngine, _ isJudgedAnew: Bool
    ) -> Void
  ) throws(CommandError) {
    var frame = Frame()
    var events: [ContactEvent] = []
    func give(_ frame: Frame? = nil, isJudgedAnew: Bool = false) {
      take(frame, events, engine, isJudgedAnew)
      events.removeAll(keepingCapacity: true)
    }
    var last: Timestamp?
    var failure: RecordingError?
    do throws(RecordingError) {
      while try recording.nextFrame(into: &frame) {
        if isOriginalSpeed, var now = last {
          if let due = engine.deadline, due <= frame.time {
            Self.pause(due - now)
            engine.timeout(at: due, into: &events)
            give()
            now = due
          }
          Self.pause(frame.time - now)
        }
        last = frame.time
        let isJudgedAnew = engine.process(frame, into: &events)
        give(frame, isJudgedAnew: isJudgedAnew)
      }
    } catch {
      // What was read counts; it ends here as it would at the end of the file.
      failure = error
    }
    engine.cancel(.endOfRecording, at: last ?? .zero, into: &events)
    give()
    line.clear()
    if let failure { throw .failed(failure.description) }
  }

  private static func pause(_ interval: Interval) {
    guard interval > .zero else { return }
    // usleep's range is an hour and a bit; nobody waits longer for a frame.
    usleep(UInt32(clamping: interval.microseconds))
  }
}

extension Recording {
  /// Tells what of it was left out, after it was read.
  func complain() {
    if skippedLines > 0 {
      Output.complain("\(counted(skippedLines, "line")) of the recording could not be read")
    }
    if endsMidFrame {
      Output.complain("the recording ends in the middle of a frame, which was left out")
    }
  }
}
