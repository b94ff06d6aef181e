import ForceTouchEngine
import ForceTouchModel
import ForceTouchProtocol

/// The devices there are, and the streams that listen to them: the one place where sources and
/// clients meet.
final class Hub {
  private(set) var devices: [ServedDevice] = []
  private var monitorStreams: [MonitorStream] = [] {
    didSet { wantsFrames = monitorStreams.contains { $0.wantsFrames } }
  }
  /// Whether any stream wants raw frames.
  private var wantsFrames = false
  private var deviceStreams: [DeviceStream] = []
  /// What previewing contexts hear of.
  let previews: Previews
  private var lastDevice = DeviceID(rawValue: 0)
  /// Called when a device came, went, or is judged differently.
  var whenDevicesChange: () -> Void = {}
  /// Called when the use of a device has proven what makes it unavailable.
  var whenProven: (ServedDevice) -> Void = { _ in }
  /// Reused for every message of the hot path.
  private var buffer = JSONBuffer()
  /// `changed` events and frames left out because a client read too slowly, for all clients.
  var coalescedCount: Int {
    coalescedByGoneStreams + previews.coalescedCount
      + monitorStreams.reduce(0) { $0 + $1.coalescedCount }
  }
  private var coalescedByGoneStreams = 0
  /// The daemon stops: who asks now gets a snapshot and the last reply at once.
  private var isEnding = false

  init(loop: EventLoop) throws(LoopError) {
    previews = try Previews(loop: loop)
    previews.whenNeedsChange = { [unowned self] in updateNeeds() }
  }

  // MARK: Devices

  func nextDeviceNumber() -> DeviceID {
    lastDevice.rawValue += 1
    return lastDevice
  }

  func device(_ id: String) -> ServedDevice? {
    devices.first { $0.id == id }
  }

  func add(_ device: ServedDevice) {
    devices.append(device)
    previews.add(device)
    let message = device.message
    for stream in deviceStreams { stream.send(.init(added: message)) }
    for stream in monitorStreams where stream.wants(device) { stream.send(.init(added: message)) }
    device.source?.setNeeded(isNeeded(device))
    whenDevicesChange()
  }

  /// Its contacts must have been closed before.
  func remove(_ device: ServedDevice) {
    devices.removeAll { $0 === device }
    previews.remove(device)
    for stream in deviceStreams { stream.send(.init(removed: device.id)) }
    for stream in monitorStreams where stream.wants(device) {
      stream.send(.init(removed: device.id))
    }
    whenDevicesChange()
  }

  /// Goes by what is decided now. A device that is judged differently is announced as changed.
  func judgeAgain(by judge: Judge) {
    for device in devices where device.take(judge) {
      announceChange(of: device)
      device.source?.setNeeded(isNeeded(device))
    }
    whenDevicesChange()
  }

  /// Its use has proven something against it. What was open is closed already.
  func announceProof(of device: ServedDevice) {
    announceChange(of: device)
    whenProven(device)
    whenDevicesChange()
  }

  private func announceChange(of device: ServedDevice) {
    let message = device.message
    for stream in deviceStreams { stream.send(.init(changed: message)) }
    for stream in monitorStreams where stream.wants(device) {
      stream.send(.init(changed: message))
    }
  }

  /// Takes what the kernel has by now. A program that names a touch may be heard before it.
  func takeAvailable() {
    for device in devices where device.isOpen { device.source?.takeAvailable() }
  }

  /// Closes what is open on the devices of a seat.
  func cancelContacts(seat: String, _ reason: CancelReason) {
    for device in devices where device.seat == seat { device.cancel(reason) }
  }

  private func isNeeded(_ device: ServedDevice) -> Bool {
    if monitorStreams.contains(where: { $0.wants(device) }) { return true }
    return device.source?.waitsForAudience == true
      ? previews.hasAudience(device) : previews.needs(device)
  }

  private func updateNeeds() {
    for device in devices { device.source?.setNeeded(isNeeded(device)) }
  }

  // MARK: Streams

  var streamCount: Int { monitorStreams.count + deviceStreams.count + previews.streamCount }

  func add(_ stream: DeviceStream) {
    stream.send(.init(snapshot: devices.map(\.message)))
    if isEnding { stream.end() } else { deviceStreams.append(stream) }
  }

  func add(_ stream: MonitorStream) {
    let wanted = devices.filter(stream.wants)
    stream.send(
      .init(
        snapshot: .init(
          devices: wanted.map(\.message),
          events: wanted.flatMap { device in
            device.openContacts.map { EventMessage($0, device: device.id) }
          })))
    guard !isEnding else { return stream.end() }
    monitorStreams.append(stream)
    updateNeeds()
  }

  func remove(_ stream: DeviceStream) {
    deviceStreams.removeAll { $0 === stream }
  }

  func remove(_ stream: MonitorStream) {
    monitorStreams.removeAll { $0 === stream }
    coalescedByGoneStreams += stream.coalescedCount
    updateNeeds()
  }

  /// A client's socket takes data again.
  func catchUp(_ session: ClientSession) {
    for stream in monitorStreams where stream.belongs(to: session) { stream.catchUp() }
    previews.catchUp(session)
  }

  /// Ends all streams with a last reply.
  func endStreams() {
    isEnding = true
    for stream in deviceStreams { stream.end() }
    for stream in monitorStreams { stream.end() }
    previews.endStreams()
    deviceStreams.removeAll()
    monitorStreams.removeAll()
  }

  // MARK: The hot path

  /// Queues a frame for the streams that want frames; it is written with the events that follow.
  func publish(_ frame: Frame, of device: ServedDevice) {
    guard wantsFrames,
      monitorStreams.contains(where: { $0.wantsFrames && $0.wants(device) })
    else { return }
    var buffer = JSONBuffer()
    swap(&buffer, &self.buffer)
    defer { swap(&buffer, &self.buffer) }
    EventEncoder.encodeReply(into: &buffer) {
      EventEncoder.encode(frame, device: device.id, into: &$0)
    }
    buffer.withBytes { bytes in
      for stream in monitorStreams where stream.wantsFrames && stream.wants(device) {
        stream.send(encodedFrame: bytes)
      }
    }
  }

  /// Encodes each event once, and gives each stream all of them.
  func publish(_ events: [ContactEvent], of device: ServedDevice) {
    previews.process(events, of: device)
    guard !monitorStreams.isEmpty else { return }
    // Out of the property: Swift would check each use of that for exclusive access.
    var buffer = JSONBuffer()
    swap(&buffer, &self.buffer)
    defer { swap(&buffer, &self.buffer) }
    EventEncoder.encodeReplies(events, device: device.id, into: &buffer)
    buffer.withBytes { bytes in
      for stream in monitorStreams where stream.wants(device) {
        stream.send(events, of: device, encoded: bytes)
      }
    }
  }
}
