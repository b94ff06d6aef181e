import ForceTouchProtocol

extension Page {
  /// All devices, and why each feels force or does not, as `forcetouchctl devices` says it.
  mutating func writeDevices(_ devices: [WatchedDevice], chosen: Int, _ region: Region) {
    rule("devices", region)
    let body = Region(
      row: region.row + 1, column: 2, rows: region.rows - 1, columns: region.columns - 1)
    // Two lines each: what it is, and why.
    let fit = max(1, body.rows / 2)
    let first = max(0, min(chosen - fit / 2, devices.count - fit))
    for (line, index) in (first..<min(devices.count, first + fit)).enumerated() {
      let device = devices[index].device
      let row = body.row + line * 2
      let isChosen = index == chosen
      let text =
        "\(isChosen ? ">" : " ") " + left(device.device, 5) + device.name + "  "
        + device.place
      write(text, at: row, body.column, isChosen ? .key : .plain, limit: body.columns)
      write(
        "\(device.capability.rawValue): \(device.explanation)", at: row + 1, body.column + 7,
        device.isRecognized ? .plain : .faint, limit: body.columns - 7)
    }
  }

  mutating func writeHelp(_ region: Region) {
    rule("help", region)
    var body = Region(
      row: region.row + 1, column: 2, rows: region.rows - 1, columns: region.columns - 1)
    let width = 13
    for (word, meaning, style) in Self.help where body.rows > 0 {
      write(word.isEmpty ? "" : " \(word) ", at: body.row, body.column, style)
      write(meaning, at: body.row, body.column + width, .plain, limit: body.columns - width)
      body = body.below(1)
    }
  }

  private static let help: [(String, String, Style)] = [
    ("p, space", "pause: the screen stands still until p goes on", .key),
    ("d", "devices, and why each counts or does not; show another", .key),
    ("s", "try light, medium, firm: on this screen only", .key),
    ("w", "save the last 30 seconds as a recording, in this folder", .key),
    ("q, Ctrl-C", "quit", .key),
    ("Ctrl-Z", "to the shell; fg comes back", .key),
    ("", "", .plain),
    ("force", "1.00 is an ordinary touch", .plain),
    ("peek, pop", "a preview opens, and is opened", .plain),
    ("hint", "programs are asked for a preview", .plain),
    ("spot", "grows with force, up to its dots at peek and pop", .plain),
    ("latency", "from the kernel's time of a frame to its arrival here", .plain),
    ("lost", "the kernel dropped events", .plain),
    ("read late", "left out by the daemon: this terminal was too slow", .plain),
  ]
}
