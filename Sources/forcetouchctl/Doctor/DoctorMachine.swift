import CSystemd
import ForceTouchDoctor
import ForceTouchProtocol
import Glibc

extension MachineReport {
  /// This machine.
  static func look() -> MachineReport {
    let kernel = Kernel()
    return MachineReport(
      version: Software.version, kernel: kernel.release, architecture: kernel.architecture,
      distribution: distribution(), libinput: libinput(), systemd: sd_booted() > 0)
  }

  /// `os-release(5)`.
  private static func distribution() -> String? {
    guard let text = TextFile.read("/etc/os-release") ?? TextFile.read("/usr/lib/os-release") else {
      return nil
    }
    let key = "PRETTY_NAME="
    return text.split(separator: "\n").first { $0.hasPrefix(key) }.map { line in
      String(line.dropFirst(key.count).filter { $0 != "\"" && $0 != "'" })
    }
  }

  /// The command that tells its version is rarely installed; the name of the library does as well.
  private static func libinput() -> String? {
    for pattern in ["/usr/lib/*/", "/usr/lib64/", "/usr/lib/", "/usr/local/lib/*/"] {
      var found = glob_t()
      defer { globfree(&found) }
      guard glob(pattern + "libinput.so.*.*", 0, nil, &found) == 0,
        let path = found.gl_pathv[0].map({ String(cString: $0) })
      else { continue }
      return path.split(separator: "/").last.map(String.init)
    }
    return nil
  }
}
