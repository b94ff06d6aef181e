import ForceTouchModel
import ForceTouchRecordings
import Testing

@Suite("An evtest recording")
struct EvtestTests {
  private let syn = "Event: time 1.0, -------------- SYN_REPORT ------------\n"

  @Test("may have no head, and no Properties section")
  func head() throws {
    #expect(try Contents(Sample.evtestEvents).description.isInferred)
    let text = Sample.evtestDescription.split(separator: "\n").filter { !$0.contains("ropert") }
      .joined(separator: "\n")
    #expect(try Contents(text).description.properties.isEmpty)
  }

  @Test("may begin with the device chooser's text")
  func chooser() throws {
    let text = """
      No device specified, trying to scan all of /dev/input/event*
      Available devices:
      /dev/input/event0:\tLid Switch
      /dev/input/event5:\tA pad
      Select the device event number [0-5]: 5

      """
    let contents = try Contents(text + Sample.evtestDescription + Sample.evtestEvents)
    #expect(contents.format == .evtest)
    #expect(contents.description.name == "A pad")
    #expect(contents.events == Sample.events)
    #expect(contents.skippedLines == 0)
  }

  @Test("may have two events on one line")
  func merged() throws {
    let line = "Event: time 1.0, type 3 (EV_ABS), code 58 (?), value 5"
    #expect(try Contents(line + line + " " + syn).events == [[[3, 58, 5], [3, 58, 5]]])
  }

  @Test("may have lines that a mailer wrapped, quoted or not")
  func wrapped() throws {
    for prefix in ["", "> "] {
      let text = """
        \(prefix)Event: time 1.0, type 3 (EV_ABS), code 58
        \(prefix)(ABS_MT_PRESSURE), value 65
        \(prefix)Event: time 1.0, type 3 (EV_ABS), code 53 (ABS_MT_POSITION_X),
        \(prefix)value -9
        \(prefix)Event: time 1.0, --------------
        \(prefix)SYN_REPORT ------------

        """
      let contents = try Contents(text)
      #expect(contents.events == [[[3, 58, 65], [3, 53, -9]]])
      #expect(contents.skippedLines == 0)
    }
  }

  @Test("prints scan codes in hexadecimal")
  func scanCodes() throws {
    let line = "Event: time 1.0, type 4 (EV_MSC), code 4 (MSC_SCAN), value "
    #expect(
      try Contents(line + "90001\n" + line + "ffffffff\n" + syn).events
        == [[[4, 4, 0x90001], [4, 4, -1]]])
  }

  @Test("may begin and end in the middle of a frame, at differing times")
  func middle() throws {
    let text =
      "1 (EV_KEY), code 330 (BTN_TOUCH), value 1\n"
      + "Event: time 0.9, type 3 (EV_ABS), code 58 (?), value 5\n" + syn
      + "Event: time 1.1, type 3 (EV_ABS), code 58 (?), value 6\n"
    let contents = try Contents(text)
    #expect(contents.events == [[[3, 58, 5]]])
    #expect(contents.times == [1_000_000])
    #expect(contents.endsMidFrame)
  }

  @Test("may have two tracking IDs in one frame, and SYN_MT_REPORT and SYN_DROPPED")
  func synchronization() throws {
    let id = "Event: time 1.0, type 3 (EV_ABS), code 57 (?), value "
    let text =
      id + "-1\n" + id + "8\n" + "Event: time 1.0, ++++++++++++++ SYN_MT_REPORT ++++++++++++\n"
      + syn
      + "Event: time 1.0, >>>>>>>>>>>>>> SYN_DROPPED <<<<<<<<<<<<\n" + syn + syn
    let contents = try Contents(text)
    #expect(contents.events == [[[3, 57, -1], [3, 57, 8], [0, 2, 0]], []])
    #expect(contents.frames.map(\.isResynchronized) == [false, true])
  }

  @Test("counts events that begin and are none")
  func broken() throws {
    let contents = try Contents("Event: time 1.0, type 3\n" + syn + "Event: time x\n" + syn)
    #expect(contents.events == [[], []])
    #expect(contents.skippedLines == 2)
  }
}

@Suite("A getevent recording")
struct GeteventTests {
  @Test("may have labels or numbers, times or none, a device in front or none")
  func variants() throws {
    let expected: [[[Int]]] = [[[3, 0x39, -1], [3, 0x3a, 65], [1, 0x14a, 1]]]
    let labels = [
      "EV_ABS ABS_MT_TRACKING_ID ffffffff", "EV_ABS ABS_MT_PRESSURE 00000041",
      "EV_KEY BTN_TOUCH DOWN", "EV_SYN SYN_REPORT 00000000",
    ]
    let numbers = [
      "0003 0039 ffffffff", "0003 003a 00000041", "0001 014a 00000001",
      "0000 0000 00000000",
    ]
    for lines in [labels, numbers] {
      for time in ["", "[    565.208057] "] {
        for device in ["", "/dev/input/event4: "] {
          let contents = try Contents(lines.map { time + device + $0 + "   \r\n" }.joined())
          #expect(contents.format == .getevent)
          #expect(contents.events == expected)
          #expect(contents.times == [time.isEmpty ? 0 : 565_208_057])
        }
      }
    }
  }

  @Test("without times has its frames ten milliseconds apart")
  func noTimes() throws {
    let frame = "0003 003a 00000041\n0000 0000 00000000\n"
    #expect(try Contents(frame + frame + frame).times == [0, 10_000, 20_000])
  }

  @Test("knows the words for keys and tools, and keys without a name here")
  func words() throws {
    let text =
      "EV_KEY BTN_TOUCH DOWN\nEV_KEY KEY_POWER UP\nEV_ABS ABS_MT_TOOL_TYPE MT_TOOL_PALM\n"
      + "EV_ABS ABS_MT_TOOL_TYPE MT_TOOL_FINGER\nEV_SYN SYN_REPORT 00000000\n"
    let contents = try Contents(text)
    #expect(contents.events == [[[1, 330, 1], [1, 65535, 0], [3, 55, 2], [3, 55, 0]]])
    #expect(contents.skippedLines == 0)
  }

  @Test("may have Android's codes 4 and 5 of EV_SYN, and lift by an empty frame")
  func androidCodes() throws {
    let text =
      "0000 0004 000002a5\n0000 0005 12345678\n0003 0035 00000001\n0000 0002 00000000\n"
      + "0000 0000 00000000\n0000 0002 00000000\n0000 0000 00000000\n0000 0000 00000000\n"
    #expect(try Contents(text).events == [[[3, 53, 1], [0, 2, 0]], [[0, 2, 0]], []])
  }

  @Test("of several devices gives the one with contacts, and nothing of the others")
  func severalDevices() throws {
    let text = """
      add device 1: /dev/input/event0
        name:     "gpio-keys"
      could not get driver version for /dev/input/mice, Not a typewriter
      /dev/input/event0: 0001 0074 00000001
      /dev/input/event0: 0000 0000 00000000
      /dev/input/event1: 0003 0000 00000007
      /dev/input/event1: 0000 0000 00000000
      /dev/input/event2: 0003 0035 00000009
      add device 2: /dev/input/event3
      /dev/input/event2: 0000 0000 00000000

      """
    let contents = try Contents(text)
    #expect(contents.events == [[[3, 53, 9]]])
    #expect(contents.skippedLines == 0)
    #expect(contents.description.axes.keys.sorted() == [0x35])
  }

  @Test("counts lines that cannot be read, not the shell's text before")
  func broken() throws {
    let text =
      "$ adb shell getevent\n0003 003a 00000041\n/dev/input/event2: 0003 00\n^C\n0000 0000 00000000\n"
    let contents = try Contents(text)
    #expect(contents.events == [[[3, 58, 65]]])
    #expect(contents.skippedLines == 2)
  }
}
