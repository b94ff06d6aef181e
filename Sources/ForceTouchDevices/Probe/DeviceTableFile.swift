import ForceTouchModel
public import YAML

// Device tables as files: what is read, what is written.

extension DeviceTable {
  /// Reads files in order: an entry of a later file goes before all earlier ones. What is wrong
  /// is reported and left out; everything else counts.
  ///
  /// - Parameter mayBeMissing: A file that is not there says nothing, and is no problem.
  public static func load(
    _ paths: [String], mayBeMissing: Bool = false
  ) -> (table: DeviceTable, problems: [YAMLError]) {
    var table = DeviceTable()
    var problems: [YAMLError] = []
    for path in paths {
      do throws(YAMLError) {
        guard let node = try YAMLNode(contentsOf: path, mayBeMissing: mayBeMissing) else {
          continue
        }
        table.add(try parse(node, &problems))
      } catch {
        problems.append(error)
      }
    }
    return (table, problems)
  }

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
    let (later, laterProblems) = load(overrides, mayBeMissing: true)
    table.add(later.entries)
    return (table, problems + laterProblems)
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
    vendor = try node["vendor"]?.integer(in: 0...0xffff)
    if let node = node["product"] {
      var nodes = [node]
      if case .sequence(let several) = node.content { nodes = several }
      if nodes.isEmpty { throw YAMLError("product must name something", at: node.mark) }
      for node in nodes {
        guard products.insert(try node.integer(in: 0...0xffff)).inserted else {
          throw YAMLError("the product stands here twice", at: node.mark)
        }
      }
    }
    namePattern = try node["name"]?.string()
    driver = try node["driver"]?.string()
    // A name of stars alone is any name: one careless line would speak of every device.
    let isAnyName = namePattern.map { $0.allSatisfy { $0 == "*" } } ?? true
    if isAnyName && bus == nil && vendor == nil && products.isEmpty && driver == nil {
      throw YAMLError("match must name something", at: node.mark)
    }
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
  /// A text that says something.
  fileprivate func text() throws(YAMLError) -> String {
    let text = try string()
    guard text.contains(where: { !$0.isWhitespace }) else {
      throw YAMLError("must not be empty", at: mark)
    }
    return text
  }
}
