import ForceTouchDevices
import ForceTouchEngine
import ForceTouchModel
import ForceTouchProtocol
import ForceTouchRecordings

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
    let line = LiveLine()
    defer { line.clear() }
    do throws(RecordingError) {
      let recording = try Recording(path, arguments, progress: line)
      guard !recording.description.isInferred else {
        throw RecordingError(
          path: path, problem: "does not describe its device; give --description FILE")
      }
      var engine = DeviceEngine(description: recording.description, judge: judge)
      try demandUse(of: engine, path)
      let touches = try touches(of: recording, &engine, path, line)
      // The touches themselves may have proven it.
      try demandUse(of: engine, path)
      line.clear()
      recording.complain()
      return (recording.description, touches)
    } catch {
      throw .failed(error.description)
    }
  }

  private static func demandUse(
    of engine: DeviceEngine, _ path: String
  ) throws(RecordingError) {
    let reason = engine.verdict.reason
    guard !reason.forbidsCalibration else {
      throw RecordingError(path: path, problem: "cannot be calibrated: \(reason.explanation)")
    }
  }

  private static func touches(
    of recording: Recording, _ engine: inout DeviceEngine, _ path: String, _ line: LiveLine
  ) throws(RecordingError) -> [CalibrationTouch] {
    var gatherer = TouchGatherer(positionAxes: recording.description.positionAxes)
    var touches: [CalibrationTouch] = []
    var events: [ContactEvent] = []
    var count = 0
    func take(_ event: ContactEvent) {
      switch gatherer.take(event) {
      case .down, nil: return
      case .touched(let touch): touches.append(touch)
      case .refused(let flaw):
        line.clear()
        Output.complain("\(path): touch \(count + 1) does not count: \(flaw.complaint)")
      }
      count += 1
    }
    var frame = Frame()
    var last = Timestamp.zero
    while try recording.nextFrame(into: &frame) {
      last = frame.time
      events.removeAll(keepingCapacity: true)
      gatherer.take(frame)
      engine.process(frame, into: &events)
      for event in events { take(event) }
    }
    events.removeAll()
    engine.cancel(.endOfRecording, at: last, into: &events)
    for event in events { take(event) }
    return touches
  }
}
