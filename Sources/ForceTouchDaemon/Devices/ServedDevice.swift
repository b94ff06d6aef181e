import ForceTouchDevices
import ForceTouchEngine
import ForceTouchModel
import ForceTouchProtocol
import ForceTouchRecognition

/// Where a device's frames come from: an event node or a recording.
protocol DeviceSource: AnyObject {
  /// Somebody began to listen to the device, or nobody does any more.
  func setNeeded(_ isNeeded: Bool)
  /// It plays once: whoever is to see it must be ready.
  var waitsForAudience: Bool { get }
  /// Takes the frames that are there already, as many as it would take at once.
  func takeAvailable()
}

/// A device as clients see it, with the engine that makes its events.
final class ServedDevice {
  /// A device that comes back gets a new one.
  let number: DeviceID
  /// Its name on the wire.
  let id: String
  /// nil: a recording.
  let seat: String?
  private(set) var engine: DeviceEngine
  weak var source: (any DeviceSource)?
  /// Whether its source delivers frames now.
  var isOpen = false
  private unowned let hub: Hub
  /// Reused for every frame.
  private var events: [ContactEvent] = []

  /// Of the last frame or deadline, on the device's clock.
  private(set) var time = Timestamp.zero
  private(set) var frameCount = 0
  private(set) var eventCount = 0
  private(set) var resynchronizationCount = 0
  var outOfRangeCount: Int { engine.outOfRangeCount }

  init(number: DeviceID, engine: DeviceEngine, hub: Hub) {
    self.number = number
    id = "d\(number.rawValue)"
    seat = engine.description.seat
    isSwitchedOff = engine.verdict.reason == .disabled
    self.engine = engine
    self.hub = hub
    var events: [ContactEvent] = []
    events.reserveCapacity(64)
    self.events = events
  }

  /// What clients are told of it.
  var message: DeviceMessage {
    DeviceMessage(
      device: id, description: engine.description, kind: engine.verdict.touchKind,
      capability: engine.verdict.capability, reason: engine.verdict.reason,
      isEstimated: engine.isEstimated, profile: engine.profile,
      thresholds: engine.thresholds.map { .init(hint: $0.hint, peek: $0.peek, pop: $0.pop) })
  }

  /// The user does not want it read.
  private(set) var isSwitchedOff: Bool

  /// The events that open contacts would have given to a listener that comes only now.
  var openContacts: [ContactEvent] {
    var events: [ContactEvent] = []
    engine.appendOpenContacts(to: &events)
    return events
  }

  /// When ``meetDeadline()`` is due if no frame comes before; on the device's clock.
  var deadline: Timestamp? { engine.deadline }

  func process(_ frame: Frame) {
    time = frame.time
    guard !isSwitchedOff else { return }
    frameCount += 1
    if frame.isResynchronized { resynchronizationCount += 1 }
    hub.publish(frame, of: self)
    if publish({ engine.process(frame, into: &$0) }) { hub.announceProof(of: self) }
  }

  func meetDeadline() {
    guard let deadline = engine.deadline else { return }
    time = max(time, deadline)
    publish { engine.timeout(at: deadline, into: &$0) }
  }

  /// Closes all that is open.
  func cancel(_ reason: CancelReason) {
    publish { engine.cancel(reason, at: time, into: &$0) }
  }

  /// Goes by another judge. Gives whether it judges differently; what is open is closed then.
  func take(_ judge: Judge) -> Bool {
    let isDifferent = publish { engine.take(judge, at: time, into: &$0) }
    isSwitchedOff = engine.verdict.reason == .disabled
    return isDifferent
  }

  /// The source opened the device again.
  ///
  /// - Parameter now: On the device's clock. What is on it is told at once, for a finger that keeps
  ///   still sends nothing; nil, where the clock is not known: with the next frame.
  func reopen(initialState: ContactTracker.InitialState, at now: Timestamp?) {
    engine.reopen(initialState: initialState)
    guard let now else { return }
    time = now
    if publish({ engine.process(Frame(time: now), into: &$0) }) { hub.announceProof(of: self) }
  }

  private func publish<Result>(_ produce: (inout [ContactEvent]) -> Result) -> Result {
    // Out of the property: Swift would check each use of that for exclusive access.
    var events: [ContactEvent] = []
    swap(&events, &self.events)
    let result = produce(&events)
    eventCount += events.count
    hub.publish(events, of: self)
    // There are few: `removeAll(keepingCapacity:)` costs as much as removing five.
    while !events.isEmpty { events.removeLast() }
    swap(&events, &self.events)
    return result
  }
}
