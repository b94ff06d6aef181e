import ForceTouchDevices
import ForceTouchModel
import Testing

/// Which touches count for calibration, and what is kept of them.
@Suite struct TouchGathererTests {
  /// Frames and events of one pad, told in milliseconds.
  private struct Teller {
    var gatherer = TouchGatherer(
      positionAxes: (
        Axis(minimum: 0, maximum: 4000, resolution: 40),
        Axis(minimum: 0, maximum: 4000, resolution: 40)
      ))
    var outcome: TouchGatherer.Outcome?

    mutating func frame(_ milliseconds: Int64, _ events: (UInt16, UInt16, Int32)...) {
      let time = Timestamp.zero + .milliseconds(milliseconds)
      gatherer.take(
        Frame(
          time: time,
          events: events.map { InputEvent(time: time, type: $0.0, code: $0.1, value: $0.2) }))
    }

    mutating func event(
      _ milliseconds: Int64, _ kind: ContactEvent.Kind, _ raw: Int32?, x: Int32 = 100,
      contact: UInt32 = 1, alreadyDown: Bool = false, failure: FailureReason? = nil
    ) {
      outcome = gatherer.take(
        ContactEvent(
          kind: kind, contact: ContactID(rawValue: contact),
          time: .zero + .milliseconds(milliseconds), position: Position(x: x, y: 100),
          rawPressure: raw, wasAlreadyDown: alreadyDown, failure: failure))
    }
  }

  private static let left = (EventType.key, KeyCode.left)

  @Test func aTouchThatWasHeldCounts() {
    var teller = Teller()
    teller.frame(0, (EventType.absolute, AxisCode.touchMajor, 300))
    teller.event(0, .began, 10)
    #expect(teller.outcome == .down(raw: 10))
    teller.frame(100)
    teller.event(100, .changed, 20)
    teller.event(100, .peek, 20)
    #expect(teller.outcome == nil)
    teller.frame(400)
    teller.event(400, .ended, 20)
    #expect(
      teller.outcome
        == .touched(
          CalibrationTouch(
            samples: [
              .init(time: .zero, raw: 10, size: 300),
              .init(time: .zero + .milliseconds(100), raw: 20, size: 300),
            ], end: .zero + .milliseconds(400))))
  }

  @Test func theClickIsWhereTheButtonGoesDown() {
    func click(_ body: (inout Teller) -> Void) -> Int32? {
      var teller = Teller()
      teller.event(0, .began, 10)
      body(&teller)
      teller.frame(900)
      teller.event(900, .ended, 5)
      guard case .touched(let touch) = teller.outcome else { return nil }
      return touch.click
    }
    let same = click {
      $0.frame(50, (Self.left.0, Self.left.1, 1))
      $0.event(50, .changed, 60)
      $0.frame(60)
      $0.event(60, .changed, 80)
    }
    #expect(same == 60)
    // The pressure did not change with the click, so the kernel does not say it.
    let silent = click {
      $0.frame(50)
      $0.event(50, .changed, 60)
      $0.frame(58, (Self.left.0, Self.left.1, 1))
      $0.frame(66)
      $0.event(66, .changed, 90)
    }
    #expect(silent == 60)
    let twice = click {
      $0.frame(50, (Self.left.0, Self.left.1, 1))
      $0.event(50, .changed, 60)
      $0.frame(60, (Self.left.0, Self.left.1, 0))
      $0.frame(70, (Self.left.0, Self.left.1, 1))
      $0.event(70, .changed, 99)
    }
    #expect(twice == 60)
    #expect(click { _ in } == nil)
  }

  @Test func aClickBesideATouchIsNotTheTouchs() {
    var teller = Teller()
    teller.frame(0, (Self.left.0, Self.left.1, 1))
    teller.frame(100)
    teller.event(100, .began, 10)
    teller.frame(900)
    teller.event(900, .ended, 10)
    guard case .touched(let touch) = teller.outcome else {
      Issue.record("\(String(describing: teller.outcome))")
      return
    }
    #expect(touch.click == nil)
  }

  @Test func whatDoesNotCountSaysWhy() {
    func flaw(_ body: (inout Teller) -> Void) -> TouchGatherer.Outcome? {
      var teller = Teller()
      body(&teller)
      return teller.outcome
    }
    #expect(
      flaw {
        $0.event(0, .began, 10)
        $0.event(399, .ended, 10)
      } == .refused(.tooShort))
    #expect(
      flaw {
        $0.event(0, .began, 10)
        $0.event(100, .changed, 10, x: 100 + 5 * 40 + 1)
        $0.event(200, .changed, 10)
        $0.event(900, .ended, 10)
      } == .refused(.moved))
    #expect(
      flaw {
        $0.event(0, .began, 10, alreadyDown: true)
        $0.event(900, .ended, 10)
      } == .refused(.alreadyDown))
    #expect(
      flaw {
        $0.event(0, .began, 10)
        $0.event(100, .changed, 10, failure: .palm)
        $0.event(900, .ended, 10)
      } == .refused(.notFinger))
    #expect(
      flaw {
        $0.event(0, .began, 10)
        $0.event(900, .cancelled(.dropped), 10)
      } == .refused(.interrupted))
    #expect(
      flaw {
        $0.event(0, .began, nil)
        $0.event(900, .ended, nil)
      } == .refused(.noPressure))
  }

  @Test func aSecondFingerSpoilsTheTouchUntilBothAreGone() {
    var teller = Teller()
    teller.event(0, .began, 10)
    teller.event(100, .began, 30, contact: 2)
    teller.event(500, .ended, 10)
    #expect(teller.outcome == .down(raw: nil))
    teller.event(900, .ended, 30, contact: 2)
    #expect(teller.outcome == .refused(.otherContact))
    // What comes then is a touch again.
    teller.event(1000, .began, 12, contact: 3)
    teller.event(1900, .ended, 12, contact: 3)
    guard case .touched(let touch) = teller.outcome else {
      Issue.record("\(String(describing: teller.outcome))")
      return
    }
    #expect(touch.samples.map(\.raw) == [12])
  }
}
