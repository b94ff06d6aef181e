import ForceTouchModel
import Testing
import Varlink

@testable import ForceTouch

@Suite struct PreviewingTests {
  private let bench: Bench
  private let table = Table()

  init() throws { bench = try Bench() }

  private func register() -> PreviewingContext {
    let context = bench.client.registerForPreviewing(with: table, sourceView: table)
    bench.settle()
    return context
  }

  @Test func aViewIsRegisteredInactiveAndWithoutALocation() {
    let context = register()
    #expect(context.isRegistered)
    #expect(!context.isDormant)
    #expect(context.sourceView === table)
    let call = bench.daemon.contexts[0]?.call
    #expect(call?.coverage == .view)
    #expect(call?.active == false)
    #expect(call?.seat == nil)
    #expect(call?.region == nil)
  }

  @Test func aPressIsAskedPeeksAndPops() {
    let context = register()
    context.pointerLocation = ViewPoint(x: 10, y: 20)
    bench.settle()
    #expect(bench.daemon.takeCalls() == ["token1 active"])
    bench.daemon.question(1)
    bench.settle()
    #expect(table.takeLog() == ["preview for 10.0,20.0"])
    #expect(bench.daemon.takeCalls() == ["token1 1 yes"])
    bench.daemon.event("peekProgress", 1, #","progress":0.5"#)
    bench.settle()
    #expect(table.takeLog() == [])
    #expect(context.event?.force == 1.5)
    #expect(context.event?.maximumPossibleForce == 6.5)
    #expect(context.event?.location == ViewPoint(x: 10, y: 20))
    bench.daemon.event("peek", 1)
    bench.settle()
    #expect(table.takeLog() == ["present row"])
    bench.daemon.event("popProgress", 1, #","progress":0.5"#)
    bench.daemon.event("pop", 1)
    bench.settle()
    #expect(table.takeLog() == ["commit row"])
    // A daemon that repeats itself is not heard twice.
    bench.daemon.event("pop", 1)
    bench.daemon.event("peekEnded", 1)
    bench.settle()
    #expect(table.takeLog() == [])
    #expect(context.isRegistered)
    #expect(table.errors == [])
  }

  @Test func aFingerThatLiftsDismissesThePreview() {
    let context = register()
    for kind in ["question", "peek", "peekEnded"] {
      if kind == "question" { bench.daemon.question(1) } else { bench.daemon.event(kind, 1) }
      bench.settle()
    }
    #expect(table.takeLog() == ["preview for 0.0,0.0", "present row", "dismiss row"])
    #expect(context.event?.kind == .peekEnded)
  }

  @Test func aPreviewThatWasNeverPresentedIsDismissedToo() {
    let context = register()
    bench.daemon.question(1)
    bench.settle()
    bench.daemon.cancel(1, "lifted")
    bench.settle()
    #expect(table.takeLog() == ["preview for 0.0,0.0", "dismiss row"])
    #expect(context.event?.kind == .peekCancelled(.daemon(.lifted)))
  }

  @Test func nilDeclines() {
    let context = register()
    table.preview = { _, _ in nil }
    bench.daemon.question(1)
    bench.settle()
    #expect(bench.daemon.takeCalls() == ["token1 1 no"])
    #expect(table.takeLog() == ["preview for 0.0,0.0"])
    #expect(context.isRegistered)
  }

  @Test func sourceRectAndPopAreSentAndFreshForEachQuestion() {
    let context = register()
    table.preview = { context, _ in
      context.sourceRect = ViewRect(x: 0, y: 40, width: 200, height: 20)
      context.allowsPop = false
      return "row"
    }
    bench.daemon.question(1)
    bench.settle()
    #expect(bench.daemon.takeCalls() == ["token1 1 yes 0.0,40.0 200.0x20.0 without-pop"])
    table.preview = { _, _ in "row" }
    bench.daemon.cancel(1, "moved")
    bench.daemon.question(2)
    bench.settle()
    #expect(bench.daemon.takeCalls() == ["token1 2 yes"])
    #expect(context.sourceRect == nil)
    #expect(context.allowsPop)
  }

  @Test(arguments: [
    ViewRect(x: .nan, y: 0, width: 1, height: 1), ViewRect(x: 0, y: 0, width: -1, height: 1),
    ViewRect(x: 201, y: 0, width: 1, height: 1), ViewRect(x: 0, y: .infinity, width: 1, height: 1),
  ])
  func aSourceRectThatMakesNoSenseIsNoAndIsTold(rect: ViewRect) {
    let context = register()
    table.preview = { context, _ in
      context.sourceRect = rect
      return "row"
    }
    bench.daemon.question(1)
    bench.settle()
    #expect(bench.daemon.takeCalls() == ["token1 1 no"])
    #expect(table.takeLog() == ["preview for 0.0,0.0", "dismiss row"])
    #expect(table.errors == [.invalidSourceRect])
    #expect(context.isRegistered)
  }

  @Test func theSizeThatCountsIsThatOfNow() {
    let context = register()
    table.size = ViewSize(width: 1000, height: 400)
    table.preview = { context, _ in
      context.sourceRect = ViewRect(x: 900, y: 0, width: 10, height: 10)
      return "row"
    }
    bench.daemon.question(1)
    bench.settle()
    #expect(bench.daemon.takeCalls() == ["token1 1 yes 900.0,0.0 10.0x10.0"])
    context.unregister()
  }

  @Test func anAnswerThatCameTooLateIsCancelledOnce() {
    let context = register()
    bench.daemon.refusals["Answer"] = ServiceError(
      "org.forcetouchd.Previewing.InteractionOver", ["interaction": 1])
    bench.daemon.question(1)
    bench.settle()
    #expect(table.takeLog() == ["preview for 0.0,0.0", "dismiss row"])
    #expect(context.event?.kind == .peekCancelled(.lateAnswer))
    // Whatever the daemon may still have said.
    bench.daemon.cancel(1, "lifted")
    bench.settle()
    #expect(table.takeLog() == [])
    #expect(table.errors == [])
    #expect(context.isRegistered)
  }

  @Test func aQuestionClosesOneThatTheDaemonGaveUp() {
    let context = register()
    bench.daemon.question(1)
    bench.settle()
    bench.daemon.question(2)
    bench.settle()
    #expect(
      table.takeLog() == ["preview for 0.0,0.0", "dismiss row", "preview for 0.0,0.0"])
    #expect(context.isRegistered)
  }

  @Test(arguments: ["preview for 0.0,0.0", "present row", "commit row", "dismiss row"])
  func aContextMayBeUnregisteredInADelegatesMethod(moment: String) {
    let context = register()
    table.onCall = { [bench] line, context in
      if line == moment { bench.client.unregisterForPreviewing(withContext: context) }
    }
    bench.daemon.question(1)
    bench.settle()
    for kind in moment == "dismiss row" ? ["peek", "peekEnded"] : ["peek", "pop"]
    where bench.daemon.contexts[0] != nil {
      bench.daemon.event(kind, 1)
      bench.settle()
    }
    let expected = [
      "preview for 0.0,0.0": ["preview for 0.0,0.0", "dismiss row"],
      "present row": ["preview for 0.0,0.0", "present row", "dismiss row"],
      "commit row": ["preview for 0.0,0.0", "present row", "commit row"],
      "dismiss row": ["preview for 0.0,0.0", "present row", "dismiss row"],
    ]
    #expect(table.takeLog() == expected[moment])
    #expect(!context.isRegistered)
    #expect(bench.daemon.contexts[0] == nil)
  }

  @Test(arguments: ["question", "peek", "pop", "peekEnded"])
  func aContextMayBeUnregisteredByWhoHears(word: String) {
    let context = register()
    table.onHear = { event, context in if event.word == word { context.unregister() } }
    bench.daemon.question(1)
    bench.settle()
    for kind in word == "peekEnded" ? ["peek", "peekEnded"] : ["peek", "pop"]
    where bench.daemon.contexts[0] != nil {
      bench.daemon.event(kind, 1)
      bench.settle()
    }
    let expected = [
      "question": [],
      "peek": ["preview for 0.0,0.0", "dismiss row"],
      "pop": ["preview for 0.0,0.0", "present row", "commit row"],
      "peekEnded": ["preview for 0.0,0.0", "present row", "dismiss row"],
    ]
    #expect(table.takeLog() == expected[word])
    #expect(!context.isRegistered)
  }

  @Test func aSourceRectThatTheDaemonRefusesIsAnsweredWithNo() {
    let context = register()
    bench.daemon.refusals["Answer"] = ServiceError(
      "org.forcetouchd.Previewing.InvalidSourceRect", Empty())
    bench.daemon.question(1)
    bench.settle()
    #expect(bench.daemon.takeCalls() == ["token1 1 no"])
    #expect(table.takeLog() == ["preview for 0.0,0.0", "dismiss row"])
    #expect(table.errors == [.invalidSourceRect])
    #expect(context.isRegistered)
  }

  @Test func aTokenThatTheDaemonForgotIsRegisteredAgain() {
    let context = register()
    bench.daemon.refusals["Answer"] = ServiceError(
      "org.forcetouchd.Previewing.NoSuchContext", Empty())
    bench.daemon.question(1)
    bench.until { bench.daemon.contexts.count == 2 && context.isRegistered }
    #expect(table.takeLog() == ["preview for 0.0,0.0", "dismiss row"])
  }

  @Test func aReleasedContextIsUnregistered() {
    var context: PreviewingContext? = register()
    weak let released = context
    #expect(bench.daemon.contexts[0] != nil)
    _ = context
    context = nil
    bench.settle()
    #expect(released == nil)
    #expect(bench.daemon.contexts[0] == nil)
  }

  @Test func aReleasedContextLivesToTheCloseOfWhatIsOpen() {
    var context: PreviewingContext? = register()
    weak let released = context
    bench.daemon.question(1)
    bench.settle()
    bench.daemon.event("peek", 1)
    _ = context
    context = nil
    bench.settle()
    #expect(released != nil)
    bench.daemon.event("peekEnded", 1)
    bench.settle()
    #expect(table.takeLog() == ["preview for 0.0,0.0", "present row", "dismiss row"])
    bench.settle()
    #expect(released == nil)
    #expect(bench.daemon.contexts[0] == nil)
  }

  @Test func aClientThatIsReleasedClosesWhatIsOpen() throws {
    let daemon = bench.daemon
    var client: ForceTouchClient? = try ForceTouchClient(socketPath: daemon.path)
    let context = try #require(client).registerForPreviewing(with: table, sourceView: table)
    for _ in 0..<4 {
      daemon.step()
      client?.dispatch()
    }
    daemon.question(1)
    client?.dispatch()
    client = nil
    #expect(table.takeLog() == ["preview for 0.0,0.0", "dismiss row"])
    #expect(!context.isRegistered)
    daemon.step()
    #expect(daemon.contexts[0] == nil)
  }

  @Test func aDelegateThatIsGoneDeclines() {
    var delegate: Table? = Table()
    let context = bench.client.registerForPreviewing(
      with: delegate ?? table, sourceView: table)
    delegate = nil
    bench.settle()
    bench.daemon.question(1)
    bench.settle()
    #expect(bench.daemon.takeCalls() == ["token1 1 no"])
    #expect(context.isRegistered)
  }

  @Test func aSourceViewThatIsGoneIsTold() {
    var view: Table? = Table()
    let context = bench.client.registerForPreviewing(with: table, sourceView: view ?? table)
    view = nil
    bench.settle()
    bench.daemon.question(1)
    bench.settle()
    #expect(bench.daemon.takeCalls() == ["token1 1 no"])
    #expect(table.errors == [.sourceViewGone])
    #expect(table.log == [])
    #expect(context.isRegistered)
  }

  @Test func twoContextsHearTheirOwn() {
    let other = Table()
    other.preview = { _, _ in "other" }
    let contexts = [
      bench.client.registerForPreviewing(with: table, sourceView: table),
      bench.client.registerForPreviewing(with: other, sourceView: other),
    ]
    bench.settle()
    bench.daemon.question(1, to: 0)
    bench.daemon.question(1, to: 1)
    bench.settle()
    bench.daemon.event("peek", 1, to: 1)
    bench.settle()
    bench.daemon.event("pop", 1, to: 1)
    bench.daemon.cancel(1, "deviceRemoved", to: 0)
    bench.settle()
    #expect(table.takeLog() == ["preview for 0.0,0.0", "dismiss row"])
    #expect(other.takeLog() == ["preview for 0.0,0.0", "present other", "commit other"])
    #expect(Set(bench.daemon.takeCalls()) == ["token1 1 yes", "token2 1 yes"])
    // A stream each, one that watches devices, one for all that contexts say.
    #expect(bench.daemon.openConnections == 4)
    #expect(contexts.allSatisfy { $0.isRegistered })
  }

  @Test func aContextThatTakesItBackHearsNoMore() {
    let context = register()
    bench.daemon.question(1)
    bench.settle()
    context.cancel()
    #expect(table.takeLog() == ["preview for 0.0,0.0", "dismiss row"])
    bench.daemon.event("peek", 1)
    bench.daemon.event("pop", 1)
    bench.settle()
    #expect(table.takeLog() == [])
    bench.daemon.question(2)
    bench.settle()
    #expect(table.takeLog() == ["preview for 0.0,0.0"])
  }

  @Test func aDelegateMayDispatchInALoopOfItsOwn() {
    let context = register()
    table.onCall = { [bench] line, _ in
      guard line == "preview for 0.0,0.0" else { return }
      bench.daemon.cancel(1, "lifted")
      bench.settle()
    }
    bench.daemon.question(1)
    bench.settle()
    #expect(table.takeLog() == ["preview for 0.0,0.0", "dismiss row"])
    #expect(context.isRegistered)
    #expect(bench.daemon.takeCalls() == [])
  }

  @Test func dormancyIsFollowed() {
    bench.daemon.isDormant = true
    let context = register()
    #expect(context.isDormant)
    bench.daemon.say(#"{"active":true}"#)
    bench.settle()
    #expect(!context.isDormant)
    bench.daemon.say(#"{"active":false}"#)
    bench.daemon.say(#"{"coalesced":3}"#)
    bench.settle()
    #expect(context.isDormant)
  }

  @Test func aReasonOfANewerDaemonIsUnderstoodAsACancellation() {
    let context = register()
    bench.daemon.question(1)
    bench.settle()
    bench.daemon.cancel(1, "solarEclipse")
    bench.settle()
    #expect(table.takeLog() == ["preview for 0.0,0.0", "dismiss row"])
    #expect(context.event?.kind == .peekCancelled(.unknown))
    #expect(context.isRegistered)
  }
}
