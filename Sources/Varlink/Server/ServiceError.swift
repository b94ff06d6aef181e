/// An error reply: one of `org.varlink.service`, or one that an interface declares.
public struct ServiceError: Error, Sendable {
  public let name: String
  /// The encoded parameters, a JSON object.
  let parameters: [UInt8]

  /// An error of an interface, `interface.Error`.
  public init(_ name: String, _ parameters: some Encodable) {
    self.name = name
    // What cannot be encoded (a value that is not finite) is no reason to be silent.
    self.parameters = (try? JSON.encode(parameters)) ?? Array("{}".utf8)
  }

  public static func interfaceNotFound(_ name: String) -> ServiceError {
    ServiceError("org.varlink.service.InterfaceNotFound", ["interface": name])
  }

  public static func methodNotFound(_ name: String) -> ServiceError {
    ServiceError("org.varlink.service.MethodNotFound", ["method": name])
  }

  /// The interface declares the method, and the service cannot do it.
  public static func methodNotImplemented(_ name: String) -> ServiceError {
    ServiceError("org.varlink.service.MethodNotImplemented", ["method": name])
  }

  /// A value, or its name, is not what the method takes.
  public static func invalidParameter(_ name: String) -> ServiceError {
    ServiceError("org.varlink.service.InvalidParameter", ["parameter": name])
  }

  /// The client may not do this, and there is no more to say about it.
  public static let permissionDenied = ServiceError(
    "org.varlink.service.PermissionDenied", Empty())

  /// The method streams and was called without `more`.
  public static let expectedMore = ServiceError("org.varlink.service.ExpectedMore", Empty())
}
