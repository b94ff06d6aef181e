import ForceTouchModel
import ForceTouchProtocol
import ForceTouchRecognition
import Testing

@testable import ForceTouchScreen

/// Peek is at 80 of 200, pop at 150.
@Suite struct StateTests {
  @Test func aContactIsFollowedAndRememberedWhenItLifts() throws {
    var touches = Touches()
    touches.press(10, 60, 100)
    let contact = try #require(touches.seen.log.contacts.first)
    #expect(contact.step == .peek)
    #expect(contact.level == 0.5)
    touches.press(160, 20, nil)
    #expect(touches.seen.log.contacts.isEmpty)
    let last = try #require(touches.seen.log.last)
    #expect(last.step == .pop)
    #expect(last.hardest == 0.8)
    #expect(last.end == .ended)
    #expect(touches.seen.log.events.map(\.event) == [.began, .peek, .pop, .ended])
    #expect(touches.seen.log.counts[.began] == 1)
  }

  @Test func aCancelledPeekIsNone() throws {
    var touches = Touches()
    touches.press(10, 100)
    var cancelled = try #require(touches.seen.log.contacts.first).latest
    cancelled.event = .peekCancelled
    cancelled.reason = .otherContact
    touches.take(.init(event: cancelled))
    #expect(touches.seen.log.contacts.first?.step == .touch)
  }

  @Test func aPauseKeepsWhatWasSeenWhileTheRestGoesOn() {
    var touches = Touches()
    touches.press(10, 60)
    touches.type("p")
    let page = touches.page()
    #expect(page[1].contains("PAUSED"))
    touches.press(100, 160)
    touches.take(.init(coalesced: 3))
    touches.wait(milliseconds: 2000)
    #expect(touches.seen.log.contacts.first?.step == .touch)
    #expect(touches.page() == page)
    touches.type("p")
    #expect(touches.seen.log.contacts.first?.step == .pop)
  }

  @Test func aPauseKeepsTheDeviceThatWasChosen() {
    var touches = Touches()
    var device = touches.seen.device
    device.device = "d2"
    touches.take(.init(added: device))
    for key: MonitorKey in [.character("d"), .down, .enter, .character("p")] {
      touches.press(key: key)
    }
    touches.take(.init(removed: "d2"))
    #expect(touches.seen.id == "d2")
    touches.type("p")
    #expect(touches.seen.id == "d1")
  }

  @Test func aTrialFeelsAgainWhatCame() throws {
    var touches = Touches()
    touches.press(10, 60, 90, 130)
    #expect(touches.seen.log.contacts.first?.step == .peek)
    touches.type("s")  // light: pop at 112.5
    #expect(touches.seen.trial?.sensitivity == .light)
    #expect(touches.seen.log.contacts.first?.step == .pop)
    #expect(touches.seen.log.counts[.pop] == 1)
    #expect(touches.seen.counts[.pop] == nil)
    touches.type("s")
    touches.type("s")  // firm: peek at 100, pop at 187.5
    #expect(touches.seen.thresholds == .init(hint: 62.5, peek: 100, pop: 187.5))
    #expect(touches.seen.log.contacts.first?.step == .peek)
    touches.press(160)
    #expect(touches.seen.log.contacts.first?.step == .peek)
    touches.press(190)
    #expect(touches.seen.log.contacts.first?.step == .pop)
    touches.type("s")
    #expect(touches.seen.trial == nil)
    #expect(touches.seen.log.contacts.first?.latest.contact == 1)
  }

  /// A still finger sends nothing: that it rests, time alone tells.
  @Test func aTrialMeetsDeadlines() throws {
    var touches = Touches()
    touches.type("s")
    #expect(touches.seen.trial?.sensitivity == .light)
    touches.press(10, at: 200)
    touches.press(70, at: 400)  // 20 mm further, and past the light peek
    let due = try #require(touches.state.deadline)
    #expect(touches.seen.log.contacts.first?.step == .touch)
    touches.wait(milliseconds: (due - touches.now).microseconds / 1000 - 1)
    #expect(touches.seen.log.contacts.first?.step == .touch)
    touches.wait(milliseconds: 2)
    #expect(touches.seen.log.contacts.first?.step == .peek)
    #expect(touches.state.deadline == nil)
  }

  @Test func missingFramesEndWhatIsKeptAndTried() {
    var touches = Touches()
    touches.type("s")
    touches.press(10, 60)
    touches.press(100, isLost: true)
    touches.take(.init(coalesced: 3))
    #expect(touches.state.coalescedCount == 3)
    #expect(touches.seen.recent.isEmpty)
    #expect(touches.seen.recent.hasGap)
    #expect(touches.seen.log.contacts.isEmpty)
    touches.type("s")
    touches.type("s")
    touches.type("s")
    // What the daemon says of it goes on.
    #expect(touches.seen.log.contacts.first?.step == .peek)
  }

  /// The socket may say anything that fits its types.
  @Test(arguments: [1e300, -1e300, 50, -1])
  func pressureOfNoSenseIsTakenForTheNearestThatHas(pressure: Double) throws {
    var touches = Touches()
    touches.press(10)
    var event = try #require(touches.seen.log.contacts.first).latest
    event.event = .changed
    event.pressure = pressure
    touches.take(.init(event: event))
    #expect(touches.seen.log.contacts.first?.level == (pressure > 0 ? 1 : 0))
    #expect(touches.page().contains { $0.contains("#1  touch") })
    event.event = .ended
    touches.take(.init(event: event))
    #expect(touches.page().contains { $0.contains("lifted, hardest") })
  }

  @Test func countsOfNoSenseDoNoHarm() {
    var touches = Touches()
    for count: Int in [.max, .max, .min, 3] { touches.take(.init(coalesced: count)) }
    #expect(touches.state.coalescedCount == .max)
    #expect(touches.page().contains { $0.contains("read late 9") })
  }

  @Test(arguments: [true, false])
  func frameTimesOfNoSenseDoNoHarm(isLive: Bool) {
    var touches = Touches(isLive: isLive)
    touches.type("s")
    for time: Int64 in [.min, .max, 0, .max, .min] {
      let frame = Frame(time: Timestamp(microseconds: time))
      touches.take(.init(frame: FrameMessage(frame, device: "d1")))
    }
    touches.wait(milliseconds: 10)
    #expect(touches.page().contains { $0.contains("5 a second") })
  }

  /// Another daemon begins its names anew.
  @Test func anotherDeviceOfTheSameNameIsAnother() {
    var touches = Touches()
    touches.press(10, 60)
    touches.type("s")
    var device = touches.seen.device
    device.explanation = "it is judged otherwise"
    touches.take(.init(snapshot: .init(devices: [device], events: [])))
    #expect(touches.seen.trial != nil)
    #expect(touches.seen.description == Touches.description)
    device.product = 0x324
    touches.take(.init(snapshot: .init(devices: [device], events: [])))
    #expect(touches.state.devices.map(\.device.product) == [0x324])
    #expect(touches.seen.description == nil)
    #expect(touches.seen.trial == nil)
    #expect(touches.seen.recent.isEmpty)
    #expect(touches.seen.counts.isEmpty)
    #expect(touches.state.goneDevices.map(\.counts) == [[.began: 1, .changed: 1]])
  }

  @Test func whatIsForThisScreenAloneIsRefusedWhereItCannotBe() throws {
    var state = MonitorState(judge: Touches.judge)
    var description = Touches.description
    description.name = "Other"
    let device = DeviceMessage(
      device: "d7", description: description, kind: .trackpad, capability: .unknown,
      reason: .undescribed)
    state.take(.init(added: device), at: .zero)
    _ = state.press(.character("s"), at: .zero)
    #expect(try #require(state.notice).contains("does not feel force"))
    _ = state.press(.escape, at: .zero)
    #expect(state.notice == nil)
  }

  @Test func theFirstThatFeelsForceIsShownUntilAnotherIsChosen() {
    var state = MonitorState(judge: Touches.judge)
    func device(_ id: String, isAvailable: Bool) -> DeviceMessage {
      DeviceMessage(
        device: id, description: Touches.description, kind: .trackpad,
        capability: isAvailable ? .available : .unavailable,
        reason: isAvailable ? .table : .noPressureAxis,
        profile: isAvailable ? try? ForceProfile(floor: 0, average: 20, ceiling: 200) : nil)
    }
    #expect(state.selected == nil)
    state.take(.init(added: device("d1", isAvailable: false)), at: .zero)
    #expect(state.selected?.device.device == "d1")
    state.take(.init(added: device("d2", isAvailable: true)), at: .zero)
    #expect(state.selected?.device.device == "d2")
    for key: MonitorKey in [.character("d"), .up, .up, .enter] { _ = state.press(key, at: .zero) }
    #expect(state.panel == nil)
    #expect(state.selected?.device.device == "d1")
    state.take(.init(removed: "d1"), at: .zero)
    #expect(state.selected?.device.device == "d2")
    #expect(state.goneDevices.map(\.device.device) == ["d1"])
  }

  @Test func keysAskForWhatOnlyTheProgramCanDo() {
    var touches = Touches()
    #expect(touches.type("q") == .quit)
    #expect(touches.type("w") == .save)
    #expect(touches.type("?") == nil)
    #expect(touches.state.panel == .help)
    touches.press(key: .escape)
    #expect(touches.state.panel == nil)
  }

  @Test func onlyTrialsAndRecordingsWaitForTheDescription() {
    var state = MonitorState(judge: Touches.judge)
    let device = DeviceMessage(
      device: "d1", description: Touches.description, kind: .trackpad, capability: .unknown,
      reason: .undescribed)
    #expect(!state.needsDescription(.character("w")))
    state.take(.init(added: device), at: .zero)
    #expect(state.needsDescription(.character("w")))
    #expect(state.needsDescription(.character("s")))
    #expect(!state.needsDescription(.character("q")))
    state.take(Touches.description, of: "d1")
    #expect(!state.needsDescription(.character("w")))
  }

  /// Nothing is drawn for nothing.
  @Test func whenNothingHappensNothingChanges() {
    var touches = Touches()
    #expect(touches.state.nextChange(after: touches.now, columns: 80) == nil)
    touches.press(10, 60, nil)
    let next = touches.state.nextChange(after: touches.now, columns: 80)
    #expect(next != nil && next! - touches.now <= ForceHistory.interval)
    touches.wait(milliseconds: 20_000)
    #expect(touches.state.nextChange(after: touches.now, columns: 80) == nil)
  }
}
