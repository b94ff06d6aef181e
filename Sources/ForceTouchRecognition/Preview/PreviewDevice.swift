public import ForceTouchModel

/// What the arbiter must know about a device whose contacts it is told of.
public struct PreviewDevice: Equatable, Sendable {
  public var id: DeviceID
  public var kind: TouchKind
  /// `ID_SEAT`; nil for a device without a seat, such as a recording.
  public var seat: String?
  /// Where its contacts lie on its screen. nil: it has none (a trackpad), or nobody knows; then no
  /// region has its contacts.
  public var screen: ScreenMapping?

  public init(
    id: DeviceID, kind: TouchKind, seat: String? = nil, screen: ScreenMapping? = nil
  ) {
    self.id = id
    self.kind = kind
    self.seat = seat
    self.screen = screen
  }
}

/// From the units of a touchscreen's position axes to parts of its screen.
public struct ScreenMapping: Equatable, Sendable {
  private let scale: (x: Double, y: Double)
  private let origin: (x: Double, y: Double)
  private let xRow: (Double, Double, Double)
  private let yRow: (Double, Double, Double)

  /// - Parameters:
  ///   - xRow: The first three numbers of udev's `LIBINPUT_CALIBRATION_MATRIX`.
  ///   - yRow: The other three.
  /// - Returns: nil for an axis without a range, or a matrix that is not finite.
  public init?(
    axes: (x: Axis, y: Axis), xRow: (Double, Double, Double) = (1, 0, 0),
    yRow: (Double, Double, Double) = (0, 1, 0)
  ) {
    guard axes.x.range > 0, axes.y.range > 0,
      (xRow.0 + xRow.1 + xRow.2 + yRow.0 + yRow.1 + yRow.2).isFinite
    else { return nil }
    scale = (1 / Double(axes.x.range), 1 / Double(axes.y.range))
    origin = (Double(axes.x.minimum), Double(axes.y.minimum))
    self.xRow = xRow
    self.yRow = yRow
  }

  public func point(of position: Position) -> ScreenPoint {
    let x = (Double(position.x) - origin.x) * scale.x
    let y = (Double(position.y) - origin.y) * scale.y
    return ScreenPoint(
      x: xRow.0 * x + xRow.1 * y + xRow.2, y: yRow.0 * x + yRow.1 * y + yRow.2)
  }

  public static func == (left: Self, right: Self) -> Bool {
    left.scale == right.scale && left.origin == right.origin && left.xRow == right.xRow
      && left.yRow == right.yRow
  }
}
