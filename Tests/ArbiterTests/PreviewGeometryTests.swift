import ForceTouchModel
import ForceTouchRecognition
import Testing

@Suite struct PreviewGeometryTests {
  static let axes = (x: Axis(minimum: -100, maximum: 100), y: Axis(minimum: 0, maximum: 1000))

  @Test func aPositionBecomesAPartOfTheScreen() throws {
    let mapping = try #require(ScreenMapping(axes: Self.axes))
    #expect(mapping.point(of: Position(x: -100, y: 0)) == ScreenPoint(x: 0, y: 0))
    #expect(mapping.point(of: Position(x: 0, y: 250)) == ScreenPoint(x: 0.5, y: 0.25))
    #expect(mapping.point(of: Position(x: 100, y: 1000)) == ScreenPoint(x: 1, y: 1))
    #expect(mapping.point(of: Position(x: .min, y: .max)) == ScreenPoint(x: 0, y: 1))
  }

  /// udev's example of a screen that is turned by 90° clockwise.
  @Test func aCalibrationMatrixTurnsTheScreen() throws {
    let matrix = try #require(CalibrationMatrix("0 -1 1 1 0 0"))
    let mapping = try #require(ScreenMapping(axes: Self.axes, matrix: matrix))
    #expect(mapping.point(of: Position(x: -100, y: 0)) == ScreenPoint(x: 1, y: 0))
    #expect(mapping.point(of: Position(x: 100, y: 0)) == ScreenPoint(x: 1, y: 1))
    #expect(mapping.point(of: Position(x: 0, y: 250)) == ScreenPoint(x: 0.75, y: 0.5))
  }

  @Test func whatIsNoScreenIsRefused() {
    let flat = Axis(minimum: 5, maximum: 5)
    let inverted = Axis(minimum: .max, maximum: .min)
    #expect(ScreenMapping(axes: (flat, Self.axes.y)) == nil)
    #expect(ScreenMapping(axes: (Self.axes.x, inverted)) == nil)
  }

  @Test(arguments: ["", "1 0 0", "1 0 0 0 1 0 0", "1 0 0 0 nan 0", "1 inf 0 0 1 0", "a b c d e f"])
  func whatIsNoMatrixIsRefused(text: String) {
    #expect(CalibrationMatrix(text) == nil)
  }

  @Test(
    arguments: [
      (0.0, 0.0, 1.0, 1.0, true), (-0.5, 0.9, 2, 0.0001, true), (0, 0, 0, 1, false),
      (0, 0, 1, -1, false), (.nan, 0, 1, 1, false), (0, .infinity, 1, 1, false),
      (0, 0, .nan, 1, false), (0, 0, 101, 1, false), (-101, 0, 1, 1, false),
    ])
  func aRegionIsCheckedWhenItIsMade(
    x: Double, y: Double, width: Double, height: Double, isValid: Bool
  ) {
    #expect((ScreenRegion(x: x, y: y, width: width, height: height) != nil) == isValid)
  }

  @Test func regionsSideBySideShareNoPoint() throws {
    let left = try #require(ScreenRegion(x: 0, y: 0, width: 0.5, height: 1))
    let right = try #require(ScreenRegion(x: 0.5, y: 0, width: 0.5, height: 1))
    for point in [(0.0, 0.0), (0.5, 0.5), (0.499, 1), (1, 1), (1, 0)] {
      let point = ScreenPoint(x: point.0, y: point.1)
      #expect(left.contains(point) != right.contains(point), "\(point)")
    }
    #expect(ScreenRegion.wholeScreen.contains(ScreenPoint(x: 1, y: 1)))
    #expect(left.area == 0.5)
  }

  @Test(
    arguments: [
      (1.0, 1.0, true), (1e6, 0.001, true), (0, 1, false), (1, -1, false), (.nan, 1, false),
      (1, .infinity, false), (1e7, 1, false),
    ])
  func aSizeIsCheckedWhenItIsMade(width: Double, height: Double, isValid: Bool) {
    #expect((ViewSize(width: width, height: height) != nil) == isValid)
  }

  @Test func everyReasonHasItsWord() {
    for reason in CancelReason.allCases {
      #expect(PreviewCancelReason(reason).rawValue == reason.rawValue)
    }
    for reason in FailureReason.allCases {
      #expect(PreviewCancelReason(reason).rawValue == reason.rawValue)
    }
  }
}
