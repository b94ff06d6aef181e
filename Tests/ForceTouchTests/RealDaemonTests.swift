import ForceTouchModel
import Foundation
import TestSupport
import Testing

@testable import ForceTouch

/// The library and the daemon itself, which plays a recording of a trackpad: a tap, a press to the
/// pop, a press to the peek.
@Suite(.serialized) struct RealDaemonTests {
  private let folder: TemporaryFolder
  private let client: ForceTouchClient
  private let table = Table()
  private let context: PreviewingContext

  init() throws {
    folder = try TemporaryFolder()
    client = try ForceTouchClient(socketPath: folder.path("socket"))
    table.preview = { context, location in
      context.sourceRect = ViewRect(x: 0, y: location.y, width: 200, height: 20)
      return "row"
    }
    context = client.registerForPreviewing(with: table, sourceView: table)
    context.pointerLocation = ViewPoint(x: 30, y: 40)
    // On a machine that has much to do, an answer in time is not what is tested here.
    try Data("previewing:\n  question-timeout-ms: 9000\n  total-timeout-ms: 9000\n".utf8)
      .write(to: URL(filePath: folder.path("settings")))
  }

  /// Each press lasts four times as long as it did: no daemon or program is too slow for it, not
  /// even one that a sanitizer watches.
  private func slowRecording() throws -> String {
    let root = URL(filePath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    return try String(
      contentsOf: root.appending(path: "Examples/recordings/peek-and-pop.evemu"), encoding: .utf8
    ).split(separator: "\n").map { line in
      let words = line.split(separator: " ", maxSplits: 2)
      guard words.first == "E:", let time = Double(words[1]) else { return String(line) }
      return String(format: "E: %.6f ", 4 * time) + words[2]
    }.joined(separator: "\n") + "\n"
  }

  /// The daemon that was built with the tests.
  private func startDaemon() throws -> Process {
    try slowRecording().write(
      toFile: folder.path("recording.evemu"), atomically: true, encoding: .utf8)
    let daemon = Process()
    daemon.executableURL = URL(filePath: CommandLine.arguments[0])
      .deletingLastPathComponent().appending(path: "forcetouchd")
    daemon.arguments = [
      "--socket", folder.path("socket"), "--config", folder.path("settings"), "--replay",
      folder.path("recording.evemu"),
    ]
    daemon.standardOutput = FileHandle.nullDevice
    daemon.standardError = FileHandle.nullDevice
    try daemon.run()
    return daemon
  }

  /// Runs the program's loop until the table was told something.
  private func loop(until line: String, count: Int = 1) {
    let end = ContinuousClock.now + .seconds(60)
    while table.log.count(where: { $0 == line }) < count, ContinuousClock.now < end {
      var wait = pollfd(fd: client.descriptor, events: Int16(POLLIN), revents: 0)
      if poll(&wait, 1, 100) > 0 { client.dispatch() }
    }
  }

  private let firstPress = ["preview for 30.0,40.0", "present row", "commit row"]
  private let secondPress = ["preview for 30.0,40.0", "present row", "dismiss row"]

  @Test func aRecordingIsPeekedAndPopped() throws {
    #expect(client.connectionError != nil)
    let daemon = try startDaemon()
    defer {
      daemon.terminate()
      daemon.waitUntilExit()
    }
    loop(until: "present row")
    #expect(client.forceTouchCapability == .available)
    loop(until: "dismiss row")
    #expect(table.log == firstPress + secondPress)
    #expect(table.errors == [])
    #expect(context.event?.kind == .peekEnded)
    #expect((context.event?.maximumPossibleForce ?? 0) > 1)
  }

  @Test(arguments: [SIGTERM, SIGKILL])
  func aDaemonThatIsRestartedInAPeekClosesItOnce(signal: Int32) throws {
    let first = try startDaemon()
    loop(until: "present row")
    kill(first.processIdentifier, signal)
    first.waitUntilExit()
    loop(until: "dismiss row")
    #expect(
      context.event?.kind
        == .peekCancelled(signal == SIGTERM ? .daemon(.stopping) : .connectionLost))
    let second = try startDaemon()
    defer {
      second.terminate()
      second.waitUntilExit()
    }
    loop(until: "dismiss row", count: 2)
    #expect(
      table.log
        == ["preview for 30.0,40.0", "present row", "dismiss row"] + firstPress + secondPress)
  }
}
