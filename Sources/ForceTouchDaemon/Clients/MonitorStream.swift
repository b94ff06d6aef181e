import ForceTouchModel
import ForceTouchProtocol
import Varlink

/// One open `org.forcetouchd.Monitor.Watch`.
///
/// Its queue is bounded. A program that reads too slowly loses intermediate `changed` events and
/// frames: of each contact the latest is kept and sent when there is room again, with the count
/// of what was left out. Openings and closings are never lost; a program that does not even take
/// those is disconnected.
final class MonitorStream {
  let wantsFrames: Bool
  private let deviceFilter: String?
  private let seesDevicesWithoutSeat: Bool
  private let session: ClientSession
  private(set) var coalescedCount = 0
  private var untoldCount = 0
  /// The latest `changed` of each contact that found no room.
  private var waiting: [(device: ServedDevice, event: ContactEvent)] = [] {
    didSet { hasWaiting = !waiting.isEmpty }
  }
  private var hasWaiting = false
  private var buffer = JSONBuffer()

  /// - Parameter seesDevicesWithoutSeat: Recordings belong to root and the daemon's own user.
  init(
    session: ClientSession, call: MonitorMessage.WatchCall, seesDevicesWithoutSeat: Bool
  ) {
    self.session = session
    self.seesDevicesWithoutSeat = seesDevicesWithoutSeat
    wantsFrames = call.frames ?? false
    deviceFilter = call.device
  }

  func wants(_ device: ServedDevice) -> Bool {
    (deviceFilter == nil || deviceFilter == device.id)
      && (seesDevicesWithoutSeat || device.seat != nil)
  }

  func belongs(to session: ClientSession) -> Bool { self.session === session }

  func send(_ reply: MonitorMessage.WatchReply) {
    writeWaiting()
    session.reply(reply, continues: true)
    session.flush()
  }

  func send(encodedFrame bytes: Span<UInt8>) {
    guard session.hasRoom, !hasWaiting else {
      count(1)
      return
    }
    tellCoalesced()
    session.send(bytes)
  }

  /// Sends what one frame gave.
  ///
  /// - Parameter bytes: The messages of all events, one after the other, each with its NUL.
  func send(_ events: [ContactEvent], of device: ServedDevice, encoded bytes: Span<UInt8>) {
    // Whoever keeps up gets them as they are.
    if session.isFlushed && !hasWaiting && untoldCount == 0 { return session.write(bytes) }
    var start = 0
    for event in events {
      var end = start
      while bytes[end] != 0 { end += 1 }
      send(event, of: device, encoded: bytes.extracting(start...end))
      start = end + 1
    }
    session.flush()
    if session.hasRoom { catchUp() }
  }

  private func send(_ event: ContactEvent, of device: ServedDevice, encoded bytes: Span<UInt8>) {
    switch event.kind {
    case .changed where !session.hasRoom || hasWaiting:
      coalesce(event, of: device)
    case .changed:
      session.send(bytes)
    case .began, .peek, .pop, .peekEnded, .peekCancelled, .ended, .cancelled:
      // What waits is older: it goes first, for nothing is ever reordered.
      writeWaiting()
      session.send(bytes)
    }
  }

  /// There is room again.
  func catchUp() {
    guard session.hasRoom, untoldCount > 0 || hasWaiting else { return }
    writeWaiting()
    session.flush()
  }

  /// Writes the latest of each contact that waits, room or not: there are few of them.
  private func writeWaiting() {
    tellCoalesced()
    for (device, event) in waiting {
      EventEncoder.encodeReply(into: &buffer) {
        EventEncoder.encode(event, device: device.id, into: &$0)
      }
      buffer.withBytes(session.send)
    }
    waiting.removeAll(keepingCapacity: true)
  }

  func end() {
    writeWaiting()
    session.endStream(MonitorMessage.WatchReply())
  }

  private func coalesce(_ event: ContactEvent, of device: ServedDevice) {
    guard
      let index = waiting.firstIndex(where: {
        $0.device === device && $0.event.contact == event.contact
      })
    else {
      waiting.append((device, event))
      return
    }
    let older = waiting[index].event
    var event = event
    // What is said only once must still be said.
    event.failure = event.failure ?? older.failure
    event.isResynchronized = event.isResynchronized || older.isResynchronized
    waiting[index].event = event
    count(1)
  }

  private func count(_ number: Int) {
    coalescedCount += number
    untoldCount += number
  }

  private func tellCoalesced() {
    guard untoldCount > 0 else { return }
    session.reply(MonitorMessage.WatchReply(coalesced: untoldCount), continues: true)
    untoldCount = 0
  }
}
