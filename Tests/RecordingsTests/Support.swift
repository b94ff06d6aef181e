import ForceTouchModel
import ForceTouchRecordings
import Glibc
import Testing

/// A file that is gone with its last reference.
final class TemporaryFile {
  let path: String
  private let descriptor: Int32

  init(_ bytes: [UInt8] = []) throws {
    var template = Array("/tmp/recording-test-XXXXXX".utf8CString)
    descriptor = mkstemp(&template)
    try #require(descriptor >= 0)
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    try append(bytes)
  }

  convenience init(_ text: String) throws { try self.init(Array(text.utf8)) }

  deinit {
    close(descriptor)
    unlink(path)
  }

  func append(_ bytes: [UInt8]) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      try #require(count > 0)
      rest = rest.dropFirst(count)
    }
  }
}

/// All that a recording gives.
struct Contents: Equatable {
  var format: Recording.Format
  var description: DeviceDescription
  var frames: [Frame] = []
  var skippedLines = 0
  var endsMidFrame = false

  init(path: String, descriptionPath: String? = nil) throws {
    let recording = try Recording(path: path, descriptionPath: descriptionPath)
    format = recording.format
    description = recording.description
    var frame = Frame()
    while try recording.nextFrame(into: &frame) { frames.append(frame) }
    skippedLines = recording.skippedLines
    endsMidFrame = recording.endsMidFrame
  }

  init(_ bytes: [UInt8]) throws {
    let file = try TemporaryFile(bytes)
    try self.init(path: file.path)
  }

  init(_ text: String) throws { try self.init(Array(text.utf8)) }

  /// Type, code and value of every event, frame by frame.
  var events: [[[Int]]] {
    frames.map { $0.events.map { [Int($0.type), Int($0.code), Int($0.value)] } }
  }

  /// The microsecond of every frame.
  var times: [Int64] { frames.map(\.time.microseconds) }
}

/// The problem of a recording that is refused.
func problem(_ bytes: [UInt8]) throws -> String? {
  let file = try TemporaryFile(bytes)
  do {
    _ = try Contents(path: file.path)
    return nil
  } catch let error as RecordingError {
    #expect(error.path == file.path)
    #expect(!error.description.contains("\n"))
    return error.line.map { "\($0): \(error.problem)" } ?? error.problem
  }
}

/// A small recording in each format: the same two frames.
enum Sample {
  static let events: [[[Int]]] = [
    [[3, 57, 7], [3, 53, 100], [3, 58, 65], [1, 330, 1]],
    [[3, 57, -1], [1, 330, 0]],
  ]

  static let libinput = """
    version: 1
    ndevices: 1
    devices:
    - node: /dev/input/event9
      evdev:
        name: "A pad"
        id: [3, 1452, 613, 272]
        codes:
          0: [0, 1, 2] # EV_SYN
          1: [272, 325, 330] # EV_KEY
          3: [0, 1, 47, 53, 54, 57, 58] # EV_ABS
        absinfo:
          0: [-3678, 3934, 4, 0, 46]
          1: [-2478, 2587, 4, 0, 45]
          47: [0, 15, 0, 0, 0]
          53: [-3678, 3934, 4, 0, 46]
          54: [-2478, 2587, 4, 0, 45]
          57: [0, 65535, 0, 0, 0]
          58: [0, 253, 0, 0, 0]
        properties: [0, 2]
      udev:
        properties:
        - ID_INPUT=1
        - ID_INPUT_TOUCHPAD=1
      events:
      - evdev:
        - [  1, 200000,   3,  57,       7] # EV_ABS / ABS_MT_TRACKING_ID      7
        - [  1, 200000,   3,  53,     100] # EV_ABS / ABS_MT_POSITION_X     100 (+8)
        - [  1, 200000,   3,  58,      65] # EV_ABS / ABS_MT_PRESSURE        65
        - [  1, 200000,   1, 330,       1] # EV_KEY / BTN_TOUCH               1
        - [  1, 200000,   0,   0,       0] # ------------ SYN_REPORT (0) ---------- +0ms
      - evdev:
        - [  1, 208000,   3,  57,      -1] # EV_ABS / ABS_MT_TRACKING_ID     -1
        - [  1, 208000,   1, 330,       0] # EV_KEY / BTN_TOUCH               0
        - [  1, 208000,   0,   0,       1] # ------------ SYN_REPORT (1) ---------- +8ms

    """

  static let evemuDescription = """
    # EVEMU 1.3
    N: A pad
    I: 0003 05ac 0265 0110
    P: 05 00 00 00 00 00 00 00
    B: 00 0b 00 00 00 00 00 00 00
    B: 01 00 00 00 00 00 00 00 00
    B: 01 00 00 00 00 00 00 00 00
    B: 01 00 00 00 00 00 00 00 00
    B: 01 00 00 00 00 00 00 00 00
    B: 01 00 00 01 00 00 00 00 00
    B: 01 20 04 00 00 00 00 00 00
    A: 00 -3678 3934 4 0 46
    A: 01 -2478 2587 4 0 45
    A: 2f 0 15 0 0 0
    A: 35 -3678 3934 4 0 46
    A: 36 -2478 2587 4 0 45
    A: 39 0 65535 0 0 0
    A: 3a 0 253 0 0 0

    """

  static let evemuEvents = """
    E: 1.200000 0003 0039 0007\t# EV_ABS / ABS_MT_TRACKING_ID   7
    E: 1.200000 0003 0035 0100\t# EV_ABS / ABS_MT_POSITION_X    100
    E: 1.200000 0003 003a 0065\t# EV_ABS / ABS_MT_PRESSURE      65
    E: 1.200000 0001 014a 0001\t# EV_KEY / BTN_TOUCH            1
    E: 1.200000 0000 0000 0000\t# ------------ SYN_REPORT (0) ---------- +0ms
    E: 1.208000 0003 0039 -001\t# EV_ABS / ABS_MT_TRACKING_ID   -1
    E: 1.208000 0001 014a 0000\t# EV_KEY / BTN_TOUCH            0
    E: 1.208000 0000 0000 0001\t# ------------ SYN_REPORT (1) ---------- +8ms

    """

  static let evtestDescription = """
    Input driver version is 1.0.1
    Input device ID: bus 0x3 vendor 0x5ac product 0x265 version 0x110
    Input device name: "A pad"
    Supported events:
      Event type 0 (EV_SYN)
      Event type 1 (EV_KEY)
        Event code 272 (BTN_LEFT)
        Event code 325 (BTN_TOOL_FINGER)
        Event code 330 (BTN_TOUCH)
      Event type 3 (EV_ABS)
        Event code 0 (ABS_X)
          Value     77
          Min    -3678
          Max     3934
          Fuzz       4
          Resolution      46
        Event code 1 (ABS_Y)
          Value      0
          Min    -2478
          Max     2587
          Fuzz       4
          Resolution      45
        Event code 47 (ABS_MT_SLOT)
          Value      0
          Min        0
          Max       15
        Event code 53 (ABS_MT_POSITION_X)
          Value      0
          Min    -3678
          Max     3934
          Fuzz       4
          Resolution      46
        Event code 54 (ABS_MT_POSITION_Y)
          Value      0
          Min    -2478
          Max     2587
          Fuzz       4
          Resolution      45
        Event code 57 (ABS_MT_TRACKING_ID)
          Value      0
          Min        0
          Max    65535
        Event code 58 (?)
          Value      0
          Min        0
          Max      253
    Properties:
      Property type 0 (INPUT_PROP_POINTER)
      Property type 2 (INPUT_PROP_BUTTONPAD)
    Testing ... (interrupt to exit)

    """

  static let evtestEvents = """
    Event: time 1.200000, type 3 (EV_ABS), code 57 (ABS_MT_TRACKING_ID), value 7
    Event: time 1.200000, type 3 (EV_ABS), code 53 (ABS_MT_POSITION_X), value 100
    Event: time 1.200000, type 3 (EV_ABS), code 58 (?), value 65
    Event: time 1.200000, type 1 (EV_KEY), code 330 (BTN_TOUCH), value 1
    Event: time 1.200000, -------------- SYN_REPORT ------------
    Event: time 1.208000, type 3 (EV_ABS), code 57 (ABS_MT_TRACKING_ID), value -1
    Event: time 1.208000, type 1 (EV_KEY), code 330 (BTN_TOUCH), value 0
    Event: time 1.208000, -------------- SYN_REPORT ------------

    """

  static let getevent = """
    [       1.200000] /dev/input/event2: EV_ABS       ABS_MT_TRACKING_ID   00000007
    [       1.200000] /dev/input/event2: EV_ABS       ABS_MT_POSITION_X    00000064
    [       1.200000] /dev/input/event2: EV_ABS       ABS_MT_PRESSURE      00000041
    [       1.200000] /dev/input/event2: EV_KEY       BTN_TOUCH            DOWN
    [       1.200000] /dev/input/event2: EV_SYN       SYN_REPORT           00000000
    [       1.208000] /dev/input/event2: EV_ABS       ABS_MT_TRACKING_ID   ffffffff
    [       1.208000] /dev/input/event2: EV_KEY       BTN_TOUCH            UP
    [       1.208000] /dev/input/event2: EV_SYN       SYN_REPORT           00000000

    """

  static let all: [(format: Recording.Format, text: String)] = [
    (.libinput, libinput), (.evemu, evemuDescription + evemuEvents),
    (.evtest, evtestDescription + evtestEvents), (.getevent, getevent),
  ]
}
