import ForceTouchProtocol

extension Page {
  /// All devices, and why each feels force or does not, as `forcetouchctl devices` says it.
  mutating func writeDevices(_ devices: [SeenDevice], chosen: Int, _ region: Region) {
    rule("devices", region)
    let body = Region(
      row: region.row + 1, column: 2, rows: region.rows - 1, columns: region.columns - 1)
    guard !devices.isEmpty else {
      return writeLines(["There is no trackpad or touchscreen."], body)
    }
    // Two lines each: what it is, and why.
    let fit = max(1, body.rows / 2)
    let first = max(0, min(chosen - fit / 2, devices.count - fit))
    for (line, index) in (first..<min(devices.count, first + fit)).enumerated() {
      let device = devices[index].device
      let row = body.row + line * 2
      let isChosen = index == chosen
      let text =
        "\(isChosen ? ">" : " ") " + left(device.device, 5) + device.name + "  "
        + (device.node ?? "a recording")
      write(text, at: row, body.column, isChosen ? .bar : .plain, limit: body.columns)
      write(
        "\(device.capability.rawValue): \(device.explanation)", at: row + 1, body.column + 7,
        device.isRecognized ? .plain : .faint, limit: body.columns - 7)
    }
  }

  mutating func writeHelp(_ region: Region) {
    rule("help", region)
    var body = Region(
      row: region.row + 1, column: 2, rows: region.rows - 1, columns: region.columns - 1)
    let keys = [
      ("p, space", "pause: the screen stands still, and goes on where things are by then"),
      ("d", "devices: which there are, why each does or does not count, and which is shown"),
      ("s", "try light, medium and firm on what came lately and what comes: here only,"),
      ("", "nothing else hears of it (to set it: forcetouchd.yaml, recognition.sensitivity)"),
      ("w", "save the last 30 seconds as a recording, in the current folder"),
      ("q, Ctrl-C", "quit"),
      ("Ctrl-Z", "to the shell; fg comes back"),
    ]
    for (key, meaning) in keys where body.rows > 0 {
      write(key, at: body.row, body.column, .key)
      write(meaning, at: body.row, body.column + 11, .plain, limit: body.columns - 11)
      body = body.below(1)
    }
    writeLines(
      [
        "",
        "force     1.00 is an ordinary touch; the bar ends at the greatest there is.",
        "peek, pop a preview opens, and is opened. At hint, programs are asked for one.",
        "spot      grows with force; the dots around it are where it peeks and pops.",
        "latency   from the kernel's time of a frame to its arrival here.",
        "lost      the kernel had to drop events; read late: left out by the daemon, as",
        "          this terminal was too slow.",
      ], body, .plain)
  }
}
