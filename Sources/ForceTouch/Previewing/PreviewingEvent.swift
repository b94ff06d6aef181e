/// One thing that a context hears of one interaction. For each interaction:
///
///     question ( peekCancelled | no | yes peekProgress* ( peekCancelled
///              | peek popProgress* ( pop | peekEnded | peekCancelled ) ) )
///
/// so that every question that was not declined is closed exactly once: by
/// ``Kind-swift.enum/pop``, ``Kind-swift.enum/peekEnded`` or
/// ``Kind-swift.enum/peekCancelled(_:)``.
public struct PreviewingEvent: Equatable, Sendable {
  /// What happened.
  public enum Kind: Equatable, Sendable {
    /// Is there a preview for this? An answer that comes later than `timeout` is no. UIKit:
    /// `previewingContext(_:viewControllerForLocation:)`, `previewInteractionShouldBegin(_:)`.
    case question(timeout: Duration)
    /// How near the peek is, 0 to 1. UIKit: `previewInteraction(_:didUpdatePreviewTransition:ended:)`.
    case peekProgress(Double)
    /// Show the preview. UIKit: `didUpdatePreviewTransition` with `ended`.
    case peek
    /// How near the pop is, 0 to 1. UIKit: `previewInteraction(_:didUpdateCommitTransition:ended:)`.
    case popProgress(Double)
    /// Open what was previewed. Nothing follows. UIKit: `previewingContext(_:commit:)`.
    case pop
    /// The finger lifted: take the preview away. Nothing follows.
    case peekEnded
    /// It came to nothing: take away what is shown. Nothing follows. UIKit:
    /// `previewInteractionDidCancel(_:)`.
    case peekCancelled(PreviewCancellation)
  }

  /// What happened.
  public internal(set) var kind: Kind
  /// Which interaction it belongs to. Each question of a context has a greater number than the one
  /// before, until the context is registered with another daemon.
  public internal(set) var interaction: UInt64
  /// The daemon's name for the device, such as `d1`. A device that comes back has a new one.
  public internal(set) var device: String
  /// When it was felt, in microseconds on the device's clock: only differences mean anything. A peek
  /// or a pop that waited for an answer keeps the time of the press. UIKit: `UITouch.timestamp`.
  public internal(set) var time: Int64
  /// Where, in the source view's units; nil where the program did not say where the pointer is.
  /// UIKit: `UITouch.location(in:)`.
  public internal(set) var location: ViewPoint?
  /// How hard, as a part of what the device can feel, 0 to 1.
  public internal(set) var pressure: Double?
  /// How hard, in average touches: 1.0 is an ordinary touch, and it is at most
  /// ``maximumPossibleForce``. UIKit: `UITouch.force`.
  public internal(set) var force: Double?
  /// The largest ``force`` of the device, 2 to 20. UIKit: `UITouch.maximumPossibleForce`.
  public internal(set) var maximumPossibleForce: Double?
  /// How hard, in grams, where the device measures that.
  public internal(set) var grams: Double?
  /// Nothing proves that the device measures force, and the user asked for a guess.
  public internal(set) var isEstimated: Bool
}

/// Why an interaction came to nothing.
public enum PreviewCancellation: Equatable, Sendable {
  /// The daemon says so: the finger lifted, moved, was joined by another, another session became
  /// active…
  case daemon(PreviewCancelReason)
  /// The daemon says so, for a reason that this version of the library does not know.
  case unknown
  /// The daemon is gone, or was restarted.
  case connectionLost
  /// The answer came too late, or not at all.
  case lateAnswer
  /// The program took it back.
  case program
}
