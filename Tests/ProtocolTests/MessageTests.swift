import ForceTouchModel
import ForceTouchProtocol
import Foundation
import Testing

/// What our messages hold is what the interfaces declare: no field more, none less, and what is
/// encoded decodes to the same.
@Suite struct MessageTests {
  struct Message: CustomTestStringConvertible, Sendable {
    /// As it stands in the interface, up to its fields: `type Device`, `method List()`.
    var declaration: String
    var interface: String
    var value: any Codable & Equatable & Sendable

    var testDescription: String { declaration }
  }

  /// Each with all of its fields.
  static let messages: [Message] = {
    let devices = DevicesMessage.interfaceText
    let monitor = MonitorMessage.interfaceText
    let control = ControlMessage.interfaceText
    let previewing = PreviewingMessage.interfaceText
    return [
      Message(declaration: "type Device", interface: devices, value: device),
      Message(declaration: "type Device", interface: monitor, value: device),
      Message(
        declaration: "type Axis", interface: devices, value: device.pressure ?? device.x),
      Message(declaration: "type Profile", interface: devices, value: device.profile),
      Message(declaration: "type Thresholds", interface: devices, value: device.thresholds),
      Message(
        declaration: "method List() ->", interface: devices,
        value: DevicesMessage.ListReply(devices: [device])),
      Message(
        declaration: "method GetCapability", interface: devices,
        value: DevicesMessage.GetCapabilityCall(device: "d1")),
      Message(
        declaration: "method GetCapability(device: ?string) ->", interface: devices,
        value: DevicesMessage.GetCapabilityReply(capability: .unknown, reason: .semiMT)),
      Message(
        declaration: "method Watch() ->", interface: devices,
        value: DevicesMessage.WatchReply(
          snapshot: [device], added: device, changed: device, removed: "d1")),
      Message(
        declaration: "error NoSuchDevice", interface: devices, value: NoSuchDevice(device: "d9")),

      Message(
        declaration: "method Watch", interface: monitor,
        value: MonitorMessage.WatchCall(device: "d1", frames: true)),
      Message(
        declaration: "method Watch(device: ?string, frames: ?bool) ->", interface: monitor,
        value: MonitorMessage.WatchReply(
          snapshot: .init(devices: [device], events: [event]), event: event,
          frame: FrameMessage(frame, device: "d1"), added: device, changed: device, removed: "d1",
          coalesced: 3)),
      Message(
        declaration: "type Snapshot", interface: monitor,
        value: MonitorMessage.Snapshot(devices: [device], events: [event])),
      Message(
        declaration: "type Frame", interface: monitor, value: FrameMessage(frame, device: "d1")),
      Message(
        declaration: "method Describe", interface: monitor,
        value: MonitorMessage.DescribeCall(device: "d1")),
      Message(
        declaration: "method Describe(device: string) ->", interface: monitor,
        value: DescriptionMessage(description)),
      Message(
        declaration: "type AbsoluteAxis", interface: monitor,
        value: DescriptionMessage(description).axes[0]),
      Message(
        declaration: "method GetStatistics() ->", interface: monitor,
        value: MonitorMessage.GetStatisticsReply(
          uptime: 1, connections: 2, streams: 3, coalesced: 4, disconnected: 5,
          seats: [.init(seat: "seat0", user: 1000)], devices: [statistics])),
      Message(
        declaration: "type Seat", interface: monitor,
        value: MonitorMessage.Seat(seat: "seat0", user: .max)),
      Message(declaration: "type DeviceStatistics", interface: monitor, value: statistics),
      Message(
        declaration: "type PressureStatistics", interface: monitor, value: statistics.pressure),
      Message(
        declaration: "error PermissionDenied", interface: monitor,
        value: PermissionDenied(needed: "the group forcetouch")),

      Message(
        declaration: "method SetProfile", interface: control,
        value: ControlMessage.SetProfileCall(device: "d1", profile: profile)),
      Message(declaration: "type Profile", interface: control, value: profile),
      Message(
        declaration: "method ResetProfile", interface: control,
        value: ControlMessage.ResetProfileCall(device: "d1")),
      Message(
        declaration: "method GetSettings() ->", interface: control,
        value: ControlMessage.GetSettingsReply(settings: [setting], problems: ["f:1:2: no"])),
      Message(declaration: "type Setting", interface: control, value: setting),
      Message(
        declaration: "method SetSetting", interface: control,
        value: ControlMessage.SetSettingCall(name: "recognition.hint", value: "0.2")),
      Message(
        declaration: "method ResetSetting", interface: control,
        value: ControlMessage.ResetSettingCall(name: "recognition.hint")),
      Message(
        declaration: "method Reload() ->", interface: control,
        value: ControlMessage.ReloadReply(problems: [])),
      Message(
        declaration: "error NoSuchSetting", interface: control,
        value: ControlMessage.NoSuchSetting(name: "a")),
      Message(
        declaration: "error InvalidProfile", interface: control,
        value: ControlMessage.InvalidProfile(reason: "floor, average and ceiling must ascend")),
      Message(
        declaration: "error InvalidSetting", interface: control,
        value: ControlMessage.InvalidSetting(name: "a", reason: "expected a number")),
      Message(
        declaration: "error NotStored", interface: control,
        value: ControlMessage.NotStored(reason: "disk full")),

      Message(
        declaration: "method Register", interface: previewing,
        value: PreviewingMessage.RegisterCall(
          coverage: .region, size: .init(width: 2, height: 3), region: rect, touchscreens: true,
          device: "d1", seat: "seat0", active: false)),
      Message(
        declaration: "type Snapshot", interface: previewing,
        value: PreviewingMessage.Snapshot(token: "t", active: true)),
      Message(declaration: "type Rect", interface: previewing, value: rect),
      Message(
        declaration: "type Size", interface: previewing,
        value: PreviewingMessage.Size(width: 1, height: 2)),
      Message(
        declaration: "type Point", interface: previewing, value: PreviewingMessage.Point(x: 1, y: 2)
      ),
      Message(
        declaration: "method Answer", interface: previewing,
        value: PreviewingMessage.AnswerCall(
          token: "t", interaction: .max, preview: true, sourceRect: rect, allowsPop: false)),
      Message(
        declaration: "method Claim", interface: previewing,
        value: PreviewingMessage.ClaimCall(token: "t", touchTime: .max)),
      Message(
        declaration: "method SetActive", interface: previewing,
        value: PreviewingMessage.SetActiveCall(token: "t", active: true)),
      Message(
        declaration: "method Unregister", interface: previewing,
        value: PreviewingMessage.UnregisterCall(token: "t")),
      Message(
        declaration: "error NoSuchInteraction", interface: previewing,
        value: PreviewingMessage.InteractionError(interaction: 7)),
      Message(
        declaration: "error NoSuchContact", interface: previewing,
        value: PreviewingMessage.TouchError(touchTime: 7)),
    ]
  }()

  @Test(arguments: messages)
  func aMessageHasTheFieldsOfItsDeclaration(message: Message) throws {
    let declared = try #require(Self.fields(of: message.declaration, in: message.interface))
    #expect(!declared.isEmpty)
    #expect(Set(try Self.roundTrip(message.value)) == declared)
  }

  /// Not every field is in every event, so no one event can be held against the declaration.
  @Test func eventsHaveNoFieldThatIsNotDeclared() throws {
    let monitor = try #require(Self.fields(of: "type Event", in: MonitorMessage.interfaceText))
    #expect(try Set(Self.roundTrip(Self.event)).isSubset(of: monitor))
    let previewing = try #require(
      Self.fields(of: "type Event", in: PreviewingMessage.interfaceText))
    for kind: PreviewEvent.Kind in [
      .question(timeout: .milliseconds(50), claimed: 7), .peekProgress(0.5),
      .peekCancelled(.lifted),
    ] {
      let event = PreviewEvent(
        kind: kind, context: PreviewingContextID(rawValue: 1),
        interaction: InteractionID(rawValue: 2), device: DeviceID(rawValue: 3), time: .zero,
        location: ViewPoint(x: 1, y: 2), isEstimated: true)
      let message = PreviewingMessage.Event(event, device: "d1", maximumPossibleForce: 5)
      #expect(try Set(Self.roundTrip(message)).isSubset(of: previewing))
    }
  }

  @Test func aFrameIsReadBackAsItWas() {
    #expect(FrameMessage(Self.frame, device: "d1").frame == Self.frame)
  }

  /// All that a recording holds of its device, and what the probe needs besides.
  @Test func aDescriptionIsReadBackAsItWas() {
    var described = Self.description
    described.driver = nil
    described.seat = nil
    #expect(DescriptionMessage(Self.description).description == described)
  }

  @Test func errorsAreNamedByTheirInterface() {
    #expect(
      NoSuchDevice.error(of: DevicesMessage.interface) == "org.forcetouchd.Devices.NoSuchDevice")
    #expect(
      PermissionDenied.error(of: MonitorMessage.interface)
        == "org.forcetouchd.Monitor.PermissionDenied")
  }

  /// The keys of a value's JSON, which must decode to the same value.
  private static func roundTrip(_ value: some Codable & Equatable) throws -> [String] {
    let data = try JSONEncoder().encode(value)
    #expect(try JSONDecoder().decode(type(of: value), from: data) == value)
    let object = try JSONSerialization.jsonObject(with: data)
    return (try #require(object as? [String: Any])).keys.map { $0 }
  }

  /// The names before a colon in the parentheses that follow.
  private static func fields(of declaration: String, in text: String) -> Set<String>? {
    let code = text.split(separator: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("#") }
      .joined(separator: " ")
    guard let start = code.firstRange(of: declaration)?.upperBound,
      let open = code[start...].firstIndex(of: "(")
    else { return nil }
    guard code[start..<open].allSatisfy({ $0 == " " }) else { return nil }
    var depth = 0
    var word = ""
    var fields: Set<String> = []
    for character in code[open...] {
      switch character {
      case "(": depth += 1
      case ")":
        depth -= 1
        if depth == 0 { return fields }
      case ":": if depth == 1 { fields.insert(word) }
      case ",", " ": word = ""
      default: word = word + String(character)
      }
      if character == "(" { word = "" }
    }
    return nil
  }

  // MARK: Values

  private static let axis = Axis(minimum: 0, maximum: 253, resolution: 1)

  private static let description: DeviceDescription = {
    var description = DeviceDescription(
      name: "Pad", bus: .usb, vendor: 1, product: 2, version: 3, keys: [KeyCode.touch],
      properties: [InputProperty.pointer], udevClass: .touch(.trackpad),
      node: "/dev/input/event1", driver: "hid-multitouch", seat: "seat0")
    for code in [AxisCode.positionX, AxisCode.positionY, AxisCode.multitouchPressure] {
      description.axes[code] = axis
    }
    return description
  }()

  private static let device = DeviceMessage(
    device: "d1", description: description, kind: .trackpad, capability: .available,
    reason: .table, isEstimated: true,
    profile: try? ForceProfile(floor: 0, average: 28, ceiling: 190, click: 50),
    thresholds: .init(hint: 85, peek: 106, pop: 155))

  private static let event = EventMessage(
    ContactEvent(
      kind: .peekCancelled(.palm), contact: ContactID(rawValue: 1), slot: 2, time: .zero,
      position: Position(x: 3, y: 4), rawPressure: 5,
      force: ForceSample(pressure: 0.5, force: 2, grams: Grams(raw: 5, resolution: 1)),
      wasAlreadyDown: true, isResynchronized: true, isEstimated: true, failure: .moved),
    device: "d1")

  private static let frame: Frame = {
    let time = Timestamp(microseconds: 7)
    return Frame(
      time: time, events: [InputEvent(time: time, type: 3, code: 58, value: .min)],
      isResynchronized: true)
  }()

  private static let statistics = MonitorMessage.DeviceStatistics(
    device: "d1", open: true, frames: 1, events: 2, resynchronizations: 3, outOfRange: 4,
    pressure: .init(
      samples: 9, contacts: 2, minimum: 1, maximum: 200, outside: 1, distinct: 8,
      majorCorrelation: 0.5, minorCorrelation: -0.5, equal: 0.25, stuck: 0.125, longestStuck: 3,
      wraps: 1, proven: .equalsSize))

  private static let profile = ControlMessage.Profile(floor: 0, average: 1, ceiling: 9, click: 2)

  private static let setting = ControlMessage.Setting(
    name: "recognition.hint", value: "0.2", file: "/etc/x", line: 1, column: 2)

  private static let rect = PreviewingMessage.Rect(x: 1, y: 2, width: 3, height: 4)
}
