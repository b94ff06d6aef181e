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

  /// Sets the profile of a device and of others that are the same in bus, numbers and name, or
  /// takes it back with nil.
  public mutating func set(_ profile: ForceProfile?, for device: DeviceDescription) {
    let match = DeviceTable.Match(device)
    var entries = table.entries.filter { $0.match != match }
    if let profile {
      entries.append(
        DeviceTable.Entry(
          name: "calibrated", match: match, kind: .force(profile),
          source: "calibrated on this machine", mark: YAMLMark(file: "", line: 0, column: 0)))
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
  /// The paragraph of a calibrated device.
  fileprivate var text: String {
    guard case .force(let profile) = kind else { return "" }
    let click = profile.click.map { ", click: \($0)" } ?? ""
    return """
      - name: \(YAMLNode.quoted(name))
        match:
          bus: \(match.bus?.name ?? "")
          vendor: \(match.vendor ?? 0)
          product: \(match.products.first ?? 0)
          name: \(YAMLNode.quoted(match.namePattern ?? ""))
        kind: force
        profile: {floor: \(profile.floor), average: \(profile.average), ceiling: \(profile.ceiling)\(click)}
        source: \(YAMLNode.quoted(source))

      """
  }
}
