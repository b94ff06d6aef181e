public import YAML

/// The settings that were given over the socket: the last of the files, kept by the daemon.
public struct StoredSettings: Equatable, Sendable {
  /// Where they are kept; empty for what is kept nowhere.
  public private(set) var path = ""
  /// By dotted name, as they are written in YAML.
  private var values: [String: Value] = [:]

  private struct Value: Equatable, Sendable {
    var text: String
    /// Not quoted. What a person quoted is no number, and must not become one by being kept.
    var isPlain: Bool
  }

  /// Nothing is set.
  public init() {}

  /// Reads the file, which need not exist. One that cannot be read is a problem, and must not be
  /// written over.
  public init(path: String) throws(YAMLError) {
    self.path = path
    guard let node = try YAMLNode(contentsOf: path, mayBeMissing: true) else { return }
    for section in try node.entries() {
      for entry in try section.value.entries() {
        guard case .scalar(let text, let isPlain) = entry.value.content else {
          throw YAMLError("expected one value", at: entry.value.mark)
        }
        values[section.key + "." + entry.key] = Value(text: text, isPlain: isPlain)
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
    values[name] = Value(text: value, isPlain: true)
  }

  /// The file that says this.
  public var text: String {
    var text = "# Written by forcetouchd: what was set over its socket.\n"
    var section: String?
    for (name, value) in values.sorted(by: { $0.key < $1.key }) {
      let parts = name.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        .map(String.init)
      guard parts.count == 2 else { continue }
      if parts[0] != section {
        section = parts[0]
        text += "\(Self.key(parts[0])):\n"
      }
      text += "  \(Self.key(parts[1])): "
      text += "\(value.isPlain ? value.text : YAMLNode.quoted(value.text))\n"
    }
    return text
  }

  /// A key that is none of ours may hold anything.
  private static func key(_ text: String) -> String {
    text.utf8.allSatisfy {
      $0 == UInt8(ascii: "-") || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0)
    }
      && !text.hasPrefix("-") && !text.isEmpty ? text : YAMLNode.quoted(text)
  }
}
