internal import CUdev
internal import Glibc

/// The input devices there are and those that come and go, as udev tells it: the "udev" monitor,
/// which speaks only when the rules have run and the permissions are set.
///
/// Not safe for several threads at once.
public final class UdevMonitor {
  private let context: OpaquePointer
  private let monitor: OpaquePointer

  /// libudev could not be set up.
  public struct Failure: Error, CustomStringConvertible {
    public let description: String
  }

  public enum Change: Equatable, Sendable {
    /// It came, or is another one than before.
    case present(UdevDevice)
    case removed(devicePath: String)
    /// So much happened that some of it was lost: only ``devices()`` tells what there is now.
    case overflowed
  }

  public init() throws(Failure) {
    guard let context = udev_new() else {
      throw Failure(description: "no memory is left to ask udev")
    }
    guard let monitor = udev_monitor_new_from_netlink(context, "udev") else {
      udev_unref(context)
      throw Self.failure(errno)
    }
    self.context = context
    self.monitor = monitor
    // A dock brings dozens of devices at once. Larger than allowed needs root; smaller works.
    udev_monitor_set_receive_buffer_size(monitor, 4 << 20)
    for result in [
      udev_monitor_filter_add_match_subsystem_devtype(monitor, "input", nil),
      udev_monitor_enable_receiving(monitor),
    ] where result < 0 { throw Self.failure(-result) }
  }

  private static func failure(_ code: Int32) -> Failure {
    Failure(
      description: "cannot hear of devices that come and go: \(String(cString: strerror(code))); "
        + "does a container or a sandbox forbid it?")
  }

  deinit {
    udev_monitor_unref(monitor)
    udev_unref(context)
  }

  public var descriptor: Int32 { udev_monitor_get_fd(monitor) }

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

  /// The next change of an event node; nil when there is none for now.
  public func nextChange() -> Change? {
    while true {
      errno = 0
      guard let device = udev_monitor_receive_device(monitor) else {
        return errno == ENOBUFS ? .overflowed : nil
      }
      defer { udev_device_unref(device) }
      guard let action = udev_device_get_action(device), let path = udev_device_get_devpath(device)
      else { continue }
      switch String(cString: action) {
      case "remove", "offline": return .removed(devicePath: String(cString: path))
      default: if let known = UdevDevice(device) { return .present(known) }
      }
    }
  }
}
