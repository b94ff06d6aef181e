import ForceTouchModel
import TestSupport
import Testing

@testable import ForceTouch

private final class Listener: ForceTouchClientDelegate {
  var changes: [String] = []

  func forceTouchClient(
    _ client: ForceTouchClient, capabilityDidChangeFrom previous: ForceTouchCapability
  ) {
    changes.append("\(previous) → \(client.forceTouchCapability)")
  }
}

@Suite struct CapabilityTests {
  @Test func theBestOfTheSeatsDevicesCounts() throws {
    let bench = try Bench()
    #expect(bench.client.forceTouchCapability == .available)
    #expect(bench.client.connectionError == nil)
    let listener = Listener()
    bench.client.delegate = listener
    bench.daemon.remove("d1")
    bench.settle()
    bench.daemon.watchReply(
      "added", .init(device: "d2", seat: "seat1", capability: "available"))
    bench.settle()
    bench.daemon.watchReply("added", .init(device: "d3", seat: "seat0", capability: "unknown"))
    bench.settle()
    bench.daemon.watchReply("changed", .init(device: "d3", seat: "seat0", capability: "available"))
    bench.settle()
    #expect(
      listener.changes == [
        "available → unavailable", "unavailable → unknown", "unknown → available",
      ])
  }

  @Test func withoutADaemonNothingIsKnown() throws {
    let bench = try Bench(isDaemonThere: false)
    let listener = Listener()
    bench.client.delegate = listener
    #expect(bench.client.forceTouchCapability == .unknown)
    try bench.daemon.start()
    bench.until { bench.client.forceTouchCapability == .available }
    bench.daemon.crash()
    bench.until { bench.client.forceTouchCapability == .unknown }
    #expect(listener.changes == ["unknown → available", "available → unknown"])
  }

  @Test func noDeviceAtAllIsUnavailable() throws {
    let folder = try TemporaryFolder()
    let daemon = try ScriptedDaemon(path: folder.path("socket"))
    daemon.capabilities = []
    let client = try ForceTouchClient(socketPath: daemon.path)
    for _ in 0..<4 {
      daemon.step()
      client.dispatch()
    }
    #expect(client.forceTouchCapability == .unavailable)
  }

  @Test func errorsAreSentences() {
    let errors: [ForceTouchError: String] = [
      .system(call: "pipe", reason: "Too many open files"): "pipe failed: Too many open files",
      .cannotConnect(path: "/x", reason: "No such file or directory"):
        "forcetouchd cannot be reached at /x: No such file or directory",
      .permissionDenied(needed: "the group forcetouch"): "this needs the group forcetouch",
      .noSuchContact(time: 7): "no touch that is down began at 7 ms",
    ]
    for (error, text) in errors { #expect("\(error)" == text) }
  }
}

extension ForceTouchError: Hashable {
  public func hash(into hasher: inout Hasher) { hasher.combine(description) }
}
