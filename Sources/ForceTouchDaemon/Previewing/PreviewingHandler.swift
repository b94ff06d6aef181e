import ForceTouchModel
import ForceTouchProtocol
import ForceTouchRecognition
import Varlink

/// `org.forcetouchd.Previewing`: for the user who sits at the device's seat.
final class PreviewingHandler: InterfaceHandler {
  let interface = PreviewingMessage.interface
  let interfaceText = PreviewingMessage.interfaceText
  private let hub: Hub
  private let previews: Previews
  private let access: AccessPolicy
  private let configuration: Configuration

  init(hub: Hub, access: AccessPolicy, configuration: Configuration) {
    self.hub = hub
    previews = hub.previews
    self.access = access
    self.configuration = configuration
  }

  func handle(_ call: Call, of session: ClientSession) throws(ServiceError) {
    switch call.method {
    case "Register":
      guard call.wantsMore else { throw .expectedMore }
      let parameters = try call.parameters(as: PreviewingMessage.RegisterCall.self)
      previews.register(try context(parameters, session.connection.peer), of: session)
    case "Answer":
      let parameters = try call.parameters(as: PreviewingMessage.AnswerCall.self)
      try answer(parameters, try stream(parameters.token, session))
      session.reply(Empty())
    case "Claim":
      let parameters = try call.parameters(as: PreviewingMessage.ClaimCall.self)
      hub.takeAvailable()
      try claim(parameters.touchTime, try stream(parameters.token, session))
      session.reply(Empty())
    case "SetActive":
      let parameters = try call.parameters(as: PreviewingMessage.SetActiveCall.self)
      previews.setActive(parameters.active, try stream(parameters.token, session))
      session.reply(Empty())
    case "Unregister":
      let parameters = try call.parameters(as: PreviewingMessage.UnregisterCall.self)
      previews.end(try stream(parameters.token, session))
      session.reply(Empty())
    default: throw .methodNotFound(call.method)
    }
  }

  func accessChanged() {
    previews.endAll { what($0.coverage, needsOf: $0.peer) == nil }
    previews.updateDormancy { [access] in access.mayPreview($0.peer, seat: $0.seat) }
  }

  // MARK: Calls

  /// The token of another user's context is as unknown as one that never was.
  private func stream(
    _ token: String, _ session: ClientSession
  ) throws(ServiceError) -> PreviewStream {
    guard let stream = previews.stream(token: token, user: session.connection.peer.userID) else {
      throw ServiceError(PreviewingMessage.ErrorName.noSuchContext, Empty())
    }
    return stream
  }

  private func context(
    _ call: PreviewingMessage.RegisterCall, _ peer: PeerCredentials
  ) throws(ServiceError) -> PreviewingContext {
    let device = try call.device.map { id throws(ServiceError) in
      guard let device = hub.device(id) else { throw .noSuchDevice(interface, id) }
      return device.number
    }
    // Who may do everything is served at every seat, and where there is none.
    let seat = call.seat ?? (access.isTrusted(peer) ? nil : "seat0")
    let coverage = try coverage(call)
    if let needed = what(coverage, needsOf: peer) {
      throw .permissionDenied(interface, needed: needed)
    }
    return PreviewingContext(
      id: PreviewingContextID(rawValue: 0), coverage: coverage, device: device,
      seat: seat, user: peer.userID, isActive: call.active,
      isDormant: !access.mayPreview(peer, seat: seat))
  }

  /// What somebody lacks for a coverage; nil: nothing.
  private func what(
    _ coverage: PreviewingContext.Coverage, needsOf peer: PeerCredentials
  ) -> String? {
    switch coverage {
    case .view, .everything(includingTouchscreens: false): nil
    // A region over everything sees every touch.
    case .region:
      configuration.judge.settings.regionsForActiveUsers || access.mayMonitor(peer)
        ? nil : AccessPolicy.regionNeeds
    case .everything(includingTouchscreens: true):
      access.mayMonitor(peer) ? nil : AccessPolicy.monitorNeeds
    }
  }

  private func coverage(
    _ call: PreviewingMessage.RegisterCall
  ) throws(ServiceError) -> PreviewingContext.Coverage {
    let size = try call.size.map { size throws(ServiceError) in
      guard let size = ViewSize(width: size.width, height: size.height) else {
        throw .invalidParameter("size")
      }
      return size
    }
    // What would be ignored is a mistake that its program should hear of.
    if call.region != nil, call.coverage != .region { throw .invalidParameter("region") }
    if call.touchscreens != nil, call.coverage != .everything {
      throw .invalidParameter("touchscreens")
    }
    switch call.coverage {
    case .view: return .view(size: size)
    case .region:
      guard let size else { throw .invalidParameter("size") }
      guard let region = call.region,
        let region = ScreenRegion(
          x: region.x, y: region.y, width: region.width, height: region.height)
      else { throw .invalidParameter("region") }
      return .region(region, size: size)
    case .everything: return .everything(includingTouchscreens: call.touchscreens ?? false)
    }
  }

  private func answer(
    _ call: PreviewingMessage.AnswerCall, _ stream: PreviewStream
  ) throws(ServiceError) {
    let rect = call.sourceRect.map {
      ViewRect(x: $0.x, y: $0.y, width: $0.width, height: $0.height)
    }
    let answer =
      call.preview
      ? PreviewAnswer.preview(sourceRect: rect, allowsPop: call.allowsPop ?? true) : .decline
    do throws(AnswerError) {
      try previews.answer(InteractionID(rawValue: call.interaction), of: stream, with: answer)
    } catch {
      let parameters = PreviewingMessage.InteractionError(interaction: call.interaction)
      switch error {
      case .noSuchContext: throw ServiceError(Self.names.noSuchContext, Empty())
      case .noSuchInteraction: throw ServiceError(Self.names.noSuchInteraction, parameters)
      case .interactionOver: throw ServiceError(Self.names.interactionOver, parameters)
      case .invalidSourceRect: throw ServiceError(Self.names.invalidSourceRect, Empty())
      }
    }
  }

  private func claim(_ touchTime: UInt32, _ stream: PreviewStream) throws(ServiceError) {
    do throws(ClaimError) {
      try previews.claim(touchTime, by: stream)
    } catch {
      let parameters = PreviewingMessage.TouchError(touchTime: touchTime)
      switch error {
      case .noSuchContext: throw ServiceError(Self.names.noSuchContext, Empty())
      case .contextDormant: throw ServiceError(Self.names.contextDormant, Empty())
      case .noSuchContact: throw ServiceError(Self.names.noSuchContact, parameters)
      case .ownedByAnother: throw ServiceError(Self.names.contactOwnedByAnother, parameters)
      case .tooLate: throw ServiceError(Self.names.claimTooLate, parameters)
      case .tooManyWrongClaims: throw ServiceError(Self.names.tooManyWrongClaims, Empty())
      }
    }
  }

  private static let names = PreviewingMessage.ErrorName.self
}
