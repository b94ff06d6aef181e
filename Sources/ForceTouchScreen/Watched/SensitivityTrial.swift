import ForceTouchDevices
import ForceTouchEngine
import ForceTouchModel
public import ForceTouchProtocol
public import ForceTouchRecognition

/// What the same touches give with another sensitivity: the daemon's engine, run here on the raw frames.
public struct SensitivityTrial: Sendable {
  public let sensitivity: Sensitivity
  private let device: DeviceMessage
  private var engine: DeviceEngine
  public private(set) var log = ContactLog()
  /// The last frame's time, and when it arrived: what passes between the two clocks passes alike.
  private var lastFrame: (time: Timestamp, arrival: Timestamp)?
  private var events: [ContactEvent] = []

  /// - Parameters:
  ///   - settings: All else that is set.
  ///   - frames: What came lately: it is felt again, so that the trial begins in the middle of things.
  init?(
    _ sensitivity: Sensitivity, of device: DeviceMessage, _ description: DeviceDescription,
    judge: Judge, frames: RecentFrames
  ) {
    var judge = judge
    judge.settings.recognition.sensitivity = sensitivity
    // The daemon's word on the device counts, wherever it has it from.
    if !device.estimated {
      guard let profile = device.profile.flatMap(ForceProfile.init) else { return nil }
      judge.profiles.set(profile, for: description)
    }
    engine = DeviceEngine(description: description, judge: judge, estimates: device.estimated)
    guard engine.thresholds != nil else { return nil }
    self.sensitivity = sensitivity
    self.device = device
    for (frame, arrival) in frames.replay { take(frame, at: arrival) }
  }

  public var thresholds: DeviceMessage.Thresholds? {
    engine.thresholds.map { .init(hint: $0.hint, peek: $0.peek, pop: $0.pop) }
  }

  mutating func take(_ frame: Frame, at now: Timestamp) {
    engine.process(frame, into: &events)
    lastFrame = (frame.time, now)
    log(at: now)
  }

  /// When the engine wants to know that nothing came.
  var deadline: Timestamp? {
    guard let deadline = engine.deadline, let lastFrame else { return nil }
    return lastFrame.arrival + (deadline - lastFrame.time)
  }

  mutating func pass(_ now: Timestamp) {
    guard let due = deadline, due <= now, let deadline = engine.deadline else { return }
    engine.timeout(at: deadline, into: &events)
    log(at: now)
  }

  /// Frames are missing: what was down is not followed any further.
  mutating func cancel(_ reason: CancelReason, at now: Timestamp) {
    engine.cancel(reason, at: lastFrame?.time ?? .zero, into: &events)
    engine.reopen(initialState: .unknown)
    log(at: now)
  }

  private mutating func log(at now: Timestamp) {
    guard !events.isEmpty else { return }
    let scale = ForceScale(device, thresholds: thresholds)
    for event in events { log.take(EventMessage(event, device: device.device), scale, at: now) }
    events.removeAll(keepingCapacity: true)
  }
}

extension ForceProfile {
  fileprivate init?(_ profile: DeviceMessage.Profile) {
    try? self.init(
      floor: profile.floor, average: profile.average, ceiling: profile.ceiling,
      click: profile.click)
  }
}
