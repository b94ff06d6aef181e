import ForceTouchModel
import ForceTouchRecordings

/// A recording in any format: it is read to its end or refused with the place, and what was read,
/// written in each format that we write, is read back the same.
///
/// - Parameter format: What stands above the input, so that it is taken for this format.
func fuzzRecording(_ bytes: [UInt8], as format: Recording.Format? = nil) {
  let file = FileOfBytes(Array(head(of: format).utf8))
  file.append(bytes)
  guard let read = read(file, format) else { return }
  for format in RecordingWriter.Format.allCases { checkWriting(read, as: format) }
}

private func checkWriting(_ read: Read, as format: RecordingWriter.Format) {
  let written = FileOfBytes()
  do {
    var writer = try RecordingWriter(format, description: read.description, kernel: "6.1") {
      written.append($0)
    }
    for frame in read.frames { try writer.append(frame) }
  } catch {
    fail("cannot be written: \(error)")
  }
  guard let again = fuzz.read(written, format == .evemu ? .evemu : .libinput) else {
    fail("what was written is refused")
  }
  check(
    again.frames.count == read.frames.count, "\(again.frames.count) of \(read.frames.count) frames")
  for (first, second) in zip(read.frames, again.frames) {
    check(first == second, "\(first) is read back as \(second)")
  }
  var expected = read.description
  if format == .evemu {
    // Not in the format; of names the tests of the writer know more.
    expected.node = nil
    expected.udevClass = nil
    expected.name = again.description.name
  }
  check(again.description == expected, "\(expected) is read back as \(again.description)")
}

private func head(of format: Recording.Format?) -> String {
  switch format {
  case .libinput: "version: 1\n"
  case .evemu: "# EVEMU 1.3\n"
  case .evtest: "Input driver version is 1.0.1\n"
  case .getevent: "[ 1.000001] 0000 0000 00000000\n"
  case nil: ""
  }
}

private struct Read {
  var description: DeviceDescription
  var frames: [Frame] = []
}

private func read(_ file: borrowing FileOfBytes, _ format: Recording.Format?) -> Read? {
  do throws(RecordingError) {
    let recording = try Recording(path: file.path)
    check(format == nil || recording.format == format, "taken for \(recording.format)")
    var read = Read(description: recording.description)
    // No list of a device is longer: of more codes than a kernel has only the first are read back.
    let device = recording.description
    if max(device.keys.count, device.axes.count, device.properties.count) > 1024 { return nil }
    var frame = Frame()
    while try recording.nextFrame(into: &frame) { read.frames.append(frame) }
    check(frame.events.isEmpty, "something is left at the end")
    // Not in the format.
    read.description.isInferred = false
    return read
  } catch {
    checkProblem(error.description, path: file.path)
    return nil
  }
}
