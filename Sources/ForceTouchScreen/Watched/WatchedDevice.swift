import ForceTouchEngine
public import ForceTouchModel
public import ForceTouchProtocol
import ForceTouchRecognition

/// All that was seen of one device.
public struct WatchedDevice: Sendable {
  public private(set) var device: DeviceMessage
  /// What the daemon says of its contacts.
  private var told = ContactLog()
  public private(set) var trial: SensitivityTrial?
  public private(set) var pace: Pace
  public private(set) var recent = RecentFrames()
  /// How often the kernel lost events (`SYN_DROPPED`).
  public private(set) var lossCount = 0
  /// As the kernel describes it; nil until that was asked and told.
  public private(set) var description: DeviceDescription?

  init(_ device: DeviceMessage) {
    self.device = device
    pace = Pace(sharesClock: !device.isRecording)
  }

  /// Its name on the wire.
  public var id: String { device.device }

  /// What is shown: the trial's, while there is one.
  public var log: ContactLog { trial?.log ?? told }

  /// How often what happened, by the daemon's word.
  public var counts: [EventMessage.Kind: Int] { told.counts }

  /// The thresholds that ``log`` goes by.
  public var thresholds: DeviceMessage.Thresholds? { trial?.thresholds ?? device.thresholds }

  public var scale: ForceScale { ForceScale(device, thresholds: thresholds) }

  mutating func take(_ event: EventMessage, at now: Timestamp) {
    told.take(event, ForceScale(device), at: now)
  }

  /// Takes what was open when the daemon was asked.
  mutating func take(snapshot events: [EventMessage], at now: Timestamp) {
    told.take(snapshot: events, ForceScale(device), at: now)
  }

  mutating func take(_ frame: Frame, at now: Timestamp) {
    pace.take(frame.time, at: now)
    if frame.isResynchronized { lossCount += 1 }
    recent.append(frame, at: now)
    trial?.take(frame, at: now)
  }

  /// It is judged otherwise now.
  mutating func take(_ device: DeviceMessage, judge: Judge) {
    self.device = device
    if let sensitivity = trial?.sensitivity { beginTrial(sensitivity, judge: judge) }
  }

  mutating func take(_ description: DeviceDescription) { self.description = description }

  /// Frames were left out, or nothing was heard for a while.
  mutating func miss(at now: Timestamp) {
    recent.forget()
    trial?.cancel(.dropped, at: now)
  }

  /// A snapshot follows, which lists anew what is open.
  mutating func forgetContacts(at now: Timestamp) { told.forgetContacts(at: now) }

  /// Goes by another sensitivity from now on, and for what is remembered; nil: by the daemon's again.
  ///
  /// - Returns: Whether that can be.
  @discardableResult
  mutating func beginTrial(_ sensitivity: Sensitivity?, judge: Judge) -> Bool {
    guard let sensitivity else {
      trial = nil
      return true
    }
    trial = description.flatMap {
      SensitivityTrial(sensitivity, of: device, $0, judge: judge, frames: recent)
    }
    return trial != nil
  }

  mutating func pass(_ now: Timestamp) { trial?.pass(now) }
}

extension DeviceMessage {
  /// It feels force, or a guess was asked for.
  var isRecognized: Bool { profile != nil }

  /// Whether both say the same of what the kernel says; the daemon's judgement of it may have changed.
  func isSameDevice(as other: DeviceMessage) -> Bool {
    var other = other
    (other.device, other.kind) = (device, kind)
    (other.capability, other.reason, other.explanation) = (capability, reason, explanation)
    (other.estimated, other.profile, other.thresholds) = (estimated, profile, thresholds)
    return other == self
  }
}
