/// A Varlink interface: its text, as introspection returns it, and the methods it declares.
public struct Interface: Sendable {
  public let name: String
  public let text: String
  /// The names of each method's parameters.
  let methods: [String: Set<String>]

  /// nil when the text is no interface definition.
  public init?(text: String) {
    var tokens = Tokens(text)
    guard tokens.next() == "interface", let name = tokens.next() else { return nil }
    var methods: [String: Set<String>] = [:]
    while let keyword = tokens.next() {
      guard let member = tokens.next() else { return nil }
      switch keyword {
      case "type":
        guard tokens.structure() != nil else { return nil }
      case "error":
        guard tokens.structure() != nil else { return nil }
      case "method":
        guard let parameters = tokens.structure(), tokens.next() == "->",
          tokens.structure() != nil
        else { return nil }
        methods[member] = parameters
      default: return nil
      }
    }
    self.name = name
    self.text = text
    self.methods = methods
  }

  /// Words and punctuation of an interface text.
  private struct Tokens {
    // Bytes: what is beyond ASCII stands in comments only, and Characters cost ten times as much,
    // which is a third of a daemon's start.
    private var rest: Substring.UTF8View

    init(_ text: String) { rest = text[...].utf8 }

    mutating func next() -> String? {
      skipSpace()
      guard let first = rest.first else { return nil }
      if rest.starts(with: "->".utf8) {
        rest = rest.dropFirst(2)
        return "->"
      }
      let word = rest.prefix(while: Self.isPartOfWord)
      if word.isEmpty {
        rest = rest.dropFirst()
        return String(Unicode.Scalar(first))
      }
      rest = rest[word.endIndex...]
      return String(Substring(word))
    }

    private static func isPartOfWord(_ byte: UInt8) -> Bool {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "-"):
        true
      default: false
      }
    }

    /// The field names of `( … )`; nil when it is not closed.
    mutating func structure() -> Set<String>? {
      guard next() == "(" else { return nil }
      var fields: Set<String> = []
      var depth = 1
      var isName = true
      while let token = next() {
        switch token {
        case "(": depth += 1
        case ")":
          depth -= 1
          if depth == 0 { return fields }
        case ",": isName = depth == 1
        case ":": isName = false
        default:
          if isName && depth == 1 { fields.insert(token) }
          isName = false
        }
      }
      return nil
    }

    private mutating func skipSpace() {
      while let first = rest.first {
        switch first {
        case UInt8(ascii: "#"): rest = rest.drop { $0 != UInt8(ascii: "\n") }
        case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\t"), UInt8(ascii: "\r"):
          rest = rest.dropFirst()
        default: return
        }
      }
    }
  }
}
