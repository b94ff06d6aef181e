import ForceTouchModel
import Glibc
import TestSupport
import Testing

@testable import ForceTouch

/// What a client makes of its environment, each in a process of its own.
@Suite struct EnvironmentTests {
  @Test func theEnvironmentNamesSocketAndSeat() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      let daemon = try ScriptedDaemon(path: folder.path("socket"))
      setenv("FORCETOUCHD_SOCKET", daemon.path, 1)
      setenv("XDG_SEAT", "seat7", 1)
      let client = try ForceTouchClient()
      let table = Table()
      let context = client.registerForPreviewing(with: table, sourceView: table)
      for _ in 0..<4 {
        daemon.step()
        client.dispatch()
      }
      precondition(context.isRegistered)
      precondition(daemon.contexts[0]?.call.seat == "seat7")
    }
  }

  @Test func whatIsSaidGoesBeforeTheEnvironmentAndTheStandard() async {
    await #expect(processExitsWith: .success) {
      setenv("FORCETOUCHD_SOCKET", "/nowhere/a", 1)
      let reason = "No such file or directory"
      for (said, path) in [("/nowhere/b", "/nowhere/b"), (nil, "/nowhere/a")] {
        let error = try ForceTouchClient(socketPath: said).connectionError
        precondition(error == .cannotConnect(path: path, reason: reason))
      }
    }
  }
}
