public import ForceTouchModel

/// What `Describe` of `org.forcetouchd.Monitor` replies: a device as the kernel describes it, which
/// is what recordings of it begin with.
public struct DescriptionMessage: Codable, Equatable, Sendable {
  /// `struct input_absinfo` without its value, with the `ABS_*` code it is of.
  public struct AbsoluteAxis: Codable, Equatable, Sendable {
    public var code: UInt16
    public var minimum: Int32
    public var maximum: Int32
    public var fuzz: Int32
    public var flat: Int32
    public var resolution: Int32
  }

  public var name: String
  public var node: String?
  public var kind: TouchKind?
  public var bus: UInt16
  public var vendor: UInt16
  public var product: UInt16
  public var version: UInt16
  public var axes: [AbsoluteAxis]
  public var keys: [UInt16]
  public var properties: [UInt16]
  public var inferred: Bool

  public init(_ description: DeviceDescription) {
    name = description.name
    node = description.node
    kind = description.touchKind
    bus = description.bus.rawValue
    vendor = description.vendor
    product = description.product
    version = description.version
    axes = description.axes.sorted { $0.key < $1.key }.map { code, axis in
      AbsoluteAxis(
        code: code, minimum: axis.minimum, maximum: axis.maximum, fuzz: axis.fuzz, flat: axis.flat,
        resolution: axis.resolution)
    }
    keys = description.keys.sorted()
    properties = description.properties.sorted()
    inferred = description.isInferred
  }

  /// The description as the engine takes it; its kind stands for udev's word.
  public var description: DeviceDescription {
    DeviceDescription(
      name: name, bus: Bus(rawValue: bus), vendor: vendor, product: product, version: version,
      axes: Dictionary(
        axes.map { axis in
          (
            axis.code,
            Axis(
              minimum: axis.minimum, maximum: axis.maximum, fuzz: axis.fuzz, flat: axis.flat,
              resolution: axis.resolution)
          )
        }, uniquingKeysWith: { first, _ in first }),
      keys: Set(keys), properties: Set(properties), udevClass: kind.map { .touch($0) }, node: node,
      isInferred: inferred)
  }
}
