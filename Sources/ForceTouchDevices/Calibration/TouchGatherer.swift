public import ForceTouchModel

/// Gathers the touches of one device for calibration, from its frames and from what the recognizer
/// made of them: the same for a live device and for a recording.
///
/// Of each frame it is given first the frame, then its events. Not safe for use from several
/// threads at once.
public struct TouchGatherer: Sendable {
  /// Why a touch does not count.
  public enum Flaw: Equatable, Sendable {
    /// It was held for less than ``leastDuration``.
    case tooShort
    /// The finger strayed from where it came down by more than ``slop``.
    case moved
    /// Another contact was on the device.
    case otherContact
    /// It was down before anybody looked.
    case alreadyDown
    /// A palm or a pen.
    case notFinger
    /// It was not seen to lift.
    case interrupted
    /// It came without pressure.
    case noPressure
  }

  public enum Outcome: Equatable, Sendable {
    /// A finger is down, this hard; nil while no pressure was reported.
    case down(raw: Int32?)
    /// The device is empty again, and the touch counts.
    case touched(CalibrationTouch)
    /// The device is empty again, and the touch does not count.
    case refused(Flaw)
  }

  /// Shorter touches have no part that was held.
  public static let leastDuration = Interval.milliseconds(400)
  /// How far a finger that presses may roll, in millimeters.
  public static let slop = 5.0
  /// The same on a device without a resolution, as a part of its longer axis.
  static let slopWithoutResolution = 1.0 / 12

  private let positionAxes: (x: Axis, y: Axis)?
  /// The contacts that are down.
  private var contacts: Set<ContactID> = []
  private var began = Timestamp.zero
  private var origin: Position?
  private var samples: [CalibrationTouch.Sample] = []
  private var click: Int32?
  private var flaw: Flaw?
  /// `ABS_MT_TOUCH_MAJOR` as reported last. There is one contact, or the touch does not count.
  private var size: Int32?
  /// `BTN_LEFT` went down in the frame of this time, whose events are still to come.
  private var clickTime: Timestamp?

  /// - Parameter positionAxes: Those of the device; nil: movement is not judged.
  public init(positionAxes: (x: Axis, y: Axis)?) { self.positionAxes = positionAxes }

  /// Takes what only a frame tells: sizes and clicks.
  public mutating func take(_ frame: Frame) {
    settleClick()
    for event in frame.events {
      switch (event.type, event.code) {
      case (EventType.absolute, AxisCode.touchMajor): size = event.value
      case (EventType.key, KeyCode.left) where event.value == 1: clickTime = frame.time
      default: break
      }
    }
  }

  /// Takes an event; nil when it says nothing new.
  public mutating func take(_ event: ContactEvent) -> Outcome? {
    switch event.kind {
    case .began: begin(event)
    case .changed: follow(event)
    case .ended: return close(event, nil)
    case .cancelled: return close(event, .interrupted)
    case .peek, .pop, .peekEnded, .peekCancelled: return nil
    }
    return contacts.isEmpty ? nil : .down(raw: event.rawPressure)
  }

  private mutating func begin(_ event: ContactEvent) {
    if contacts.isEmpty {
      began = event.time
      origin = event.position
      samples.removeAll()
      click = nil
      flaw = event.wasAlreadyDown ? .alreadyDown : nil
    } else {
      flaw = flaw ?? .otherContact
    }
    contacts.insert(event.contact)
    follow(event)
  }

  private mutating func follow(_ event: ContactEvent) {
    guard contacts.contains(event.contact) else { return }
    switch event.failure {
    case .palm, .notFinger: flaw = flaw ?? .notFinger
    // Recognition's own rules about movement are others.
    case .moved, .dragged, nil: break
    }
    origin = origin ?? event.position
    if hasStrayed(to: event.position) { flaw = flaw ?? .moved }
    guard let raw = event.rawPressure else { return }
    samples.append(.init(time: event.time, raw: raw, size: size))
    settleClick()
  }

  private mutating func close(_ event: ContactEvent, _ reason: Flaw?) -> Outcome? {
    guard contacts.remove(event.contact) != nil else { return nil }
    settleClick()
    flaw = flaw ?? reason
    guard contacts.isEmpty else { return .down(raw: nil) }
    if let flaw { return .refused(flaw) }
    guard !samples.isEmpty else { return .refused(.noPressure) }
    guard event.time - began >= Self.leastDuration else { return .refused(.tooShort) }
    return .touched(CalibrationTouch(samples: samples, end: event.time, click: click))
  }

  /// The pad clicked at the last pressure that is known by now. Only the first click counts.
  private mutating func settleClick() {
    guard clickTime != nil else { return }
    clickTime = nil
    if !contacts.isEmpty { click = click ?? samples.last?.raw }
  }

  private func hasStrayed(to position: Position?) -> Bool {
    guard let origin, let position, let (x, y) = positionAxes else { return false }
    let dx = Double(Int64(position.x) - Int64(origin.x))
    let dy = Double(Int64(position.y) - Int64(origin.y))
    if x.resolution > 0, y.resolution > 0 {
      let (mx, my) = (dx / Double(x.resolution), dy / Double(y.resolution))
      return mx * mx + my * my > Self.slop * Self.slop
    }
    let limit = Self.slopWithoutResolution * Double(max(x.range, y.range))
    return dx * dx + dy * dy > limit * limit
  }
}
