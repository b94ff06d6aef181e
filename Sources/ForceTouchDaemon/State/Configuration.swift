import ForceTouchDevices
import ForceTouchEngine
import ForceTouchModel
import ForceTouchSettings
import YAML

/// What the daemon goes by: read from its files, written by whoever may, told to all that depend
/// on it. Every change is a change of a file and a reading of all files.
final class Configuration {
  private(set) var judge: Judge
  /// What was wrong in the files, for people.
  private(set) var problems: [String] = []
  /// Called after each attempt to read it all again.
  var whenRead: () -> Void = {}
  private let files: Judge.Files
  private let log: Log

  init(files: Judge.Files, log: Log) throws(YAMLError) {
    self.files = files
    self.log = log
    judge = Judge(table: DeviceTable())
    try read()
  }

  /// Reads everything again. What cannot be read at all, and could before, changes nothing; gives
  /// why.
  @discardableResult func reload() -> YAMLError? {
    defer { whenRead() }
    do throws(YAMLError) {
      try read(again: true)
      log.write(.info, .settings, "settings, device table and profiles are read again")
      return nil
    } catch {
      problems = [error.description]
      log.write(.error, .settings, "\(error); what was read before counts")
      return error
    }
  }

  /// Of a file that is not meant for us every line is wrong: nobody reads that many.
  private static let mostProblems = 100

  /// Files that could not be read when all was read last.
  private var unreadable: Set<YAMLError> = []
  /// The problems that the log has.
  private var told: Set<YAMLError> = []

  private func read(again: Bool = false) throws(YAMLError) {
    let (judge, problems) = try Judge.load(files)
    // What the administrator set must not be lost for want of a descriptor, or of a permission.
    let unreadable = problems.filter { $0.mark == nil }
    if again, let problem = unreadable.first(where: { !self.unreadable.contains($0) }) {
      throw problem
    }
    self.unreadable = Set(unreadable)
    self.judge = judge
    self.problems = problems.prefix(Self.mostProblems).map(\.description)
    // What was told when it was read before is not told again.
    for problem in problems.prefix(Self.mostProblems) where told.insert(problem).inserted {
      var fields: [Log.Field] = []
      if let mark = problem.mark {
        fields = [.init("FILE", mark.file), .init("LINE", "\(mark.line)")]
      }
      log.write(.warning, .settings, "\(problem); ignored", fields)
    }
    let rest = problems.count - Self.mostProblems
    told.formIntersection(problems)
    if rest > 0 {
      self.problems.append("\(rest) more")
      log.write(.warning, .settings, "\(rest) more; ignored")
    }
  }

  // MARK: Profiles

  /// Why a profile was not set; texts for people.
  enum ProfileRefusal: Error {
    case invalid(String)
    case notStored(String)
  }

  /// Keeps a calibrated profile, or takes it back with nil.
  ///
  /// - Parameter evidence: What the use of the device has proven.
  func setProfile(
    _ profile: ForceProfile?, for device: DeviceDescription, evidence: PressureEvidence?
  ) throws(ProfileRefusal) {
    if let profile {
      var trial = judge
      trial.profiles.set(profile, for: device)
      let verdict = trial.verdict(on: device, evidence: evidence)
      guard verdict.reason == .calibrated else {
        throw .invalid(
          verdict.reason == .unusableProfile
            ? "floor and ceiling must lie on the pressure axis" : verdict.reason.explanation)
      }
    }
    var (profiles, problems) = CalibratedProfiles.load(files.profiles)
    // What we do not understand we do not write over.
    if let problem = problems.first { throw .notStored("\(problem); mend or remove it") }
    profiles.set(profile, for: device)
    do throws(StateFile.Failure) {
      try store(profiles.text, in: files.profiles)
    } catch {
      throw .notStored(error.description)
    }
  }

  // MARK: Settings

  /// Why a setting was not set; texts for people.
  enum SettingRefusal: Error {
    case unknownName
    case invalid(String)
    case notStored(String)
  }

  /// Keeps a value, or takes back what was kept with nil.
  func setSetting(_ name: String, to value: String?) throws(SettingRefusal) {
    var stored: StoredSettings
    do throws(YAMLError) {
      stored = try StoredSettings(path: files.storedSettings)
    } catch {
      throw .notStored("\(error); mend or remove it")
    }
    let unchanged = stored
    do throws(StoredSettings.Refusal) {
      try stored.set(name, to: value)
    } catch {
      switch error {
      case .unknownName: throw .unknownName
      case .wrongValue(let problem): throw .invalid(problem)
      }
    }
    // It may be right alone, and wrong beside the others.
    let (_, before) = Settings.load(given: files.settings, stored: unchanged)
    let (_, after) = Settings.load(given: files.settings, stored: stored)
    // What was wrong before is, in a file that is written anew, perhaps in another line now.
    let known = before.map(\.problem)
    if let problem = after.map(\.problem).first(where: { !known.contains($0) }) {
      throw .invalid(problem)
    }
    do throws(StateFile.Failure) {
      try store(stored.text, in: files.storedSettings)
    } catch {
      throw .notStored(error.description)
    }
  }

  private func store(_ text: String, in path: String) throws(StateFile.Failure) {
    do throws(StateFile.Failure) {
      try StateFile(path: path).write(text)
    } catch {
      log.write(.error, .daemon, "\(error)", [.init("FILE", path)])
      throw error
    }
    if let error = reload() {
      throw StateFile.Failure(description: "it is kept, but does not count yet: \(error)")
    }
  }
}
