public import ForceTouchDevices
public import ForceTouchModel
public import ForceTouchRecognition

/// Contact tracker and recognizer of one device, put together once for live devices and for
/// recordings: frames go in, contact events come out.
///
/// Not safe for use from several threads at once.
public struct DeviceEngine {
  public let description: DeviceDescription
  public private(set) var verdict: CapabilityVerdict
  /// The profile that force is computed by: the verdict's, or a guess where the user asked for
  /// one; nil on a device whose pressure means nothing to us.
  public private(set) var profile: ForceProfile?
  /// The profile is a guess.
  public private(set) var isEstimated: Bool
  private var configuration: RecognizerConfiguration
  private var tracker: ContactTracker
  private var recognizer: Recognizer
  private var contacts = ContactFrame()

  /// - Parameters:
  ///   - estimates: Recognize on a device that is not `available` too, by a guessed profile.
  ///   - initialState: What is on the device before the first frame.
  public init(
    description: DeviceDescription, verdict: CapabilityVerdict,
    configuration: RecognizerConfiguration = RecognizerConfiguration(), estimates: Bool = false,
    initialState: ContactTracker.InitialState = .unknown
  ) {
    self.description = description
    self.verdict = verdict
    self.configuration = configuration
    let available = verdict.capability == .available ? verdict.profile : nil
    let guess = estimates && available == nil ? estimatedProfile(of: description, verdict) : nil
    profile = available ?? guess
    isEstimated = guess != nil
    tracker = ContactTracker(description: description, initialState: initialState)
    recognizer = Recognizer(
      configuration: configuration,
      device: RecognizedDevice(
        kind: verdict.touchKind ?? .touchscreen, profile: profile,
        unitsPerGram: description.pressureAxis?.resolution ?? 0,
        // The range of what happened to be recorded says nothing of distances.
        positionAxes: description.isInferred ? nil : description.positionAxes,
        isEstimated: isEstimated))
  }

  /// Where hint, peek and pop lie on the device's pressure axis; nil without a profile.
  public var thresholds: RawThresholds? {
    profile.map { RawThresholds(configuration, profile: $0) }
  }

  /// When ``timeout(at:into:)`` is due if no frame comes before; on the device's clock.
  public var deadline: Timestamp? { recognizer.deadline }

  /// How many values lay outside of what the device declares; they are survived.
  public var outOfRangeCount: Int { tracker.outOfRangeCount }

  /// Takes a frame and appends what follows. A deadline that lies before the frame is met first,
  /// so a recording at any speed gives what the live device gave.
  public mutating func process(_ frame: Frame, into events: inout [ContactEvent]) {
    // Nothing is known of contacts on what is no touch device, and nothing is to be known of
    // those on one that is switched off.
    guard verdict.reason != .notTouch, verdict.reason != .disabled else { return }
    if let deadline, deadline <= frame.time { timeout(at: deadline, into: &events) }
    tracker.process(frame, into: &contacts)
    recognizer.process(contacts, into: &events)
  }

  /// Takes the passing of ``deadline`` without a frame.
  public mutating func timeout(at time: Timestamp, into events: inout [ContactEvent]) {
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
  }

  /// Takes another judgement of the same device. What is open must have been cancelled if there
  /// is a difference; contact numbers go on, and what is down is not heard of until it lifts.
  public mutating func take(_ other: DeviceEngine) {
    guard isDifferent(from: other) else { return }
    verdict = other.verdict
    profile = other.profile
    isEstimated = other.isEstimated
    configuration = other.configuration
    recognizer = other.recognizer
  }

  /// Whether the other was judged or configured differently.
  public func isDifferent(from other: DeviceEngine) -> Bool {
    verdict != other.verdict || profile != other.profile || isEstimated != other.isEstimated
      || configuration != other.configuration
  }

  /// Appends what would bring a listener that heard nothing to where things are: the `began` of
  /// each open contact, and its `peek` and `pop` if it had them.
  public func appendOpenContacts(to events: inout [ContactEvent]) {
    recognizer.appendOpenContacts(to: &events)
  }
}
