internal import Glibc

/// A part of a YAML document: what it holds, and where it stands.
public struct YAMLNode: Equatable, Sendable {
  public enum Content: Equatable, Sendable {
    /// `isPlain`: not quoted.
    case scalar(String, isPlain: Bool)
    case sequence([YAMLNode])
    /// In the order of the file. No key occurs twice.
    case mapping([Entry])
  }

  /// A key of a mapping, where it stands, and its value.
  public struct Entry: Equatable, Sendable {
    public var key: String
    public var keyMark: YAMLMark
    public var value: YAMLNode
  }

  public var content: Content
  public var mark: YAMLMark

  /// The largest file that is read whole.
  public static let maximumFileSize = 4 << 20

  /// The document of a text; nil when it is empty. More than one document is an error.
  public init?(file: String, bytes: [UInt8]) throws(YAMLError) {
    let parser = YAMLParser(file: file, bytes: bytes)
    guard let (event, mark) = try parser.next() else { return nil }
    self = try YAMLNode(event, mark, from: parser)
    if let (_, mark) = try parser.next() {
      throw YAMLError("a second document is not allowed", at: mark)
    }
  }

  /// The document of a file; nil when it is empty.
  ///
  /// - Parameter mayBeMissing: A file that is not there is an empty one.
  public init?(contentsOf path: String, mayBeMissing: Bool = false) throws(YAMLError) {
    if mayBeMissing, access(path, F_OK) != 0, errno == ENOENT { return nil }
    try self.init(file: path, bytes: Self.read(path))
  }

  private init(
    _ event: YAMLEvent, _ mark: YAMLMark, from parser: YAMLParser
  ) throws(YAMLError) {
    self.mark = mark
    switch event {
    case .scalar(let text, let isPlain): content = .scalar(text, isPlain: isPlain)
    case .sequenceStart:
      var nodes: [YAMLNode] = []
      while let (event, mark) = try parser.next(), event != .sequenceEnd {
        nodes.append(try YAMLNode(event, mark, from: parser))
      }
      content = .sequence(nodes)
    case .mappingStart:
      var entries: [Entry] = []
      var keys: Set<String> = []
      while let (event, keyMark) = try parser.next(), event != .mappingEnd {
        guard case .scalar(let key, _) = event else {
          throw YAMLError("a key must be a word", at: keyMark)
        }
        guard keys.insert(key).inserted else {
          throw YAMLError("\(key) stands here twice", at: keyMark)
        }
        guard let (event, mark) = try parser.next() else { break }
        let value = try YAMLNode(event, mark, from: parser)
        entries.append(Entry(key: key, keyMark: keyMark, value: value))
      }
      content = .mapping(entries)
    case .sequenceEnd, .mappingEnd: throw YAMLError("something ends that did not begin", at: mark)
    }
  }

  private static func read(_ path: String) throws(YAMLError) -> [UInt8] {
    // Nobody here may wait until somebody writes into a pipe or types at a terminal.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw unreadable(path, errno) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw unreadable(path, errno) }
    guard status.st_mode & S_IFMT != S_IFIFO else {
      throw YAMLError("cannot read \(path): it is a pipe", at: nil)
    }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 64 * 1024)
    while true {
      let count = Glibc.read(descriptor, &chunk, chunk.count)
      if count == 0 { return bytes }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { throw unreadable(path, errno) }
      bytes.append(contentsOf: chunk[..<count])
      if bytes.count > maximumFileSize {
        throw YAMLError("\(path) is larger than \(maximumFileSize >> 20) MB", at: nil)
      }
    }
  }

  private static func unreadable(_ path: String, _ code: Int32) -> YAMLError {
    YAMLError("cannot read \(path): \(String(cString: strerror(code)))", at: nil)
  }
}

extension YAMLNode {
  /// The value of a key; nil when this is no mapping or has no such key.
  public subscript(_ key: String) -> YAMLNode? {
    guard case .mapping(let entries) = content else { return nil }
    return entries.first { $0.key == key }?.value
  }

  public func entries() throws(YAMLError) -> [Entry] {
    guard case .mapping(let entries) = content else {
      throw YAMLError("expected `key: value` lines", at: mark)
    }
    return entries
  }

  /// The value of a key that must be there.
  public func required(_ key: String) throws(YAMLError) -> YAMLNode {
    guard let node = self[key] else { throw YAMLError("\(key) is missing", at: mark) }
    return node
  }

  /// What is wrong with the keys: those that mean nothing here.
  public func problems(keys: Set<String>) throws(YAMLError) -> [YAMLError] {
    try entries().filter { !keys.contains($0.key) }.map { .unknownKey($0, among: keys) }
  }

  public func elements() throws(YAMLError) -> [YAMLNode] {
    guard case .sequence(let nodes) = content else { throw YAMLError("expected a list", at: mark) }
    return nodes
  }

  public func string() throws(YAMLError) -> String {
    guard case .scalar(let text, _) = content else { throw YAMLError("expected a text", at: mark) }
    return text
  }

  /// A whole number, decimal or `0x` hexadecimal.
  public func integer() throws(YAMLError) -> Int {
    guard case .scalar(let text, isPlain: true) = content, let value = Self.integer(text) else {
      throw YAMLError("expected a whole number", at: mark)
    }
    return value
  }

  /// A whole number of a type, within a range.
  public func integer<Value: FixedWidthInteger>(
    in range: ClosedRange<Value>
  ) throws(YAMLError) -> Value {
    guard let value = Value(exactly: try integer()), range.contains(value) else {
      throw YAMLError("must lie between \(range.lowerBound) and \(range.upperBound)", at: mark)
    }
    return value
  }

  /// A finite number.
  public func number() throws(YAMLError) -> Double {
    guard case .scalar(let text, isPlain: true) = content,
      let value = Self.integer(text).map(Double.init) ?? Double(text), value.isFinite
    else { throw YAMLError("expected a number", at: mark) }
    return value
  }

  /// `true` or `false` (also `yes`, `no`, `on`, `off`).
  public func boolean() throws(YAMLError) -> Bool {
    if case .scalar(let text, isPlain: true) = content {
      switch text {
      case "true", "yes", "on": return true
      case "false", "no", "off": return false
      default: break
      }
    }
    throw YAMLError("expected true or false", at: mark)
  }

  private static func integer(_ text: String) -> Int? {
    let isNegative = text.hasPrefix("-")
    let digits = isNegative ? text.dropFirst() : text[...]
    guard digits.hasPrefix("0x") else { return Int(text) }
    // A second sign behind the 0x would be taken for part of the number.
    guard digits.dropFirst(2).first?.isHexDigit == true else { return nil }
    return Int(digits.dropFirst(2), radix: 16).map { isNegative ? -$0 : $0 }
  }
}

extension YAMLNode {
  /// A text as YAML in double quotes, whatever it holds.
  public static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": result += "\\\(scalar)"
      // What YAML does not allow as it is, or takes for the end of a line.
      case _ where scalar.value < 0x20, "\u{7f}"..<"\u{a0}", "\u{2028}", "\u{2029}",
        "\u{fe00}"..."\u{ffff}":
        result += escape(scalar)
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  /// A scalar of at most 16 bits by its number.
  static func escape(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16)
    return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
  }
}
