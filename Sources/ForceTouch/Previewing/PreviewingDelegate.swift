/// Who shows previews. The UIKit counterpart is `UIViewControllerPreviewingDelegate`.
///
/// UIKit shows a preview and takes it away by itself; a Linux program does both, so there are two
/// methods more: ``previewingContext(_:present:)`` and ``previewingContext(_:dismiss:)``. Each preview
/// that was given ends in exactly one of ``previewingContext(_:commit:)`` and
/// ``previewingContext(_:dismiss:)``, whatever happens.
///
/// All methods are called in ``ForceTouchClient/dispatch()``, on its thread; only
/// ``PreviewingContext/unregister()`` and ``PreviewingContext/cancel()`` call `dismiss` at once. A
/// delegate of an actor conforms with that actor's isolation:
/// `extension Table: @MainActor PreviewingDelegate`.
public protocol PreviewingDelegate<Preview>: AnyObject {
  /// What a preview is: a widget, a window, or an object of the program's own. In UIKit it is a
  /// `UIViewController`.
  associatedtype Preview

  /// A finger presses: is there a preview for this location? nil declines, and nothing more is heard
  /// of this press. Set ``PreviewingContext/sourceRect`` and ``PreviewingContext/allowsPop`` here.
  ///
  /// `location` is in the source view's units; 0, 0 where the program did not say where the pointer
  /// is. Answer quickly: the daemon takes silence for no after 50 ms, unless it is set up otherwise.
  /// Nothing is to be shown yet. UIKit: `previewingContext(_:viewControllerForLocation:)`.
  func previewingContext(
    _ context: PreviewingContext, previewForLocation location: ViewPoint
  ) -> Preview?

  /// Peek: show the preview. UIKit does this by itself.
  func previewingContext(_ context: PreviewingContext, present preview: Preview)

  /// Pop: open what was previewed. The preview is the program's now: it is not dismissed. UIKit:
  /// `previewingContext(_:commit:)`.
  func previewingContext(_ context: PreviewingContext, commit preview: Preview)

  /// The finger lifted, or it came to nothing: take the preview away. It may never have been
  /// presented. ``PreviewingContext/event`` says why. UIKit does this by itself.
  func previewingContext(_ context: PreviewingContext, dismiss preview: Preview)

  /// Anything was heard: what to do about it follows. For progress, force, and reasons. Does
  /// nothing unless implemented.
  func previewingContext(_ context: PreviewingContext, didHear event: PreviewingEvent)

  /// The daemon refused something, or cannot be told. Does nothing unless implemented.
  func previewingContext(_ context: PreviewingContext, didFailWith error: ForceTouchError)
}

extension PreviewingDelegate {
  public func previewingContext(_ context: PreviewingContext, didHear event: PreviewingEvent) {}

  public func previewingContext(
    _ context: PreviewingContext, didFailWith error: ForceTouchError
  ) {}
}

/// Asks a delegate for previews, without keeping it.
final class DelegateHandler<Delegate: PreviewingDelegate>: PreviewingHandler {
  private weak var delegate: Delegate?

  init(_ delegate: Delegate) { self.delegate = delegate }

  func begin(in context: PreviewingContext, at location: ViewPoint) -> (any BegunPreview)? {
    delegate.flatMap { delegate in
      delegate.previewingContext(context, previewForLocation: location).map {
        DelegatePreview(delegate: delegate, preview: $0)
      }
    }
  }

  func heard(_ event: PreviewingEvent, in context: PreviewingContext) {
    delegate?.previewingContext(context, didHear: event)
  }

  func failed(_ error: ForceTouchError, in context: PreviewingContext) {
    delegate?.previewingContext(context, didFailWith: error)
  }
}

private final class DelegatePreview<Delegate: PreviewingDelegate>: BegunPreview {
  private weak var delegate: Delegate?
  private let preview: Delegate.Preview

  init(delegate: Delegate, preview: Delegate.Preview) {
    self.delegate = delegate
    self.preview = preview
  }

  func hear(_ event: PreviewingEvent, in context: PreviewingContext) {
    switch event.kind {
    case .question, .peekProgress, .popProgress: break
    case .peek: delegate?.previewingContext(context, present: preview)
    case .pop: delegate?.previewingContext(context, commit: preview)
    case .peekEnded, .peekCancelled: delegate?.previewingContext(context, dismiss: preview)
    }
  }
}
