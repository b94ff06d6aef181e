/// What a program wants to show previews for: a table, a canvas, a window. Any class of the
/// program's own can be one. The UIKit counterpart is the `UIView` given as `sourceView`.
///
/// The library does not keep it: keep it as long as its context. It is used on the thread that
/// dispatches.
public protocol SourceView: AnyObject {
  /// How large it is now, in the units in which the program gives and takes locations; nil where
  /// that is not known: then locations of ``SourceCoverage/region(_:)`` and
  /// ``SourceCoverage/everything(touchscreens:)`` are parts of the whole, 0 to 1. It may change at
  /// any time. UIKit: `bounds.size`.
  var size: ViewSize? { get }

  /// Which touches it may be asked about; ``SourceCoverage/view`` unless implemented. It is read
  /// when the view is registered: after a change, unregister and register it again.
  var coverage: SourceCoverage { get }
}

extension SourceView {
  public var coverage: SourceCoverage { .view }
}

/// Which touches a context may be asked about. In UIKit this is known from the view's place on the
/// screen; a Wayland program does not know that place.
public enum SourceCoverage: Equatable, Sendable {
  /// Those of trackpads while the pointer is over the view (``PreviewingContext/pointerLocation``),
  /// and those of touchscreens that the program claims
  /// (``PreviewingContext/claim(touchTime:location:)``). What an ordinary window needs.
  case view
  /// Those of touchscreens in a part of the screen, which the view fills: kiosks, full-screen
  /// programs, X11. As it sees every touch there, the user must be in the group `forcetouch`, unless
  /// the administrator allows it to who is in front of the seat.
  case region(ScreenRegion)
  /// Those of trackpads that no other program wants; with `touchscreens` those of touchscreens
  /// too, which needs the group `forcetouch`. For tools that act wherever the finger is.
  case everything(touchscreens: Bool)
}
