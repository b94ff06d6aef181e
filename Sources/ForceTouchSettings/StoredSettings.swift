public import YAML

/// The settings that were given over the socket: the last of the files, kept by the daemon.
public struct StoredSettings: Equatable, Sendable {
  /// Where they are kept; empty for what is kept nowhere.
  public private(set) var path = ""
  /// By dotted name, as they are written in YAML.
  private var values: [String: String] = [:]

  /// Nothing is set.
  public init() {}

  /// Reads the file, which need not exist. One that cannot be read is a problem, and must not be
  /// written over.
  public init(path: String) throws(YAMLError) {
    self.path = path
    guard let node = try YAMLNode(contentsOf: path, mayBeMissing: true) else { return }
    for section in try node.entries() {
      for entry in try section.value.entries() {
        values[section.key + "." + entry.key] = try entry.value.string()
      }
    }
  }

  /// Why a setting was refused.
  public enum Refusal: Error, Equatable, Sendable {
    case unknownName
    /// What is wrong with the value, for people.
    case wrongValue(String)
  }

  /// Sets a value as it would be written in a file, or takes it back with nil.
  public mutating func set(_ name: String, to value: String?) throws(Refusal) {
    guard let value else {
      guard SettingKey.named(name) != nil else { throw .unknownName }
      values[name] = nil
      return
    }
    _ = try Settings(named: [(name, value)])
    values[name] = value
  }

  /// The file that says this.
  public var text: String {
    var text = "# Written by forcetouchd: what was set over its socket.\n"
    var section = ""
    for (name, value) in values.sorted(by: { $0.key < $1.key }) {
      let parts = name.split(separator: ".", maxSplits: 1)
      guard parts.count == 2 else { continue }
      if parts[0] != section {
        section = String(parts[0])
        text += "\(section):\n"
      }
      text += "  \(parts[1]): \(value)\n"
    }
    return text
  }
}
