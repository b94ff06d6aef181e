import ForceTouchModel
import Glibc
import Testing
import Varlink

@testable import ForceTouch

/// Which touches a view may be asked about, and where they are.
@Suite struct CoverageTests {
  private let bench: Bench
  private let table = Table()

  init() throws { bench = try Bench() }

  private func register() -> PreviewingContext {
    let context = bench.client.registerForPreviewing(with: table, sourceView: table)
    bench.settle()
    return context
  }

  @Test func thePointerMakesAViewActive() {
    let context = register()
    context.pointerLocation = ViewPoint(x: 1, y: 1)
    context.pointerLocation = ViewPoint(x: 2, y: 2)
    context.pointerLocation = nil
    context.pointerLocation = nil
    bench.settle()
    #expect(bench.daemon.takeCalls() == ["token1 active", "token1 inactive"])
  }

  @Test func aPointerThatCameBeforeTheDaemonIsToldWithTheRegistration() throws {
    let bench = try Bench(isDaemonThere: false)
    let context = bench.client.registerForPreviewing(with: table, sourceView: table)
    context.pointerLocation = ViewPoint(x: 1, y: 1)
    try bench.daemon.start()
    bench.until { context.isRegistered }
    #expect(bench.daemon.contexts.last??.call.active == true)
    #expect(bench.daemon.takeCalls() == [])
  }

  @Test func aPointerThatLeavesBeforeTheRegistrationIsAnsweredIsToldAfterIt() {
    let context = bench.client.registerForPreviewing(with: table, sourceView: table)
    context.pointerLocation = ViewPoint(x: 1, y: 1)
    bench.settle()
    #expect(bench.daemon.takeCalls() == ["token1 active"])
  }

  @Test func aQuestionAfterThePointerLeftIsWhereItWasLast() {
    let context = register()
    context.pointerLocation = ViewPoint(x: 3, y: 4)
    context.pointerLocation = nil
    bench.daemon.question(1)
    bench.settle()
    #expect(table.takeLog() == ["preview for 3.0,4.0"])
  }

  @Test func aClaimedTouchIsWhereItWentDown() {
    let context = register()
    context.pointerLocation = ViewPoint(x: 3, y: 4)
    context.claim(touchTime: 500, location: ViewPoint(x: 10, y: 20))
    context.claim(touchTime: 600, location: ViewPoint(x: 30, y: 40))
    bench.settle()
    #expect(
      bench.daemon.takeCalls() == ["token1 active", "token1 claim 500", "token1 claim 600"])
    bench.daemon.question(1, #","claimed":600"#)
    bench.settle()
    bench.daemon.cancel(1, "lifted")
    bench.daemon.question(2, #","claimed":500"#)
    bench.settle()
    #expect(
      table.takeLog() == ["preview for 30.0,40.0", "dismiss row", "preview for 10.0,20.0"])
    #expect(context.event?.location == ViewPoint(x: 10, y: 20))
  }

  @Test func twoFingersOfOneMillisecondAreWhereEachWentDown() {
    let context = register()
    for x in [10.0, 20] { context.claim(touchTime: 500, location: ViewPoint(x: x, y: 0)) }
    bench.settle()
    #expect(bench.daemon.takeCalls() == ["token1 claim 500", "token1 claim 500"])
    for interaction in 1...3 {
      bench.daemon.question(interaction, #","claimed":500"#)
      bench.settle()
      bench.daemon.cancel(interaction, "lifted")
      bench.settle()
    }
    #expect(
      table.takeLog().filter { $0.hasPrefix("preview") }
        == ["preview for 10.0,0.0", "preview for 20.0,0.0", "preview for 0.0,0.0"])
    #expect(context.event?.location == nil)
  }

  @Test(arguments: [
    ("NoSuchContact", ForceTouchError.noSuchContact(time: 500)),
    ("ContactOwnedByAnother", .contactOwnedByAnother(time: 500)),
    ("ClaimTooLate", .claimTooLate(time: 500)), ("TooManyWrongClaims", .tooManyWrongClaims),
    ("ContextDormant", .contextDormant),
    ("Strange", .refused(name: "org.forcetouchd.Previewing.Strange")),
  ])
  func aRefusedClaimIsTold(name: String, error: ForceTouchError) {
    let context = register()
    bench.daemon.refusals["Claim"] = ServiceError(
      "org.forcetouchd.Previewing.\(name)", ["touchTime": 500])
    context.claim(touchTime: 500, location: ViewPoint(x: 0, y: 0))
    bench.settle()
    #expect(table.errors == [error])
    #expect(context.isRegistered)
  }

  @Test func aRegionHasItsLocationsInTheUnitsOfNow() throws {
    table.coverage = .region(try #require(ScreenRegion(x: 0, y: 0.5, width: 1, height: 0.5)))
    let context = register()
    let call = try #require(bench.daemon.contexts[0]?.call)
    #expect(call.coverage == .region)
    #expect(call.region == .init(x: 0, y: 0.5, width: 1, height: 0.5))
    #expect(call.size == .init(width: 200, height: 400))
    #expect(call.active == true)
    table.size = ViewSize(width: 400, height: 400)
    table.preview = { context, _ in
      context.sourceRect = ViewRect(x: 200, y: 0, width: 40, height: 40)
      return "row"
    }
    bench.daemon.question(1, #","location":{"x":50,"y":60}"#)
    bench.settle()
    #expect(table.takeLog() == ["preview for 100.0,60.0"])
    #expect(bench.daemon.takeCalls() == ["token1 1 yes 100.0,0.0 20.0x40.0"])
    bench.daemon.event("peekProgress", 1, #","progress":0.5,"location":{"x":51,"y":60}"#)
    bench.settle()
    #expect(context.event?.location == ViewPoint(x: 102, y: 60))
  }

  @Test func everythingBeginsActiveAndMayBeSwitchedOff() throws {
    table.coverage = .everything(touchscreens: true)
    table.size = nil
    let context = register()
    let call = try #require(bench.daemon.contexts[0]?.call)
    #expect(call.coverage == .everything)
    #expect(call.touchscreens == true)
    #expect(call.size == nil)
    context.isActive = false
    bench.settle()
    #expect(bench.daemon.takeCalls() == ["token1 inactive"])
  }

  @Test func whatNeedsMoreRightsIsRefusedForGood() {
    table.coverage = .everything(touchscreens: true)
    bench.daemon.refusals["Register"] = ServiceError(
      "org.forcetouchd.Previewing.PermissionDenied", ["needed": "the group forcetouch"])
    let context = register()
    #expect(table.errors == [.permissionDenied(needed: "the group forcetouch")])
    #expect(!context.isRegistered)
    let connections = bench.daemon.connectionCount
    for _ in 0..<10 {
      usleep(2000)
      bench.settle()
    }
    #expect(bench.daemon.connectionCount == connections)
  }

  @Test func anotherSeatThanTheFirstIsNamed() throws {
    for (seat, sent) in [("seat1", "seat1"), ("seat0", nil)] {
      let bench = try Bench(seat: seat)
      let context = bench.client.registerForPreviewing(with: table, sourceView: table)
      bench.settle()
      #expect(bench.daemon.contexts[0]?.call.seat == sent)
      context.unregister()
    }
  }
}
