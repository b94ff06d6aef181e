import ForceTouchDevices
import ForceTouchEngine
import ForceTouchModel
import ForceTouchProtocol
import ForceTouchSettings

/// What the daemon would make of a device: its table and its settings, with no daemon running.
struct Judgement {
  private let table: DeviceTable
  private let settings: Settings

  /// The option of all commands that judge.
  static let configOption = (
    name: "--config", value: Optional("FILE"),
    meaning: "read this instead of \(StandardPath.settings)"
  )
  static let descriptionOption = (
    name: "--description", value: Optional("FILE"),
    meaning: "a recording that describes the device of FILE"
  )

  init(_ arguments: Arguments) throws(CommandError) {
    let (table, tableProblems) = DeviceTable.standard(overrides: StandardPath.deviceTables)
    let (settings, problems) = Settings.load(given: arguments["--config"])
    // A file that was asked for must be there.
    if arguments.has("--config"), let missing = problems.first(where: { $0.mark == nil }) {
      throw .failed(missing.description)
    }
    for problem in tableProblems + problems { Output.complain("\(problem); ignored") }
    self.table = table
    self.settings = settings
  }

  func verdict(_ description: DeviceDescription) -> CapabilityVerdict {
    forceTouchCapability(
      of: description, table: table,
      policy: CapabilityPolicy(isDisabled: settings.isDisabled(description)))
  }

  func engine(_ description: DeviceDescription, estimates: Bool = false) -> DeviceEngine {
    DeviceEngine(
      description: description, verdict: verdict(description),
      configuration: settings.recognition,
      estimates: estimates || settings.isEstimated(description))
  }
}

extension DeviceMessage {
  /// The device that an engine serves, as the wire has it.
  init(_ engine: DeviceEngine, device: String) {
    self.init(
      device: device, description: engine.description, kind: engine.verdict.touchKind,
      capability: engine.verdict.capability, reason: engine.verdict.reason,
      isEstimated: engine.isEstimated, profile: engine.profile,
      thresholds: engine.thresholds.map { .init(hint: $0.hint, peek: $0.peek, pop: $0.pop) })
  }
}
