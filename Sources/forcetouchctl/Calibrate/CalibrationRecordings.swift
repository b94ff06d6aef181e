import ForceTouchDevices
import ForceTouchEngine
import ForceTouchModel
import ForceTouchProtocol

/// The touches of one device out of recordings: of light, normal, firm and flat touches a file
/// each, in this order, the last of which may be missing; or all in one file, three of each, in the
/// order in which the dialog asks for them.
struct CalibrationRecordings {
  let judge: Judge
  /// The device, as the first file describes it.
  let description: DeviceDescription
  let pressureAxis: Axis
  private(set) var touches: [Effort: [CalibrationTouch]] = [:]

  private static let efforts = Effort.allCases

  init(_ paths: [String], _ arguments: Arguments) throws(CommandError) {
    guard [1, Self.efforts.count - 1, Self.efforts.count].contains(paths.count) else {
      throw .usage(
        "--from takes one recording, or one each of light, normal, firm and, if you can, flat "
          + "touches: not \(paths.count); a device stands before --from")
    }
    judge = try Judge(arguments)
    var files: [(description: DeviceDescription, touches: [CalibrationTouch])] = []
    for path in paths {
      files.append(try Self.read(path, arguments, judge))
    }
    description = files[0].description
    guard let axis = description.pressureAxis else {
      throw .failed("\(paths[0]): its device reports no pressure")
    }
    pressureAxis = axis
    for (path, file) in zip(paths, files) where !Self.areSame(file.description, description) {
      throw .failed(
        "\(path): \(Self.name(file.description)) is another device than that of \(paths[0]), "
          + Self.name(description))
    }
    if paths.count > 1 {
      for (effort, file) in zip(Self.efforts, files) { touches[effort] = file.touches }
      return
    }
    let all = files[0].touches
    let rounds = Calibration.leastTouches
    guard [rounds * (Self.efforts.count - 1), rounds * Self.efforts.count].contains(all.count)
    else {
      throw .failed(
        "\(paths[0]): touches that count: \(all.count); one recording must have \(rounds) light, "
          + "\(rounds) normal, \(rounds) firm and, if you can, \(rounds) flat ones, in this order")
    }
    for (index, touch) in all.enumerated() {
      touches[Self.efforts[index / rounds], default: []].append(touch)
    }
  }

  /// Refuses a device that is not the recorded one.
  func demand(_ device: DeviceMessage) throws(CommandError) {
    guard device.name == description.name, device.bus == description.bus.name,
      device.vendor == description.vendor, device.product == description.product,
      device.pressure?.minimum == pressureAxis.minimum,
      device.pressure?.maximum == pressureAxis.maximum
    else {
      throw .failed(
        "the recordings are of \(Self.name(description)), and \(device.device) is "
          + "\(device.name.printable): another device")
    }
  }

  private static func areSame(_ one: DeviceDescription, _ other: DeviceDescription) -> Bool {
    one.name == other.name && one.bus == other.bus && one.vendor == other.vendor
      && one.product == other.product && one.pressureAxis == other.pressureAxis
  }

  private static func name(_ description: DeviceDescription) -> String {
    description.name.isEmpty ? "a device without a name" : description.name.printable
  }

  /// The touches of a file that count. Of each that does not it is said why.
  private static func read(
    _ path: String, _ arguments: Arguments, _ judge: Judge
  ) throws(CommandError) -> (DeviceDescription, [CalibrationTouch]) {
    var player = try RecordingPlayer(path, judge: judge, arguments)
    let description = player.recording.description
    guard !description.isInferred else {
      throw .failed("\(path): does not describe its device; give --description FILE")
    }
    try demandUse(of: player.engine, path)
    let line = player.line
    var gatherer = TouchGatherer(positionAxes: description.positionAxes)
    var touches: [CalibrationTouch] = []
    var count = 0
    try player.play { frame, events, _, _ in
      if let frame { gatherer.take(frame) }
      for event in events {
        switch gatherer.take(event) {
        case .down, nil: continue
        case .touched(let touch): touches.append(touch)
        case .refused(let flaw):
          line.clear()
          Output.complain("\(path): touch \(count + 1) does not count: \(flaw.complaint)")
        }
        count += 1
      }
    }
    // The touches themselves may have proven it.
    try demandUse(of: player.engine, path)
    player.recording.complain()
    return (description, touches)
  }

  private static func demandUse(
    of engine: DeviceEngine, _ path: String
  ) throws(CommandError) {
    let reason = engine.verdict.reason
    guard !reason.forbidsCalibration else {
      throw .failed("\(path): cannot be calibrated: \(reason.explanation)")
    }
  }
}
