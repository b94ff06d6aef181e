public import ForceTouchModel

/// `type Frame` of `org.forcetouchd.Monitor`.
public struct FrameMessage: Codable, Equatable, Sendable {
  public struct InputEvent: Codable, Equatable, Sendable {
    public var type: UInt16
    public var code: UInt16
    public var value: Int32
  }

  public var device: String
  public var time: Int64
  public var resynchronized: Bool
  public var events: [InputEvent]

  public init(_ frame: Frame, device: String) {
    self.device = device
    time = frame.time.microseconds
    resynchronized = frame.isResynchronized
    events = frame.events.map { InputEvent(type: $0.type, code: $0.code, value: $0.value) }
  }

  /// The frame as the engine takes it.
  public var frame: Frame {
    let time = Timestamp(microseconds: time)
    return Frame(
      time: time,
      events: events.map {
        ForceTouchModel.InputEvent(time: time, type: $0.type, code: $0.code, value: $0.value)
      }, isResynchronized: resynchronized)
  }
}
