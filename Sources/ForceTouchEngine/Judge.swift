public import ForceTouchDevices
public import ForceTouchModel
import ForceTouchRecognition
public import ForceTouchSettings
public import YAML

/// All that decides what a device is taken for, besides the device itself: the device table, the
/// settings, and the profiles of calibrated devices. The same for the daemon and for a tool that
/// has none.
public struct Judge: Sendable {
  public var table: DeviceTable
  public var settings: Settings
  public var profiles: CalibratedProfiles

  public init(
    table: DeviceTable, settings: Settings = Settings(),
    profiles: CalibratedProfiles = CalibratedProfiles()
  ) {
    self.table = table
    self.settings = settings
    self.profiles = profiles
  }

  /// - Parameter evidence: What was proven while the device was used.
  public func verdict(
    on description: DeviceDescription, evidence: PressureEvidence? = nil
  ) -> CapabilityVerdict {
    forceTouchCapability(
      of: description, table: table,
      policy: CapabilityPolicy(
        isDisabled: settings.isDisabled(description),
        calibration: profiles.profile(for: description)),
      evidence: evidence)
  }

  func judgement(
    of description: DeviceDescription, evidence: PressureEvidence?, estimates: Bool
  ) -> Judgement {
    let verdict = verdict(on: description, evidence: evidence)
    let available = verdict.capability == .available ? verdict.profile : nil
    let guess =
      available == nil && (estimates || settings.isEstimated(description))
      ? estimatedProfile(of: description, verdict) : nil
    return Judgement(
      verdict: verdict, profile: available ?? guess, isEstimated: guess != nil,
      configuration: settings.recognition)
  }
}

/// All that a judge says of one device.
struct Judgement: Equatable, Sendable {
  var verdict: CapabilityVerdict
  /// The profile that force is computed by.
  var profile: ForceProfile?
  /// The profile is a guess.
  var isEstimated: Bool
  var configuration: RecognizerConfiguration
}

extension Judge {
  /// Where the parts are read from. The files need not exist.
  public struct Files: Equatable, Sendable {
    /// nil: the standard one with its drop-ins. One that is named must be there.
    public var settings: String?
    /// Files that go before the table that comes with the program. Looked for each time: others may
    /// have come into the folder.
    public var deviceTables: [String] { StandardPath.deviceTables }
    /// Of the daemon's own: calibrated profiles, and settings that were given over the socket.
    public var profiles: String
    public var storedSettings: String

    public init(settings: String? = nil, state: String = StandardPath.state) {
      self.settings = settings
      profiles = state + "/profiles.yaml"
      storedSettings = state + "/settings.yaml"
    }
  }

  /// Reads all of it. What is wrong is reported and left out, alone; only a settings file that
  /// was asked for and cannot be read throws.
  public static func load(_ files: Files) throws(YAMLError) -> (judge: Judge, problems: [YAMLError])
  {
    let (table, tableProblems) = DeviceTable.standard(overrides: files.deviceTables)
    let (profiles, profileProblems) = CalibratedProfiles.load(files.profiles)
    var problems = tableProblems + profileProblems
    var stored = StoredSettings()
    do throws(YAMLError) {
      stored = try StoredSettings(path: files.storedSettings)
    } catch {
      problems.append(error)
    }
    let (settings, settingsProblems) = Settings.load(given: files.settings, stored: stored)
    if files.settings != nil, let missing = settingsProblems.first(where: { $0.mark == nil }) {
      throw missing
    }
    return (
      Judge(table: table, settings: settings, profiles: profiles), problems + settingsProblems
    )
  }
}
