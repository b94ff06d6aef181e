import ForceTouchDevices
import ForceTouchModel
import Testing

/// Devices that know one contact.
@Suite struct SingleContactTests {
  var panel = TrackerUnderTest(.singleTouch())

  @Test mutating func aContactLivesWhileTheTouchKeyIsDown() {
    #expect(
      panel.take(.touch(1), .singleX(1), .singleY(2), .singlePressure(30))
        == ["#1 in 0 began at 1,2 raw 30"])
    #expect(panel.take(.singleX(3)) == ["#1 in 0 stayed at 3,2 raw 30"])
    #expect(panel.take(.touch(0)) == ["#1 in 0 ended at 3,2 raw 30"])
    #expect(panel.take() == [])
  }

  @Test mutating func positionWithoutTheTouchKeyHovers() {
    #expect(panel.take(.singleX(1), .singleY(2), .singlePressure(200)) == [])
    #expect(panel.take(.touch(1)) == ["#1 in 0 began at 1,2 raw 200"])
  }

  @Test mutating func liftingWhatIsNotDownIsNothing() {
    #expect(panel.take(.touch(0)) == [])
  }

  @Test mutating func pressureNeitherBeginsNorEndsAContact() {
    #expect(panel.take(.singlePressure(0)) == [])
    _ = panel.take(.touch(1), .singleX(1), .singleY(1), .singlePressure(9))
    #expect(panel.take(.singlePressure(0)) == ["#1 in 0 stayed at 1,1 raw 0"])
    #expect(panel.take(.touch(0)) == ["#1 in 0 ended at 1,1 raw 0"])
  }

  @Test mutating func aContactWithoutCoordinatesHasNoPosition() {
    #expect(panel.take(.touch(1), .singlePressure(253)) == ["#1 in 0 began raw 253"])
    #expect(panel.take(.singleX(5)) == ["#1 in 0 stayed raw 253"])
  }

  @Test mutating func aLiftAndATouchInOneFrameAreTwoContacts() {
    _ = panel.take(.touch(1), .singleX(1), .singleY(1))
    #expect(
      panel.take(.touch(0), .touch(1), .singleX(5))
        == ["#1 in 0 ended at 1,1", "#2 in 0 began at 5,1"])
    #expect(
      panel.take(.touch(0), .touch(1), .touch(0)) == ["#2 in 0 ended at 5,1"])
    #expect(panel.take(.touch(1), .touch(0)) == [])
  }

  @Test mutating func theFingerKeyServesWhereThereIsNoTouchKey() {
    var pad = TrackerUnderTest(.singleTouch(keys: [KeyCode.toolFinger]))
    #expect(pad.take(.key(KeyCode.toolFinger, 1)) == ["#1 in 0 began"])
    #expect(pad.take(.key(KeyCode.toolFinger, 0)) == ["#1 in 0 ended"])
    // With a touch key, a finger that is only near is none.
    var both = TrackerUnderTest(.singleTouch(keys: [KeyCode.toolFinger, KeyCode.touch]))
    #expect(both.take(.key(KeyCode.toolFinger, 1)) == [])
  }

  @Test func aFingerThatWasDownAtOpenBeginsWithTheFirstFrame() {
    let state = DeviceState(keys: [KeyCode.touch], values: [AxisCode.x: 4, AxisCode.y: 5])
    var panel = TrackerUnderTest(.singleTouch(), state)
    #expect(panel.take(.singlePressure(9)) == ["#1 in 0 began already down at 4,5 raw 9"])
    #expect(panel.take(.touch(0)) == ["#1 in 0 ended at 4,5 raw 9"])
  }

  @Test mutating func afterLostEventsTheContactIsCancelledAndWhatIsDownWasDown() {
    _ = panel.take(.touch(1), .singleX(1), .singleY(1))
    #expect(
      panel.take(.singleX(9), isResynchronized: true)
        == ["#1 in 0 cancelled(dropped) at 1,1", "#2 in 0 began already down at 9,1"])
    #expect(panel.take(.touch(0), isResynchronized: true) == ["#2 in 0 cancelled(dropped) at 9,1"])
    #expect(panel.take(.touch(1), isResynchronized: true) == ["#3 in 0 began already down at 9,1"])
  }
}
