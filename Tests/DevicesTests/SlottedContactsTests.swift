import ForceTouchDevices
import ForceTouchModel
import Testing

/// Multitouch protocol type B.
@Suite struct SlottedContactsTests {
  var pad = TrackerUnderTest(.trackpad(), DeviceState())

  @Test mutating func aContactLivesFromAnIDToMinusOne() {
    #expect(pad.take(.id(5), .x(10), .y(20), .pressure(30)) == ["#1 in 0 began at 10,20 raw 30"])
    #expect(pad.take(.pressure(40)) == ["#1 in 0 stayed at 10,20 raw 40"])
    #expect(pad.take(.id(-1)) == ["#1 in 0 ended at 10,20 raw 40"])
    #expect(pad.take() == [])
  }

  @Test mutating func severalContactsAreToldInSlotOrder() {
    #expect(
      pad.take(.slot(2), .id(7), .x(1), .y(1), .slot(0), .id(8), .x(2), .y(2))
        == ["#2 in 0 began at 2,2", "#1 in 2 began at 1,1"])
    #expect(
      pad.take(.slot(2), .x(3), .slot(0), .id(-1))
        == ["#2 in 0 ended at 2,2", "#1 in 2 stayed at 3,1"])
  }

  @Test mutating func whatIsNotSaidAgainIsKept() {
    _ = pad.take(.id(5), .x(10), .y(20), .pressure(30), .tool(2))
    #expect(pad.take(.x(11)) == ["#1 in 0 stayed at 11,20 raw 30 palm"])
    #expect(pad.take(.y(21)) == ["#1 in 0 stayed at 11,21 raw 30 palm"])
    #expect(pad.take(.tool(0)) == ["#1 in 0 stayed at 11,21 raw 30"])
    #expect(pad.take(.tool(1)) == ["#1 in 0 stayed at 11,21 raw 30 other"])
    #expect(pad.take(.tool(9)) == ["#1 in 0 stayed at 11,21 raw 30 other"])
  }

  @Test mutating func aSlotKeepsItsValuesFromOneContactToTheNext() {
    // The kernel does not repeat a value that the slot already has.
    _ = pad.take(.id(5), .x(10), .y(20), .pressure(30))
    _ = pad.take(.id(-1))
    #expect(pad.take(.id(6), .x(11)) == ["#2 in 0 began at 11,20 raw 30"])
  }

  @Test mutating func aContactWithoutCoordinatesHasNoPosition() {
    #expect(pad.take(.id(5)) == ["#1 in 0 began"])
    #expect(pad.take(.x(10)) == ["#1 in 0 stayed"])
    #expect(pad.take(.y(20)) == ["#1 in 0 stayed at 10,20"])
  }

  @Test mutating func liftingTwiceIsLiftingOnce() {
    _ = pad.take(.id(5), .x(1), .y(1))
    #expect(pad.take(.id(-1), .id(-1)) == ["#1 in 0 ended at 1,1"])
    #expect(pad.take(.id(-1)) == [])
  }

  @Test mutating func aRepeatedIDIsTheSameContact() {
    _ = pad.take(.id(5), .x(1), .y(1))
    #expect(pad.take(.id(5), .x(2)) == ["#1 in 0 stayed at 2,1"])
  }

  @Test mutating func anIDThatChangesEndsOneContactAndBeginsAnother() {
    _ = pad.take(.id(5), .x(1), .y(1), .pressure(90))
    #expect(
      pad.take(.id(6), .x(2), .pressure(10))
        == ["#1 in 0 ended at 1,1 raw 90", "#2 in 0 began at 2,1 raw 10"])
  }

  @Test mutating func aLiftAndATouchInOneFrameAreTwoContacts() {
    _ = pad.take(.id(5), .x(1), .y(1))
    #expect(
      pad.take(.id(-1), .id(6), .x(2)) == ["#1 in 0 ended at 1,1", "#2 in 0 began at 2,1"])
    // Also where a device uses one ID for all.
    #expect(
      pad.take(.id(-1), .id(6)) == ["#2 in 0 ended at 2,1", "#3 in 0 began at 2,1"])
  }

  @Test mutating func ofSeveralIDsInOneFrameTheLastCounts() {
    // A frame is one state: what came and went within it was never there.
    #expect(pad.take(.id(5), .id(-1)) == [])
    #expect(pad.take(.id(6), .id(7), .x(1), .y(1)) == ["#3 in 0 began at 1,1"])
    #expect(pad.take(.id(8), .id(9)) == ["#3 in 0 ended at 1,1", "#5 in 0 began at 1,1"])
  }

  @Test mutating func aContactThatChangesItsSlotGoesOn() {
    _ = pad.take(.id(5), .x(1), .y(1), .pressure(50))
    #expect(
      pad.take(.slot(1), .id(5), .x(2), .y(2), .slot(0), .id(-1))
        == ["#1 in 1 stayed at 2,2 raw 50"])
    #expect(
      pad.take(.slot(1), .id(-1), .slot(0), .id(5), .x(3)) == ["#1 in 0 stayed at 3,1 raw 50"])
  }

  @Test mutating func twoContactsThatSwapTheirSlotsGoOn() {
    _ = pad.take(
      .id(5), .x(1), .y(1), .pressure(50), .slot(1), .id(6), .x(9), .y(9), .pressure(90))
    #expect(
      pad.take(
        .slot(0), .id(6), .x(9), .y(9), .pressure(90), .slot(1), .id(5), .x(1), .y(1), .pressure(50)
      ) == ["#2 in 0 stayed at 9,9 raw 90", "#1 in 1 stayed at 1,1 raw 50"])
  }

  @Test mutating func pressureNeitherBeginsNorEndsAContact() {
    #expect(pad.take(.pressure(0)) == [])
    #expect(pad.take(.pressure(80), .x(1), .y(1)) == [])
    #expect(pad.take(.id(5), .pressure(0)) == ["#1 in 0 began at 1,1 raw 0"])
    #expect(pad.take(.pressure(50)) == ["#1 in 0 stayed at 1,1 raw 50"])
    #expect(pad.take(.pressure(0)) == ["#1 in 0 stayed at 1,1 raw 0"])
    #expect(pad.take(.id(-1)) == ["#1 in 0 ended at 1,1 raw 0"])
  }

  @Test mutating func theShadowOfTheOldestContactIsIgnored() {
    _ = pad.take(.id(5), .x(1), .y(1), .pressure(50), .touch(1))
    #expect(
      pad.take(.singleX(99), .singleY(99), .singlePressure(0), .touch(0))
        == ["#1 in 0 stayed at 1,1 raw 50"])
  }

  @Test(arguments: [Int32.min, -1, 64, .max])
  mutating func aSlotThatCannotBeIsIgnored(slot: Int32) {
    _ = pad.take(.id(5), .x(1), .y(1))
    #expect(pad.take(.slot(slot), .id(6), .x(9), .id(-1)) == ["#1 in 0 stayed at 1,1"])
    #expect(pad.tracker.outOfRangeCount == 1)
    #expect(pad.take(.slot(0), .x(2)) == ["#1 in 0 stayed at 2,1"])
    #expect(pad.take(.slot(63), .id(7)) == ["#1 in 0 stayed at 2,1", "#2 in 63 began"])
  }

  @Test mutating func pressureOutsideTheDeclaredRangeIsGivenAsItIsAndCounted() {
    #expect(pad.take(.id(5), .pressure(.max)) == ["#1 in 0 began raw 2147483647"])
    #expect(pad.take(.pressure(.min)) == ["#1 in 0 stayed raw -2147483648"])
    #expect(pad.tracker.outOfRangeCount == 2)
    #expect(pad.take(.pressure(255)) == ["#1 in 0 stayed raw 255"])
    #expect(pad.tracker.outOfRangeCount == 2)
  }

  @Test mutating func aHeldButtonIsOfTheDevice() {
    #expect(!pad.frame.isButtonHeld)
    _ = pad.take(.key(KeyCode.left, 1), .key(KeyCode.right, 1))
    #expect(pad.frame.isButtonHeld)
    _ = pad.take(.key(KeyCode.left, 0))
    #expect(pad.frame.isButtonHeld)
    _ = pad.take(.key(KeyCode.right, 0), .touch(1))
    #expect(!pad.frame.isButtonHeld)
  }
}

/// What is down when a device is opened, or when a recording begins.
@Suite struct AlreadyDownTests {
  static let open = DeviceState(
    slots: [
      .init(slot: 0, trackingID: -1, values: [AxisCode.positionX: 7, AxisCode.positionY: 8]),
      .init(
        slot: 1, trackingID: 40,
        values: [
          AxisCode.positionX: 1, AxisCode.positionY: 2, AxisCode.multitouchPressure: 99,
        ]),
      .init(slot: 70, trackingID: 41, values: [:]),
    ], currentSlot: 1, keys: [KeyCode.left])

  @Test func aFingerThatWasDownBeginsWithTheFirstFrame() {
    var pad = TrackerUnderTest(.trackpad(), Self.open)
    #expect(pad.take(.pressure(100)) == ["#1 in 1 began already down at 1,2 raw 100"])
    #expect(pad.frame.isButtonHeld)
    #expect(pad.take(.id(-1)) == ["#1 in 1 ended at 1,2 raw 100"])
    // The empty slot's values were read too.
    #expect(pad.take(.slot(0), .id(42)) == ["#2 in 0 began at 7,8"])
  }

  @Test func aFingerThatLiftsInTheFirstFrameNeverWas() {
    var pad = TrackerUnderTest(.trackpad(), Self.open)
    #expect(pad.take(.id(-1)) == [])
  }

  @Test func aDeviceThatIsOpenedAgainStartsAfreshAndNumbersOn() {
    var pad = TrackerUnderTest(.trackpad(), DeviceState())
    _ = pad.take(.id(5), .x(1), .y(1), .key(KeyCode.left, 1))
    pad.tracker.reopen(initialState: .known(DeviceState()))
    #expect(pad.take(.x(2)) == [])
    #expect(!pad.frame.isButtonHeld)
    #expect(pad.take(.id(6)) == ["#2 in 0 began"])
  }

  @Test func inARecordingDataBeforeAnyIDIsAContactThatWasDown() {
    var recording = TrackerUnderTest(.trackpad())
    #expect(recording.take(.x(1), .y(2)) == ["#1 in 0 began already down at 1,2"])
    #expect(recording.take(.id(-1)) == ["#1 in 0 ended at 1,2"])
    #expect(recording.take(.x(3)) == [])
  }

  @Test func anIDInTheSameFrameIsAnOrdinaryBegin() {
    var recording = TrackerUnderTest(.trackpad())
    #expect(recording.take(.x(1), .y(2), .id(5)) == ["#1 in 0 began at 1,2"])
  }

  @Test func aLiftInTheSameFrameMeansThatNothingWasDown() {
    var recording = TrackerUnderTest(.trackpad())
    #expect(recording.take(.x(1), .y(2), .id(-1)) == [])
    #expect(recording.take(.x(3)) == [])
  }

  @Test func eachSlotOfARecordingIsJudgedByItself() {
    var recording = TrackerUnderTest(.trackpad())
    #expect(recording.take(.id(5), .x(1), .y(1)) == ["#1 in 0 began at 1,1"])
    #expect(
      recording.take(.slot(3), .x(9), .y(9))
        == ["#1 in 0 stayed at 1,1", "#2 in 3 began already down at 9,9"])
    #expect(
      recording.take(.id(6))
        == ["#1 in 0 stayed at 1,1", "#2 in 3 ended at 9,9", "#3 in 3 began at 9,9"])
  }
}

/// After `SYN_DROPPED`.
@Suite struct ResynchronizationTests {
  var pad = TrackerUnderTest(.trackpad(), DeviceState())

  init() { _ = pad.take(.id(5), .x(1), .y(1), .pressure(50)) }

  @Test mutating func theSameIDIsTheSameContact() {
    #expect(pad.take(.pressure(90), isResynchronized: true) == ["#1 in 0 stayed at 1,1 raw 90"])
    #expect(pad.frame.isResynchronized)
    #expect(
      pad.take(.id(-1), .id(5), .pressure(91), isResynchronized: true)
        == ["#1 in 0 stayed at 1,1 raw 91"])
    #expect(
      pad.take(.id(5), .pressure(92), isResynchronized: true) == ["#1 in 0 stayed at 1,1 raw 92"])
    #expect(pad.take(.pressure(93)) == ["#1 in 0 stayed at 1,1 raw 93"])
    #expect(!pad.frame.isResynchronized)
  }

  @Test mutating func anIDThatIsGoneIsCancelled() {
    #expect(
      pad.take(.id(-1), isResynchronized: true) == ["#1 in 0 cancelled(dropped) at 1,1 raw 50"])
  }

  @Test mutating func anIDThatChangedIsCancelledAndTheNewOneWasDown() {
    #expect(
      pad.take(.id(-1), .id(9), .pressure(7), isResynchronized: true)
        == [
          "#1 in 0 cancelled(dropped) at 1,1 raw 50", "#2 in 0 began already down at 1,1 raw 7",
        ])
    #expect(
      pad.take(.slot(1), .id(10), isResynchronized: true)
        == ["#2 in 0 stayed at 1,1 raw 7", "#3 in 1 began already down"])
  }
}
