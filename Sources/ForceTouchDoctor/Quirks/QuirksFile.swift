/// A file of libinput's device quirks: sections of `Match…=` lines, then `Attr…=` and `Model…=`
/// lines (libinput: `quirks/README.md`).
///
/// The format is libinput's own affair and may grow. What it has always refused is a problem here
/// too, because libinput then goes by no quirks at all; what is only unknown is none.
public struct QuirksFile: Equatable, Sendable {
  /// A value, and where it stands.
  public struct Value: Equatable, Sendable {
    public var key: String
    public var text: String
    public var place: Place
  }

  /// Values for the devices that fulfill all conditions.
  public struct Section: Equatable, Sendable {
    public var conditions: [Value] = []
    public var values: [Value] = []
  }

  /// What libinput refuses.
  public struct Problem: Error, Equatable, Sendable, CustomStringConvertible {
    public var place: Place
    public var text: String
    public var description: String { "\(place): \(text)" }
  }

  public private(set) var sections: [Section] = []

  /// - Parameter name: The file, as places carry it.
  public init(name: String, text: String) throws(Problem) {
    var section: Section?
    var place = Place(file: name, line: 0)
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      place.line += 1
      let (content, isCommented) = Self.withoutComment(line)
      if content.isEmpty { continue }
      if content.first == " " || content.first == "\t" || !isCommented && content.last == " "
        || !isCommented && content.last == "\t"
      {
        throw Problem(place: place, text: "no space may stand at either end of a line")
      }
      if content.first == "[" {
        guard content.last == "]" else { throw Problem(place: place, text: "] is missing") }
        try Self.close(section, at: place, into: &sections)
        section = Section()
      } else {
        guard var open = section else {
          throw Problem(place: place, text: "this stands before the first [section]")
        }
        try open.add(try Self.value(content, place), at: place)
        section = open
      }
    }
    guard section != nil else { throw Problem(place: place, text: "there is no [section]") }
    try Self.close(section, at: place, into: &sections)
  }

  private static func close(
    _ section: Section?, at place: Place, into sections: inout [Section]
  ) throws(Problem) {
    guard let section else { return }
    guard !section.conditions.isEmpty, !section.values.isEmpty else {
      throw Problem(
        place: place, text: "the section that ends here needs a Match line and a value")
    }
    sections.append(section)
  }

  private static func withoutComment(_ line: Substring) -> (content: Substring, Bool) {
    guard let start = line.firstIndex(of: "#") else { return (line, false) }
    var content = line[..<start]
    while content.last == " " || content.last == "\t" { content.removeLast() }
    return (content, true)
  }

  private static func value(_ line: Substring, _ place: Place) throws(Problem) -> Value {
    let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
      throw Problem(place: place, text: "expected Name=value")
    }
    guard parts[1].first != "\"" else {
      throw Problem(place: place, text: "a value has no quotation marks")
    }
    return Value(key: String(parts[0]), text: String(parts[1]), place: place)
  }
}

extension QuirksFile.Section {
  fileprivate mutating func add(
    _ value: QuirksFile.Value, at place: Place
  ) throws(QuirksFile.Problem) {
    guard value.key.hasPrefix("Match") else {
      guard !conditions.isEmpty else {
        throw .init(place: place, text: "a section begins with Match lines")
      }
      if value.key == "AttrPalmPressureThreshold", UInt32(value.text) == nil {
        throw .init(place: place, text: "expected a number")
      }
      values.append(value)
      return
    }
    guard values.isEmpty else {
      throw .init(place: place, text: "Match lines stand before all others of a section")
    }
    // More than there are to ask about a device.
    guard conditions.count < 64 else {
      throw .init(place: place, text: "too many Match lines for one section")
    }
    guard !conditions.contains(where: { $0.key == value.key }) else {
      throw .init(place: place, text: "\(value.key) stands here twice")
    }
    conditions.append(value)
  }
}
