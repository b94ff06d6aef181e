public import ForceTouchModel

/// A recording of a device: what it declares, and its frames one by one, in memory that does not
/// grow with the file. Not safe for several threads at once.
///
/// Read are the outputs of `libinput record`, `evemu-record` and `evemu-describe`, `evtest`, and
/// Android's `getevent`; which it is, the content tells. Of several devices in one recording the
/// first touch device is read.
public final class Recording {
  /// How a recording was made.
  public enum Format: String, Sendable, CaseIterable {
    case libinput = "libinput record"
    case evemu
    case evtest
    case getevent
  }

  public let format: Format
  /// The device. Put together from the events (``DeviceDescription/isInferred``) when neither the
  /// file nor a second one describes it.
  public let description: DeviceDescription
  private var events: any EventSource
  private var isDropping = false
  private var isResynchronizing = false
  /// Lines (in YAML: events) so far that should be an event and cannot be read, and lines that are
  /// too long to be any.
  public var skippedLines: Int { events.skippedLines }
  /// The file ends in the middle of a frame. What there is of it is left out: without its
  /// `SYN_REPORT` nobody knows whether it is all.
  public private(set) var endsMidFrame = false

  /// Opens a recording.
  ///
  /// - Parameters:
  ///   - path: The file; `-` is standard input.
  ///   - descriptionPath: Another file that describes the device, in any of the formats.
  ///   - progress: Is told while the file is read, here and later, which part of it was: 0…1. A
  ///     file that does not describe its device is read twice.
  public init(
    path: String, descriptionPath: String? = nil, progress: ((_ share: Double) -> Void)? = nil
  ) throws(RecordingError) {
    let file = try InputFile(path: path, progress: progress)
    format = try Self.recognize(file)
    if let descriptionPath {
      description = try Self.describe(descriptionPath)
    } else if let described = try Self.open(file, format).readDescription() {
      description = described
    } else {
      description = try inferDescription(from: Self.open(file, format), path: path)
    }
    events = try Self.open(file, format)
  }

  /// Gathers the next frame; false at the end, the frame is then empty. After `SYN_DROPPED`
  /// everything up to the next `SYN_REPORT` is left out, and the frame behind it is marked.
  public func nextFrame(into frame: inout Frame) throws(RecordingError) -> Bool {
    frame.removeAll()
    while let event = try events.nextEvent() {
      guard event.type == EventType.synchronization else {
        if !isDropping { frame.events.append(event) }
        continue
      }
      switch event.code {
      case SynchronizationCode.report:
        if isDropping {
          // The rest of the frame that the drop fell into.
          isDropping = false
          isResynchronizing = true
          continue
        }
        frame.time = event.time
        frame.isResynchronized = isResynchronizing
        isResynchronizing = false
        return true
      case SynchronizationCode.multitouchReport:
        if !isDropping { frame.events.append(event) }
      case SynchronizationCode.dropped:
        frame.removeAll()
        isDropping = true
      default: break
      }
    }
    if !frame.events.isEmpty || isDropping { endsMidFrame = true }
    frame.removeAll()
    return false
  }

  private static func describe(_ path: String) throws(RecordingError) -> DeviceDescription {
    let file = try InputFile(path: path)
    guard let description = try open(file, recognize(file)).readDescription() else {
      throw RecordingError(
        path: path, problem: "describes no device; give the output of evemu-describe, for example")
    }
    return description
  }

  private static func open(
    _ file: InputFile, _ format: Format
  ) throws(RecordingError) -> any EventSource {
    try file.rewind()
    return switch format {
    case .libinput: LibinputRecording(file)
    case .evemu: EvemuRecording(file)
    case .evtest: EvtestRecording(file)
    case .getevent: GeteventRecording(file)
    }
  }

  private static func recognize(_ file: InputFile) throws(RecordingError) -> Format {
    try file.rewind()
    var lines = LineReader(file)
    var isEmpty = true
    // A device chooser or a mail's first lines may come before.
    for _ in 0..<5000 {
      guard let line = try lines.next() else { break }
      if !line.isEmpty { isEmpty = false }
      if line.starts(with: [0xff, 0xfe]) || line.starts(with: [0xfe, 0xff]) {
        throw RecordingError(
          path: file.path, problem: "the text is UTF-16; convert it: iconv -f UTF-16 -t UTF-8")
      }
      if line.contains(0) { break }
      let text = line.unquoted
      if LibinputRecording.recognizes(text) { return .libinput }
      if EvemuRecording.recognizes(text) { return .evemu }
      if EvtestRecording.recognizes(text) { return .evtest }
      if GeteventRecording.recognizes(text) { return .getevent }
    }
    throw RecordingError(
      path: file.path,
      problem: isEmpty && lines.overlongLines == 0
        ? "the file is empty"
        : "no recording of libinput record, evemu-record, evtest or getevent")
  }
}

/// One format: the events of a file in order.
protocol EventSource {
  /// What the file says of its device before its first event; nil when it says nothing.
  func readDescription() throws(RecordingError) -> DeviceDescription?
  /// The next event; nil at the end.
  mutating func nextEvent() throws(RecordingError) -> InputEvent?
  var skippedLines: Int { get }
}

/// A description put together from the events of a recording: what occurs, in the range of
/// values that occurs.
private func inferDescription(
  from source: any EventSource, path: String
) throws(RecordingError) -> DeviceDescription {
  var source = source
  var description = DeviceDescription(name: path == "-" ? "recording" : path.lastComponent)
  description.isInferred = true
  while let event = try source.nextEvent() {
    switch event.type {
    case EventType.key: description.keys.insert(event.code)
    case EventType.absolute:
      if event.code == AxisCode.trackingID && event.value < 0 { continue }
      var axis =
        description.axes[event.code] ?? Axis(minimum: event.value, maximum: event.value)
      axis.minimum = min(axis.minimum, event.value)
      axis.maximum = max(axis.maximum, event.value)
      description.axes[event.code] = axis
    default: break
    }
  }
  return description
}

extension String {
  fileprivate var lastComponent: String {
    String(split(separator: "/").last ?? self[...])
  }
}
