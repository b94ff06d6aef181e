public import ForceTouchModel
public import YAML

/// What calibration found on this machine, device by device. Its file is a device table, kept by
/// the daemon.
public struct CalibratedProfiles: Equatable, Sendable {
  private var table = DeviceTable()

  public init() {}

  /// Reads the file, which need not exist. A wrong paragraph is reported and left out.
  public static func load(
    _ path: String
  ) -> (profiles: CalibratedProfiles, problems: [YAMLError]) {
    var profiles = CalibratedProfiles()
    let (table, problems) = DeviceTable.load([path], mayBeMissing: true)
    profiles.table = table
    return (profiles, problems)
  }

  public func profile(for device: DeviceDescription) -> ForceProfile? {
    guard case .force(let profile)? = table.entry(for: device)?.kind else { return nil }
    return profile
  }

  /// Where the profile of a device stands; nil when there is none.
  public func mark(for device: DeviceDescription) -> YAMLMark? {
    profile(for: device) == nil ? nil : table.entry(for: device)?.mark
  }

  /// Sets the profile of a device and of others that are the same in bus, numbers and name, or
  /// takes it back with nil.
  public mutating func set(_ profile: ForceProfile?, for device: DeviceDescription) {
    let match = DeviceTable.Match(device)
    var entries = table.entries.filter { $0.match != match }
    if let profile {
      // Before all others: one that a person wrote may match the device too.
      entries.insert(
        DeviceTable.Entry(
          profile, of: device, name: "calibrated", source: "calibrated on this machine"),
        at: 0)
    }
    table = DeviceTable(entries: entries)
  }

  /// The file that says this.
  public var text: String {
    "# Written by forcetouchd: what calibration found on this machine.\n"
      + table.entries.map(\.text).joined()
  }
}

extension DeviceTable.Match {
  fileprivate init(_ device: DeviceDescription) {
    self.init(
      bus: device.bus, vendor: device.vendor, products: [device.product],
      namePattern: device.name)
  }
}

extension DeviceTable.Entry {
  /// The entry of a device whose profile was measured, and of others that are the same in bus,
  /// numbers and name.
  public init(_ profile: ForceProfile, of device: DeviceDescription, name: String, source: String) {
    self.init(
      name: name, match: DeviceTable.Match(device), kind: .force(profile), source: source,
      mark: YAMLMark(file: "", line: 0, column: 0))
  }

  /// The paragraph of a device table that says this; empty for a kind other than force.
  public var text: String {
    guard case .force(let profile) = kind else { return "" }
    let click = profile.click.map { ", click: \($0)" } ?? ""
    func hex(_ number: UInt16) -> String { "0x" + String(number, radix: 16) }
    let products = match.products.sorted().map(hex)
    let matches: [(key: String, value: String?)] = [
      ("bus", match.bus?.name),
      ("vendor", match.vendor.map(hex)),
      ("product", products.count > 1 ? "[\(products.joined(separator: ", "))]" : products.first),
      ("name", match.namePattern.map(YAMLNode.quoted)),
      ("driver", match.driver.map(YAMLNode.quoted)),
    ]
    // What is not given is not written: it would have to match.
    let lines = matches.compactMap { key, value in value.map { "    \(key): \($0)\n" } }
    return """
      - name: \(YAMLNode.quoted(name))
        match:
      \(lines.joined())\
        kind: force
        profile: {floor: \(profile.floor), average: \(profile.average), ceiling: \(profile.ceiling)\(click)}
        source: \(YAMLNode.quoted(source))

      """
  }
}
