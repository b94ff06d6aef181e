import ForceTouchModel
import ForceTouchRecordings
import ForceTouchScreen
import Glibc

/// Frames that were seen, kept as a recording in the current folder.
enum SavedRecording {
  /// - Returns: What to say of it.
  static func save(_ seen: WatchedDevice) throws(CommandError) -> String {
    guard let description = seen.description else {
      throw .failed("Not saved: the daemon does not describe the device")
    }
    guard !seen.recent.isEmpty else { throw .failed("Not saved: nothing was felt yet") }
    var bytes: [UInt8] = []
    do {
      var writer = try RecordingWriter(
        .libinput, description: description, kernel: Kernel().release,
        remarks: RecordCommand.remarks(seen.device.kind == .touchscreen, isAnonymous: false),
        write: { bytes += $0 })
      for frame in seen.recent.recording { try writer.append(frame) }
    } catch {
      throw .failed("Not saved: \(error)")
    }
    let path = try write(bytes)
    let seconds = Double(seen.recent.duration.microseconds / 100_000) / 10
    var text = "Saved \(seconds) s: \(path)"
    if seen.device.kind == .touchscreen { text += "; it holds what was typed" }
    if seen.recent.hasGap { text += "; what was before was read too late" }
    return text
  }

  /// Into a file that was not there before.
  private static func write(_ bytes: [UInt8]) throws(CommandError) -> String {
    var (clock, parts) = (time(nil), tm())
    localtime_r(&clock, &parts)
    var stamp = [CChar](repeating: 0, count: 32)
    strftime(&stamp, stamp.count, "%Y-%m-%d-%H%M%S", &parts)
    let name =
      "forcetouch-" + String(decoding: stamp.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
    for number in 1... {
      let path = number == 1 ? "\(name).yml" : "\(name)-\(number).yml"
      do throws(CommandError) {
        guard let file = try OutputFile(new: path) else { continue }
        try file.write(bytes)
        try file.close()
      } catch {
        throw .failed("Not saved: \(error.text)")
      }
      return path
    }
    fatalError("there are more numbers than files")
  }
}
