internal import CUdev
internal import Glibc

/// What udev knows of the input devices that there are.
///
/// Not safe for several threads at once.
public final class Udev {
  let context: OpaquePointer

  public init() {
    // As everywhere in Swift, no memory is the end.
    guard let context = udev_new() else { fatalError("udev_new: out of memory") }
    self.context = context
  }

  deinit { udev_unref(context) }

  /// Whether there is somebody who looks at devices: where libudev looks for udev, too.
  public static var isRunning: Bool { access("/run/udev/control", F_OK) == 0 }

  /// The event nodes that are there now.
  public func devices() -> [UdevDevice] {
    guard let enumeration = udev_enumerate_new(context) else { return [] }
    defer { udev_enumerate_unref(enumeration) }
    udev_enumerate_add_match_subsystem(enumeration, "input")
    udev_enumerate_scan_devices(enumeration)
    var devices: [UdevDevice] = []
    var entry = udev_enumerate_get_list_entry(enumeration)
    while let current = entry {
      if let path = udev_list_entry_get_name(current),
        let device = udev_device_new_from_syspath(context, path)
      {
        if let known = UdevDevice(device) { devices.append(known) }
        udev_device_unref(device)
      }
      entry = udev_list_entry_get_next(current)
    }
    return devices
  }

  /// What udev says of one node; nil when it knows no such event node.
  public func device(node: String) -> UdevDevice? {
    devices().first { $0.node == node }
  }
}
