import ForceTouchModel
import ForceTouchProtocol
import ForceTouchRecognition
import Varlink

/// One open `org.forcetouchd.Previewing.Register`: a previewing context and how its program hears
/// of it.
///
/// Its queue is bounded as that of ``MonitorStream``: of a program that reads too slowly only the
/// latest progress is kept, and what was left out is counted and told; everything else is sent, or
/// the connection closed.
final class PreviewStream {
  let context: PreviewingContextID
  /// Names the context in the calls of its program. It is worth nothing to other users.
  let token: String
  /// The seat whose devices it is for; nil: every one, and devices without a seat.
  let seat: String?
  let coverage: PreviewingContext.Coverage
  /// What it was told last: whether its user is in front of the seat.
  private(set) var isActive: Bool
  private let session: ClientSession
  private var untoldCount = 0
  private(set) var coalescedCount = 0
  /// The latest progress, if it found no room.
  private var waiting: (event: PreviewEvent, device: ServedDevice)?
  private var buffer = JSONBuffer()

  init(_ context: PreviewingContext, token: String, session: ClientSession) {
    self.context = context.id
    self.token = token
    seat = context.seat
    coverage = context.coverage
    isActive = !context.isDormant
    self.session = session
  }

  var peer: PeerCredentials { session.connection.peer }

  func belongs(to session: ClientSession) -> Bool { self.session === session }

  func sendSnapshot() {
    session.reply(
      PreviewingMessage.RegisterReply(snapshot: .init(token: token, active: isActive)),
      continues: true)
  }

  func setActive(_ isActive: Bool) {
    guard isActive != self.isActive else { return }
    self.isActive = isActive
    writeWaiting()
    session.reply(PreviewingMessage.RegisterReply(active: isActive), continues: true)
    session.flush()
  }

  func send(_ event: PreviewEvent, of device: ServedDevice) {
    switch event.kind {
    case .peekProgress, .popProgress:
      guard session.hasRoom else {
        if waiting != nil {
          untoldCount += 1
          coalescedCount += 1
        }
        waiting = (event, device)
        return
      }
    case .question, .peek, .pop, .peekEnded, .peekCancelled: break
    }
    // What waits is older: it goes first, for nothing is ever reordered.
    writeWaiting()
    write(event, of: device)
  }

  func flush() {
    session.flush()
    catchUp()
  }

  /// There is room again, perhaps.
  func catchUp() {
    guard session.hasRoom, waiting != nil || untoldCount > 0 else { return }
    writeWaiting()
    session.flush()
  }

  /// Ends the stream with a last reply; the connection may be used for another call.
  func end() {
    writeWaiting()
    session.endStream(PreviewingMessage.RegisterReply())
  }

  private func writeWaiting() {
    if untoldCount > 0 {
      session.reply(PreviewingMessage.RegisterReply(coalesced: untoldCount), continues: true)
      untoldCount = 0
    }
    if let waiting {
      self.waiting = nil
      write(waiting.event, of: waiting.device)
    }
  }

  private func write(_ event: PreviewEvent, of device: ServedDevice) {
    EventEncoder.encodeReply(into: &buffer) {
      EventEncoder.encode(
        event, device: device.id,
        maximumPossibleForce: device.engine.profile?.maximumPossibleForce, into: &$0)
    }
    buffer.withBytes(session.send)
  }
}
