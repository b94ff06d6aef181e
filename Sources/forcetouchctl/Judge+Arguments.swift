import ForceTouchEngine
import ForceTouchModel
import ForceTouchProtocol
import ForceTouchRecognition
import ForceTouchSettings
import YAML

extension Judge {
  /// The option of all commands that judge.
  static let configOption = (
    name: "--config", value: Optional("FILE"),
    meaning: "read this instead of \(StandardPath.settings)"
  )
  static let descriptionOption = (
    name: "--description", value: Optional("FILE"),
    meaning: "a recording that describes the device of FILE"
  )

  /// By the settings of this machine. What is wrong in them is left out, and others say so.
  static var ofThisMachine: Judge {
    guard let loaded = try? load(Files()) else {
      preconditionFailure("only a settings file that is named has to be there")
    }
    return loaded.judge
  }

  /// What the daemon would go by, with no daemon running.
  init(_ arguments: Arguments) throws(CommandError) {
    do throws(YAMLError) {
      let (judge, problems) = try Judge.load(Files(settings: arguments["--config"]))
      for problem in problems { Output.complain("\(problem); ignored") }
      self = judge
    } catch {
      throw .failed(error.description)
    }
  }
}

extension DeviceMessage {
  /// The device that an engine serves, as the wire has it.
  init(_ engine: DeviceEngine, device: String) {
    self.init(
      device: device, description: engine.description, kind: engine.verdict.touchKind,
      capability: engine.verdict.capability, reason: engine.verdict.reason,
      isEstimated: engine.isEstimated, profile: engine.profile,
      thresholds: engine.thresholds.map { .init($0) })
  }
}

extension DeviceMessage.Thresholds {
  init(_ raw: RawThresholds) { self.init(hint: raw.hint, peek: raw.peek, pop: raw.pop) }
}
