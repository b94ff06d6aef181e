import ForceTouchModel
import ForceTouchRecognition
import TestSupport
import Testing

/// What scenarios cannot say.
@Suite struct PreviewArbiterTests {
  static let pad = PreviewDevice(id: DeviceID(rawValue: 1), kind: .trackpad, seat: "seat0")
  static let screen = PreviewDevice(id: DeviceID(rawValue: 2), kind: .touchscreen, seat: "seat0")

  static func context(
    _ id: UInt64, _ coverage: PreviewingContext.Coverage
  ) -> PreviewingContext {
    PreviewingContext(id: PreviewingContextID(rawValue: id), coverage: coverage, seat: "seat0")
  }

  @Test func aDeviceIsNeededByWhoeverIsAwakeAndMayHearOfIt() {
    var arbiter = PreviewArbiter()
    var events: [PreviewEvent] = []
    arbiter.add(Self.pad)
    arbiter.add(Self.screen)
    #expect(!arbiter.needs(Self.pad.id) && !arbiter.needs(Self.screen.id))

    arbiter.register(
      Self.context(1, .region(.wholeScreen, size: .unit)), at: .zero, into: &events)
    #expect(!arbiter.needs(Self.pad.id) && arbiter.needs(Self.screen.id))
    arbiter.setDormant(true, PreviewingContextID(rawValue: 1), at: .zero, into: &events)
    #expect(!arbiter.needs(Self.screen.id))

    arbiter.register(
      Self.context(2, .everything(includingTouchscreens: false)), at: .zero, into: &events)
    #expect(arbiter.needs(Self.pad.id) && !arbiter.needs(Self.screen.id))
    arbiter.unregister(PreviewingContextID(rawValue: 2), at: .zero, into: &events)
    #expect(!arbiter.needs(Self.pad.id))

    // An inactive view too: it would be too late to open the device when the pointer is there.
    arbiter.register(Self.context(3, .view(size: nil)), at: .zero, into: &events)
    #expect(arbiter.needs(Self.pad.id) && arbiter.needs(Self.screen.id))
    arbiter.remove(Self.pad.id, at: .zero, into: &events)
    #expect(!arbiter.needs(Self.pad.id))
    #expect(events.isEmpty && arbiter.deadline == nil)
  }

  /// Events that nobody should send: they must not confuse anything.
  @Test func whatIsUnknownIsPassedOver() {
    var arbiter = PreviewArbiter()
    var events: [PreviewEvent] = []
    arbiter.add(Self.pad)
    arbiter.register(
      Self.context(1, .everything(includingTouchscreens: true)), at: .zero, into: &events)
    func event(_ kind: ContactEvent.Kind) -> ContactEvent {
      ContactEvent(
        kind: kind, contact: ContactID(rawValue: 7), time: .zero, peekProgress: 0.5,
        isArmed: true)
    }
    // A contact that never began, and a device that was never added.
    arbiter.process(
      [event(.changed), event(.peek), event(.ended)], of: Self.pad.id, at: .zero, into: &events)
    arbiter.process([event(.began)], of: Self.screen.id, at: .zero, into: &events)
    arbiter.add(Self.screen)
    arbiter.setActive(true, PreviewingContextID(rawValue: 1), at: .zero, into: &events)
    #expect(events.isEmpty)
    // One that begins twice is one, and it is not another contact beside itself.
    arbiter.process(
      [event(.began), event(.began)], of: Self.pad.id, at: .zero, into: &events)
    arbiter.process([event(.began)], of: Self.pad.id, at: .zero, into: &events)
    #expect(events.count == 1)
    arbiter.process([event(.ended), event(.ended)], of: Self.pad.id, at: .zero, into: &events)
    #expect(events.map(\.kind).last == .peekCancelled(.lifted) && events.count == 2)
    // A device that is gone leaves nothing behind.
    arbiter.process([event(.began)], of: Self.pad.id, at: .zero, into: &events)
    arbiter.remove(Self.pad.id, at: .zero, into: &events)
    arbiter.add(Self.pad)
    arbiter.process([event(.began)], of: Self.pad.id, at: .zero, into: &events)
    #expect(events.map(\.interaction.rawValue) == [1, 1, 2, 2, 3])
  }

  /// A context hears force and progress, and where the finger is only if it may.
  @Test func aContextHearsNoMoreOfTheContactThanItMay() throws {
    var arbiter = PreviewArbiter()
    var events: [PreviewEvent] = []
    let axis = Axis(minimum: 0, maximum: 100)
    var screen = Self.screen
    screen.screen = ScreenMapping(axes: (axis, axis))
    arbiter.add(screen)
    arbiter.register(Self.context(1, .view(size: nil)), at: .zero, into: &events)
    let force = ForceSample(pressure: 0.3, force: 2)
    arbiter.process(
      [
        ContactEvent(
          kind: .began, contact: ContactID(rawValue: 1), time: Timestamp(microseconds: 5999),
          position: Position(x: 50, y: 50), rawPressure: 300, force: force, peekProgress: 0.5,
          isArmed: true, isEstimated: true)
      ], of: screen.id, at: .zero, into: &events)
    try arbiter.claim(5, by: PreviewingContextID(rawValue: 1), at: .zero, into: &events)
    #expect(
      events == [
        PreviewEvent(
          kind: .question(timeout: .milliseconds(50), claimed: 5),
          context: PreviewingContextID(rawValue: 1), interaction: InteractionID(rawValue: 1),
          device: screen.id, time: Timestamp(microseconds: 5999), force: force,
          isEstimated: true)
      ])
  }

  /// Whoever drives the arbiter may be late with its timer: any other input does its work first.
  @Test func everyInputMeetsTheDeadlineFirst() throws {
    let first = PreviewingContextID(rawValue: 1)
    let second = PreviewingContextID(rawValue: 2)
    let now = Timestamp(microseconds: 50_000)
    var asking = PreviewArbiter()
    var events: [PreviewEvent] = []
    asking.add(Self.pad)
    for id in [first, second] {
      asking.register(Self.context(id.rawValue, .view(size: nil)), at: .zero, into: &events)
    }
    asking.setActive(true, second, at: .zero, into: &events)
    asking.setActive(true, first, at: .zero, into: &events)
    let pressed = ContactEvent(
      kind: .began, contact: ContactID(rawValue: 1), time: .zero, peekProgress: 0.5, isArmed: true)
    asking.process([pressed], of: Self.pad.id, at: .zero, into: &events)
    #expect(events.map(\.context) == [first] && asking.deadline == now)

    typealias Input = (inout PreviewArbiter, inout [PreviewEvent]) -> Void
    let yes = PreviewAnswer.preview(sourceRect: nil, allowsPop: true)
    let one = InteractionID(rawValue: 1)
    let inputs: [(name: String, input: Input)] = [
      ("timeout", { $0.timeout(at: now, into: &$1) }),
      ("process", { $0.process([], of: Self.pad.id, at: now, into: &$1) }),
      ("answer", { try? $0.answer(one, of: first, with: yes, at: now, into: &$1) }),
      ("claim", { try? $0.claim(0, by: first, at: now, into: &$1) }),
      ("setActive", { $0.setActive(false, second, at: now, into: &$1) }),
      ("setDormant", { $0.setDormant(true, second, at: now, into: &$1) }),
      (
        "register",
        { $0.register(Self.context(3, .view(size: nil)), at: now, into: &$1) }
      ),
      ("unregister", { $0.unregister(second, at: now, into: &$1) }),
      ("remove", { $0.remove(Self.pad.id, at: now, into: &$1) }),
    ]
    for (name, input) in inputs {
      var late = asking
      var lateEvents: [PreviewEvent] = []
      input(&late, &lateEvents)
      var punctual = asking
      var punctualEvents: [PreviewEvent] = []
      punctual.timeout(at: now, into: &punctualEvents)
      input(&punctual, &punctualEvents)
      #expect(lateEvents == punctualEvents, "\(name)")
      #expect(lateEvents.first?.context == second, "\(name)")
      #expect(late.deadline == punctual.deadline, "\(name)")
    }
  }

  @Test func theCheckerFindsWhatIsWrong() {
    let yes = PreviewAnswer.preview(sourceRect: nil, allowsPop: true)
    let yesWithoutPop = PreviewAnswer.preview(sourceRect: nil, allowsPop: false)
    let question = PreviewEvent.Kind.question(timeout: .milliseconds(50), claimed: nil)
    func problems(_ answer: PreviewAnswer?, _ kinds: [PreviewEvent.Kind]) -> Int {
      let context = PreviewingContextID(rawValue: 1)
      var checker = PreviewChecker()
      checker.register(context)
      var number: UInt64 = 0
      for kind in kinds {
        if case .question = kind { number += 1 }
        let interaction = InteractionID(rawValue: number)
        checker.take(
          [
            PreviewEvent(
              kind: kind, context: context, interaction: interaction, device: Self.pad.id,
              time: .zero)
          ], at: .zero)
        if case .question = kind, let answer {
          checker.answer(context, interaction, answer, at: .zero)
        }
      }
      checker.finish()
      return checker.problems.count
    }
    #expect(problems(yes, [question, .peekProgress(0.5), .peek, .popProgress(1), .pop]) == 0)
    #expect(problems(yes, [question, .peek, .peekEnded, question, .peekCancelled(.lifted)]) == 0)
    #expect(problems(yesWithoutPop, [question, .peek, .peekEnded]) == 0)
    #expect(problems(nil, [question, .peekCancelled(.lifted)]) == 0)
    #expect(problems(.decline, [question, question]) == 0)

    #expect(problems(nil, [question]) > 0)
    #expect(problems(yes, [question]) > 0)
    #expect(problems(yes, [question, .peek]) > 0)
    #expect(problems(nil, [question, .peekProgress(0.5), .peekCancelled(.lifted)]) > 0)
    #expect(problems(nil, [question, .peek, .peekEnded]) > 0)
    #expect(problems(.decline, [question, .peekCancelled(.lifted)]) > 0)
    #expect(problems(yes, [question, question, .peekCancelled(.lifted)]) > 0)
    #expect(problems(yes, [question, .popProgress(0.5), .peek, .peekEnded]) > 0)
    #expect(problems(yes, [question, .pop]) > 0)
    #expect(problems(yes, [question, .peek, .peek, .peekEnded]) > 0)
    #expect(problems(yes, [question, .peek, .peekProgress(1), .peekEnded]) > 0)
    #expect(problems(yes, [question, .peekEnded]) > 0)
    #expect(problems(yes, [question, .peek, .pop, .peekEnded]) > 0)
    #expect(problems(yes, [question, .peek, .peekEnded, .peekCancelled(.lifted)]) > 0)
    #expect(problems(yes, [question, .peekProgress(.nan), .peekCancelled(.lifted)]) > 0)
    #expect(problems(yesWithoutPop, [question, .peek, .popProgress(0.5), .peekEnded]) > 0)
    #expect(problems(yesWithoutPop, [question, .peek, .pop]) > 0)
    #expect(problems(nil, [.peekCancelled(.lifted)]) > 0)
  }
}
