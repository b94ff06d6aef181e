private struct CallHeader<Parameters: Encodable>: Encodable {
  var method: String
  var parameters: Parameters
  var more: Bool?
}

/// A call as it is sent, its NUL included.
func encodedCall(
  _ method: String, _ parameters: some Encodable, more: Bool
) throws(ClientError) -> [UInt8] {
  let header = CallHeader(method: method, parameters: parameters, more: more ? true : nil)
  guard var message = try? JSON.encode(header) else { throw .cannotEncode(method: method) }
  message.append(0)
  return message
}
