import ForceTouchDevices
import ForceTouchEngine
import ForceTouchModel
import Testing

/// A device that is opened with a finger on it. One that keeps still sends nothing: an empty frame at
/// the time of opening must tell of it.
@Suite struct OpenedDeviceTests {
  @Test func aFingerThatKeepsStillIsToldAtOnce() throws {
    let scenario = try Scenario("# Any.\ncapability table\n--\n", name: "any.force")
    let values = [
      AxisCode.positionX: Int32(500), AxisCode.positionY: 400, AxisCode.multitouchPressure: 77,
    ]
    let state = DeviceState(slots: [
      .init(slot: 0, trackingID: -1, values: values), .init(slot: 1, trackingID: 9, values: values),
    ])
    var engine = DeviceEngine(scenario, initialState: .known(state))
    var events: [ContactEvent] = []
    engine.process(Frame(time: Timestamp(microseconds: 5)), into: &events)
    #expect(events.map(\.kind) == [.began])
    #expect(events.first?.wasAlreadyDown == true)
    #expect(events.first?.slot == 1)
    #expect(events.first?.rawPressure == 77)
    // It is the same contact when its first frame comes.
    let lift = [(AxisCode.slot, Int32(1)), (AxisCode.trackingID, -1)].map {
      InputEvent(
        time: Timestamp(microseconds: 9), type: EventType.absolute, code: $0.0, value: $0.1)
    }
    engine.process(Frame(time: Timestamp(microseconds: 9), events: lift), into: &events)
    #expect(events.map(\.kind) == [.began, .ended])
  }

  @Test func anEmptyDeviceSaysNothing() throws {
    for touchProtocol in ["B", "A", "single"] {
      let scenario = try Scenario(
        "# Any.\nprotocol \(touchProtocol)\n--\n", name: "any.force")
      var engine = DeviceEngine(scenario, initialState: .known(DeviceState()))
      var events: [ContactEvent] = []
      engine.process(Frame(time: .zero), into: &events)
      #expect(events.isEmpty, "\(touchProtocol)")
    }
  }
}
