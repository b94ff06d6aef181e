import ForceTouchDevices
import ForceTouchModel
import Foundation
import Testing

/// Starts the tests below under umockdev, in a process of their own.
@Suite struct UmockdevTests {
  static let wrapper = ["/usr/bin/umockdev-wrapper", "/usr/local/bin/umockdev-wrapper"]
    .first { FileManager.default.isExecutableFile(atPath: $0) }

  @Test(
    .enabled(if: wrapper != nil, "umockdev-wrapper is not installed (package umockdev)"),
    .disabled(if: Umockdev.isHere, "runs under umockdev already"))
  func liveDevicesAreReadThroughTheRealLibraries() throws {
    let process = Process()
    process.executableURL = URL(filePath: try #require(Self.wrapper))
    process.arguments = [
      // The slash keeps out what only shares a file with them.
      CommandLine.arguments[0], "--filter", #"\.LiveDeviceTests/"#, "--testing-library",
      "swift-testing",
    ]
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let text = String(
      decoding: try #require(try output.fileHandleForReading.readToEnd()), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0, "\(text)")
    // A filter that finds nothing succeeds too.
    #expect(text.contains("Suite LiveDeviceTests passed"), "\(text)")
  }
}

/// The reader and the monitor, through the real libevdev and libudev.
@Suite(
  .serialized,
  .enabled(if: Umockdev.isHere, "not under umockdev: UmockdevTests runs these"))
struct LiveDeviceTests {
  static let fixtures = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Fixtures/magic-trackpad-2")
  static let node = "/dev/input/event0"
  static let path = "/devices/virtual/misc/uhid/0005:004C:0265.0001/input/input2/event0"
  static let keyboard = """
    P: /devices/platform/i8042/input/input9/event9
    N: input/event9
    E: DEVNAME=/dev/input/event9
    E: ID_INPUT=1
    E: ID_INPUT_KEYBOARD=1
    E: MAJOR=13
    E: MINOR=73
    E: SUBSYSTEM=input
    A: dev=13:73\\n

    P: /devices/platform/i8042/input/input9
    E: SUBSYSTEM=input
    E: ID_INPUT_KEYBOARD=1
    A: name=Keyboard\\n

    """

  let machine: Umockdev

  init() throws { machine = try Umockdev() }

  private func addTrackpad(_ change: (String) -> String = { $0 }) throws {
    let file = Self.fixtures.appending(path: "magic.umockdev")
    try machine.add(change(try String(contentsOf: file, encoding: .utf8)))
    try machine.loadControls(
      Self.node, file: Self.fixtures.appending(path: "magic.ioctl").path())
  }

  private func write(_ events: Input..., at microseconds: Int = 0) throws {
    try machine.write(events, seconds: 5, microseconds: microseconds, to: Self.node)
  }

  private static let report = Input(type: 0, code: SynchronizationCode.report, value: 0)
  private static let dropped = Input(type: 0, code: SynchronizationCode.dropped, value: 0)

  private func nextFrame(_ reader: EvdevReader, _ frame: inout Frame) -> EvdevReader.Read {
    let isReadable = isReadable(reader.descriptor)
    #expect(isReadable)
    return reader.nextFrame(into: &frame)
  }

  private func inputs(_ frame: Frame) -> [Input] {
    frame.events.map { Input(type: $0.type, code: $0.code, value: $0.value) }
  }

  @Test func aTrackpadIsFoundAndDescribed() throws {
    try addTrackpad()
    let found = try #require(Udev().device(node: Self.node))
    #expect(found.mayBeOpened)
    #expect(found.udevClass == .touch(.trackpad))
    #expect((found.devicePath, found.seat, found.driver) == (Self.path, "seat0", "magicmouse"))

    let reader = try EvdevReader(node: found.node)
    let device = found.complete(reader.description)
    #expect(device.name == "Apple Inc. Magic Trackpad 2")
    #expect((device.bus, device.vendor, device.product) == (.bluetooth, 0x004c, 0x0265))
    #expect(device.pressureAxis == Axis(minimum: 0, maximum: 253))
    #expect(device.axes[AxisCode.slot] == Axis(minimum: 0, maximum: 15))
    #expect(
      device.axes[AxisCode.positionX]
        == Axis(minimum: -3678, maximum: 3934, fuzz: 0, flat: 0, resolution: 47))
    #expect(
      device.keys == [KeyCode.left, KeyCode.toolFinger, 0x148, KeyCode.touch, 0x14d, 0x14e, 0x14f])
    #expect(device.properties == [InputProperty.pointer, InputProperty.buttonPad])
    let verdict = forceTouchCapability(of: device, table: DeviceTable.standard().table)
    #expect((verdict.capability, verdict.reason) == (.available, .table))

    #expect(reader.state.slots.map(\.trackingID) == Array(repeating: -1, count: 16))
    #expect(reader.state.keys.isEmpty)
  }

  @Test func onlyTouchDevicesMayBeOpened() throws {
    try machine.add(Self.keyboard)
    try addTrackpad {
      $0.replacing(
        "ID_INPUT_TOUCHPAD=1",
        with:
          "FORCETOUCHD_IGNORE=1\nE: ID_INPUT_TOUCHPAD=1\nE: ID_SEAT=seat7\nE: FORCETOUCHD_ALLOW_VIRTUAL=1"
      )
    }
    let devices = Udev().devices().sorted { $0.node < $1.node }
    #expect(devices.map(\.node) == [Self.node, "/dev/input/event9"])
    #expect(devices.map(\.mayBeOpened) == [false, false])
    #expect(devices.map(\.udevClass) == [.touch(.trackpad), .other])
    #expect(devices.map(\.isIgnored) == [true, false])
    #expect(devices.map(\.isVirtualAllowed) == [true, false])
    #expect(devices.map(\.seat) == ["seat7", "seat0"])
  }

  @Test func theMonitorTellsOfWhatComesChangesAndGoes() throws {
    let monitor = try UdevMonitor(Udev())
    #expect(monitor.nextChange() == nil)
    func next() -> UdevMonitor.Change? {
      // Parents are told of too, and are no event nodes.
      while isReadable(monitor.descriptor) {
        if let change = monitor.nextChange() { return change }
      }
      return nil
    }
    try addTrackpad()
    guard case .present(let device) = next() else {
      Issue.record("the new trackpad was not told of")
      return
    }
    #expect((device.node, device.udevClass) == (Self.node, .touch(.trackpad)))
    while monitor.nextChange() != nil {}
    try machine.send("change", "/sys" + Self.path)
    #expect(next() == .present(device))
    try machine.send("remove", "/sys" + Self.path)
    #expect(next() == .removed(devicePath: Self.path))
    #expect(monitor.nextChange() == nil)
  }

  @Test func framesAreThoseThatTheDeviceSent() throws {
    try addTrackpad()
    let reader = try EvdevReader(node: Self.node)
    var frame = Frame()
    #expect(reader.nextFrame(into: &frame) == .wouldBlock)
    let file = Self.fixtures.appending(path: "magic.events")
    var sent: [Input] = []
    var count = 0
    for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.first == "E:" else { continue }
      let type = try #require(UInt16(words[2], radix: 16))
      let code = try #require(UInt16(words[3], radix: 16))
      sent.append(Input(type: type, code: code, value: try #require(Int32(words[4]))))
      guard type == EventType.synchronization else { continue }
      count += 1
      try machine.write(sent, seconds: 5, microseconds: count, to: Self.node)
      #expect(nextFrame(reader, &frame) == .frame)
      #expect(inputs(frame) == Array(sent.dropLast()))
      #expect(frame.time == Timestamp(seconds: 5, microseconds: Int64(count)))
      #expect(!frame.isResynchronized)
      frame.removeAll()
      sent.removeAll()
    }
    #expect(count > 10)
    #expect(reader.nextFrame(into: &frame) == .wouldBlock)
  }

  @Test func aFrameThatIsNotCompleteIsWaitedFor() throws {
    try addTrackpad()
    let reader = try EvdevReader(node: Self.node)
    var frame = Frame()
    try write(.slot(1), .id(3), .x(10))
    #expect(nextFrame(reader, &frame) == .wouldBlock)
    try write(.y(20), Self.report, .x(11), Self.report, at: 7)
    #expect(nextFrame(reader, &frame) == .frame)
    #expect(inputs(frame) == [.slot(1), .id(3), .x(10), .y(20)])
    // The next is here already: it must be asked for, nothing else will wake the loop.
    frame.removeAll()
    #expect(reader.nextFrame(into: &frame) == .frame)
    #expect(inputs(frame) == [.x(11)])
    #expect(frame.time == Timestamp(seconds: 5, microseconds: 7))
  }

  @Test func aLiftJustBeforeEventsAreLostIsNotLostToo() throws {
    try addTrackpad()
    let reader = try EvdevReader(node: Self.node)
    var tracker = ContactTracker(
      description: reader.description, initialState: .known(reader.state))
    var contacts = ContactFrame()
    var frame = Frame()
    try write(.slot(2), .id(3), .x(10), .y(20), Self.report)
    #expect(nextFrame(reader, &frame) == .frame)
    tracker.process(frame, into: &contacts)
    #expect(contacts.contacts.map(TrackerUnderTest.line) == ["#1 in 2 began at 10,20 raw 0"])

    // Cut in the middle: libevdev knows of the lift and does not tell again.
    frame.removeAll()
    try write(.id(-1), Self.dropped, .x(99), Self.report)
    #expect(nextFrame(reader, &frame) == .frame)
    #expect(frame.isResynchronized)
    tracker.process(frame, into: &contacts)
    #expect(
      contacts.contacts.map(TrackerUnderTest.line)
        == ["#1 in 2 cancelled(dropped) at 10,20 raw 0"])

    frame.removeAll()
    try write(.slot(0), .id(4), .x(5), Self.report)
    #expect(nextFrame(reader, &frame) == .frame)
    #expect(!frame.isResynchronized)
    tracker.process(frame, into: &contacts)
    #expect(contacts.contacts.map(\.phase) == [.began])
  }

  @Test func aContactThatLiftedWhileEventsWereLostIsCancelled() throws {
    try addTrackpad()
    let reader = try EvdevReader(node: Self.node)
    var frame = Frame()
    try write(.slot(2), .id(3), .x(10), .y(20), .touch(1), Self.report)
    #expect(nextFrame(reader, &frame) == .frame)
    frame.removeAll()
    // The node's recorded state says that nothing is down.
    try write(.x(11), Self.dropped, Self.report)
    #expect(nextFrame(reader, &frame) == .frame)
    #expect(frame.isResynchronized)
    #expect(inputs(frame).contains(.id(-1)) && inputs(frame).contains(.touch(0)))
    #expect(!inputs(frame).contains { $0.type == EventType.synchronization })
  }
}
