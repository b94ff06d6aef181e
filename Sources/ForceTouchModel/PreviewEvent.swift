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
