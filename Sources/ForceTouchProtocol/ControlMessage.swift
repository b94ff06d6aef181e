/// The calls, replies and errors of `org.forcetouchd.Control`.
public enum ControlMessage {
  public static let interface = "org.forcetouchd.Control"

  public struct SetProfileCall: Codable, Equatable, Sendable {
    public var device: String
    public var profile: Profile

    public init(device: String, profile: Profile) {
      self.device = device
      self.profile = profile
    }
  }

  /// See `ForceProfile` for meaning and ranges.
  public struct Profile: Codable, Equatable, Sendable {
    public var floor: Double
    public var average: Double?
    public var ceiling: Double
    public var click: Double?

    public init(floor: Double, average: Double? = nil, ceiling: Double, click: Double? = nil) {
      self.floor = floor
      self.average = average
      self.ceiling = ceiling
      self.click = click
    }
  }

  public struct ResetProfileCall: Codable, Equatable, Sendable {
    public var device: String
    public init(device: String) { self.device = device }
  }

  public struct Setting: Codable, Equatable, Sendable {
    public var name: String
    public var value: String
    public var file: String?
    public var line: Int?
    public var column: Int?

    public init(
      name: String, value: String, file: String? = nil, line: Int? = nil, column: Int? = nil
    ) {
      self.name = name
      self.value = value
      self.file = file
      self.line = line
      self.column = column
    }
  }

  public struct GetSettingsReply: Codable, Equatable, Sendable {
    public var settings: [Setting]
    public var problems: [String]

    public init(settings: [Setting], problems: [String]) {
      self.settings = settings
      self.problems = problems
    }
  }

  public struct SetSettingCall: Codable, Equatable, Sendable {
    public var name: String
    public var value: String

    public init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  public struct ResetSettingCall: Codable, Equatable, Sendable {
    public var name: String
    public init(name: String) { self.name = name }
  }

  public struct ReloadReply: Codable, Equatable, Sendable {
    public var problems: [String]
    public init(problems: [String]) { self.problems = problems }
  }

  public struct NoSuchSetting: Codable, Equatable, Sendable {
    public static let error = interface + ".NoSuchSetting"
    public var name: String
    public init(name: String) { self.name = name }
  }

  public struct InvalidProfile: Codable, Equatable, Sendable {
    public static let error = interface + ".InvalidProfile"
    public var reason: String
    public init(reason: String) { self.reason = reason }
  }

  public struct InvalidSetting: Codable, Equatable, Sendable {
    public static let error = interface + ".InvalidSetting"
    public var name: String
    public var reason: String

    public init(name: String, reason: String) {
      self.name = name
      self.reason = reason
    }
  }

  public struct NotStored: Codable, Equatable, Sendable {
    public static let error = interface + ".NotStored"
    public var reason: String
    public init(reason: String) { self.reason = reason }
  }
}
