// The errors that several interfaces declare alike.

/// `error NoSuchDevice`.
public struct NoSuchDevice: Codable, Equatable, Sendable {
  public var device: String
  public init(device: String) { self.device = device }

  public static func error(of interface: String) -> String { interface + ".NoSuchDevice" }
}

/// `error PermissionDenied`, with what the caller lacks.
public struct PermissionDenied: Codable, Equatable, Sendable {
  public var needed: String
  public init(needed: String) { self.needed = needed }

  public static func error(of interface: String) -> String { interface + ".PermissionDenied" }
}
