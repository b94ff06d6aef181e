import ForceTouchModel
import Glibc
import Testing

@testable import ForceTouch

/// What the library makes of a daemon that is none.
@Suite struct HostileDaemonTests {
  private let bench: Bench
  private let table = Table()

  init() throws { bench = try Bench() }

  private static let question =
    #"{"event":{"event":"question","interaction":2,"device":"d1","time":1}}"#

  /// Each is said in the middle of a peek: it closes the peek once, and the context comes back.
  @Test(arguments: [
    "garbage", "", "{}", "[]", "null", "\u{0}", #"{"parameters":{"event":{}},"continues":true}"#,
    #"{"parameters":{"event":{"event":"question","interaction":-1,"device":"d1","time":1}},"continues":true}"#,
    #"{"parameters":{"event":{"event":"question","interaction":1,"device":"d1","time":1}},"continues":true}"#,
    #"{"parameters":{"event":{"event":"pop","interaction":9,"device":"d1","time":1}},"continues":true}"#,
    #"{"parameters":{"event":{"event":"peek","interaction":1,"device":"d1","time":1}},"continues":true}"#,
    #"{"parameters":{"event":{"event":"peekProgress","interaction":1,"device":"d1","time":1}},"continues":true}"#,
    #"{"parameters":{"event":{"event":"dance","interaction":1,"device":"d1","time":1}},"continues":true}"#,
    #"{"parameters":{"event":{"event":"pop","interaction":1,"device":7,"time":1}},"continues":true}"#,
    #"{"parameters":{"event":{"event":"pop","interaction":1,"device":"d1","time":1e99}},"continues":true}"#,
    #"{"parameters":{"snapshot":{"token":"t","active":true}},"continues":true}"#,
    #"{"parameters":{"snapshot":{"token":3,"active":true}},"continues":true}"#,
    #"{"parameters":{"active":"yes"},"continues":true}"#, #"{"parameters":{}}"#,
    #"{"parameters":{},"continues":"yes"}"#,
  ])
  func nonsenseInAPeekClosesItOnce(text: String) throws {
    let context = bench.client.registerForPreviewing(with: table, sourceView: table)
    bench.settle()
    bench.daemon.question(1)
    bench.settle()
    bench.daemon.event("peek", 1)
    bench.settle()
    bench.daemon.sayBytes(Array(text.utf8) + [0])
    bench.settle()
    #expect(table.takeLog() == ["preview for 0.0,0.0", "present row", "dismiss row"])
    #expect(context.event?.kind == .peekCancelled(.connectionLost))
    bench.until { context.isRegistered }
    #expect(bench.daemon.contexts.count == 2)
  }

  @Test func anEventBeforeTheSnapshotIsNonsense() throws {
    let context = bench.client.registerForPreviewing(with: table, sourceView: table)
    bench.client.dispatch()
    bench.daemon.step()
    bench.daemon.sayBytes([0])
    bench.daemon.question(1)
    bench.settle()
    bench.until { context.isRegistered && bench.daemon.contexts.count == 2 }
    #expect(!table.log.contains("present row"))
  }

  @Test func aMessageWithoutEndIsCut() throws {
    let context = bench.client.registerForPreviewing(with: table, sourceView: table)
    bench.settle()
    let chunk = [UInt8](repeating: UInt8(ascii: "x"), count: 100_000)
    var sent = 0
    while bench.daemon.contexts[0] != nil, sent < 10 << 20 {
      bench.daemon.sayBytes(chunk)
      sent += chunk.count
      bench.settle()
    }
    #expect(sent < 3 << 20)
    bench.until { context.isRegistered }
  }

  @Test func halfMessagesWaitForTheirOtherHalf() throws {
    let context = bench.client.registerForPreviewing(with: table, sourceView: table)
    bench.settle()
    let message = Array(#"{"parameters":\#(Self.question),"continues":true}"#.utf8) + [0]
    for byte in message {
      #expect(table.log == [])
      bench.daemon.sayBytes([byte])
      bench.settle()
    }
    #expect(table.log == ["preview for 0.0,0.0"])
    #expect(context.isRegistered)
  }

  @Test func aFloodDoesNotKeepTheProgramFromItsLoop() throws {
    let context = bench.client.registerForPreviewing(with: table, sourceView: table)
    bench.settle()
    bench.daemon.question(1)
    bench.settle()
    for _ in 0..<5000 { bench.daemon.event("peekProgress", 1, #","progress":0.25"#) }
    bench.client.dispatch()
    // It took a part, and says that there is more.
    var more = pollfd(fd: bench.client.descriptor, events: Int16(POLLIN), revents: 0)
    #expect(poll(&more, 1, 0) == 1)
    #expect(context.event?.kind == .peekProgress(0.25))
    bench.daemon.event("peek", 1)
    bench.until { table.log.contains("present row") }
    context.unregister()
  }

  @Test func progressThatIsNoneIsBetweenNoneAndAll() throws {
    let context = bench.client.registerForPreviewing(with: table, sourceView: table)
    bench.settle()
    bench.daemon.question(1)
    bench.settle()
    for (said, heard) in [("7", 1.0), ("-3", 0)] {
      bench.daemon.event("peekProgress", 1, #","progress":\#(said)"#)
      bench.settle()
      #expect(context.event?.kind == .peekProgress(heard))
    }
  }

  @Test func nonsenseAboutDevicesIsNoCapability() throws {
    #expect(bench.client.forceTouchCapability == .available)
    let wrong = Array(#"{"parameters":{"snapshot":[{"device":1}]},"continues":true}"#.utf8) + [0]
    for watch in bench.daemon.watches {
      watch.send(wrong.span)
      try watch.flush()
    }
    bench.client.dispatch()
    #expect(bench.client.forceTouchCapability == .unknown)
    #expect(bench.client.connectionError == .malformedMessage)
    bench.until { bench.client.forceTouchCapability == .available }
  }
}
