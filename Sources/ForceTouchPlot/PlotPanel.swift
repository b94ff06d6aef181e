public import ForceTouchModel
public import ForceTouchRecognition

/// One recording of a plot.
public struct PlotPanel: Sendable {
  /// The name of the file.
  public var title: String
  /// What is known of the device.
  public var subtitle: String
  /// nil where nobody knows what pressure means: then only raw values are shown.
  public var profile: ForceProfile?
  public var thresholds: RawThresholds?
  /// Where on the axis the recording proved that there are no thresholds.
  public var thresholdsEnd: Interval?
  /// What the device declares.
  public var pressureAxis: Axis
  public var positionAxes: (x: Axis, y: Axis)?
  public var trace: Trace

  public init(
    title: String, subtitle: String, profile: ForceProfile?, thresholds: RawThresholds?,
    thresholdsEnd: Interval? = nil, pressureAxis: Axis, positionAxes: (x: Axis, y: Axis)?,
    trace: Trace
  ) {
    self.title = title
    self.subtitle = subtitle
    self.profile = profile
    self.thresholds = thresholds
    self.thresholdsEnd = thresholdsEnd
    self.pressureAxis = pressureAxis
    self.positionAxes = positionAxes
    self.trace = trace
  }
}
