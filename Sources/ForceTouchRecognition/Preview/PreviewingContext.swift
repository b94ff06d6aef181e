public import ForceTouchModel

/// What a program registered: a source view that wants to show previews. The UIKit counterpart is
/// `UIViewControllerPreviewing`, which `registerForPreviewing(with:sourceView:)` returns.
public struct PreviewingContext: Equatable, Sendable {
  /// Which contacts concern a context.
  public enum Coverage: Equatable, Sendable {
    /// On trackpads all, while the program says that the pointer is over its view; on touchscreens
    /// those that it claims. `size`: the view's, where the program told it.
    case view(size: ViewSize?)
    /// On touchscreens those in a rectangle of the screen, which the view with this size fills.
    case region(ScreenRegion, size: ViewSize)
    /// All that nobody else wants, on trackpads and perhaps on touchscreens: asked last.
    case everything(includingTouchscreens: Bool)
  }

  public var id: PreviewingContextID
  public var coverage: Coverage
  /// Only contacts of this device; nil: of all.
  public var device: DeviceID?
  /// Only contacts of this seat's devices. nil: of all seats, and of devices without one.
  public var seat: String?
  /// Whose it is (the uid): who guesses in claims is slowed down in all of its contexts.
  public var user: UInt32
  /// Whether it is asked at all, but about what it claims. A source view begins inactive, as
  /// nobody knows yet where the pointer is; the others begin active.
  public var isActive: Bool
  /// Its user is not in front of the seat: it is asked nothing.
  public var isDormant: Bool

  public init(
    id: PreviewingContextID, coverage: Coverage, device: DeviceID? = nil, seat: String? = nil,
    user: UInt32 = 0, isActive: Bool? = nil, isDormant: Bool = false
  ) {
    self.id = id
    self.coverage = coverage
    self.device = device
    self.seat = seat
    self.user = user
    self.isDormant = isDormant
    switch coverage {
    case .view: self.isActive = isActive ?? false
    case .region, .everything: self.isActive = isActive ?? true
    }
  }

  /// In whose units locations and source rects are; nil where the program did not tell.
  public var viewSize: ViewSize? {
    switch coverage {
    case .view(let size): size
    case .region(_, let size): size
    case .everything: .unit
    }
  }

  /// Whether contacts of this device may be its business, now or when it is active.
  func concerns(_ device: PreviewDevice) -> Bool {
    guard self.device == nil || self.device == device.id, seat == nil || seat == device.seat
    else { return false }
    switch coverage {
    case .view: return true
    case .region: return device.kind == .touchscreen
    case .everything(let includingTouchscreens):
      return includingTouchscreens || device.kind == .trackpad
    }
  }

  /// From a contact's position to the view's coordinates, where the context may know them.
  func mapping(on device: PreviewDevice) -> ViewMapping? {
    guard device.kind == .touchscreen, let screen = device.screen else { return nil }
    switch coverage {
    case .view: return nil
    case .region(let region, let size):
      return ViewMapping(screen: screen, region: region, size: size)
    case .everything(let includingTouchscreens):
      guard includingTouchscreens else { return nil }
      return ViewMapping(screen: screen, region: .wholeScreen, size: .unit)
    }
  }
}

/// From the units of a touchscreen's position axes to the coordinates of a source view on it.
struct ViewMapping: Equatable, Sendable {
  let screen: ScreenMapping
  let region: ScreenRegion
  let size: ViewSize

  func point(of position: Position) -> ViewPoint {
    let point = screen.point(of: position)
    return ViewPoint(
      x: (point.x - region.x) / region.width * size.width,
      y: (point.y - region.y) / region.height * size.height)
  }

  func contains(_ position: Position) -> Bool { region.contains(screen.point(of: position)) }
}
