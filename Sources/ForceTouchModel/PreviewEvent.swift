/// A number that names one device while it is there: a device that comes back is a new one.
public struct DeviceID: RawRepresentable, Hashable, Sendable {
  public var rawValue: UInt32
  public init(rawValue: UInt32) { self.rawValue = rawValue }
}

/// A number that names one previewing context. Programs know their contexts by secret tokens; who
/// serves them keeps the two apart.
public struct PreviewingContextID: RawRepresentable, Hashable, Sendable {
  public var rawValue: UInt64
  public init(rawValue: UInt64) { self.rawValue = rawValue }
}

/// A number that names one interaction of one context: its first question is 1, its next 2. Two
/// contexts count on their own, so that nobody learns how often others were asked.
public struct InteractionID: RawRepresentable, Hashable, Comparable, Sendable {
  public var rawValue: UInt64
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  public static func < (left: InteractionID, right: InteractionID) -> Bool {
    left.rawValue < right.rawValue
  }
}

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

/// One thing that one previewing context hears of one interaction: no more of the contact than
/// the context may know.
///
/// For each interaction:
///
///     question ( peekCancelled | no or silence | yes peekProgress* ( peekCancelled
///              | peek popProgress* ( pop | peekEnded | peekCancelled ) ) )
///
/// After no, and after silence, nothing of it is heard any more. The UIKit counterparts are
/// `UIViewControllerPreviewingDelegate` and `UIPreviewInteractionDelegate`.
public struct PreviewEvent: Equatable, Sendable {
  public enum Kind: Equatable, Sendable {
    /// Is there a preview? UIKit: `previewingContext(_:viewControllerForLocation:)`. Silence for
    /// `timeout` is no. `claimed`: the time by which the program claimed the contact, in
    /// milliseconds, so that it knows which of its touches is meant; nil without a claim.
    case question(timeout: Interval, claimed: UInt32?)
    /// 0 at the hint, 1 at the peek threshold. UIKit: `didUpdatePreviewTransition(_:ended:)`.
    case peekProgress(Double)
    /// Show the preview. UIKit: `didUpdatePreviewTransition` with `ended`.
    case peek
    /// 0 at the peek threshold, 1 at the pop threshold. UIKit:
    /// `didUpdateCommitTransition(_:ended:)`.
    case popProgress(Double)
    /// Open what was previewed. UIKit: `previewingContext(_:commit:)`. Nothing follows.
    case pop
    /// The finger lifted: take the preview away. Nothing follows.
    case peekEnded
    /// UIKit: `previewInteractionDidCancel(_:)`. Nothing follows.
    case peekCancelled(PreviewCancelReason)
  }

  public var kind: Kind
  public var context: PreviewingContextID
  public var interaction: InteractionID
  public var device: DeviceID
  /// Of the sample that the event tells of, on the device's clock. A peek and a pop that had to
  /// wait for an answer keep the time at which they were pressed.
  public var time: Timestamp
  /// nil on a device without a profile.
  public var force: ForceSample?
  /// In the source view's coordinates, and only for a context that may know it: one with a region,
  /// or one for everything, on a touchscreen.
  public var location: ViewPoint?
  /// The device is not `available`: the user asked for a guess.
  public var isEstimated: Bool

  public init(
    kind: Kind, context: PreviewingContextID, interaction: InteractionID, device: DeviceID,
    time: Timestamp, force: ForceSample? = nil, location: ViewPoint? = nil,
    isEstimated: Bool = false
  ) {
    self.kind = kind
    self.context = context
    self.interaction = interaction
    self.device = device
    self.time = time
    self.force = force
    self.location = location
    self.isEstimated = isEstimated
  }
}
