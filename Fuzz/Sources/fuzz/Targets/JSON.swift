@testable import Varlink

/// Where our scanner finds members, the decoder finds the same; and an error names something that
/// is there.
func fuzzJSON(_ bytes: [UInt8]) {
  let text = bytes[...]
  guard let members = JSONMembers(text) else { return }
  guard let whole = try? JSON.decode([String: JSONValue].self, from: text) else {
    _ = JSON.fault(of: text, as: [String: [Int32]].self)
    return
  }
  check(
    Set(whole.keys) == Set(members.members.keys), "\(whole.keys), but \(members.members.keys)")
  for (key, range) in members.members {
    let value = try? JSON.decode(JSONValue.self, from: text[range])
    check(value == whole[key], "\(key) is \(String(describing: value)) on its own")
  }
  // Of what can be decoded nothing is at fault; of what cannot, it is one of the members.
  let fault = JSON.fault(of: text, as: [String: Int32].self)
  if (try? JSON.decode([String: Int32].self, from: text)) != nil {
    check(fault == nil, "\(fault ?? "") is at fault, of nothing")
  } else if let fault {
    check(whole[fault] != nil, "\(fault) is at fault and is no member")
  }
}
