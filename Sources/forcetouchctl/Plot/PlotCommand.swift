import ForceTouchEngine
import ForceTouchModel
import ForceTouchPlot
import ForceTouchRecordings

enum PlotCommand: Command {
  static let name = "plot"
  static let summary = "Draw the force of recordings, with their peeks and pops, as a picture."
  static let synopsis =
    "FILE… --output FILE [--dark] [--from SECONDS] [--to SECONDS] "
    + RecordingPlayer.synopsis
  static let options =
    [
      (name: "--output", value: "FILE", meaning: "what to write: a .svg, .png or .pdf"),
      (name: "--dark", value: nil, meaning: "light on dark, not dark on light"),
      (name: "--from", value: "SECONDS", meaning: "leave out what was before"),
      (name: "--to", value: "SECONDS", meaning: "leave out what was after"),
    ] + RecordingPlayer.options
  static let choices = RecordingPlayer.choices
  static let notes = RecordingPlayer.notes
  static let operands = 1...16

  static func run(_ arguments: Arguments) throws(CommandError) {
    guard let path = arguments["--output"] else {
      throw .usage("plot writes a file: give --output PLOT.svg, .png or .pdf")
    }
    let format = try PlotFormat(path: path)
    if arguments.operands.contains(where: { OutputFile.isSame($0, path) }) {
      throw .usage("\(path) is what is to be plotted; give --output another name")
    }
    let from = try time("--from", arguments)
    let to = try time("--to", arguments)
    if let from, let to, from >= to { throw .usage("--from must lie before --to") }
    var panels: [PlotPanel] = []
    for file in arguments.operands {
      panels.append(
        try panel(file, title: title(file, arguments), TraceGatherer(from: from, to: to), arguments)
      )
    }
    let palette = arguments.has("--dark") ? Palette.dark : .light
    let painter = CairoPainter()
    let drawing = PlotLayout.drawing(of: panels, palette: palette, measure: painter.measure)
    let bytes = try painter.paint(drawing, on: palette.background, as: format)
    let output = try OutputFile(path: path, keepsPart: false)
    try output.write(bytes)
    try output.close()
  }

  private static func time(
    _ option: String, _ arguments: Arguments
  ) throws(CommandError) -> Interval? {
    guard let text = arguments[option] else { return nil }
    // Farther away than the time of any recording.
    guard let seconds = Double(text), seconds.magnitude < 1e12 else {
      throw .usage("\(option) takes seconds, as 2.5, not \(text)")
    }
    return Interval(microseconds: Int64((seconds * 1_000_000).rounded()))
  }

  /// The name of a file, without its folder where that tells it from the others.
  private static func title(_ path: String, _ arguments: Arguments) -> String {
    func name(_ path: String) -> String { String(path.split(separator: "/").last ?? "/") }
    if path == "-" { return "standard input" }
    let isUnique = arguments.operands.count { name($0) == name(path) } == 1
    return isUnique ? name(path) : path
  }

  private static func panel(
    _ path: String, title: String, _ gatherer: consuming TraceGatherer, _ arguments: Arguments
  ) throws(CommandError) -> PlotPanel {
    var player = try RecordingPlayer(path, arguments)
    let description = player.recording.description
    guard let pressureAxis = description.pressureAxis else {
      throw .failed("\(path): there is nothing to plot: its device reports no pressure")
    }
    // As it was judged before anything was proven.
    let engine = player.engine
    var thresholdsEnd: Interval?
    try player.play { _, events, now, isJudgedAnew in
      for event in events { gatherer.take(event) }
      if isJudgedAnew && engine.thresholds != nil && now.thresholds == nil {
        thresholdsEnd = gatherer.end
      }
    }
    let trace = gatherer.finish()
    guard trace.hasPressure else {
      throw .failed(
        "\(path): there is nothing to plot: \(absence(player.engine, trace, arguments))")
    }
    player.recording.complain()
    if trace.omittedContacts > 0 {
      Output.complain(
        "\(path): only the first \(TraceGatherer.mostContacts) of "
          + "\(TraceGatherer.mostContacts + trace.omittedContacts) contacts are shown; "
          + "--from and --to choose others")
    }
    return PlotPanel(
      title: title, subtitle: subtitle(player.engine, arguments), profile: engine.profile,
      thresholds: engine.thresholds, thresholdsEnd: thresholdsEnd, pressureAxis: pressureAxis,
      positionAxes: description.positionAxes, trace: trace)
  }

  /// Why a recording shows nothing.
  private static func absence(
    _ engine: DeviceEngine, _ trace: Trace, _ arguments: Arguments
  ) -> String {
    let verdict = engine.verdict
    if verdict.reason == .notTouch || verdict.reason == .disabled {
      return verdict.reason.explanation
    }
    guard trace.contacts.isEmpty else { return "its contacts have no pressure" }
    return arguments.has("--from") || arguments.has("--to")
      ? "nothing touches the device at that time" : "nothing touches the device"
  }

  /// The device, what it is taken for, and what was asked for beside the settings.
  private static func subtitle(_ engine: DeviceEngine, _ arguments: Arguments) -> String {
    let verdict = engine.verdict
    let description = engine.description
    var parts = [
      "force \(verdict.capability.rawValue): \(verdict.reason.explanation)"
    ]
    if !description.isInferred && !description.name.isEmpty {
      parts.insert(description.name, at: 0)
    }
    if engine.isEstimated {
      parts.append("thresholds are a guess, and rise with what each contact begins with")
    }
    if let sensitivity = arguments["--sensitivity"] { parts.append("sensitivity \(sensitivity)") }
    let rules = arguments.all("--without")
    if !rules.isEmpty { parts.append("without " + rules.joined(separator: ", ")) }
    return parts.joined(separator: "; ")
  }
}
