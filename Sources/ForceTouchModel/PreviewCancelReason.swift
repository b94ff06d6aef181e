/// Why an interaction was closed without a pop, and without a peek that ended by lifting. Raw
/// values: the wire's words.
public enum PreviewCancelReason: String, Sendable, CaseIterable {
  /// The finger lifted before there was a peek, or before the question was answered.
  case lifted
  /// The program took its context away.
  case unregistered

  // As in ``FailureReason``: there can be no peek any more.
  /// On a touchscreen the finger moved more than the slop.
  case moved
  /// The finger moved with a button held.
  case dragged
  /// The kernel says that this is a palm (`MT_TOOL_PALM`).
  case palm
  /// It is a pen or another tool.
  case notFinger

  // As in ``CancelReason``.
  /// Another contact came down on the same device.
  case otherContact
  /// Events were lost and the contact did not survive the gap.
  case dropped
  /// The device was unplugged or switched off.
  case deviceRemoved
  /// The machine slept.
  case suspended
  /// Another session became active, or the screen was locked.
  case sessionInactive
  /// Settings, or the device's profile, are others now.
  case reconfigured
  /// The daemon stops.
  case stopping
  /// The recording ended with the finger down.
  case endOfRecording
  /// Nobody listens any more: the device is closed.
  case unobserved
  /// A type-A device that was never seen to tell a lift has said nothing of the contact for long.
  case stale

  public init(_ reason: CancelReason) {
    switch reason {
    case .otherContact: self = .otherContact
    case .dropped: self = .dropped
    case .deviceRemoved: self = .deviceRemoved
    case .suspended: self = .suspended
    case .sessionInactive: self = .sessionInactive
    case .reconfigured: self = .reconfigured
    case .stopping: self = .stopping
    case .endOfRecording: self = .endOfRecording
    case .unobserved: self = .unobserved
    case .palm: self = .palm
    case .stale: self = .stale
    }
  }

  public init(_ reason: FailureReason) {
    switch reason {
    case .moved: self = .moved
    case .dragged: self = .dragged
    case .palm: self = .palm
    case .notFinger: self = .notFinger
    }
  }
}
