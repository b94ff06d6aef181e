import ForceTouchDevices
import ForceTouchModel
import Testing

/// Multitouch protocol type A.
@Suite struct UnslottedContactsTests {
  var panel = TrackerUnderTest(.unslotted())
  var panelWithIDs = TrackerUnderTest(.unslotted(hasTrackingID: true))

  @Test mutating func contactsAreToldApartByTheirID() {
    #expect(
      panelWithIDs.take(.id(3), .x(1), .y(1), .end, .id(4), .x(9), .y(9), .end)
        == ["#1 in 0 began at 1,1", "#2 in 1 began at 9,9"])
    // Each where the other was.
    #expect(
      panelWithIDs.take(.id(4), .x(1), .y(1), .end, .id(3), .x(9), .y(9), .end)
        == ["#1 in 0 stayed at 9,9", "#2 in 1 stayed at 1,1"])
  }

  @Test mutating func withoutIDsTheNearestIsTheSame() {
    _ = panel.take(.x(10), .y(10), .end, .x(90), .y(10), .end)
    #expect(
      panel.take(.x(85), .y(10), .end, .x(15), .y(10), .end)
        == ["#1 in 0 stayed at 15,10", "#2 in 1 stayed at 85,10"])
    #expect(
      panel.take(.x(80), .y(10), .end)
        == ["#1 in 0 ended at 15,10", "#2 in 1 stayed at 80,10"])
  }

  @Test mutating func aContactThatIsNotListedHasLifted() {
    _ = panelWithIDs.take(.id(3), .x(1), .y(1), .end, .id(4), .x(9), .y(9), .end)
    #expect(
      panelWithIDs.take(.id(4), .x(9), .y(9), .end)
        == ["#1 in 0 ended at 1,1", "#2 in 1 stayed at 9,9"])
    // The free slot is used again, the ID too; the number is not.
    #expect(
      panelWithIDs.take(.id(3), .x(1), .y(1), .end, .id(4), .x(9), .y(9), .end)
        == ["#3 in 0 began at 1,1", "#2 in 1 stayed at 9,9"])
    // Also in a frame that says nothing of contacts they stand in slot order.
    #expect(
      panelWithIDs.take(.key(KeyCode.left, 1))
        == ["#3 in 0 stayed at 1,1", "#2 in 1 stayed at 9,9"])
  }

  @Test mutating func anEmptyFrameEndsAll() {
    _ = panel.take(.x(1), .y(1), .end)
    #expect(panel.take() == ["#1 in 0 ended at 1,1"])
    _ = panel.take(.x(1), .y(1), .end)
    #expect(panel.take(.end) == ["#2 in 0 ended at 1,1"])
  }

  @Test mutating func theReleasedTouchKeyEndsAll() {
    _ = panel.take(.x(1), .y(1), .end, .touch(1))
    #expect(panel.take(.touch(0)) == ["#1 in 0 ended at 1,1"])
    _ = panel.take(.x(1), .y(1), .end, .touch(1))
    // Some drivers list the contact once more, without pressure.
    #expect(panel.take(.x(1), .y(1), .pressure(0), .end, .touch(0)) == ["#2 in 0 ended at 1,1"])
    #expect(panel.take(.touch(0)) == [])
  }

  @Test mutating func aContactThatIsListedAgainAndAgainIsOne() {
    #expect(
      panel.take(.x(1), .y(1), .major(5), .end, .x(1), .y(1), .major(5), .end, .x(1), .y(1), .end)
        == ["#1 in 0 began at 1,1"])
    #expect(
      panelWithIDs.take(.id(3), .x(1), .y(1), .end, .id(3), .x(1), .y(1), .end)
        == ["#1 in 0 began at 1,1"])
  }

  @Test mutating func whatIsNotSaidAgainIsKept() {
    _ = panelWithIDs.take(.id(3), .x(1), .y(2), .pressure(50), .tool(2), .end)
    #expect(panelWithIDs.take(.id(3), .x(4), .end) == ["#1 in 0 stayed at 4,2 raw 50 palm"])
    _ = panel.take(.x(1), .y(2), .pressure(50), .end)
    #expect(panel.take(.y(5), .end) == ["#1 in 0 stayed at 1,5 raw 50"])
  }

  @Test mutating func whatHasNoPlaceIsNoContact() {
    #expect(panel.take(.pressure(0), .major(0), .end) == [])
    _ = panel.take(.x(1), .y(1), .end)
    #expect(panel.take(.major(0), .end) == ["#1 in 0 ended at 1,1"])
  }

  @Test mutating func theShadowOfTheOldestContactIsIgnored() {
    _ = panel.take(.x(1), .y(1), .end, .touch(1), .singleX(1), .singleY(1))
    #expect(panel.take(.singleX(50), .singlePressure(0)) == ["#1 in 0 stayed at 1,1"])
  }

  @Test mutating func afterLostEventsAllAreCancelledAndWhatIsSeenNextWasDown() {
    _ = panelWithIDs.take(.id(3), .x(1), .y(1), .end)
    #expect(
      panelWithIDs.take(isResynchronized: true) == ["#1 in 0 cancelled(dropped) at 1,1"])
    #expect(
      panelWithIDs.take(.id(3), .x(1), .y(1), .end) == ["#2 in 0 began already down at 1,1"])
    #expect(
      panelWithIDs.take(.id(3), .x(1), .y(1), .end, .id(4), .x(9), .y(9), .end)
        == ["#2 in 0 stayed at 1,1", "#3 in 1 began at 9,9"])
  }

  @Test mutating func aTouchAfterAnEmptyPanelWasSeenIsNew() {
    _ = panel.take(.x(1), .y(1), .end, .touch(1))
    #expect(
      panel.take(.touch(0), isResynchronized: true) == ["#1 in 0 cancelled(dropped) at 1,1"])
    #expect(panel.take(.x(1), .y(1), .end) == ["#2 in 0 began at 1,1"])
  }

  @Test mutating func aDeviceThatNeverToldALiftIsStaleAfterTwoSecondsOfSilence() throws {
    #expect(panel.tracker.deadline == nil)
    _ = panel.take(.x(1), .y(1), .end)
    // A frame that lists nothing but a button says nothing of contacts.
    let listed = try #require(panel.tracker.deadline)
    _ = panel.take(.key(KeyCode.left, 1))
    #expect(panel.tracker.deadline == listed)
    _ = panel.take(.x(2), .y(1), .end)
    let deadline = try #require(panel.tracker.deadline)
    #expect(deadline == Timestamp(microseconds: 24_000) + .milliseconds(2000))
    #expect(panel.timeout(at: Timestamp(microseconds: deadline.microseconds - 1)) == [])
    #expect(panel.timeout(at: deadline) == ["#1 in 0 cancelled(stale) at 2,1"])
    #expect(panel.tracker.deadline == nil)
    #expect(panel.timeout(at: deadline) == [])
    // It may have been down all the time.
    #expect(panel.take(.x(2), .y(1), .end) == ["#2 in 0 began already down at 2,1"])
    _ = panel.take(.end)
    #expect(panel.take(.x(2), .y(1), .end) == ["#3 in 0 began at 2,1"])
    #expect(panel.tracker.deadline == nil)
  }

  @Test mutating func moreContactsThanFingersAreSurvived() {
    var events: [Input] = []
    for index in Int32(0)..<100 { events += [.x(index * 10), .y(index), .end] }
    panel.process(events)
    #expect(panel.frame.contacts.count == 32)
    panel.process(events)
    #expect(panel.frame.contacts.count { $0.phase == .stayed } == 32)
    panel.process([])
    #expect(panel.frame.contacts.count { $0.phase == .ended } == 32)
  }
}

/// Which protocol a device speaks.
@Suite struct ProtocolChoiceTests {
  @Test func aSlotAxisMeansTypeB() {
    var pad = TrackerUnderTest(.trackpad(), DeviceState())
    #expect(pad.take(.id(1), .x(1), .y(1), .end) == ["#1 in 0 began at 1,1"])
    #expect(pad.take() == ["#1 in 0 stayed at 1,1"])
  }

  @Test func withoutASlotAxisTheFirstContactDecides() {
    var typeA = TrackerUnderTest(.unslotted(hasTrackingID: true))
    #expect(typeA.take(.id(1), .x(1), .y(1), .end) == ["#1 in 0 began at 1,1"])
    #expect(typeA.take() == ["#1 in 0 ended at 1,1"])

    // evtest prints no ABS_MT_SLOT when only slot 0 was used.
    var slotLeftOut = TrackerUnderTest(.unslotted(hasTrackingID: true))
    #expect(slotLeftOut.take() == [])
    #expect(slotLeftOut.take(.touch(1)) == [])
    #expect(slotLeftOut.take(.id(1), .x(1), .y(1)) == ["#1 in 0 began at 1,1"])
    #expect(slotLeftOut.take(.x(2)) == ["#1 in 0 stayed at 2,1"])
    #expect(slotLeftOut.take() == ["#1 in 0 stayed at 2,1"])
    #expect(slotLeftOut.take(.id(-1)) == ["#1 in 0 ended at 2,1"])
  }

  @Test func anInferredDescriptionWithATrackingIDAloneIsTypeB() {
    let axis = Axis(minimum: 0, maximum: 100)
    let inferred = DeviceDescription(
      axes: [AxisCode.trackingID: axis, AxisCode.multitouchPressure: axis], isInferred: true)
    var recording = TrackerUnderTest(inferred)
    #expect(recording.take(.id(1), .pressure(9)) == ["#1 in 0 began raw 9"])
    #expect(recording.take(.id(-1)) == ["#1 in 0 ended raw 9"])
  }

  @Test func withoutMultitouchAxesThereIsOneContact() {
    var panel = TrackerUnderTest(.singleTouch())
    #expect(panel.take(.touch(1), .singleX(1), .singleY(2)) == ["#1 in 0 began at 1,2"])
  }
}
