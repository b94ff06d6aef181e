public import ForceTouchModel
public import ForceTouchRecognition
public import YAML

/// What the administrator set, with the place each value came from.
public struct Settings: Equatable, Sendable {
  /// Thresholds, slop, sensitivity.
  public var recognition = RecognizerConfiguration()
  /// How programs are asked for previews.
  public var previewing: PreviewSettings {
    get {
      var settings = previewTimes
      settings.peeksBesideOtherContacts = recognition.peeksBesideOtherContacts
      return settings
    }
    set { previewTimes = newValue }
  }
  private var previewTimes = PreviewSettings()
  /// Whether a user may register regions of touchscreens without being in the group `forcetouch`,
  /// as long as the user's session is active.
  public var regionsForActiveUsers = false
  /// How the service behaves as a process.
  public var service = ServiceConfiguration()
  /// Rules for single devices; of several that match, the last decides.
  public var devices: [DeviceRule] = []
  /// Where a value was set, by its dotted name; one that is not in here is the default.
  public internal(set) var origins: [String: YAMLMark] = [:]

  public init() {}

  /// The defaults, but for some values: each by its dotted name, as it would be written in a file
  /// and as ``effective`` shows it.
  public init(named values: [(name: String, value: String)]) throws(StoredSettings.Refusal) {
    for (name, value) in values {
      guard let key = SettingKey.named(name) else { throw .unknownName }
      do throws(YAMLError) {
        // Not a list, not a second line: it must be a value and nothing else.
        guard let node = try YAMLNode(file: "", bytes: Array(value.utf8)),
          case .scalar(value, isPlain: true) = node.content
        else { throw YAMLError("expected one value", at: nil) }
        try key.take(node, &self)
      } catch {
        throw .wrongValue(error.problem)
      }
    }
  }

  public struct ServiceConfiguration: Equatable, Sendable {
    /// After so long without a connection a daemon that systemd started for a connection leaves.
    public var idleExit = Interval.milliseconds(30_000)
  }

  /// What one paragraph under `devices:` says.
  public struct DeviceRule: Equatable, Sendable, CustomStringConvertible {
    /// All that is given must match; the name exactly.
    public var name: String?
    public var bus: Bus?
    public var vendor: UInt16?
    public var product: UInt16?
    /// false: the device is never opened.
    public var isEnabled: Bool?
    /// true: recognize by a guess where the device is not `available`.
    public var isEstimated: Bool?
    /// Where the rule stands.
    public var mark: YAMLMark?

    /// As it would be written in a file, in one line.
    public var description: String {
      func hexadecimal(_ value: UInt16) -> String { "0x" + String(value, radix: 16) }
      let parts: [(String, String?)] = [
        ("name", name.map(YAMLNode.quoted)), ("bus", bus?.name),
        ("vendor", vendor.map(hexadecimal)), ("product", product.map(hexadecimal)),
        ("enabled", isEnabled.map { "\($0)" }), ("estimated", isEstimated.map { "\($0)" }),
      ]
      let text = parts.compactMap { key, value in value.map { "\(key): \($0)" } }
      return "{" + text.joined(separator: ", ") + "}"
    }

    func matches(_ device: DeviceDescription) -> Bool {
      (name == nil || name == device.name) && (bus == nil || bus == device.bus)
        && (vendor == nil || vendor == device.vendor)
        && (product == nil || product == device.product)
    }
  }

  /// Whether the user switched a device off.
  public func isDisabled(_ device: DeviceDescription) -> Bool {
    ruleForEnabling(device)?.isEnabled == false
  }

  /// Whether the user asks for recognition by a guess.
  public func isEstimated(_ device: DeviceDescription) -> Bool {
    ruleForEstimating(device)?.isEstimated == true
  }

  /// The rule that decides whether a device is switched off; nil when none says so or otherwise.
  public func ruleForEnabling(_ device: DeviceDescription) -> DeviceRule? {
    devices.last { $0.isEnabled != nil && $0.matches(device) }
  }

  /// The rule that decides whether a device is guessed at; nil when none says so or otherwise.
  public func ruleForEstimating(_ device: DeviceDescription) -> DeviceRule? {
    devices.last { $0.isEstimated != nil && $0.matches(device) }
  }
}

extension Settings {
  /// Reads a settings file and the `*.yaml` files of its drop-in folder in order of name, then
  /// what was set over the socket; a later value replaces an earlier one. What is wrong is
  /// reported and ignored, alone.
  ///
  /// - Parameter isRequired: A missing file is a problem too.
  public static func load(
    _ path: String, dropIns: [String] = [], stored: StoredSettings = StoredSettings(),
    isRequired: Bool = false
  ) -> (settings: Settings, problems: [YAMLError]) {
    var settings = Settings()
    var problems: [YAMLError] = []
    func take(_ node: YAMLNode?) throws(YAMLError) {
      if let node { try settings.take(node, &problems) }
    }
    for file in [path] + dropIns {
      do throws(YAMLError) {
        try take(YAMLNode(contentsOf: file, mayBeMissing: !isRequired))
      } catch {
        problems.append(error)
      }
    }
    do throws(YAMLError) {
      try take(YAMLNode(file: stored.path, bytes: Array(stored.text.utf8)))
    } catch {
      problems.append(error)
    }
    settings.keepThresholdsAscending(&problems)
    return (settings, problems)
  }
}
