import ForceTouchDevices
import ForceTouchDoctor
import ForceTouchModel
import ForceTouchProtocol
import ForceTouchScreen
import Varlink

/// Asks a person for touches and follows them by the daemon's Monitor stream: the device needs no
/// second reader.
final class CalibrationDialog {
  private let device: DeviceMessage
  private let connection: Connection
  private let screen: Screen
  private let interruption: Interruption
  private var gatherer: TouchGatherer
  let pressureAxis: Axis
  /// When the finger came down, and how hard it is.
  private var finger: (since: Timestamp, raw: Int32?, force: Double?)?
  private var touchesWithoutPressure = 0
  /// What ended the dialog behind a touch that counts.
  private var failure: CommandError?

  /// How often each effort is asked for.
  private static let rounds = Calibration.leastTouches
  /// After so long a touch was held long enough and to spare.
  private static let holdTime = Interval.milliseconds(1000)
  private static let barWidth = 40
  /// A still finger sends nothing, and its line must be drawn all the same.
  private static let redrawTime = Interval.milliseconds(100)

  init(
    _ device: DeviceMessage, _ connection: Connection, _ screen: Screen,
    _ interruption: Interruption
  ) throws(CommandError) {
    guard let pressure = device.pressure else {
      throw .failed("\(device.device) cannot be calibrated: it reports no pressure")
    }
    self.device = device
    self.connection = connection
    self.screen = screen
    self.interruption = interruption
    pressureAxis = Axis(pressure)
    var axes: (x: Axis, y: Axis)?
    if let x = device.x, let y = device.y { axes = (Axis(x), Axis(y)) }
    gatherer = TouchGatherer(positionAxes: axes)
  }

  /// Asks for all touches and waits for them.
  func touches() throws(CommandError) -> [Effort: [CalibrationTouch]] {
    try connection.open(
      MonitorMessage.interface + ".Watch",
      MonitorMessage.WatchCall(device: device.device, frames: true))
    // With the snapshot the daemon says that it reads the device.
    _ = try heard(waitingFor: nil)
    screen.line(
      "\(device.device)  \(device.name.printable), pressure "
        + "\(pressureAxis.minimum)…\(pressureAxis.maximum)")
    screen.line(
      "Touch it with one finger as it says here, hold still for a second, lift. Ctrl-C stops; "
        + "nothing is written before the end.")
    var touches: [Effort: [CalibrationTouch]] = [:]
    for effort in Effort.allCases {
      for round in 1...Self.rounds {
        screen.line("\(round) of \(Self.rounds): \(effort.request)", isProminent: true)
        touches[effort, default: []].append(try nextTouch())
      }
    }
    return touches
  }

  /// The next touch that counts. Of each that does not it is said why.
  private func nextTouch() throws(CommandError) -> CalibrationTouch {
    while true {
      if let touch = try heard(waitingFor: finger == nil ? nil : Self.redrawTime) { return touch }
      showFinger()
    }
  }

  /// Takes what the daemon sends next. Gives the touch that ended with it, if it counts.
  private func heard(waitingFor patience: Interval?) throws(CommandError) -> CalibrationTouch? {
    do throws(CommandError) {
      if let failure { throw failure }
      guard try interruption.wait(for: connection.descriptor, patience: patience) else {
        return nil
      }
      var touch: CalibrationTouch?
      for reply in try connection.received() {
        do throws(CommandError) {
          touch = try take(reply) ?? touch
        } catch {
          guard touch != nil else { throw error }
          failure = error
          break
        }
      }
      return touch
    } catch {
      screen.clear()
      throw error
    }
  }

  private func take(_ reply: Reply) throws(CommandError) -> CalibrationTouch? {
    guard reply.continues else { throw .failed("the daemon stopped") }
    let message = try decode(reply, as: MonitorMessage.WatchReply.self)
    if let frame = message.frame { gatherer.take(frame.frame) }
    if let event = message.event { return try take(event) }
    for var event in message.snapshot?.events ?? [] where event.event == .began {
      // Nobody saw how hard it came down.
      event.alreadyDown = true
      _ = try take(event)
    }
    if message.removed == device.device { throw .failed("the device is gone") }
    if let changed = message.changed, changed.reason.forbidsCalibration {
      throw .failed("it cannot be calibrated any more: \(changed.explanation)")
    }
    return nil
  }

  private func take(_ message: EventMessage) throws(CommandError) -> CalibrationTouch? {
    guard let event = ContactEvent(message), let outcome = gatherer.take(event) else { return nil }
    switch outcome {
    case .down(let raw):
      finger = (finger?.since ?? .now(), raw ?? finger?.raw, message.force)
      showFinger()
    case .touched(let touch):
      finger = nil
      touchesWithoutPressure = 0
      let level = touch.level
      let click = touch.click.map { ", clicked at \($0)" } ?? ""
      screen.line(
        "  raw \(decimal(level.raw)) ± \(decimal(level.noise))\(click)")
      return touch
    case .refused(let flaw):
      finger = nil
      screen.line("  again: \(flaw.complaint)")
      touchesWithoutPressure = flaw == .noPressure ? touchesWithoutPressure + 1 : 0
      if touchesWithoutPressure == Self.rounds {
        throw .failed("its touches come without pressure; it cannot feel force")
      }
    }
    return nil
  }

  private func showFinger() {
    guard let finger else { return }
    let raw = Double(finger.raw ?? pressureAxis.minimum) - Double(pressureAxis.minimum)
    let part = clampToUnit(raw / Double(max(1, pressureAxis.range)))
    let force = finger.force.map { "force \(decimal($0))" } ?? ""
    let isHeld = Timestamp.now() - finger.since >= Self.holdTime
    screen.live(
      "  " + pad(bar(part, width: Self.barWidth), Self.barWidth + 2)
        + pad("raw \(finger.raw.map(String.init) ?? "?")", 11) + pad(force, 12)
        + (isHeld ? "lift now" : ""))
  }
}

extension Effort {
  /// What a person is to do.
  fileprivate var request: String {
    switch self {
    case .light: "light, rest a fingertip on it as lightly as you can"
    case .normal: "normal, touch it as you do without thinking"
    case .firm: "firm, press as hard as is comfortable, past the click if it clicks"
    case .flat: "flat, lay the whole last joint of a finger on it, as lightly as you can"
    }
  }
}

extension TouchGatherer.Flaw {
  /// What was wrong with a touch, and what to do.
  var complaint: String {
    switch self {
    case .tooShort: "too short; hold still for a second"
    case .moved: "the finger moved; keep it in its place"
    case .otherContact: "there was a second finger; use one alone"
    case .alreadyDown: "the finger was down already; lift it first"
    case .notFinger: "that was a palm or a pen; use a fingertip"
    case .interrupted: "the touch was not seen to its end"
    case .noPressure: "it came without pressure"
    }
  }
}

extension Axis {
  fileprivate init(_ axis: DeviceMessage.Axis) {
    self.init(minimum: axis.minimum, maximum: axis.maximum, resolution: axis.resolution)
  }
}

extension ContactEvent {
  /// What the wire says of a contact, as far as a touch is judged by it; nil for peeks and pops.
  fileprivate init?(_ message: EventMessage) {
    let kind: Kind
    switch message.event {
    case .began: kind = .began
    case .changed: kind = .changed
    case .ended: kind = .ended
    case .cancelled: kind = .cancelled(message.reason ?? .dropped)
    case .peek, .pop, .peekEnded, .peekCancelled: return nil
    }
    var position: Position?
    if let x = message.x, let y = message.y { position = Position(x: x, y: y) }
    self.init(
      kind: kind, contact: ContactID(rawValue: message.contact), slot: message.slot,
      time: Timestamp(microseconds: message.time), position: position, rawPressure: message.raw,
      wasAlreadyDown: message.alreadyDown ?? false, failure: message.failure)
  }
}
