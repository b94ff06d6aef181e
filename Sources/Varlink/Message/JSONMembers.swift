/// Cuts a JSON object into its members without understanding their values, and refuses what is
/// nested too deeply before a recursive decoder sees it.
public struct JSONMembers: Sendable {
  /// Keys without quotes and escapes; values as ranges of the given bytes.
  public private(set) var members: [String: Range<Int>] = [:]

  /// What no message of ours comes near.
  public static let maximumDepth = 32

  /// nil when the bytes are no object, no UTF-8, nested more than ``maximumDepth`` levels, or
  /// say the same member twice: of two values nobody knows which is meant.
  public init?(_ bytes: ArraySlice<UInt8>) {
    guard String(validating: bytes, as: UTF8.self) != nil else { return nil }
    var scanner = JSONScanner(bytes)
    guard scanner.take("{") else { return nil }
    if !scanner.take("}") {
      repeat {
        guard let key = scanner.string(), scanner.take(":"),
          let value = scanner.value(maximumDepth: Self.maximumDepth - 1),
          members.updateValue(value, forKey: key) == nil
        else { return nil }
      } while scanner.take(",")
      guard scanner.take("}") else { return nil }
    }
    guard scanner.isAtEnd() else { return nil }
  }

  public subscript(_ key: String) -> Range<Int>? { members[key] }

  /// A member that is true or false; absent and null are false. nil when it is something else.
  func flag(_ key: String, of message: [UInt8]) -> Bool? {
    guard let range = self[key] else { return false }
    let value = message[range]
    if value.elementsEqual("true".utf8) { return true }
    return value.elementsEqual("false".utf8) || value.elementsEqual("null".utf8) ? false : nil
  }

  /// The object that is the parameters of a call or a reply. Absent and null are an empty one.
  func parameters(of message: [UInt8]) -> ArraySlice<UInt8> {
    guard let range = self["parameters"], message[range] != Array("null".utf8)[...] else {
      return Array("{}".utf8)[...]
    }
    return message[range]
  }
}
