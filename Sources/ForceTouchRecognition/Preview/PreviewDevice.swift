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
public struct ScreenMapping: Hashable, Sendable {
  private let x: Axis
  private let y: Axis
  private let matrix: CalibrationMatrix

  /// - Returns: nil for an axis without a range.
  public init?(axes: (x: Axis, y: Axis), matrix: CalibrationMatrix = .identity) {
    guard axes.x.range > 0, axes.y.range > 0 else { return nil }
    x = axes.x
    y = axes.y
    self.matrix = matrix
  }

  public func point(of position: Position) -> ScreenPoint {
    func part(_ value: Int32, _ axis: Axis) -> Double {
      (Double(value) - Double(axis.minimum)) / Double(axis.range)
    }
    let point = matrix.applied(x: part(position.x, x), y: part(position.y, y))
    return ScreenPoint(x: point.x, y: point.y)
  }
}
