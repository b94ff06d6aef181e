/// Peek and pop as progress, for a program that draws them itself. The UIKit counterpart is
/// `UIPreviewInteraction`.
///
/// Keep it as long as it is wanted. Say where the pointer is, and claim touches, by its
/// ``context``. Not safe for several threads at once: use it where its client is dispatched.
public final class PreviewInteraction {
  /// Who is told. It is not kept. UIKit: `delegate`.
  public weak var delegate: (any PreviewInteractionDelegate)?

  /// The registration behind it.
  public let context: PreviewingContext

  /// Registers a view, as ``ForceTouchClient/registerForPreviewing(with:sourceView:)`` does. UIKit:
  /// `init(view:)`.
  public init(view: any SourceView, client: ForceTouchClient) {
    let reporter = InteractionReporter()
    context = client.register(view, reporter)
    reporter.interaction = self
  }

  /// The view that was registered; nil when it is gone. UIKit: `view`.
  public var view: (any SourceView)? { context.sourceView }

  /// Where it takes place, in the view's units; nil before the first, and where the program did not
  /// say where the pointer is. UIKit: `location(in:)`.
  public var location: ViewPoint? { context.event?.location }

  /// Ends what goes on: the delegate is told that it was cancelled. UIKit: `cancel()`.
  public func cancel() { context.cancel() }
}

/// Who follows a preview interaction. The UIKit counterpart is `UIPreviewInteractionDelegate`.
///
/// An interaction that began is closed exactly once: by a commit transition that ended, or by
/// ``previewInteractionDidCancel(_:)``. All methods are called in ``ForceTouchClient/dispatch()``,
/// on its thread.
public protocol PreviewInteractionDelegate: AnyObject {
  /// A finger presses: may it begin? Yes unless implemented. The daemon takes silence for no after
  /// 50 ms, unless it is set up otherwise. UIKit: `previewInteractionShouldBegin(_:)`.
  func previewInteractionShouldBegin(_ interaction: PreviewInteraction) -> Bool

  /// How near the peek is: `progress` is 0 to 1. `ended`: this is the peek, and it is 1. UIKit:
  /// `previewInteraction(_:didUpdatePreviewTransition:ended:)`.
  func previewInteraction(
    _ interaction: PreviewInteraction, didUpdatePreviewTransition progress: Double, ended: Bool)

  /// How near the pop is: `progress` is 0 to 1. `ended`: this is the pop, it is 1, and nothing
  /// follows. Does nothing unless implemented. UIKit:
  /// `previewInteraction(_:didUpdateCommitTransition:ended:)`.
  func previewInteraction(
    _ interaction: PreviewInteraction, didUpdateCommitTransition progress: Double, ended: Bool)

  /// The finger lifted, or it came to nothing: ``PreviewingContext/event`` says why. UIKit:
  /// `previewInteractionDidCancel(_:)`.
  func previewInteractionDidCancel(_ interaction: PreviewInteraction)

  /// The daemon refused something, or cannot be told. Does nothing unless implemented.
  func previewInteraction(_ interaction: PreviewInteraction, didFailWith error: ForceTouchError)
}

extension PreviewInteractionDelegate {
  public func previewInteractionShouldBegin(_ interaction: PreviewInteraction) -> Bool { true }

  public func previewInteraction(
    _ interaction: PreviewInteraction, didUpdateCommitTransition progress: Double, ended: Bool
  ) {}

  public func previewInteraction(
    _ interaction: PreviewInteraction, didFailWith error: ForceTouchError
  ) {}
}

/// Tells an interaction's delegate. The context keeps it, and the interaction keeps the context.
private final class InteractionReporter: PreviewingHandler, BegunPreview {
  weak var interaction: PreviewInteraction?

  func begin(in context: PreviewingContext, at location: ViewPoint) -> (any BegunPreview)? {
    guard let interaction, let delegate = interaction.delegate,
      delegate.previewInteractionShouldBegin(interaction)
    else { return nil }
    return self
  }

  func hear(_ event: PreviewingEvent, in context: PreviewingContext) {
    guard let interaction, let delegate = interaction.delegate else { return }
    switch event.kind {
    case .question: break
    case .peekProgress(let progress):
      delegate.previewInteraction(
        interaction, didUpdatePreviewTransition: progress, ended: false)
    case .peek:
      delegate.previewInteraction(interaction, didUpdatePreviewTransition: 1, ended: true)
    case .popProgress(let progress):
      delegate.previewInteraction(interaction, didUpdateCommitTransition: progress, ended: false)
    case .pop:
      delegate.previewInteraction(interaction, didUpdateCommitTransition: 1, ended: true)
    case .peekEnded, .peekCancelled: delegate.previewInteractionDidCancel(interaction)
    }
  }

  func heard(_ event: PreviewingEvent, in context: PreviewingContext) {}

  func failed(_ error: ForceTouchError, in context: PreviewingContext) {
    guard let interaction else { return }
    interaction.delegate?.previewInteraction(interaction, didFailWith: error)
  }
}
