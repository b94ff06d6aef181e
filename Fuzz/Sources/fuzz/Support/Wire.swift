import ForceTouchProtocol

@testable import Varlink

/// An input as what goes over a socket: messages end at a line's end too, so that a corpus can be
/// read.
func wire(_ bytes: ArraySlice<UInt8>) -> [UInt8] { bytes.map { $0 == 0x0a ? 0 : $0 } }

/// JSON of any shape, as the decoder understands it.
enum JSONValue: Decodable, Equatable {
  case null
  case bool(Bool)
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode([JSONValue].self) {
      self = .array(value)
    } else {
      self = .object(try container.decode([String: JSONValue].self))
    }
  }
}

/// What was decoded must be encoded and decoded to the same.
func checkRoundTrip<Value: Codable & Equatable>(_ value: Value) {
  do {
    let again = try JSON.decode(Value.self, from: JSON.encode(value)[...])
    check(again == value, "\(value) is read back as \(again)")
  } catch {
    fail("\(value) is not read back: \(error)")
  }
}

/// A reply as anybody may read it.
struct WireReply: Decodable, Equatable {
  var parameters: JSONValue
  var error: String?
  var continues: Bool?
}

/// The replies of a server: nothing but whole messages.
func replies(_ bytes: [UInt8]) -> [WireReply] {
  check(bytes.isEmpty || bytes.last == 0, "the last reply has no end")
  return bytes.split(separator: 0, omittingEmptySubsequences: false).dropLast().map { message in
    guard let reply = try? JSON.decode(WireReply.self, from: message),
      case .object = reply.parameters
    else { fail("no reply: \(String(decoding: message, as: UTF8.self).debugDescription)") }
    return reply
  }
}
