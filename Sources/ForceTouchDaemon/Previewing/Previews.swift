import ForceTouchModel
import ForceTouchRecognition
import Glibc

/// The previewing conversation: what devices, programs and sessions do goes to the arbiter, and
/// what it says to the streams of the contexts.
final class Previews {
  private var arbiter = PreviewArbiter()
  private var streams: [PreviewingContextID: PreviewStream] = [:]
  private var devices: [DeviceID: ServedDevice] = [:]
  private var lastContext: UInt64 = 0
  private var timer: TimerSource?
  private var coalescedByGoneStreams = 0
  /// The daemon stops: who registers now hears the last reply at once.
  private var isEnding = false
  /// Reused for every frame.
  private var events: [PreviewEvent] = []
  /// Called when other devices may have to be read than before.
  var whenNeedsChange: () -> Void = {}

  init(loop: EventLoop) throws(LoopError) {
    timer = try loop.timer(priority: .device) { [unowned self] in
      change { $0.timeout(at: $1, into: &$2) }
    }
    var events: [PreviewEvent] = []
    events.reserveCapacity(32)
    self.events = events
  }

  var settings: PreviewSettings {
    get { arbiter.settings }
    set { arbiter.settings = newValue }
  }

  var streamCount: Int { streams.count }
  var coalescedCount: Int {
    coalescedByGoneStreams + streams.values.reduce(0) { $0 + $1.coalescedCount }
  }

  // MARK: Devices

  func add(_ device: ServedDevice) {
    let description = device.engine.description
    devices[device.number] = device
    arbiter.add(
      PreviewDevice(
        id: device.number, kind: device.engine.verdict.touchKind ?? .touchscreen,
        seat: description.seat,
        screen: description.positionAxes.flatMap {
          ScreenMapping(axes: $0, matrix: description.calibrationMatrix)
        }))
  }

  /// Its contacts must have been closed before.
  func remove(_ device: ServedDevice) {
    change { $0.remove(device.number, at: $1, into: &$2) }
    devices[device.number] = nil
  }

  /// Whether a device must be read for a context's sake.
  func needs(_ device: ServedDevice) -> Bool { !streams.isEmpty && arbiter.needs(device.number) }

  /// Whether a recording has somebody to play for: a context that is about to be asked.
  func hasAudience(_ device: ServedDevice) -> Bool {
    !streams.isEmpty && arbiter.hasAudience(device.number)
  }

  func process(_ contactEvents: [ContactEvent], of device: ServedDevice) {
    change { $0.process(contactEvents, of: device.number, at: $1, into: &$2) }
  }

  // MARK: Contexts

  /// - Parameter context: Without its number, which is given here.
  func register(_ context: PreviewingContext, of session: ClientSession) {
    lastContext += 1
    var context = context
    context.id = PreviewingContextID(rawValue: lastContext)
    let stream = PreviewStream(context, token: Self.makeToken(), session: session)
    streams[context.id] = stream
    session.closeStream = { [unowned self] in remove(stream) }
    stream.sendSnapshot()
    change { $0.register(context, at: $1, into: &$2) }
    whenNeedsChange()
    if isEnding { end(stream) }
  }

  /// The context of a user's token; nil when that user has none such.
  func stream(token: String, user: UInt32) -> PreviewStream? {
    streams.values.first { $0.token == token && $0.peer.userID == user }
  }

  /// The program is gone, or wants no more.
  func remove(_ stream: PreviewStream) {
    guard streams[stream.context] != nil else { return }
    change { $0.unregister(stream.context, at: $1, into: &$2) }
    streams[stream.context] = nil
    coalescedByGoneStreams += stream.coalescedCount
    whenNeedsChange()
  }

  func setActive(_ isActive: Bool, _ stream: PreviewStream) {
    change { $0.setActive(isActive, stream.context, at: $1, into: &$2) }
    whenNeedsChange()
  }

  func answer(
    _ interaction: InteractionID, of stream: PreviewStream, with answer: PreviewAnswer
  ) throws(AnswerError) {
    var refusal: AnswerError?
    change { arbiter, now, events in
      do throws(AnswerError) {
        try arbiter.answer(interaction, of: stream.context, with: answer, at: now, into: &events)
      } catch {
        refusal = error
      }
    }
    if let refusal { throw refusal }
  }

  func claim(_ touchTime: UInt32, by stream: PreviewStream) throws(ClaimError) {
    var refusal: ClaimError?
    change { arbiter, now, events in
      do throws(ClaimError) {
        try arbiter.claim(touchTime, by: stream.context, at: now, into: &events)
      } catch {
        refusal = error
      }
    }
    if let refusal { throw refusal }
  }

  /// Somebody else sits at some seat: puts contexts to sleep, then wakes others, so that nobody
  /// is asked about what somebody else still has.
  func updateDormancy(mayPreview: (PreviewStream) -> Bool) {
    let changed = streams.values.filter { mayPreview($0) != $0.isActive }
    for stream in changed where stream.isActive {
      change { $0.setDormant(true, stream.context, at: $1, into: &$2) }
      stream.setActive(false)
    }
    for stream in changed where !stream.isActive && mayPreview(stream) {
      // It is told first: the arbiter may have a question at once.
      stream.setActive(true)
      change { $0.setDormant(false, stream.context, at: $1, into: &$2) }
    }
    whenNeedsChange()
  }

  /// Ends the streams that are not allowed any more, each with a last reply.
  func endAll(unless isAllowed: (PreviewStream) -> Bool) {
    for stream in streams.values where !isAllowed(stream) { end(stream) }
  }

  /// A client's socket takes data again.
  func catchUp(_ session: ClientSession) {
    for stream in streams.values where stream.belongs(to: session) { stream.catchUp() }
  }

  /// Ends all streams with a last reply.
  func endStreams() {
    isEnding = true
    endAll { _ in false }
  }

  /// Ends one stream with a last reply.
  func end(_ stream: PreviewStream) {
    remove(stream)
    stream.end()
  }

  // MARK: The arbiter

  /// Lets the arbiter take something, and tells the contexts what follows. Nothing that it calls
  /// may come back to it: a session that cannot be written to is closed later.
  private func change(
    _ take: (inout PreviewArbiter, Timestamp, inout [PreviewEvent]) -> Void
  ) {
    // Out of the property: Swift would check each use of that for exclusive access.
    var events: [PreviewEvent] = []
    swap(&events, &self.events)
    take(&arbiter, Timestamp(microseconds: MonotonicTime.now().microseconds), &events)
    if !events.isEmpty {
      tell(events)
      events.removeAll(keepingCapacity: true)
    }
    swap(&events, &self.events)
    if let deadline = arbiter.deadline {
      timer?.set(at: MonotonicTime(deadline))
    } else {
      timer?.cancel()
    }
  }

  private func tell(_ events: [PreviewEvent]) {
    for event in events {
      guard let device = devices[event.device] else { continue }
      streams[event.context]?.send(event, of: device)
    }
    for event in events { streams[event.context]?.flush() }
  }

  /// 128 random bits: who does not know it cannot guess it.
  private static func makeToken() -> String {
    var bytes = [UInt8](repeating: 0, count: 16)
    var generator = SystemRandomNumberGenerator()
    for index in bytes.indices { bytes[index] = generator.next() }
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}
