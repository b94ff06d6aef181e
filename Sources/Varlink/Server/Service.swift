/// What a server offers: its interfaces, and `org.varlink.service`, which describes them.
public struct Service: Sendable {
  public struct Identity: Codable, Equatable, Sendable {
    public var vendor: String
    public var product: String
    public var version: String
    public var url: String

    public init(vendor: String, product: String, version: String, url: String) {
      self.vendor = vendor
      self.product = product
      self.version = version
      self.url = url
    }
  }

  private let identity: Identity
  private let interfaces: [Interface]

  /// - Parameter texts: The interface definitions. One that does not parse is a mistake of the
  ///   program and stops it.
  public init(identity: Identity, interfaces texts: [String]) {
    self.identity = identity
    interfaces = ([Self.ownText] + texts).map { text in
      guard let interface = Interface(text: text) else {
        preconditionFailure("not an interface definition: \(text.prefix(80))")
      }
      return interface
    }
  }

  /// Answers `org.varlink.service`, and calls of what there is not. Gives true when the call is
  /// one that the program must answer.
  public func isForProgram(_ call: Call, on connection: ServerConnection) -> Bool {
    do throws(ServiceError) {
      guard let interface = interfaces.first(where: { $0.name == call.interface }) else {
        throw .interfaceNotFound(call.interface)
      }
      guard let parameters = interface.methods[call.method] else {
        throw .methodNotFound(call.method)
      }
      guard !call.wantsUpgrade else { throw .methodNotImplemented(call.method) }
      try call.check(parameters)
      guard interface.name == Self.ownName else { return true }
      try answer(call, on: connection)
    } catch {
      connection.reply(error)
    }
    return false
  }

  private func answer(
    _ call: Call, on connection: ServerConnection
  ) throws(ServiceError) {
    switch call.method {
    case "GetInfo":
      connection.reply(
        Info(
          vendor: identity.vendor, product: identity.product, version: identity.version,
          url: identity.url, interfaces: interfaces.map(\.name)))
    case "GetInterfaceDescription":
      let name = try call.parameters(as: DescriptionCall.self).interface
      guard let interface = interfaces.first(where: { $0.name == name }) else {
        throw .interfaceNotFound(name)
      }
      connection.reply(DescriptionReply(description: interface.text))
    default: throw .methodNotFound(call.method)
    }
  }

  private struct Info: Codable {
    var vendor: String
    var product: String
    var version: String
    var url: String
    var interfaces: [String]
  }

  private struct DescriptionCall: Codable {
    var interface: String
  }

  private struct DescriptionReply: Codable {
    var description: String
  }

  private static let ownName = "org.varlink.service"

  private static let ownText = """
    # The Varlink Service Interface is provided by every varlink service. It
    # describes the service and the interfaces it implements.
    interface org.varlink.service

    # Get a list of all the interfaces a service provides and information
    # about the implementation.
    method GetInfo() -> (
      vendor: string,
      product: string,
      version: string,
      url: string,
      interfaces: []string
    )

    # Get the description of an interface that is implemented by this service.
    method GetInterfaceDescription(interface: string) -> (description: string)

    # The requested interface was not found.
    error InterfaceNotFound (interface: string)

    # The requested method was not found
    error MethodNotFound (method: string)

    # The interface defines the requested method, but the service does not
    # implement it.
    error MethodNotImplemented (method: string)

    # One of the passed parameters is invalid.
    error InvalidParameter (parameter: string)

    # The client may not do this.
    error PermissionDenied ()

    # The method must be called with the 'more' flag.
    error ExpectedMore ()

    """
}
