import ForceTouchDevices
import ForceTouchModel
import ForceTouchRecognition
import ForceTouchSettings
import YAML

/// A settings file: whatever it says, the settings make sense, and what is wrong is told with its
/// place.
func fuzzSettings(_ bytes: [UInt8]) {
  let file = FileOfBytes(bytes)
  let (settings, problems) = Settings.load(file.path)
  check(problems, in: file.path)
  checkSense(settings)
  for (name, value, origin) in settings.effective {
    check(!value.isEmpty, "\(name) shows nothing")
    if let origin { check(origin.file == file.path, "\(name) comes from \(origin)") }
  }
  // What is shown may be set: over the socket it gives the same.
  var stored = StoredSettings()
  for (name, value, _) in settings.effective {
    do {
      try stored.set(name, to: value)
    } catch {
      fail("\(name): \(value) is shown and refused: \(error)")
    }
  }
  let again = Settings.load("/nowhere", stored: stored).settings
  check(
    again.effective.map(\.value) == settings.effective.map(\.value),
    "\(again.effective) instead of \(settings.effective)")
}

func check(_ problems: [YAMLError], in path: String) {
  for problem in problems where problem.mark != nil {
    checkProblem(problem.description, path: path)
  }
}

private func checkSense(_ settings: Settings) {
  let values = settings.recognition
  check(
    values.hint < values.peek && values.peek < values.pop && values.peekLeave < values.peek
      && values.popLeave < values.pop && values.peekLeave < values.popLeave
      && values.pop * values.sensitivity.factor <= 1, "thresholds: \(values)")
  check(values.hint >= 0 && values.restInterval >= .zero, "\(values)")
  let previewing = settings.previewing
  check(
    previewing.questionTimeout > .zero && previewing.totalTimeout > .zero
      && previewing.silencesBeforeSuspension >= 1, "\(previewing)")
}

/// What was set over the socket: a file that a crash or a person spoiled is refused or read, and
/// then written such that the same is read.
func fuzzStoredSettings(_ bytes: [UInt8]) {
  let file = FileOfBytes(bytes)
  do throws(YAMLError) {
    let stored = try StoredSettings(path: file.path)
    let written = FileOfBytes(Array(stored.text.utf8))
    let again = try StoredSettings(path: written.path)
    check(again.text == stored.text, "\(stored.text) is read back as \(again.text)")
    let (settings, problems) = Settings.load("/nowhere", stored: stored)
    check(problems, in: file.path)
    checkSense(settings)
  } catch {
    checkProblem(error.description, path: String(error.description.prefix { $0 != ":" }))
  }
  // The same text as what a client says: a name, and on the next line a value.
  let lines = String(decoding: bytes, as: UTF8.self).split(
    separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
  guard lines.count == 2 else { return }
  var stored = StoredSettings()
  do {
    try stored.set(String(lines[0]), to: String(lines[1]))
  } catch {
    return
  }
  let (settings, problems) = Settings.load("/nowhere", stored: stored)
  checkSense(settings)
  check(problems.count <= 1, "what was accepted is a problem: \(problems)")
}

/// A device table, as the administrator writes one.
func fuzzDeviceTable(_ bytes: [UInt8]) {
  let file = FileOfBytes(bytes)
  let (table, problems) = DeviceTable.load([file.path])
  check(problems, in: file.path)
  var device = DeviceDescription(
    name: "Apple Inc. Magic Trackpad", bus: .bluetooth, vendor: 0x004c, product: 0x0265)
  for entry in table.entries {
    device.name = entry.match.namePattern ?? device.name
    device.bus = entry.match.bus ?? device.bus
    device.vendor = entry.match.vendor ?? device.vendor
    device.product = entry.match.products.min() ?? device.product
    device.driver = entry.match.driver ?? device.driver
    check(table.entry(for: device) != nil, "\(entry) does not match \(device)")
    _ = forceTouchCapability(of: device, table: table)
  }
}

/// Calibrated profiles: what is read is written and read the same; what is set is found again.
func fuzzProfiles(_ bytes: [UInt8]) {
  let file = FileOfBytes(bytes)
  var (profiles, problems) = CalibratedProfiles.load(file.path)
  check(problems, in: file.path)
  checkReadBack(profiles)
  var input = InputBytes(bytes)
  let device = DeviceDescription(
    name: "", bus: Bus(rawValue: UInt16(input.byte())),
    vendor: UInt16(bitPattern: input.int16()), product: UInt16(bitPattern: input.int16()))
  let floor = Double(input.int16())
  let click = input.bool() ? floor + Double(input.byte()) / 7 : nil
  let ceiling = floor + Double(input.int16()) / 3
  guard let profile = try? ForceProfile(floor: floor, ceiling: ceiling, click: click) else {
    return
  }
  var named = device
  named.name = String(decoding: input.all(), as: UTF8.self)
  profiles.set(profile, for: named)
  check(profiles.profile(for: named) == profile, "what was set is not found")
  let read = checkReadBack(profiles)
  check(read.profile(for: named) == profile, "what was set is not found again")
  profiles.set(nil, for: named)
  checkReadBack(profiles)
}

@discardableResult
private func checkReadBack(_ profiles: CalibratedProfiles) -> CalibratedProfiles {
  let text = profiles.text
  let file = FileOfBytes(Array(text.utf8))
  let (read, problems) = CalibratedProfiles.load(file.path)
  check(problems.isEmpty, "\(text.debugDescription): \(problems)")
  check(read.text == text, "\(text.debugDescription) is read back as \(read.text.debugDescription)")
  return read
}
