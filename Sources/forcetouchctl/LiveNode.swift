import ForceTouchDevices
import ForceTouchModel
import Glibc

/// A device node of this machine. Like the daemon, this opens touch devices only.
struct LiveNode {
  private let device: UdevDevice

  /// Whether a path is a device node, not a file.
  static func isNode(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFCHR
      || path.hasPrefix("/dev/input/")
  }

  /// The nodes of touch devices that udev knows.
  static var all: [String] {
    let devices = Udev().devices()
    return devices.filter { $0.udevClass != .other }.map(\.node)
  }

  /// The node that a link leads to; what is no link, or leads nowhere, stays as it is.
  static func resolve(_ path: String) -> String {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK,
      let resolved = realpath(path, nil)
    else { return path }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  init(_ path: String) throws(CommandError) {
    let path = Self.resolve(path)
    guard let found = Udev().device(node: path) else {
      throw .failed(Self.whatIsWrong(with: path))
    }
    device = found
  }

  private static let hint = "forcetouchctl record, alone, lists the nodes that there are"

  private static func whatIsWrong(with path: String) -> String {
    var status = stat()
    guard stat(path, &status) == 0 else {
      return "there is no \(path); \(hint)"
    }
    return status.st_mode & S_IFMT == S_IFCHR
      ? "\(path) is no input device that udev knows; \(hint)"
      : "\(path) is no device node; `forcetouchctl replay` plays recordings"
  }

  /// What is known of it. A device that is no touch device is not opened: udev's word is enough.
  func describe() throws(CommandError) -> DeviceDescription {
    guard device.mayBeOpened else { return device.complete(DeviceDescription(name: device.node)) }
    return device.complete(try open().description)
  }

  func open() throws(CommandError) -> EvdevReader {
    guard device.mayBeOpened else {
      throw .failed("\(device.node) is no trackpad or touchscreen; nothing else is ever opened")
    }
    do throws(EvdevError) {
      return try EvdevReader(node: device.node)
    } catch {
      guard error.isDenied else { throw .failed(error.description) }
      throw .failed(
        "this user may not read \(device.node): use sudo; the members of the group input may, too")
    }
  }
}
