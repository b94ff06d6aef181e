internal import CUdev
internal import Glibc

/// The input devices that come, change and go, as udev tells it: the "udev" monitor, which speaks
/// only when the rules have run and the permissions are set.
///
/// Not safe for several threads at once.
public final class UdevMonitor {
  private let monitor: OpaquePointer

  /// Nothing can be heard of udev, in one line for a person.
  public struct Failure: Error, CustomStringConvertible {
    public let description: String
  }

  public enum Change: Equatable, Sendable {
    /// It came, or is another one than before.
    case present(UdevDevice)
    case removed(devicePath: String)
    /// So much happened that some of it was lost: only ``Udev/devices()`` tells what there is now.
    case overflowed
  }

  public init(_ udev: Udev) throws(Failure) {
    guard let monitor = udev_monitor_new_from_netlink(udev.context, "udev") else {
      throw Self.failure(errno)
    }
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
      description: "cannot hear of devices that come and go: \(String(cString: strerror(code))) "
        + "(does a container or a sandbox forbid it?)")
  }

  deinit { udev_monitor_unref(monitor) }

  public var descriptor: Int32 { udev_monitor_get_fd(monitor) }

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
