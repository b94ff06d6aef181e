internal import ForceTouchModel
internal import ForceTouchProtocol
internal import Varlink

extension PreviewingEvent {
  /// - Parameters:
  ///   - location: Where, in the view's units now.
  ///   - maximumPossibleForce: What the question said.
  init(
    _ message: PreviewingMessage.Event, location: ViewPoint?, maximumPossibleForce: Double?
  ) {
    kind =
      switch message.event {
      case .question: .question(timeout: .microseconds(message.timeout ?? 0))
      case .peekProgress: .peekProgress(Self.unit(message.progress))
      case .peek: .peek
      case .popProgress: .popProgress(Self.unit(message.progress))
      case .pop: .pop
      case .peekEnded: .peekEnded
      case .peekCancelled: .peekCancelled(message.reason.map { .daemon($0) } ?? .unknown)
      }
    interaction = message.interaction
    device = message.device
    time = message.time
    self.location = location
    pressure = message.pressure
    force = message.force
    self.maximumPossibleForce = message.maximumPossibleForce ?? maximumPossibleForce
    grams = message.grams
    isEstimated = message.estimated ?? false
  }

  private static func unit(_ progress: Double?) -> Double { min(max(progress ?? 0, 0), 1) }

  /// What closes this interaction without the daemon's saying so.
  func cancelled(_ cancellation: PreviewCancellation) -> PreviewingEvent {
    var event = self
    event.kind = .peekCancelled(cancellation)
    return event
  }

  var isProgress: Bool {
    switch kind {
    case .peekProgress, .popProgress: true
    case .question, .peek, .pop, .peekEnded, .peekCancelled: false
    }
  }
}

/// A reply of Register. A daemon that is newer may cancel for reasons that are not known here.
struct RegisterReply {
  var message: PreviewingMessage.RegisterReply

  private struct Cancelled: Decodable {
    struct Event: Decodable {
      var event: PreviewingMessage.Event.Kind
      var interaction: UInt64
      var device: String
      var time: Int64
      var reason: String
    }
    var event: Event
  }

  init(_ reply: Reply) throws(ClientError) {
    do throws(ClientError) {
      message = try reply.decoded(as: PreviewingMessage.RegisterReply.self)
    } catch {
      guard let event = try? reply.decoded(as: Cancelled.self).event,
        event.event == .peekCancelled, PreviewCancelReason(rawValue: event.reason) == nil
      else { throw error }
      var closing = PreviewingMessage.Event(
        PreviewEvent(
          kind: .peekCancelled(.lifted), context: PreviewingContextID(rawValue: 0),
          interaction: InteractionID(rawValue: event.interaction), device: DeviceID(rawValue: 0),
          time: Timestamp(microseconds: event.time)),
        device: event.device, maximumPossibleForce: nil)
      closing.reason = nil
      message = PreviewingMessage.RegisterReply(event: closing)
    }
  }
}
