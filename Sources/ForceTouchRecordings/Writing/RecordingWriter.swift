public import ForceTouchModel

/// Writes a recording in one of the formats that others play too: its description, then frame by
/// frame. What it writes reads back event for event. Whenever writing stops, the file is whole up
/// to the last frame.
///
/// It needs a description and frames, no device. No format has a place for driver, path and seat,
/// nor for ``DeviceDescription/isInferred``; ``Format/evemu`` has none for node and udev class
/// either, and keeps of a name what stands on one line, without space around it.
public struct RecordingWriter {
  /// Takes bytes in order; throws what the file system says. The head is given at once, then every
  /// frame.
  public typealias Write = (_ bytes: [UInt8]) throws -> Void

  /// What is written.
  public enum Format: String, Sendable, CaseIterable {
    /// As `libinput record`; `libinput replay` plays it.
    case libinput
    /// As `evemu-record`; `evemu-device` makes the device and `evemu-play` plays it.
    case evemu
  }

  private let format: any WrittenFormat.Type
  private let write: Write
  private var text = ""
  private var lastFrameTime: Timestamp?

  /// Writes the head.
  ///
  /// - Parameters:
  ///   - kernel: The kernel's release, for whoever reads the file.
  ///   - remarks: Lines for whoever reads the file; they stand in it as comments.
  public init(
    _ format: Format = .libinput, description: DeviceDescription, kernel: String,
    remarks: [String] = [], write: @escaping Write
  ) throws {
    self.format =
      switch format {
      case .libinput: WrittenLibinput.self
      case .evemu: WrittenEvemu.self
      }
    self.write = write
    let comments = remarks.map { "# \($0.withoutControls)\n" }.joined()
    try write(Array(self.format.head(description, kernel: kernel, comments: comments).utf8))
  }

  /// Writes a frame and its `SYN_REPORT`. A frame after lost events is written with the
  /// `SYN_DROPPED` before it.
  public mutating func append(_ frame: Frame) throws {
    text = ""
    if frame.isResynchronized {
      text += format.frameStart
      add(
        InputEvent(
          time: frame.time, type: EventType.synchronization, code: SynchronizationCode.dropped,
          value: 0))
      addReport(frame.time)
    }
    text += format.frameStart
    for event in frame.events { add(event) }
    addReport(frame.time)
    lastFrameTime = frame.time
    try write(Array(text.utf8))
  }

  private mutating func addReport(_ time: Timestamp) {
    let interval = lastFrameTime.map { (time - $0).microseconds / 1000 } ?? 0
    text += format.numbers(
      InputEvent(
        time: time, type: EventType.synchronization, code: SynchronizationCode.report, value: 0))
    text += " # ------------ SYN_REPORT (0) ---------- \(interval < 0 ? "" : "+")\(interval)ms\n"
  }

  private mutating func add(_ event: InputEvent) {
    text += format.numbers(event)
    let type = EventType.name(of: event.type) ?? "type \(event.type)"
    let code = CodeNames.name(type: event.type, code: event.code) ?? "code \(event.code)"
    text += " # \(type) / \(code) \(event.value)\n"
  }
}

/// What distinguishes one format from another.
protocol WrittenFormat {
  /// Everything above the first frame.
  ///
  /// - Parameter comments: Whole lines, each behind a `#`.
  static func head(_ device: DeviceDescription, kernel: String, comments: String) -> String
  /// The line above a frame's events, if any.
  static var frameStart: String { get }
  /// The line of an event up to its comment.
  static func numbers(_ event: InputEvent) -> String
}

/// Fills a number up from the left.
func pad(_ number: some BinaryInteger, _ width: Int, with filler: String = " ", radix: Int = 10)
  -> String
{
  let text = String(number, radix: radix)
  return String(repeating: filler, count: max(0, width - text.count)) + text
}
