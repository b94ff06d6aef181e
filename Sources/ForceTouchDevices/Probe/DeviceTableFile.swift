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
    try node.elements().compactMap { element in
      var found: [YAMLError] = []
      let entry = Entry(element, &found)
      problems += found.sorted {
        ($0.mark?.line ?? 0, $0.mark?.column ?? 0) < ($1.mark?.line ?? 0, $1.mark?.column ?? 0)
      }
      return entry
    }
  }
}

// Each of these says all that is wrong with it, and is nil then.

extension DeviceTable.Entry {
  fileprivate init?(_ node: YAMLNode, _ problems: inout [YAMLError]) {
    guard
      node.allow(["name", "match", "kind", "profile", "source"], &problems)
    else { return nil }
    let name = problems.collect { () throws(YAMLError) in try node.required("name").text() }
    let source = problems.collect { () throws(YAMLError) in try node.required("source").text() }
    let matchNode = problems.collect { () throws(YAMLError) in try node.required("match") }
    let match = matchNode.flatMap { DeviceTable.Match($0, &problems) }
    let kindNode = problems.collect { () throws(YAMLError) in try node.required("kind") }
    let kind = kindNode.flatMap { DeviceTable.Kind($0, profile: node["profile"], &problems) }
    guard problems.isEmpty, let name, let source, let match, let kind else { return nil }
    self.init(name: name, match: match, kind: kind, source: source, mark: node.mark)
  }
}

extension DeviceTable.Kind {
  fileprivate init?(_ node: YAMLNode, profile: YAMLNode?, _ problems: inout [YAMLError]) {
    guard let word = problems.collect({ () throws(YAMLError) in try node.string() }) else {
      return nil
    }
    switch word {
    case "force":
      guard let profile else {
        problems.append(YAMLError("kind force needs a profile", at: node.mark))
        return nil
      }
      guard let profile = ForceProfile(profile, &problems) else { return nil }
      self = .force(profile)
      return
    case "contactSize": self = .contactSize
    case "amplitude": self = .amplitude
    case "resistive": self = .resistive
    case "unknown": self = .unknown
    default:
      problems.append(
        YAMLError(
          "\(word) is no kind; choose force, contactSize, amplitude, resistive or unknown",
          at: node.mark))
      return nil
    }
    if let profile {
      problems.append(YAMLError("only kind force has a profile", at: profile.mark))
    }
  }
}

extension DeviceTable.Match {
  fileprivate init?(_ node: YAMLNode, _ problems: inout [YAMLError]) {
    let known = problems.count
    guard node.allow(["bus", "vendor", "product", "name", "driver"], &problems) else { return nil }
    bus = problems.collect { () throws(YAMLError) in
      guard let node = node["bus"] else { return nil }
      let name = try node.string()
      guard let bus = Bus(name: name) else { throw YAMLError("\(name) is no bus", at: node.mark) }
      return bus
    }
    vendor = problems.collect { () throws(YAMLError) in
      try node["vendor"]?.integer(in: 0...0xffff)
    }
    if let node = node["product"] {
      var nodes = [node]
      if case .sequence(let several) = node.content { nodes = several }
      if nodes.isEmpty {
        problems.append(YAMLError("product must name something", at: node.mark))
      }
      for node in nodes {
        let product: UInt16? = problems.collect { () throws(YAMLError) in
          try node.integer(in: 0...0xffff)
        }
        if let product, !products.insert(product).inserted {
          problems.append(YAMLError("the product stands here twice", at: node.mark))
        }
      }
    }
    namePattern = problems.collect { () throws(YAMLError) in try node["name"]?.string() }
    driver = problems.collect { () throws(YAMLError) in try node["driver"]?.string() }
    guard problems.count == known else { return nil }
    // A name of stars alone is any name: one careless line would speak of every device.
    let isAnyName = namePattern.map { $0.allSatisfy { $0 == "*" } } ?? true
    if isAnyName && bus == nil && vendor == nil && products.isEmpty && driver == nil {
      problems.append(YAMLError("match must name something", at: node.mark))
      return nil
    }
  }
}

extension ForceProfile {
  fileprivate init?(_ node: YAMLNode, _ problems: inout [YAMLError]) {
    let known = problems.count
    guard node.allow(["floor", "average", "ceiling", "click"], &problems) else { return nil }
    let floor = problems.collect { () throws(YAMLError) in try node.required("floor").number() }
    let average = problems.collect { () throws(YAMLError) in try node["average"]?.number() }
    let ceiling = problems.collect { () throws(YAMLError) in try node.required("ceiling").number() }
    let click = problems.collect { () throws(YAMLError) in try node["click"]?.number() }
    guard problems.count == known, let floor, let ceiling else { return nil }
    do {
      self = try ForceProfile(floor: floor, average: average, ceiling: ceiling, click: click)
    } catch {
      problems.append(YAMLError("the profile is not usable: \(error)", at: node.mark))
      return nil
    }
  }
}

extension YAMLNode {
  /// Whether this is a mapping; keys of it that mean nothing here are problems.
  fileprivate func allow(_ keys: Set<String>, _ problems: inout [YAMLError]) -> Bool {
    do throws(YAMLError) {
      problems += try self.problems(keys: keys)
      return true
    } catch {
      problems.append(error)
      return false
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
}
