internal import CUdev
public import ForceTouchModel

/// What udev knows of a node beyond what the daemon goes by, for people who look for a mistake.
public struct UdevDetails: Equatable, Sendable {
  /// udev has looked at it (`ID_INPUT`).
  public var isKnown = false
  /// What udev calls it, from `ID_INPUT_…`: `touchpad`, `mouse`, `tablet-pad`, …
  public var types: Set<String> = []
  /// Links to the node; those by name may hold serial numbers.
  public var links: [String] = []
  /// `NAME` and `PRODUCT` of the device above, known without opening the node.
  public var name = ""
  public var bus = Bus(rawValue: 0)
  public var vendor: UInt16 = 0
  public var product: UInt16 = 0
  public var version: UInt16 = 0
  /// `ID_INPUT_TOUCHPAD_INTEGRATION`: `internal` or `external`.
  public var integration: String?
  /// `LIBINPUT_IGNORE_DEVICE`.
  public var isIgnoredByLibinput = false

  init(_ device: OpaquePointer) {
    // A property counts for the node if a device above has it, as it does for libinput.
    func property(_ name: String) -> String? {
      var current: OpaquePointer? = device
      while let next = current {
        if let value = udev_device_get_property_value(next, name) { return String(cString: value) }
        current = udev_device_get_parent(next)
      }
      return nil
    }
    isKnown = property("ID_INPUT") == "1"
    for type in [
      "touchpad", "touchscreen", "mouse", "pointingstick", "tablet", "tablet-pad", "joystick",
      "keyboard",
    ] {
      let word = type.uppercased().split(separator: "-").joined(separator: "_")
      if property("ID_INPUT_" + word) == "1" { types.insert(type) }
    }
    links = property("DEVLINKS")?.split(separator: " ").map(String.init).sorted() ?? []
    if var text = property("NAME")?[...] {
      if text.first == "\"" && text.last == "\"" && text.count > 1 {
        text = text.dropFirst().dropLast()
      }
      name = String(text)
    }
    let numbers = property("PRODUCT")?.split(separator: "/").map { UInt16($0, radix: 16) ?? 0 }
    if let numbers, numbers.count == 4 {
      bus = Bus(rawValue: numbers[0])
      (vendor, product, version) = (numbers[1], numbers[2], numbers[3])
    }
    integration = property("ID_INPUT_TOUCHPAD_INTEGRATION")
    isIgnoredByLibinput = property("LIBINPUT_IGNORE_DEVICE").map { $0 != "0" } ?? false
  }
}

extension UdevDetails {
  /// nil when the device is gone.
  public init?(_ udev: UdevDevice) {
    guard let context = udev_new() else { return nil }
    defer { udev_unref(context) }
    guard let device = udev_device_new_from_syspath(context, "/sys" + udev.devicePath) else {
      return nil
    }
    defer { udev_device_unref(device) }
    self.init(device)
  }
}
