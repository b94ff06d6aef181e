import ForceTouchModel
import Glibc
import TestSupport
import Testing
import Varlink

@testable import ForceTouch

@Suite struct ReconnectionTests {
  private let bench: Bench
  private let table = Table()

  init() throws { bench = try Bench() }

  private func register() -> PreviewingContext {
    let context = bench.client.registerForPreviewing(with: table, sourceView: table)
    bench.settle()
    return context
  }

  @Test(arguments: [true, false])
  func aDaemonThatIsRestartedInAPeekClosesItOnceAndServesOn(isCrash: Bool) throws {
    let context = register()
    context.pointerLocation = ViewPoint(x: 1, y: 2)
    bench.daemon.question(1)
    bench.settle()
    bench.daemon.event("peek", 1)
    bench.settle()
    if !isCrash { bench.daemon.cancel(1, "stopping") }
    if isCrash { bench.daemon.crash() } else { bench.daemon.stop() }
    bench.settle()
    #expect(table.takeLog() == ["preview for 1.0,2.0", "present row", "dismiss row"])
    #expect(
      context.event?.kind
        == .peekCancelled(isCrash ? .connectionLost : .daemon(.stopping)))
    #expect(!context.isRegistered)
    #expect(bench.client.connectionError != nil)

    try bench.daemon.start()
    bench.until { context.isRegistered && bench.client.connectionError == nil }
    #expect(bench.daemon.contexts.count == 2)
    #expect(bench.daemon.contexts[1]?.call.active == true)
    bench.daemon.question(1, to: 1)
    bench.settle()
    bench.daemon.event("peek", 1, to: 1)
    bench.daemon.event("pop", 1, to: 1)
    bench.settle()
    #expect(table.takeLog() == ["preview for 1.0,2.0", "present row", "commit row"])
    #expect(table.errors == [])
  }

  @Test func aDaemonThatComesLaterIsFound() throws {
    let bench = try Bench(isDaemonThere: false)
    let context = bench.client.registerForPreviewing(with: table, sourceView: table)
    bench.settle()
    #expect(!context.isRegistered)
    #expect(
      bench.client.connectionError
        == .cannotConnect(path: bench.daemon.path, reason: "Connection refused")
        || bench.client.connectionError
          == .cannotConnect(path: bench.daemon.path, reason: "No such file or directory")
    )
    context.claim(touchTime: 1, location: ViewPoint(x: 0, y: 0))
    #expect(table.errors == [.notRegistered])
    try bench.daemon.start()
    bench.until { context.isRegistered }
  }

  @Test func itTriesLessAndLessOften() throws {
    var backOff = BackOff(.standard)
    let delays = (0..<20).map { _ in backOff.delay() }
    #expect(delays[0] >= .milliseconds(75) && delays[0] <= .milliseconds(125))
    #expect(delays[3] >= .milliseconds(600) && delays[3] <= .milliseconds(1000))
    for delay in delays[10...] { #expect(delay >= .seconds(7.5) && delay <= .seconds(12.5)) }
    backOff.reset()
    #expect(backOff.delay() <= .milliseconds(125))
  }

  @Test func nobodyIsBusyWhileTheDaemonIsAway() throws {
    let folder = try TemporaryFolder()
    let client = try ForceTouchClient(socketPath: folder.path("socket"))
    let context = client.registerForPreviewing(with: table, sourceView: table)
    var wakeUps = 0
    let end = ContinuousClock.now + .milliseconds(500)
    while ContinuousClock.now < end {
      var wait = pollfd(fd: client.descriptor, events: Int16(POLLIN), revents: 0)
      if poll(&wait, 1, 50) > 0 {
        wakeUps += 1
        client.dispatch()
      }
    }
    #expect(wakeUps <= 12)
    context.unregister()
  }

  @Test func aDaemonThatDoesNotAcceptDoesNotBlock() throws {
    bench.daemon.isAsleep = true
    let context = bench.client.registerForPreviewing(with: table, sourceView: table)
    let clock = ContinuousClock()
    let time = clock.measure {
      for _ in 0..<100 {
        context.pointerLocation = ViewPoint(x: 1, y: 1)
        context.pointerLocation = nil
        bench.client.dispatch()
      }
    }
    #expect(time < .seconds(5))
    bench.daemon.isAsleep = false
    bench.until { context.isRegistered }
  }

  @Test func callsThatNobodyReadsAreNotKeptForever() throws {
    let context = register()
    bench.daemon.isAsleep = true
    // Neither accepts nor steps: the control connection is never read.
    for index in 0..<20_000 { context.isActive = index % 2 == 0 }
    #expect(!table.errors.isEmpty)
    #expect(table.errors.allSatisfy { $0 == .connectionLost(reason: "the service does not read") })
  }

  @Test func aLostControlConnectionCancelsWhatWaitedForItAndTellsAgain() throws {
    let context = register()
    bench.daemon.refusals["SetActive"] = ServiceError("x.y", ["a": .infinity as Double])
    context.pointerLocation = ViewPoint(x: 1, y: 1)
    bench.settle()
    #expect(table.errors == [.refused(name: "x.y")])
  }

  @Test func aThousandReconnectionsLeakNoDescriptor() throws {
    let context = register()
    func say() {
      context.pointerLocation = ViewPoint(x: 1, y: 1)
      context.pointerLocation = nil
      bench.settle()
    }
    say()
    let before = openDescriptors()
    #expect(before == 4)
    for _ in 0..<1000 {
      bench.daemon.crash()
      try bench.daemon.start()
      bench.until { !context.isRegistered || bench.client.connectionError != nil }
      bench.until { context.isRegistered && bench.client.connectionError == nil }
      say()
    }
    #expect(bench.daemon.connectionCount >= 3000)
    #expect(openDescriptors() == before)
  }

  /// Connections of the client, counted by what the kernel's epoll watches: other tests of this
  /// process open and close descriptors at the same time.
  private func openDescriptors() -> Int {
    guard let info = fopen("/proc/self/fdinfo/\(bench.client.descriptor)", "r") else { return -1 }
    defer { fclose(info) }
    var count = 0
    var line = [CChar](repeating: 0, count: 512)
    while fgets(&line, 512, info) != nil {
      if line.starts(with: "tfd:".utf8.map { CChar($0) }) { count += 1 }
    }
    return count
  }
}
