import ForceTouchModel
import ForceTouchRecognition
import YAML

// What a settings file may say.

extension Settings {
  /// Every setting with its effective value and where it was set (nil: the default).
  public var effective: [(name: String, value: String, origin: YAMLMark?)] {
    SettingKey.all.map { ($0.name, $0.show(self), origins[$0.name]) }
  }

  /// The names of the settings by which a profile becomes thresholds.
  public static let thresholdNames = ["hint", "peek", "pop", "sensitivity"].map {
    "recognition." + $0
  }

  /// Takes the values of a file. What is wrong is added to `problems` and left out, alone.
  mutating func take(_ node: YAMLNode, _ problems: inout [YAMLError]) throws(YAMLError) {
    for section in try node.entries() {
      switch section.key {
      case "devices": takeDevices(section.value, &problems)
      case let name where SettingKey.all.contains(where: { $0.name.hasPrefix(name + ".") }):
        takeSection(section, &problems)
      default:
        let sections = SettingKey.all.compactMap { $0.name.split(separator: ".").first }
        problems.append(.unknownKey(section, among: sections.map(String.init) + ["devices"]))
      }
    }
  }

  private mutating func takeSection(_ section: YAMLNode.Entry, _ problems: inout [YAMLError]) {
    do throws(YAMLError) {
      for entry in try section.value.entries() {
        let name = section.key + "." + entry.key
        guard let key = SettingKey.named(name) else {
          let keys = SettingKey.all.map(\.name).filter { $0.hasPrefix(section.key + ".") }
          problems.append(
            .unknownKey(entry, among: keys.map { String($0.dropFirst(section.key.count + 1)) }))
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
          + "hold, and pop be within reach at the sensitivity, or the defaults count",
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
  private enum Key: String, CaseIterable {
    case name, bus, vendor, product, enabled, estimated
  }

  fileprivate init(_ node: YAMLNode) throws(YAMLError) {
    self.init()
    mark = node.mark
    for entry in try node.entries() {
      guard let key = Key(rawValue: entry.key) else {
        throw .unknownKey(entry, among: Key.allCases.map(\.rawValue))
      }
      switch key {
      case .name: name = try entry.value.string()
      case .bus:
        guard let bus = Bus(name: try entry.value.string()) else {
          throw YAMLError("this is no bus", at: entry.value.mark)
        }
        self.bus = bus
      case .vendor: vendor = try entry.value.integer(in: 0...0xffff)
      case .product: product = try entry.value.integer(in: 0...0xffff)
      case .enabled: isEnabled = try entry.value.boolean()
      case .estimated: isEstimated = try entry.value.boolean()
      }
    }
    guard name != nil || bus != nil || vendor != nil || product != nil else {
      throw YAMLError(
        "the rule must say for which device: name, bus, vendor, product", at: node.mark)
    }
  }
}
