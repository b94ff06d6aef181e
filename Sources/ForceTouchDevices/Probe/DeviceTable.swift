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
    /// Nobody knows: the device is judged as if the table did not name it.
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
    /// Any of these; empty for any product.
    public var products: Set<UInt16> = []
    /// A device name with `*` for any text.
    public var namePattern: String?
    public var driver: String?

    func matches(_ device: DeviceDescription) -> Bool {
      (bus == nil || bus == device.bus) && (vendor == nil || vendor == device.vendor)
        && (products.isEmpty || products.contains(device.product))
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

  mutating func add(_ later: [Entry]) {
    entries = later + entries
  }

  /// The entry that decides about a device.
  public func entry(for device: DeviceDescription) -> Entry? {
    entries.first { $0.match.matches(device) }
  }
}
