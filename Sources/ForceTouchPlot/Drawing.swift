/// A picture as what is painted, one over the other; lengths in points, from the top left corner.
public struct Drawing: Equatable, Sendable {
  public internal(set) var size: Size
  public internal(set) var marks: [Mark] = []
}

public struct Size: Equatable, Sendable {
  public var width: Double
  public var height: Double
}

public struct Point: Equatable, Sendable {
  public var x: Double
  public var y: Double

  public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }
}

/// A rectangle with its sides along the axes.
public struct Box: Equatable, Sendable {
  public var left: Double
  public var top: Double
  public var right: Double
  public var bottom: Double

  var width: Double { right - left }
  var height: Double { bottom - top }

  func intersects(_ other: Box) -> Bool {
    left < other.right && other.left < right && top < other.bottom && other.top < bottom
  }

  func contains(_ other: Box) -> Bool {
    left <= other.left && other.right <= right && top <= other.top && other.bottom <= bottom
  }

  /// A square around a point.
  init(around center: Point, radius: Double) {
    self.init(
      left: center.x - radius, top: center.y - radius, right: center.x + radius,
      bottom: center.y + radius)
  }

  init(left: Double, top: Double, right: Double, bottom: Double) {
    self.left = left
    self.top = top
    self.right = right
    self.bottom = bottom
  }

  var corners: [Point] {
    [
      Point(x: left, y: top), Point(x: right, y: top), Point(x: right, y: bottom),
      Point(x: left, y: bottom),
    ]
  }
}

/// A color; all from 0 to 1.
public struct Ink: Equatable, Sendable {
  public var red: Double
  public var green: Double
  public var blue: Double
  public var alpha: Double

  /// - Parameter hex: `0xRRGGBB`.
  init(_ hex: UInt32, alpha: Double = 1) {
    red = Double(hex >> 16 & 0xff) / 255
    green = Double(hex >> 8 & 0xff) / 255
    blue = Double(hex & 0xff) / 255
    self.alpha = alpha
  }
}

/// One thing that is painted.
public enum Mark: Equatable, Sendable {
  /// A closed shape.
  case area([Point], Ink)
  /// An open line with round ends and corners.
  case line([Point], Ink, width: Double, dash: [Double] = [])
  /// A circle.
  case ring(Point, radius: Double, fill: Ink? = nil, outline: Ink? = nil)
  case text(Label)
}

/// A line of text.
public struct Label: Equatable, Sendable {
  public var text: String
  /// The left end of its baseline.
  public var origin: Point
  public var font: Font
  public var ink: Ink
  /// Painted around the letters, where they lie over something.
  public var halo: Ink?
  var width: Double

  /// What it covers.
  var box: Box {
    Box(
      left: origin.x, top: origin.y - 0.78 * font.size, right: origin.x + width,
      bottom: origin.y + 0.22 * font.size)
  }
}

/// The one family of letters, sans serif, in a size and a weight.
public struct Font: Equatable, Sendable {
  public var size: Double
  public var isBold: Bool

  static let title = Font(size: 13, isBold: true)
  static let note = Font(size: 11, isBold: false)
  static let strong = Font(size: 11, isBold: true)
}

/// How wide a text is; whoever draws knows.
public typealias TextMeasure = (_ text: String, _ font: Font) -> Double
