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
    fraction("recognition.hint", \.hint),
    fraction("recognition.peek", \.peek),
    fraction("recognition.pop", \.pop),
    fraction("recognition.peek-leave", \.peekLeave),
    fraction("recognition.pop-leave", \.popLeave),
    SettingKey(
      name: "recognition.sensitivity",
      take: { node, settings throws(YAMLError) in
        guard let value = Sensitivity(rawValue: try node.string()) else {
          throw YAMLError("expected light, medium or firm", at: node.mark)
        }
        settings.recognition.sensitivity = value
      }, show: { $0.recognition.sensitivity.rawValue }),
    number("recognition.touchscreen-slop-mm", 0...100, \.touchscreenSlop),
    number("recognition.trackpad-slop-mm", 0...100, \.trackpadSlop),
    SettingKey(
      name: "recognition.rest-ms",
      take: { node, settings throws(YAMLError) in
        let value = try node.integer()
        guard (0...10_000).contains(value) else {
          throw YAMLError("must lie between 0 and 10000", at: node.mark)
        }
        settings.recognition.restInterval = .milliseconds(Int64(value))
      }, show: { "\($0.recognition.restInterval.microseconds / 1000)" }),
    SettingKey(
      name: "recognition.peek-beside-other-contacts",
      take: { node, settings throws(YAMLError) in
        settings.recognition.peeksBesideOtherContacts = try node.boolean()
      }, show: { "\($0.recognition.peeksBesideOtherContacts)" }),
  ]

  private typealias Field<Value> = WritableKeyPath<RecognizerConfiguration, Value> & Sendable

  private static func fraction(_ name: String, _ field: Field<Double>) -> SettingKey {
    number(name, 0...1, field)
  }

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
        settings.recognition[keyPath: field] = value
      }, show: { "\($0.recognition[keyPath: field])" })
  }
}

extension Settings {
  /// Every setting with its effective value and where it was set (nil: the default).
  public var effective: [(name: String, value: String, origin: YAMLMark?)] {
    SettingKey.all.map { ($0.name, $0.show(self), origins[$0.name]) }
  }

  /// Takes the values of a file.
  mutating func take(_ node: YAMLNode, _ problems: inout [YAMLError]) throws(YAMLError) {
    for section in try node.entries() {
      switch section.key {
      case "devices": takeDevices(section.value, &problems)
      case "recognition": takeSection(section, &problems)
      default:
        problems.append(YAMLError("\(section.key) is not known here", at: section.keyMark))
      }
    }
  }

  private mutating func takeSection(_ section: YAMLNode.Entry, _ problems: inout [YAMLError]) {
    do throws(YAMLError) {
      for entry in try section.value.entries() {
        let name = section.key + "." + entry.key
        guard let key = SettingKey.all.first(where: { $0.name == name }) else {
          problems.append(YAMLError("\(entry.key) is not known here", at: entry.keyMark))
          continue
        }
        do throws(YAMLError) {
          try key.take(entry.value, &self)
          origins[name] = entry.value.mark
        } catch {
          problems.append(error)
        }
      }
    } catch {
      problems.append(error)
    }
  }

  private mutating func takeDevices(_ node: YAMLNode, _ problems: inout [YAMLError]) {
    do throws(YAMLError) {
      for element in try node.elements() {
        do throws(YAMLError) {
          devices.append(try DeviceRule(element))
        } catch {
          problems.append(error)
        }
      }
    } catch {
      problems.append(error)
    }
  }

  /// Thresholds that do not ascend recognize nothing that makes sense: then all of them are the
  /// defaults again.
  mutating func keepThresholdsAscending(_ problems: inout [YAMLError]) {
    let values = recognition
    guard
      !(values.hint < values.peek && values.peek < values.pop
        && values.peekLeave < values.peek && values.popLeave < values.pop
        && values.peekLeave < values.popLeave
        && values.pop * values.sensitivity.factor <= 1)
    else { return }
    let names = ["hint", "peek", "pop", "peek-leave", "pop-leave"].map { "recognition." + $0 }
    problems.append(
      YAMLError(
        "hint < peek < pop, peek-leave < peek, pop-leave < pop and peek-leave < pop-leave must "
          + "hold, and pop be within reach at the sensitivity; the defaults are used",
        at: names.compactMap { origins[$0] }.first))
    let defaults = RecognizerConfiguration()
    recognition.hint = defaults.hint
    recognition.peek = defaults.peek
    recognition.pop = defaults.pop
    recognition.peekLeave = defaults.peekLeave
    recognition.popLeave = defaults.popLeave
    for name in names { origins[name] = nil }
  }
}

extension Settings.DeviceRule {
  fileprivate init(_ node: YAMLNode) throws(YAMLError) {
    self.init()
    for entry in try node.entries() {
      switch entry.key {
      case "name": name = try entry.value.string()
      case "bus":
        guard let bus = Bus(name: try entry.value.string()) else {
          throw YAMLError("this is no bus", at: entry.value.mark)
        }
        self.bus = bus
      case "vendor": vendor = try Self.identifier(entry.value)
      case "product": product = try Self.identifier(entry.value)
      case "enabled": isEnabled = try entry.value.boolean()
      case "estimated": isEstimated = try entry.value.boolean()
      default: throw YAMLError("\(entry.key) is not known here", at: entry.keyMark)
      }
    }
    guard name != nil || bus != nil || vendor != nil || product != nil else {
      throw YAMLError(
        "the rule must say for which device: name, bus, vendor, product", at: node.mark)
    }
  }

  private static func identifier(_ node: YAMLNode) throws(YAMLError) -> UInt16 {
    guard let value = UInt16(exactly: try node.integer()) else {
      throw YAMLError("must lie between 0 and 0xffff", at: node.mark)
    }
    return value
  }
}
