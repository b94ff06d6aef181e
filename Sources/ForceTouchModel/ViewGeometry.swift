/// A point in a source view's own coordinates: whatever units the program chose, from its upper
/// left corner. The UIKit counterpart is `UITouch.location(in:)`.
public struct ViewPoint: Hashable, Sendable {
  public var x: Double
  public var y: Double

  public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }
}

/// How large a source view is, in its own units. The UIKit counterpart is `UIView.bounds.size`.
public struct ViewSize: Hashable, Sendable {
  public let width: Double
  public let height: Double

  /// - Returns: nil unless both are greater than 0 and at most 1,000,000.
  public init?(width: Double, height: Double) {
    guard width > 0, height > 0, width <= 1e6, height <= 1e6 else { return nil }
    self.width = width
    self.height = height
  }

  private init(one: Double) {
    width = one
    height = one
  }

  /// The size whose coordinates are parts of the whole, 0…1.
  public static let unit = ViewSize(one: 1)
}

/// A rectangle in a source view's own coordinates.
public struct ViewRect: Hashable, Sendable {
  public var x: Double
  public var y: Double
  public var width: Double
  public var height: Double

  public init(x: Double, y: Double, width: Double, height: Double) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  /// Finite, and neither side negative. A side may be 0.
  public var isValid: Bool {
    x.isFinite && y.isFinite && width.isFinite && height.isFinite && width >= 0 && height >= 0
  }

  /// Whether any of it, be it an edge, lies in a view of this size. A row that is scrolled half
  /// out of its table still counts.
  public func touches(viewOf size: ViewSize) -> Bool {
    x <= size.width && y <= size.height && x + width >= 0 && y + height >= 0
  }
}

/// A rectangle of a touchscreen, in parts of the screen: 0 is its left or upper edge, 1 its right
/// or lower one. It may reach beyond the screen, as windows do.
public struct ScreenRegion: Hashable, Sendable {
  public let x: Double
  public let y: Double
  public let width: Double
  public let height: Double

  /// - Returns: nil unless width and height lie in 0.0001…100, x and y in −100…100.
  public init?(x: Double, y: Double, width: Double, height: Double) {
    let sides = 0.0001...100.0
    guard sides.contains(width), sides.contains(height), x.magnitude <= 100, y.magnitude <= 100
    else { return nil }
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  private init(width: Double) {
    x = 0
    y = 0
    self.width = width
    height = width
  }

  public static let wholeScreen = ScreenRegion(width: 1)

  public var area: Double { width * height }

  /// The left and upper edges belong to it, the right and lower ones do not: of two regions side
  /// by side, one has the point between. Those of the screen's own edge belong to it always.
  public func contains(_ point: ScreenPoint) -> Bool {
    point.x >= x && (point.x < x + width || (point.x >= 1 && x + width >= 1))
      && point.y >= y && (point.y < y + height || (point.y >= 1 && y + height >= 1))
  }
}

/// A place on a touchscreen in parts of the screen, 0…1 in each direction. What lies outside the
/// range that the device declares is at the edge.
public struct ScreenPoint: Hashable, Sendable {
  public let x: Double
  public let y: Double

  public init(x: Double, y: Double) {
    self.x = clampToUnit(x)
    self.y = clampToUnit(y)
  }
}
