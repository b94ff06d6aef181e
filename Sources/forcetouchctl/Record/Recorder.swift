import ForceTouchDevices
import ForceTouchModel
import ForceTouchRecordings
import Glibc

/// Writes what a device says until something ends it.
struct Recorder {
  /// Why a recording ended; it is whole in each case.
  enum End {
    /// A signal came.
    case stopped
    case gone
    /// The file may not grow any more.
    case full
    case failed(EvdevError)
  }

  private let reader: EvdevReader
  private var anonymizer: Anonymizer?
  private let file: RecordingFile
  private var writer: RecordingWriter
  private let line = LiveLine(after: .zero)
  /// nil: nobody is shown anything.
  private var status: RecordingStatus?

  /// There may be more to read than was taken so far.
  private var isBehind = false

  /// A device at rest sends nothing, and the time goes on all the same.
  private static let redrawTime = Interval.milliseconds(100)
  /// A device that floods must not keep Ctrl-C waiting.
  private static let framesPerTurn = 256

  init(
    reader: EvdevReader, anonymizer: Anonymizer?, file: RecordingFile, writer: RecordingWriter
  ) {
    self.reader = reader
    self.anonymizer = anonymizer
    self.file = file
    self.writer = writer
  }

  /// Shows on a terminal from now on how the recording goes.
  mutating func showStatus(of device: DeviceDescription) {
    if line.isTerminal { status = RecordingStatus(device, reader) }
  }

  mutating func record(until signals: Signals) throws -> End {
    defer { line.clear() }
    var frame = Frame()
    while true {
      if let status { line.show(status.text(size: file.size) + "  (Ctrl-C ends)") }
      var waited = [signals.descriptor, reader.descriptor].map {
        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
      }
      let patience = isBehind ? 0 : status == nil ? -1 : Self.redrawTime.timeout
      _ = poll(&waited, nfds_t(waited.count), patience)
      if let end = try takeFrames(into: &frame) { return end }
      guard signals.take().isEmpty else { return .stopped }
    }
  }

  /// Takes what is there by now.
  private mutating func takeFrames(into frame: inout Frame) throws -> End? {
    for _ in 0..<Self.framesPerTurn {
      switch reader.nextFrame(into: &frame) {
      case .frame: if try !take(&frame) { return .full }
      case .wouldBlock:
        isBehind = false
        return nil
      case .gone: return .gone
      case .failed(let error): return .failed(error)
      }
    }
    isBehind = true
    return nil
  }

  /// False when there is no room for it.
  private mutating func take(_ frame: inout Frame) throws -> Bool {
    status?.take(frame)
    defer { frame.removeAll() }
    guard anonymizer?.anonymize(&frame) ?? true else { return true }
    do {
      try writer.append(frame)
      return true
    } catch is RecordingFile.LimitReached {
      return false
    }
  }
}
