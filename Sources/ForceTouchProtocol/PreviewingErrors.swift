extension PreviewingMessage {
  /// The errors that only this interface declares, by their names on the wire.
  public enum ErrorName {
    public static let noSuchContext = interface + ".NoSuchContext"
    public static let noSuchInteraction = interface + ".NoSuchInteraction"
    public static let interactionOver = interface + ".InteractionOver"
    public static let invalidSourceRect = interface + ".InvalidSourceRect"
    public static let contextDormant = interface + ".ContextDormant"
    public static let noSuchContact = interface + ".NoSuchContact"
    public static let contactOwnedByAnother = interface + ".ContactOwnedByAnother"
    public static let claimTooLate = interface + ".ClaimTooLate"
    public static let tooManyWrongClaims = interface + ".TooManyWrongClaims"
  }

  /// The parameters of errors about an interaction.
  public struct InteractionError: Codable, Equatable, Sendable {
    public var interaction: UInt64
    public init(interaction: UInt64) { self.interaction = interaction }
  }

  /// The parameters of errors about a claimed touch.
  public struct TouchError: Codable, Equatable, Sendable {
    public var touchTime: UInt32
    public init(touchTime: UInt32) { self.touchTime = touchTime }
  }
}
