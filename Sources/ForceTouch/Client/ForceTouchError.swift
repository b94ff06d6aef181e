internal import ForceTouchProtocol
internal import Varlink

/// What can go wrong between a program and the daemon. Its description is one sentence.
public enum ForceTouchError: Error, Equatable, Sendable, CustomStringConvertible {
  /// A system call failed when the client was made: no descriptors or no memory are left.
  case system(call: String, reason: String)
  /// The daemon cannot be reached. The library keeps trying.
  case cannotConnect(path: String, reason: String)
  /// The daemon is gone. The library connects again, and registers again.
  case connectionLost(reason: String)
  /// The daemon sent what is no part of the conversation. The library connects again.
  case malformedMessage
  /// The context is not registered (yet): the daemon is not there, or refused it.
  case notRegistered
  /// The user may not do this; `needed` says what is lacking.
  case permissionDenied(needed: String)
  /// The user is not in front of the seat.
  case contextDormant
  /// No touch that is still down began at this time.
  case noSuchContact(time: UInt32)
  /// Another program has the touch.
  case contactOwnedByAnother(time: UInt32)
  /// The touch began too long ago, or the context was asked about it already.
  case claimTooLate(time: UInt32)
  /// The user claimed too often what was not there: later claims will be heard again.
  case tooManyWrongClaims
  /// There is no such question, or it was answered, or its time is over.
  case interactionOver
  /// The source rect is not finite, has a negative side, or lies outside of the source view.
  case invalidSourceRect
  /// The source view is gone: keep it as long as its context, or unregister.
  case sourceViewGone
  /// The daemon answered with another error: it may be of another version.
  case refused(name: String)

  /// One sentence for people.
  public var description: String {
    switch self {
    case .system(let call, let reason): "\(call) failed: \(reason)"
    case .cannotConnect(let path, let reason):
      "forcetouchd cannot be reached at \(path): \(reason)"
    case .connectionLost(let reason): "the connection to forcetouchd was lost: \(reason)"
    case .malformedMessage: "forcetouchd sent something that is no part of the conversation"
    case .notRegistered: "the source view is not registered with forcetouchd"
    case .permissionDenied(let needed): "this needs \(needed)"
    case .contextDormant: "the user is not in front of the seat"
    case .noSuchContact(let time): "no touch that is down began at \(time) ms"
    case .contactOwnedByAnother(let time): "another program has the touch that began at \(time) ms"
    case .claimTooLate(let time): "the touch that began at \(time) ms was claimed too late"
    case .tooManyWrongClaims: "too many touches were claimed that were not there"
    case .interactionOver: "the question is over or was answered"
    case .invalidSourceRect:
      "the source rect is not finite, has a negative side, or lies outside of the source view"
    case .sourceViewGone: "the source view is gone"
    case .refused(let name): "forcetouchd answered \(name)"
    }
  }

  init(_ error: ClientError) {
    switch error {
    case .cannotConnect(let path, let reason): self = .cannotConnect(path: path, reason: reason)
    case .connectionLost(let reason): self = .connectionLost(reason: reason)
    case .malformedReply: self = .malformedMessage
    case .cannotEncode(let method): self = .refused(name: method)
    case .service(let name, _): self.init(name: name, error)
    }
  }

  private init(name: String, _ error: ClientError) {
    var touchTime: UInt32 {
      error.parameters(as: PreviewingMessage.TouchError.self)?.touchTime ?? 0
    }
    switch name {
    case PermissionDenied.error(of: PreviewingMessage.interface):
      self = .permissionDenied(
        needed: error.parameters(as: PermissionDenied.self)?.needed ?? "more rights")
    case PreviewingMessage.ErrorName.noSuchContext: self = .notRegistered
    case PreviewingMessage.ErrorName.noSuchInteraction,
      PreviewingMessage.ErrorName.interactionOver:
      self = .interactionOver
    case PreviewingMessage.ErrorName.invalidSourceRect: self = .invalidSourceRect
    case PreviewingMessage.ErrorName.contextDormant: self = .contextDormant
    case PreviewingMessage.ErrorName.noSuchContact: self = .noSuchContact(time: touchTime)
    case PreviewingMessage.ErrorName.contactOwnedByAnother:
      self = .contactOwnedByAnother(time: touchTime)
    case PreviewingMessage.ErrorName.claimTooLate: self = .claimTooLate(time: touchTime)
    case PreviewingMessage.ErrorName.tooManyWrongClaims: self = .tooManyWrongClaims
    default: self = .refused(name: name)
    }
  }
}
