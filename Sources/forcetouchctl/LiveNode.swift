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
    let found: UdevDevice?
    do throws(UdevMonitor.Failure) {
      found = try UdevMonitor().device(node: path)
    } catch {
      throw .failed(error.description)
    }
    guard let found else {
      throw .failed("\(path) is no input device that udev knows; see forcetouchctl devices")
    }
    device = found
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
      throw .failed(error.description)
    }
  }
}
