public import ForceTouchModel
public import YAML

/// What is known of devices that do not say it themselves.
public struct DeviceTable: Equatable, Sendable {
  /// What a device's pressure axis measures.
  public enum Kind: Equatable, Sendable {
    case force(ForceProfile)
    case contactSize
    case amplitude
    case resistive
    case unknown
  }

  /// One paragraph of the file: which devices, what their pressure is, and who says so.
  public struct Entry: Equatable, Sendable {
    public var name: String
    public var match: Match
    public var kind: Kind
    /// The published source of the entry.
    public var source: String
    public var mark: YAMLMark
  }

  /// All that is given must match.
  public struct Match: Hashable, Sendable {
    public var bus: Bus?
    public var vendor: UInt16?
    public var product: UInt16?
    /// A device name with `*` for any text.
    public var namePattern: String?
    public var driver: String?

    func matches(_ device: DeviceDescription) -> Bool {
      (bus == nil || bus == device.bus) && (vendor == nil || vendor == device.vendor)
        && (product == nil || product == device.product)
        && (driver == nil || driver == device.driver)
        && namePattern.map { Self.matches(device.name[...], $0[...]) } ?? true
    }

    private static func matches(_ text: Substring, _ pattern: Substring) -> Bool {
      let parts = pattern.split(separator: "*", omittingEmptySubsequences: false)
      guard let first = parts.first, let last = parts.last, parts.count > 1 else {
        return text == pattern
      }
      guard text.hasPrefix(first) else { return false }
      var rest = text.dropFirst(first.count)
      for part in parts.dropFirst().dropLast() where !part.isEmpty {
        guard let found = rest.firstRange(of: part) else { return false }
        rest = rest[found.upperBound...]
      }
      return rest.hasSuffix(last)
    }
  }

  /// In the order they are asked: of two that match the first decides.
  public private(set) var entries: [Entry]

  public init(entries: [Entry] = []) {
    self.entries = entries
  }

  /// Reads files in order: an entry of a later file goes before all earlier ones. What is wrong
  /// is reported and left out; everything else counts.
  public static func load(
    _ paths: [String]
  ) -> (table: DeviceTable, problems: [YAMLError]) {
    var table = DeviceTable()
    var problems: [YAMLError] = []
    for path in paths {
      do throws(YAMLError) {
        guard let node = try YAMLNode(contentsOf: path) else { continue }
        table.add(try parse(node, &problems))
      } catch {
        problems.append(error)
      }
    }
    return (table, problems)
  }

  mutating func add(_ later: [Entry]) {
    entries = later + entries
  }

  /// The entry that decides about a device.
  public func entry(for device: DeviceDescription) -> Entry? {
    entries.first { $0.match.matches(device) }
  }

  /// The entries of a file; a wrong one is added to `problems` and left out.
  static func parse(
    _ node: YAMLNode, _ problems: inout [YAMLError]
  ) throws(YAMLError) -> [Entry] {
    var entries: [Entry] = []
    for element in try node.elements() {
      do throws(YAMLError) {
        entries.append(try Entry(element))
      } catch {
        problems.append(error)
      }
    }
    return entries
  }
}

extension DeviceTable.Entry {
  fileprivate init(_ node: YAMLNode) throws(YAMLError) {
    mark = node.mark
    try node.allowKeys(["name", "match", "kind", "profile", "source"])
    name = try node.required("name").text()
    source = try node.required("source").text()
    match = try DeviceTable.Match(try node.required("match"))
    let kindNode = try node.required("kind")
    let profile = node["profile"]
    switch try kindNode.string() {
    case "force":
      guard let profile else { throw YAMLError("kind force needs a profile", at: kindNode.mark) }
      kind = .force(try ForceProfile(profile))
    case "contactSize": kind = .contactSize
    case "amplitude": kind = .amplitude
    case "resistive": kind = .resistive
    case "unknown": kind = .unknown
    case let other:
      throw YAMLError(
        "\(other) is no kind; choose force, contactSize, amplitude, resistive or unknown",
        at: kindNode.mark)
    }
    if let profile, try kindNode.string() != "force" {
      throw YAMLError("only kind force has a profile", at: profile.mark)
    }
  }
}

extension DeviceTable.Match {
  fileprivate init(_ node: YAMLNode) throws(YAMLError) {
    try node.allowKeys(["bus", "vendor", "product", "name", "driver"])
    if let node = node["bus"] {
      let name = try node.string()
      guard let bus = Bus(name: name) else { throw YAMLError("\(name) is no bus", at: node.mark) }
      self.bus = bus
    }
    vendor = try node["vendor"]?.identifier()
    product = try node["product"]?.identifier()
    namePattern = try node["name"]?.string()
    driver = try node["driver"]?.string()
    if try node.entries().isEmpty { throw YAMLError("match must name something", at: node.mark) }
  }
}

extension ForceProfile {
  fileprivate init(_ node: YAMLNode) throws(YAMLError) {
    try node.allowKeys(["floor", "average", "ceiling", "click"])
    let floor = try node.required("floor").number()
    let average = try node["average"]?.number()
    let ceiling = try node.required("ceiling").number()
    let click = try node["click"]?.number()
    do {
      self = try ForceProfile(floor: floor, average: average, ceiling: ceiling, click: click)
    } catch {
      throw YAMLError("the profile is not usable: \(error)", at: node.mark)
    }
  }
}

extension YAMLNode {
  fileprivate func required(_ key: String) throws(YAMLError) -> YAMLNode {
    guard let node = self[key] else { throw YAMLError("\(key) is missing", at: mark) }
    return node
  }

  fileprivate func allowKeys(_ keys: Set<String>) throws(YAMLError) {
    for entry in try entries() where !keys.contains(entry.key) {
      throw YAMLError("\(entry.key) is not known here", at: entry.keyMark)
    }
  }

  /// A text that says something.
  fileprivate func text() throws(YAMLError) -> String {
    let text = try string()
    guard text.contains(where: { !$0.isWhitespace }) else {
      throw YAMLError("must not be empty", at: mark)
    }
    return text
  }

  /// A vendor or product number.
  fileprivate func identifier() throws(YAMLError) -> UInt16 {
    guard let value = UInt16(exactly: try integer()) else {
      throw YAMLError("must lie between 0 and 0xffff", at: mark)
    }
    return value
  }
}

extension DeviceTable {
  /// The table that comes with the program, then the files given, in order.
  ///
  /// - Parameter overrides: Files that need not exist.
  public static func standard(
    overrides: [String] = []
  ) -> (table: DeviceTable, problems: [YAMLError]) {
    var table = DeviceTable()
    var problems: [YAMLError] = []
    do throws(YAMLError) {
      if let node = try YAMLNode(file: "devices.yaml", bytes: PackageResources.devices_yaml) {
        table.add(try parse(node, &problems))
      }
    } catch {
      problems.append(error)
    }
    let (later, laterProblems) = load(overrides)
    table.add(later.entries)
    return (table, problems + laterProblems)
  }
}
