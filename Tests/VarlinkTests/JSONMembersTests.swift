import Testing

@testable import Varlink

@Suite struct JSONMembersTests {
  /// The members as text, sorted; nil when there is no object.
  private func members(_ text: String) -> [String]? {
    let bytes = Array(text.utf8)
    return JSONMembers(bytes[...])?.members.map {
      "\($0.key)=\(String(decoding: bytes[$0.value], as: UTF8.self))"
    }.sorted()
  }

  @Test func anObjectIsCutIntoItsMembers() {
    #expect(members("{}") == [])
    #expect(members(" {\t} \n") == [])
    #expect(members(#"{"a":1,"b":"x"}"#) == ["a=1", #"b="x""#])
    #expect(members(#"{"a":{"b":[1,2]},"c":null}"#) == [#"a={"b":[1,2]}"#, "c=null"])
  }

  @Test func spaceIsNoPartOfAValue() {
    #expect(members("{ \"a\" :\t{ } ,\r\n\"b\": 1 }") == ["a={ }", "b=1"])
  }

  @Test func bracketsAndQuotesInStringsAreText() {
    #expect(members(#"{"a":"}],\"{","b":"\\"}"#) == [#"a="}],\"{""#, #"b="\\""#])
  }

  @Test func aKeyIsReadWithoutItsEscapes() {
    #expect(members(#"{"p\u0061r\"":1}"#) == [#"par"=1"#])
    #expect(members(#"{"\ud800":1}"#) == nil)
  }

  @Test(arguments: [
    "", " ", "null", "[]", "\"a\"", "1", "{", "}", "{\"a\"", "{\"a\":", "{\"a\":}", "{\"a\":1",
    "{\"a\":1,", "{\"a\":1,}", "{,}", "{a:1}", "{'a':1}", "{\"a\" 1}", "{\"a\":1}}", "{\"a\":1}x",
    "{\"a\":\"", "{\"a\":\"\\", "{\"a\":\"\\\"}", "{\"", "{\"\\", "\u{feff}{}", "{\u{b}}",
  ])
  func whatIsNoObjectIsRefused(text: String) {
    #expect(members(text) == nil)
  }

  @Test func aMemberThatComesTwiceIsRefused() {
    #expect(members(#"{"a":1,"b":2,"a":1}"#) == nil)
    #expect(members(#"{"a":1,"\u0061":1}"#) == nil)
  }

  @Test func whatIsNoUTF8IsRefused() {
    for bytes: [UInt8] in [[0xff], [0xc3], [0xc0, 0x80], [0xed, 0xa0, 0x80]] {
      let text = Array("{\"a\":\"".utf8) + bytes + Array("\"}".utf8)
      #expect(JSONMembers(text[...]).map(\.members.count) == nil, "\(bytes)")
    }
  }

  @Test func thirtyTwoLevelsAreTheLimit() {
    func nested(_ levels: Int) -> String {
      "{\"a\":" + String(repeating: "[", count: levels - 1)
        + String(repeating: "]", count: levels - 1) + "}"
    }
    #expect(members(nested(JSONMembers.maximumDepth)) != nil)
    #expect(members(nested(JSONMembers.maximumDepth + 1)) == nil)
    #expect(members(nested(100_000)) == nil)
    #expect(members("{\"a\":" + String(repeating: "[", count: 100_000)) == nil)
  }

  @Test func siblingsAreNotDeep() {
    let siblings = Array(repeating: "[{}]", count: 1000).joined(separator: ",")
    #expect(members("{\"a\":[\(siblings)]}") != nil)
  }
}
