import ForceTouchModel
import ForceTouchRecognition
import YAML

/// One setting: its dotted name, and how its value is taken and shown. This list is the only
/// place where a setting's name stands.
struct SettingKey: Sendable {
  let name: String
  let take: @Sendable (YAMLNode, inout Settings) throws(YAMLError) -> Void
  let show: @Sendable (Settings) -> String

  static let all: [SettingKey] = [
    number("recognition.hint", 0...1, \.recognition.hint),
    number("recognition.peek", 0...1, \.recognition.peek),
    number("recognition.pop", 0...1, \.recognition.pop),
    number("recognition.peek-leave", 0...1, \.recognition.peekLeave),
    number("recognition.pop-leave", 0...1, \.recognition.popLeave),
    SettingKey(
      name: "recognition.sensitivity",
      take: { node, settings throws(YAMLError) in
        guard let value = Sensitivity(rawValue: try node.string()) else {
          throw YAMLError("expected light, medium or firm", at: node.mark)
        }
        settings.recognition.sensitivity = value
      }, show: { $0.recognition.sensitivity.rawValue }),
    number("recognition.touchscreen-slop-mm", 0...100, \.recognition.touchscreenSlop),
    number("recognition.trackpad-slop-mm", 0...100, \.recognition.trackpadSlop),
    duration("recognition.rest-ms", unit: .milliseconds(1), 0...10_000, \.recognition.restInterval),
    boolean(
      "recognition.peek-beside-other-contacts", \.recognition.peeksBesideOtherContacts),
    duration(
      "previewing.question-timeout-ms", unit: .milliseconds(1), 1...10_000,
      \.previewing.questionTimeout),
    duration(
      "previewing.total-timeout-ms", unit: .milliseconds(1), 1...10_000,
      \.previewing.totalTimeout),
    duration(
      "previewing.claim-window-ms", unit: .milliseconds(1), 0...10_000,
      \.previewing.claimWindow),
    SettingKey(
      name: "previewing.silences",
      take: { node, settings throws(YAMLError) in
        settings.previewing.silencesBeforeSuspension = try node.integer(in: 1...1000)
      }, show: { "\($0.previewing.silencesBeforeSuspension)" }),
    boolean("previewing.regions-for-active-users", \.regionsForActiveUsers),
    duration("service.idle-exit-s", unit: .milliseconds(1000), 0...86_400, \.service.idleExit),
  ]

  /// The setting of a name; nil when there is none.
  static func named(_ name: String) -> SettingKey? { all.first { $0.name == name } }

  private typealias Field<Value> = WritableKeyPath<Settings, Value> & Sendable

  private static func number(
    _ name: String, _ range: ClosedRange<Double>, _ field: Field<Double>
  ) -> SettingKey {
    SettingKey(
      name: name,
      take: { node, settings throws(YAMLError) in
        let value = try node.number()
        guard range.contains(value) else {
          throw YAMLError(
            "must lie between \(Int(range.lowerBound)) and \(Int(range.upperBound))", at: node.mark)
        }
        settings[keyPath: field] = value
      }, show: { "\($0[keyPath: field])" })
  }

  private static func boolean(_ name: String, _ field: Field<Bool>) -> SettingKey {
    SettingKey(
      name: name,
      take: { node, settings throws(YAMLError) in
        settings[keyPath: field] = try node.boolean()
      }, show: { "\($0[keyPath: field])" })
  }

  /// A whole number of units.
  private static func duration(
    _ name: String, unit: Interval, _ range: ClosedRange<Int64>, _ field: Field<Interval>
  ) -> SettingKey {
    SettingKey(
      name: name,
      take: { node, settings throws(YAMLError) in
        let count = try node.integer(in: range)
        settings[keyPath: field] = Interval(microseconds: count * unit.microseconds)
      }, show: { "\($0[keyPath: field].microseconds / unit.microseconds)" })
  }
}
