import ForceTouchModel

/// How far a contact may move before it counts, in the units of one device.
struct Slop {
  /// What one unit of each axis counts, in millimeters where both axes have a resolution.
  private let scale: (x: Double, y: Double)
  private let squaredLimit: Double

  /// - Parameter factor: How many times the configured slop it is.
  init(_ configuration: RecognizerConfiguration, device: RecognizedDevice, times factor: Double = 1)
  {
    var limit =
      switch device.kind {
      case .touchscreen: configuration.touchscreenSlop
      case .trackpad: configuration.trackpadSlop
      }
    if let (x, y) = device.positionAxes {
      if x.resolution > 0 && y.resolution > 0 {
        scale = (1 / Double(x.resolution), 1 / Double(y.resolution))
      } else {
        scale = (1, 1)
        limit = Double(max(x.range, y.range)) * configuration.slopWithoutResolution
      }
    } else {
      // Nobody knows how far a unit is: then nothing counts as movement.
      scale = (1, 1)
      limit = .infinity
    }
    limit *= factor
    // A distance that equals the slop but for rounding has not left it.
    squaredLimit = limit * limit * (1 + 1e-9)
  }

  func isLeft(from anchor: Position, to position: Position) -> Bool {
    let x = (Double(position.x) - Double(anchor.x)) * scale.x
    let y = (Double(position.y) - Double(anchor.y)) * scale.y
    return x * x + y * y > squaredLimit
  }
}

/// Where a contact is held to be, and until when it counts as moving.
struct Movement {
  private var anchor: Position?
  /// nil: the contact rests.
  private(set) var movingUntil: Timestamp?
  /// Where it was when it was first seen with the button held; nil while no button is.
  private var clickPosition: Position?

  init(at position: Position?) {
    anchor = position
  }

  func isMoving(at time: Timestamp) -> Bool {
    movingUntil.map { time < $0 } ?? false
  }

  /// Whether the contact left its anchor by the slop. The anchor stays.
  func hasLeftAnchor(to position: Position?, slop: Slop) -> Bool {
    guard let anchor, let position else { return false }
    return slop.isLeft(from: anchor, to: position)
  }

  /// Takes the first position as the anchor.
  mutating func settle(at position: Position?) {
    if anchor == nil { anchor = position }
  }

  /// The contact left its anchor: it has a new one, and moves until it stayed there for `rest`.
  mutating func leaveAnchor(to position: Position?, at time: Timestamp, rest: Interval) {
    anchor = position
    movingUntil = time + rest
  }

  /// Follows the button. Gives whether the contact strayed by the slop from where it clicked.
  mutating func drags(isButtonHeld: Bool, to position: Position?, slop: Slop) -> Bool {
    clickPosition = isButtonHeld ? clickPosition ?? position : nil
    guard let clickPosition, let position else { return false }
    return slop.isLeft(from: clickPosition, to: position)
  }

  /// The device's clock jumped by `interval`.
  mutating func shift(by interval: Interval) {
    movingUntil = movingUntil.map { $0 + interval }
  }
}
