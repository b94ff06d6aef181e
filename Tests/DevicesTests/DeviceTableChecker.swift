import ForceTouchModel
import YAML

@testable import ForceTouchDevices

/// Finds what is wrong with a device table as a whole: paragraphs that contradict or repeat each
/// other, and those that say too little.
enum DeviceTableChecker {
  /// The faults of a table, each as a line that names the paragraphs. Those that the reader finds
  /// come first.
  static func faults(_ text: String) throws -> [String] {
    guard let node = try YAMLNode(file: "devices.yaml", bytes: Array(text.utf8)) else {
      return ["the table is empty"]
    }
    var problems: [YAMLError] = []
    let entries = try DeviceTable.parse(node, &problems)
    return problems.map(\.description) + faults(entries)
  }

  static func faults(_ entries: [DeviceTable.Entry]) -> [String] {
    var faults: [String] = []
    for (index, entry) in entries.enumerated() {
      if !entry.source.cites {
        faults.append("\(entry.name): the source is nothing that anybody can read")
      }
      if case .force = entry.kind, entry.match.bus == nil {
        faults.append("\(entry.name): force without a bus")
      }
      for later in entries[(index + 1)...] {
        if entry.name == later.name { faults.append("\(entry.name): the name stands there twice") }
        if entry.match == later.match {
          faults.append("\(entry.name) and \(later.name): the same match")
        } else if entry.match.covers(later.match) {
          faults.append("\(later.name): never asked, \(entry.name) matches all of it")
        } else if entry.kind != later.kind, entry.match.meets(later.match) {
          faults.append("\(entry.name) and \(later.name): one device can match both")
        }
      }
    }
    return faults
  }
}

extension String {
  /// A file of the kernel or of libinput, or a page.
  fileprivate var cites: Bool {
    contains("https://") || contains(".quirks") || (contains("Linux ") && contains(".c "))
  }
}

extension DeviceTable.Match {
  /// Whether some device could match both.
  func meets(_ other: Self) -> Bool {
    Self.meet(bus, other.bus) && Self.meet(vendor, other.vendor)
      && Self.meet(driver, other.driver)
      && (products.isEmpty || other.products.isEmpty || !products.isDisjoint(with: other.products))
      && Self.meet(pattern: namePattern ?? "*", other.namePattern ?? "*")
  }

  /// Whether every device that matches `other` matches this too.
  func covers(_ other: Self) -> Bool {
    Self.covers(bus, other.bus) && Self.covers(vendor, other.vendor)
      && Self.covers(driver, other.driver)
      && (products.isEmpty || !other.products.isEmpty && products.isSuperset(of: other.products))
      // A pattern that takes another's star for a letter takes all that the star stands for.
      && Self(namePattern: namePattern ?? "*").matches(
        DeviceDescription(name: other.namePattern ?? "*"))
  }

  private static func meet<Value: Equatable>(_ one: Value?, _ two: Value?) -> Bool {
    one == nil || two == nil || one == two
  }

  private static func covers<Value: Equatable>(_ one: Value?, _ two: Value?) -> Bool {
    one == nil || one == two
  }

  /// Whether some text matches both patterns.
  private static func meet(pattern one: some StringProtocol, _ two: some StringProtocol) -> Bool {
    let (one, two) = (Array(one), Array(two))
    // meets[j]: whether the rest of `one` from here meets the rest of `two` from j.
    var meets = [Bool](repeating: false, count: two.count + 1)
    for i in (0...one.count).reversed() {
      let next = meets
      for j in (0...two.count).reversed() {
        let (left, right) = (i < one.count ? one[i] : nil, j < two.count ? two[j] : nil)
        switch (left, right) {
        case (nil, nil): meets[j] = true
        case ("*", _): meets[j] = next[j] || j < two.count && meets[j + 1]
        case (_, "*"): meets[j] = meets[j + 1] || i < one.count && next[j]
        default: meets[j] = left == right && next[j + 1]
        }
      }
    }
    return meets[0]
  }
}
