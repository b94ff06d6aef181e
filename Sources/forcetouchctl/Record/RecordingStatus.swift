import ForceTouchDevices
import ForceTouchDoctor
import ForceTouchEngine
import ForceTouchModel

/// What a live line says of a recording that is being made.
struct RecordingStatus {
  private var engine: DeviceEngine
  private var events: [ContactEvent] = []
  /// The last of each contact that is down.
  private var contacts: [ContactID: ContactEvent] = [:]
  private let start = Timestamp.now()
  private var frames = 0

  init(_ description: DeviceDescription, _ reader: EvdevReader) {
    engine = DeviceEngine(
      description: description, judge: .ofThisMachine,
      initialState: .known(reader.state))
  }

  mutating func take(_ frame: Frame) {
    frames += 1
    events.removeAll(keepingCapacity: true)
    engine.process(frame, into: &events)
    for event in events {
      switch event.kind {
      case .ended, .cancelled: contacts[event.contact] = nil
      case .began, .changed, .peek, .pop, .peekEnded, .peekCancelled:
        contacts[event.contact] = event
      }
    }
  }

  func text(size: Int) -> String {
    let tenths = (Timestamp.now() - start).microseconds / 100_000
    var parts = [
      "\(tenths / 10).\(tenths % 10) s", count(frames, "frame"), ByteSize(bytes: size).text,
      count(contacts.count, "contact"),
    ]
    if let hardest = contacts.values.max(by: { ($0.rawPressure ?? 0) < ($1.rawPressure ?? 0) }),
      let raw = hardest.rawPressure
    {
      let force = hardest.force.map { "force \(decimal($0.force)), " } ?? ""
      parts.append(force + "raw \(raw)")
    }
    return parts.joined(separator: "  ")
  }

  private func count(_ number: Int, _ word: String) -> String {
    number == 1 ? "1 \(word)" : "\(number) \(word)s"
  }
}
