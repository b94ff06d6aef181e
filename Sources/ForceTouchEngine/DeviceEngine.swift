public import ForceTouchDevices
public import ForceTouchModel
public import ForceTouchRecognition

/// Contact tracker and recognizer of one device, put together once for live devices and for
/// recordings: frames go in, contact events come out.
///
/// Not safe for use from several threads at once.
public struct DeviceEngine: Sendable {
  public let description: DeviceDescription
  private var judge: Judge
  private let estimates: Bool
  private var judgement: Judgement
  private var tracker: ContactTracker
  private var recognizer: Recognizer
  private var contacts = ContactFrame()
  /// What pressure was seen to do; nil on a device without a pressure axis.
  public private(set) var statistics: PressureStatistics?

  /// - Parameters:
  ///   - judge: Decides what the device is taken for, now and when its use proves something.
  ///   - estimates: Recognize on a device that is not `available` too, by a guessed profile,
  ///     whatever the settings say.
  ///   - initialState: What is on the device before the first frame.
  public init(
    description: DeviceDescription, judge: Judge, estimates: Bool = false,
    initialState: ContactTracker.InitialState = .unknown
  ) {
    self.description = description
    self.judge = judge
    self.estimates = estimates
    judgement = judge.judgement(of: description, evidence: nil, estimates: estimates)
    tracker = ContactTracker(description: description, initialState: initialState)
    recognizer = Recognizer(judgement, description)
    statistics = PressureStatistics(of: description)
  }

  public var verdict: CapabilityVerdict { judgement.verdict }

  /// The profile that force is computed by: the verdict's, or a guess where the user asked for
  /// one; nil on a device whose pressure means nothing to us.
  public var profile: ForceProfile? { judgement.profile }

  /// The profile is a guess.
  public var isEstimated: Bool { judgement.isEstimated }

  /// What the use of the device has proven against it; stays.
  public var evidence: PressureEvidence? { statistics?.evidence }

  /// Where hint, peek and pop lie on the device's pressure axis; nil without a profile.
  public var thresholds: RawThresholds? {
    profile.map { RawThresholds(judgement.configuration, profile: $0) }
  }

  /// When ``timeout(at:into:)`` is due if no frame comes before; on the device's clock.
  public var deadline: Timestamp? {
    guard let tracker = tracker.deadline else { return recognizer.deadline }
    return min(tracker, recognizer.deadline ?? tracker)
  }

  /// How many values lay outside of what the device declares; they are survived.
  public var outOfRangeCount: Int { tracker.outOfRangeCount }

  /// Takes a frame and appends what follows. A deadline that lies before the frame is met first,
  /// so a recording at any speed gives what the live device gave.
  ///
  /// A frame that proves the device's pressure a lie is not recognized any more: what is open is
  /// closed, as by ``take(_:at:into:)``, and ``verdict`` is another then.
  public mutating func process(_ frame: Frame, into events: inout [ContactEvent]) {
    // Nothing is known of contacts on what is no touch device, and nothing is to be known of
    // those on one that is switched off.
    switch judgement.verdict.reason {
    case .notTouch, .disabled: return
    default: break
    }
    // At most two: when a finger rests, and when nothing is heard of it any more.
    for _ in 0..<2 {
      if let deadline, deadline <= frame.time { timeout(at: deadline, into: &events) }
    }
    tracker.process(frame, into: &contacts)
    let before = evidence
    statistics?.add(contacts)
    if evidence != before, take(judge, at: frame.time, into: &events) { return }
    recognizer.process(contacts, into: &events)
  }

  /// Takes the passing of ``deadline`` without a frame.
  public mutating func timeout(at time: Timestamp, into events: inout [ContactEvent]) {
    if let deadline = tracker.deadline, deadline <= time {
      tracker.timeout(at: time, into: &contacts)
      statistics?.add(contacts)
      recognizer.process(contacts, into: &events)
    }
    recognizer.timeout(at: time, into: &events)
  }

  /// Closes everything that is open. What stays down is not heard of until it lifts.
  public mutating func cancel(
    _ reason: CancelReason, at time: Timestamp, into events: inout [ContactEvent]
  ) {
    recognizer.cancel(reason, at: time, into: &events)
  }

  /// The device is opened again: its contacts may have changed meanwhile. Contact numbers go on.
  public mutating func reopen(initialState: ContactTracker.InitialState) {
    tracker.reopen(initialState: initialState)
    statistics?.forgetContacts()
  }

  /// Goes by another judge, and by what was proven. If that makes a difference, what is open is
  /// closed (`reconfigured`); contact numbers go on, and what is down is not heard of until it lifts.
  ///
  /// - Returns: Whether it makes a difference.
  @discardableResult public mutating func take(
    _ judge: Judge, at time: Timestamp, into events: inout [ContactEvent]
  ) -> Bool {
    self.judge = judge
    let other = judge.judgement(of: description, evidence: evidence, estimates: estimates)
    guard other != judgement else { return false }
    recognizer.cancel(.reconfigured, at: time, into: &events)
    judgement = other
    recognizer = Recognizer(judgement, description)
    return true
  }

  /// Appends what would bring a listener that heard nothing to where things are: the `began` of
  /// each open contact, and its `peek` and `pop` if it had them.
  public func appendOpenContacts(to events: inout [ContactEvent]) {
    recognizer.appendOpenContacts(to: &events)
  }
}

extension Recognizer {
  fileprivate init(_ judgement: Judgement, _ description: DeviceDescription) {
    self.init(
      configuration: judgement.configuration,
      device: RecognizedDevice(
        kind: judgement.verdict.touchKind ?? .touchscreen, profile: judgement.profile,
        unitsPerGram: description.pressureAxis?.resolution ?? 0,
        // The range of what happened to be recorded says nothing of distances.
        positionAxes: description.isInferred ? nil : description.positionAxes,
        isEstimated: judgement.isEstimated))
  }
}
