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
    private var rest: Substring

    init(_ text: String) { rest = text[...] }

    mutating func next() -> String? {
      skipSpace()
      guard let first = rest.first else { return nil }
      if rest.hasPrefix("->") {
        rest = rest.dropFirst(2)
        return "->"
      }
      let word = rest.prefix { $0.isLetter || $0.isNumber || "._-".contains($0) }
      if word.isEmpty {
        rest = rest.dropFirst()
        return String(first)
      }
      rest = rest[word.endIndex...]
      return String(word)
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
        if first == "#" {
          rest = rest.drop { !$0.isNewline }
        } else if first.isWhitespace {
          rest = rest.dropFirst()
        } else {
          return
        }
      }
    }
  }
}
