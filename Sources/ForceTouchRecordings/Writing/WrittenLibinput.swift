import ForceTouchModel
internal import YAML

/// The YAML of `libinput record`.
enum WrittenLibinput: WrittenFormat {
  static let frameStart = "    - evdev:\n"

  static func numbers(_ event: InputEvent) -> String {
    // Seconds round down, so that microseconds are never negative.
    var seconds = event.time.microseconds / 1_000_000
    var microseconds = event.time.microseconds % 1_000_000
    if microseconds < 0 {
      microseconds += 1_000_000
      seconds -= 1
    }
    return "      - [\(pad(seconds, 3)), \(pad(microseconds, 6)), \(pad(event.type, 3)), "
      + "\(pad(event.code, 3)), \(pad(event.value, 7))]"
  }

  static func head(_ device: DeviceDescription, kernel: String, comments: String) -> String {
    let keys = device.keys.sorted().map(String.init).joined(separator: ", ")
    let axes = device.axes.keys.sorted()
    let axisCodes = axes.map { String($0) }.joined(separator: ", ")
    let properties = device.properties.sorted().map(String.init).joined(separator: ", ")
    var text = """
      \(comments)version: 1
      ndevices: 1
      libinput:
        version: "0 (forcetouchctl record)"
        git: "unknown"
      system:
        kernel: \(YAMLNode.quoted(kernel))
      devices:
      - node: \(YAMLNode.quoted(device.node ?? ""))
        evdev:
          name: \(YAMLNode.quoted(device.name))
          id: [\(device.bus.rawValue), \(device.vendor), \(device.product), \(device.version)]
          codes:
            0: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] # EV_SYN

      """
    if !keys.isEmpty { text += "      1: [\(keys)] # EV_KEY\n" }
    if !axes.isEmpty { text += "      3: [\(axisCodes)] # EV_ABS\n" }
    if !axes.isEmpty { text += "    absinfo:\n" }
    for code in axes {
      guard let axis = device.axes[code] else { continue }
      text +=
        "      \(code): [\(axis.minimum), \(axis.maximum), \(axis.fuzz), \(axis.flat), "
        + "\(axis.resolution)]\n"
    }
    text += "    properties: [\(properties)]\n"
    // libinput replay wants the section even when there is nothing to say.
    text += "  udev:\n    properties:"
    switch device.udevClass {
    case .touch(.trackpad): text += "\n    - ID_INPUT=1\n    - ID_INPUT_TOUCHPAD=1\n"
    case .touch(.touchscreen): text += "\n    - ID_INPUT=1\n    - ID_INPUT_TOUCHSCREEN=1\n"
    case .other: text += "\n    - ID_INPUT=1\n    - ID_INPUT_KEY=1\n"
    case nil: text += " []\n"
    }
    return text + "  events:\n"
  }
}
