import CSystemd
import ForceTouchDoctor
import ForceTouchProtocol
import Glibc

extension MachineReport {
  /// This machine.
  static func look() -> MachineReport {
    var name = utsname()
    uname(&name)
    func text<Bytes>(_ bytes: Bytes) -> String {
      withUnsafeBytes(of: bytes) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
    return MachineReport(
      version: Software.version, kernel: text(name.release), architecture: text(name.machine),
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

/// Small files of the system.
enum TextFile {
  /// nil when it cannot be read.
  static func read(_ path: String) -> String? {
    guard let file = fopen(path, "re") else { return nil }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 64 * 1024)
    let count = fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes[..<count], as: UTF8.self)
  }
}
