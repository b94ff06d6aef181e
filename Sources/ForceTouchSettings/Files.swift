internal import Glibc

extension Settings {
  /// The files of a drop-in folder that count: `*.yaml`, in order of name. A folder that is not
  /// there has none.
  public static func dropIns(in folder: String) -> [String] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name.hasSuffix(".yaml") && !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted().map { folder + "/" + $0 }
  }

  static func isMissing(_ path: String) -> Bool { access(path, F_OK) != 0 && errno == ENOENT }
}

/// Where the parts of an installed forcetouchd keep their files.
public enum StandardPath {
  public static let settings = "/etc/forcetouchd/forcetouchd.yaml"
  public static let settingsDropIns = "/etc/forcetouchd/conf.d"
  public static let socket = "/run/forcetouchd/socket"
  public static let deviceTable = "/usr/share/forcetouchd/devices.yaml"
  public static let deviceTableOverrides = "/etc/forcetouchd/devices.yaml"
  public static let deviceTableDropIns = "/etc/forcetouchd/devices.d"
}
