internal import Glibc
public import YAML

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

  /// The settings file that was asked for, or the standard one with its drop-ins, which need not
  /// exist; then what was set over the socket.
  public static func load(
    given path: String?, stored: StoredSettings = StoredSettings()
  ) -> (settings: Settings, problems: [YAMLError]) {
    guard let path else {
      return load(
        StandardPath.settings, dropIns: dropIns(in: StandardPath.settingsDropIns), stored: stored)
    }
    return load(path, stored: stored, isRequired: true)
  }
}

/// Where the parts of an installed forcetouchd keep their files.
public enum StandardPath {
  public static let settings = "/etc/forcetouchd/forcetouchd.yaml"
  public static let settingsDropIns = "/etc/forcetouchd/conf.d"
  /// What the daemon keeps: profiles, and what was set over its socket. systemd says where, by
  /// `StateDirectory=`.
  public static var state: String {
    getenv("STATE_DIRECTORY").map { String(cString: $0) } ?? "/var/lib/forcetouchd"
  }

  /// Device tables in the order in which they are read; they need not be there.
  public static var deviceTables: [String] {
    ["/usr/share/forcetouchd/devices.yaml", "/etc/forcetouchd/devices.yaml"]
      + Settings.dropIns(in: "/etc/forcetouchd/devices.d")
  }
}
