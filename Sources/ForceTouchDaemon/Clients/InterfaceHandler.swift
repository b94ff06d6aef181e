import ForceTouchProtocol
import Varlink

/// Answers the calls of one interface.
protocol InterfaceHandler: AnyObject {
  var interface: String { get }
  /// The `.varlink` text.
  var interfaceText: String { get }
  /// Answers a call, or opens a stream for it; throws the error reply.
  func handle(_ call: Call, of session: ClientSession) throws(ServiceError)
  /// Somebody else sits at some seat, or the settings are others: what is open may not be allowed
  /// any more.
  func accessChanged()
}

extension InterfaceHandler {
  func accessChanged() {}
}

extension ServiceError {
  /// The error of that name which every interface with devices declares.
  static func noSuchDevice(_ interface: String, _ id: String) -> ServiceError {
    ServiceError(NoSuchDevice.error(of: interface), NoSuchDevice(device: id))
  }

  /// The error of that name which every interface declares that is not for everybody.
  static func permissionDenied(_ interface: String, needed: String) -> ServiceError {
    ServiceError(PermissionDenied.error(of: interface), PermissionDenied(needed: needed))
  }
}
