import ForceTouchDevices
import ForceTouchEngine
import ForceTouchModel
import ForceTouchProtocol
import ForceTouchRecognition
import ForceTouchSettings
import Glibc

/// `forcetouchctl calibrate`: what is wanted, and what becomes of the result. The touches come from
/// ``CalibrationDialog`` or ``CalibrationRecordings``, the judgement from `Calibration`.
enum CalibrateCommand: Command {
  static let name = "calibrate"
  static let summary = "Find out whether a device feels force, and give it its profile."
  static let synopsis =
    "[DEVICE] [--from FILE…] [--description FILE] [--reset] [--yes] [--json] [--socket PATH]"
  static let options: [Option] = [
    (
      name: "--from", value: "FILE…",
      meaning: "take recordings: light, normal, firm and flat touches, or all in one"
    ),
    Judge.descriptionOption,
    (name: "--reset", value: nil, meaning: "take the device's calibration back"),
    (name: "--yes", value: nil, meaning: "do not ask for confirmation"),
    (name: "--json", value: nil, meaning: "print the result as one object"),
    socketOption,
  ]
  static let operands = 0...1

  private static let interface = ControlMessage.interface

  static func run(_ arguments: Arguments) throws(CommandError) {
    let files = arguments.all("--from")
    guard !arguments.operands.isEmpty || !files.isEmpty else {
      throw .usage("which device? See forcetouchctl devices, and forcetouchctl calibrate --help")
    }
    if arguments.has("--description") && files.isEmpty {
      throw .usage("--description is for recordings, with --from")
    }
    if arguments.has("--reset") {
      guard files.isEmpty else { throw .usage("--reset takes no recordings; choose one") }
      return try reset(arguments)
    }
    guard let name = arguments.operands.first else { return try describe(files, arguments) }

    if !arguments.has("--yes") && isatty(STDIN_FILENO) == 0 {
      throw .usage("there is nobody to ask for confirmation; say --yes")
    }
    let connection = try Connection(arguments)
    let device = try connection.device(named: name)
    // Whoever may not write the result should not have to press for it.
    let recognition = try recognition(connection)
    try demandUse(device)
    try calibrate(device, recognition, connection, arguments)
  }

  private static let nothingWritten = "; nothing was written"

  private static func calibrate(
    _ device: DeviceMessage, _ recognition: RecognizerConfiguration, _ connection: Connection,
    _ arguments: Arguments
  ) throws(CommandError) {
    let isJSON = arguments.has("--json")
    let screen = Screen(isJSON: isJSON)
    let calibration: Calibration
    do throws(CommandError) {
      calibration = try touch(device, screen, arguments)
    } catch {
      throw error.adding(nothingWritten)
    }
    var result = CalibrationResult(calibration, recognition, device)
    if !isJSON { Output.write(result.text) }
    do throws(CommandError) {
      let profile = try profile(calibration)
      if !arguments.has("--yes"),
        try !screen.agrees("Use this profile from now on? [y/N] ", Interruption())
      {
        throw .failed("you did not agree")
      }
      try set(profile, of: device.device, connection)
      result.stored = true
    } catch {
      result.problem = error.text
      let ending: String
      switch error {
      case .usage, .failed, .refused: ending = nothingWritten
      case .lost:
        result.stored = nil
        ending = "; whether it was written is not known; see forcetouchctl devices"
      }
      if isJSON { Output.writeLine(try encode(result)) }
      throw error.adding(ending)
    }
    if isJSON { return Output.writeLine(try encode(result)) }
    do throws(CommandError) {
      let verdict = try connection.device(named: device.device)
      Output.write("\(device.device) is \(verdict.capability.rawValue): \(verdict.explanation)\n")
    } catch {
      throw .failed("the profile is stored; \(error.text)")
    }
  }

  /// What the touches show, which are recorded already or asked for now.
  private static func touch(
    _ device: DeviceMessage, _ screen: Screen, _ arguments: Arguments
  ) throws(CommandError) -> Calibration {
    if arguments.has("--from") {
      let recordings = try CalibrationRecordings(arguments.all("--from"), arguments)
      try recordings.demand(device)
      return Calibration(recordings.touches, axis: recordings.pressureAxis)
    }
    let dialog = try CalibrationDialog(device, Connection(arguments), screen, Interruption())
    return Calibration(try dialog.touches(), axis: dialog.pressureAxis)
  }

  /// The profile to keep, or why there is none. Who writes a table may know more of a device; who
  /// calibrates one knows what the touches show.
  private static func profile(_ calibration: Calibration) throws(CommandError) -> ForceProfile {
    switch calibration.profile {
    case .failure(let failure): throw .failed(failure.description)
    case .success(let profile):
      guard calibration.excludesSize else { throw .failed(CalibrationResult.sizeWarning) }
      return profile
    }
  }

  /// Recordings alone: a paragraph for a device table, in which the report stands as comments.
  private static func describe(
    _ files: [String], _ arguments: Arguments
  ) throws(CommandError) {
    let recordings = try CalibrationRecordings(files, arguments)
    let calibration = Calibration(recordings.touches, axis: recordings.pressureAxis)
    let result = CalibrationResult(
      calibration, recordings.judge.settings.recognition, recordings.description)
    if arguments.has("--json") {
      Output.writeLine(try encode(result))
    } else {
      Output.write(result.text.split(separator: "\n").map { "# \($0)\n" }.joined())
    }
    switch calibration.profile {
    case .failure(let failure): throw .failed(failure.description)
    case .success(let profile):
      if !calibration.excludesSize { Output.complain(CalibrationResult.sizeWarning) }
      guard !arguments.has("--json") else { return }
      let name = recordings.description.name
      let entry = DeviceTable.Entry(
        profile, of: recordings.description,
        name: name.contains { !$0.isWhitespace } ? name : "a device without a name",
        source: "measured with forcetouchctl calibrate")
      Output.write(
        "# To use it, put it into a file in /etc/forcetouchd/devices.d whose name ends in .yaml, and\n"
          + "# sudo systemctl try-reload-or-restart forcetouchd; see forcetouchd-devices(5).\n"
          + entry.text)
    }
  }

  private static func reset(_ arguments: Arguments) throws(CommandError) {
    let connection = try Connection(arguments)
    let former = try connection.device(named: arguments.operands[0])
    let device = former.device
    _ = try connection.call(
      interface + ".ResetProfile", ControlMessage.ResetProfileCall(device: device))
    let now = try connection.device(named: device)
    if arguments.has("--json") { return Output.writeLine(try encode(now)) }
    let again = former.reason == .calibrated ? " again" : ", as before"
    Output.write("\(device) is \(now.capability.rawValue)\(again): \(now.explanation)\n")
  }

  private static func set(
    _ profile: ForceProfile, of device: String, _ connection: Connection
  ) throws(CommandError) {
    _ = try connection.call(
      interface + ".SetProfile",
      ControlMessage.SetProfileCall(
        device: device,
        profile: .init(
          floor: profile.floor, average: profile.average, ceiling: profile.ceiling,
          click: profile.click)))
  }

  /// What the thresholds will be computed by. Only who may write the result may ask.
  private static func recognition(
    _ connection: Connection
  ) throws(CommandError) -> RecognizerConfiguration {
    let reply = try decode(
      connection.call(interface + ".GetSettings"), as: ControlMessage.GetSettingsReply.self)
    let values = reply.settings.filter { Settings.thresholdNames.contains($0.name) }
    do throws(StoredSettings.Refusal) {
      return try Settings(named: values.map { ($0.name, $0.value) }).recognition
    } catch {
      throw .failed("the daemon's settings make no sense here; does it have another version?")
    }
  }

  /// Refuses what no calibration can help, before anybody presses.
  private static func demandUse(_ device: DeviceMessage) throws(CommandError) {
    let name = device.name.printable
    if device.reason.forbidsCalibration {
      throw .failed("\(device.device), \(name), cannot be calibrated: \(device.explanation)")
    }
    switch device.reason {
    case .contactSize, .amplitude, .resistive:
      Output.complain(
        "the device table says of \(name): \(device.explanation); only clear evidence counts against that"
      )
    case .noDevice, .notTouch, .disabled, .virtual, .noPressureAxis, .degenerateAxis, .equalsSize,
      .constant, .binary, .noDescription, .calibrated, .table, .units, .semiMT, .pressurePad,
      .unusableProfile, .undescribed:
      break
    }
  }
}
