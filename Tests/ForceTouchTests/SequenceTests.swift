import ForceTouchModel
import Glibc
import Testing

@testable import ForceTouch

@Suite struct SequenceTests {
  private let bench: Bench
  private let table = Table()

  init() throws { bench = try Bench() }

  @Test func aContextWithoutADelegateIsAnsweredByItsProgram() async throws {
    let context = bench.client.registerForPreviewing(sourceView: table)
    bench.settle()
    var events = context.events.makeAsyncIterator()
    bench.daemon.question(1)
    bench.settle()
    let question = try #require(await events.next())
    #expect(question.kind == .question(timeout: .milliseconds(50)))
    #expect(throws: ForceTouchError.invalidSourceRect) {
      try context.accept(1, sourceRect: ViewRect(x: 0, y: 0, width: -1, height: 0))
    }
    #expect(throws: ForceTouchError.interactionOver) { try context.accept(2) }
    try context.accept(question.interaction, allowsPop: false)
    #expect(throws: ForceTouchError.interactionOver) { try context.accept(1) }
    #expect(throws: ForceTouchError.interactionOver) { try context.decline(1) }
    bench.settle()
    #expect(bench.daemon.takeCalls() == ["token1 1 yes without-pop"])
    bench.daemon.event("peekProgress", 1, #","progress":0.5"#)
    bench.daemon.event("peek", 1)
    bench.daemon.event("peekEnded", 1)
    bench.settle()
    var words: [String] = []
    for _ in 0..<3 { words.append(try #require(await events.next()).word) }
    #expect(words == ["peekProgress 0.5", "peek", "peekEnded"])
    bench.daemon.question(2)
    bench.settle()
    try context.decline(2)
    bench.settle()
    #expect(bench.daemon.takeCalls() == ["token1 2 no"])
    #expect(await events.next()?.word == "question")
    context.unregister()
    #expect(await events.next() == nil)
  }

  @Test func aQuestionThatNobodyAnswersIsClosed() async throws {
    let context = bench.client.registerForPreviewing(sourceView: table)
    bench.settle()
    var events = context.events.makeAsyncIterator()
    bench.daemon.event("question", 1, #","timeout":3000"#)
    bench.until { context.event?.word == "peekCancelled lateAnswer" }
    #expect(await events.next()?.word == "question")
    #expect(await events.next()?.word == "peekCancelled lateAnswer")
    #expect(throws: ForceTouchError.interactionOver) { try context.accept(1) }
  }

  @Test func severalMayListenBesideTheDelegate() async throws {
    let context = bench.client.registerForPreviewing(with: table, sourceView: table)
    bench.settle()
    let streams = [context.events, context.events]
    bench.daemon.question(1)
    bench.settle()
    bench.daemon.cancel(1, "moved")
    bench.settle()
    context.unregister()
    for stream in streams {
      var words: [String] = []
      for await event in stream { words.append(event.word) }
      #expect(words == ["question", "peekCancelled moved"])
    }
    var late = context.events.makeAsyncIterator()
    #expect(await late.next() == nil)
  }

  @Test func aSlowListenerLosesProgressOnly() async {
    var broadcast = EventBroadcast<Int>(capacity: 10)
    let stream = broadcast.listen()
    for number in 0..<100 { broadcast.send(number, isDispensable: true) }
    for number in 100..<103 { broadcast.send(number) }
    broadcast.end()
    var heard: [Int] = []
    for await number in stream { heard.append(number) }
    #expect(heard == [0, 1, 2, 3, 4, 100, 101, 102])
  }

  @Test func aListenerThatTakesNothingIsEnded() async {
    var broadcast = EventBroadcast<Int>(capacity: 3)
    let stream = broadcast.listen()
    for number in 0..<10 { broadcast.send(number) }
    var heard: [Int] = []
    for await number in stream { heard.append(number) }
    #expect(heard == [0, 1, 2])
  }

  @Test func aTaskThatIsCancelledStopsListening() async {
    let context = bench.client.registerForPreviewing(with: table, sourceView: table)
    let events = context.events
    let task = Task { () -> Int in
      var count = 0
      for await _ in events { count += 1 }
      return count
    }
    task.cancel()
    #expect(await task.value == 0)
    bench.settle()
    bench.daemon.question(1)
    bench.settle()
    #expect(table.log == ["preview for 0.0,0.0"])
  }

  @Test func capabilityIsASequence() async throws {
    var capabilities = bench.client.forceTouchCapabilities.makeAsyncIterator()
    bench.daemon.remove("d1")
    bench.settle()
    #expect(await capabilities.next() == .available)
    #expect(await capabilities.next() == .unavailable)
  }
}

/// The client in a task, with the library's thread, and a daemon in a thread of its own.
@Suite struct RunTests {
  @MainActor
  private final class Program: @MainActor PreviewingDelegate, SourceView {
    nonisolated let size = ViewSize(width: 10, height: 10)
    var log: [String] = []

    func previewingContext(
      _ context: PreviewingContext, previewForLocation location: ViewPoint
    ) -> String? {
      log.append("question")
      return "row"
    }

    func previewingContext(_ context: PreviewingContext, present preview: String) {
      log.append("present")
    }

    func previewingContext(_ context: PreviewingContext, commit preview: String) {
      log.append("commit")
    }

    func previewingContext(_ context: PreviewingContext, dismiss preview: String) {
      log.append("dismiss")
    }
  }

  @MainActor
  @Test func aTaskDispatchesOnItsActor() async throws {
    let bench = try Bench()
    let program = Program()
    let context = bench.client.registerForPreviewing(with: program, sourceView: program)
    let events = context.events
    let running = Task { try await bench.client.run() }
    let speaking = Task {
      // The daemon moves only here; the client only by `run`.
      var said = 0
      while program.log.last != "commit" {
        bench.daemon.step()
        if context.isRegistered, said == 0 {
          bench.daemon.question(1)
          said = 1
        } else if program.log.last == "question", said == 1, !bench.daemon.calls.isEmpty {
          bench.daemon.event("peek", 1)
          said = 2
        } else if program.log.last == "present", said == 2 {
          bench.daemon.event("pop", 1)
          said = 3
        }
        try await Task.sleep(for: .milliseconds(1))
      }
    }
    try await speaking.value
    #expect(program.log == ["question", "present", "commit"])
    running.cancel()
    try await running.value
    context.unregister()
    var words: [String] = []
    for await event in events { words.append(event.word) }
    #expect(words == ["question", "peek", "pop"])
  }

  @MainActor
  @Test func itEndsWhenItIsCancelledAndMayRunAgain() async throws {
    let bench = try Bench()
    for pause in [0, 1, 0, 5] {
      let running = Task { try await bench.client.run() }
      if pause > 0 { try await Task.sleep(for: .milliseconds(pause)) }
      running.cancel()
      try await running.value
    }
  }

  @MainActor
  @Test func severalMayRunAtOnce() async throws {
    let bench = try Bench()
    let running = (0..<3).map { _ in Task { try await bench.client.run() } }
    try await Task.sleep(for: .milliseconds(5))
    bench.daemon.remove("d1")
    while bench.client.forceTouchCapability != .unavailable {
      try await Task.sleep(for: .milliseconds(1))
    }
    for task in running {
      task.cancel()
      try await task.value
    }
  }

  @Test func theThreadWakesForEachReadinessAndEndsWithItsOwner() async throws {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    do {
      let thread = try PollingThread(for: ends[0])
      for _ in 0..<100 {
        write(ends[1], "x", 1)
        await thread.wait()
        var byte: UInt8 = 0
        #expect(read(ends[0], &byte, 1) == 1)
      }
      let waiting = Task { await thread.wait() }
      try await Task.sleep(for: .milliseconds(5))
      waiting.cancel()
      await waiting.value
    }
    close(ends[0])
    // The thread's own copy of the reading end goes with it.
    let end = ContinuousClock.now + .seconds(10)
    signal(SIGPIPE, SIG_IGN)
    while write(ends[1], "x", 1) == 1, ContinuousClock.now < end {
      try await Task.sleep(for: .milliseconds(1))
    }
    #expect(ContinuousClock.now < end)
    close(ends[1])
  }
}
