internal import CYAML
internal import Glibc

/// One event of a YAML stream.
public enum YAMLEvent: Equatable, Sendable {
  /// `isPlain`: not quoted, so `42` and `true` may be meant as a number and a truth.
  case scalar(String, isPlain: Bool)
  case sequenceStart
  case sequenceEnd
  case mappingStart
  case mappingEnd
}

/// Reads YAML event by event from a source of bytes, in memory that does not grow with the text.
/// Aliases, anchors and tags are refused: nothing here needs them, and aliases can make a small
/// file huge.
public final class YAMLParser {
  private let parser: UnsafeMutablePointer<yaml_parser_t>
  private let fileName: String
  private let source: Source
  private var depth = 0

  /// Deeper than anything we read.
  static let maximumDepth = 64

  /// What bytes come from: fills the buffer and gives how many bytes it filled; 0 at the end.
  public typealias Read = (UnsafeMutableRawBufferPointer) -> Int

  private final class Source {
    let read: Read
    init(_ read: @escaping Read) { self.read = read }
  }

  /// - Parameter file: The name that marks and errors carry.
  public init(file: String, read: @escaping Read) {
    fileName = file
    source = Source(read)
    parser = .allocate(capacity: 1)
    parser.initialize(to: yaml_parser_t())
    yaml_parser_initialize(parser)
    yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
    yaml_parser_set_input(
      parser,
      { context, buffer, size, count in
        guard let context, let buffer, let count else { return 0 }
        let source = Unmanaged<Source>.fromOpaque(context).takeUnretainedValue()
        count.pointee = source.read(UnsafeMutableRawBufferPointer(start: buffer, count: size))
        return 1
      }, Unmanaged.passUnretained(source).toOpaque())
  }

  /// Reads from bytes in memory.
  public convenience init(file: String, bytes: [UInt8]) {
    var rest = bytes[...]
    self.init(file: file) { buffer in
      let count = min(buffer.count, rest.count)
      buffer.copyBytes(from: rest.prefix(count))
      rest = rest.dropFirst(count)
      return count
    }
  }

  deinit {
    yaml_parser_delete(parser)
    parser.deallocate()
  }

  /// The next event and where it begins; nil at the end.
  public func next() throws(YAMLError) -> (event: YAMLEvent, mark: YAMLMark)? {
    while true {
      var raw = yaml_event_t()
      guard yaml_parser_parse(parser, &raw) == 1 else { throw failure() }
      defer { yaml_event_delete(&raw) }
      let mark = mark(raw.start_mark)
      switch raw.type {
      case YAML_STREAM_END_EVENT, YAML_NO_EVENT: return nil
      case YAML_STREAM_START_EVENT, YAML_DOCUMENT_START_EVENT, YAML_DOCUMENT_END_EVENT: continue
      case YAML_ALIAS_EVENT: throw YAMLError("an alias (*name) is not allowed here", at: mark)
      case YAML_SCALAR_EVENT:
        let scalar = raw.data.scalar
        try refuse(anchor: scalar.anchor, tag: scalar.tag, mark)
        let text = String(
          decoding: UnsafeBufferPointer(start: scalar.value, count: scalar.length), as: UTF8.self)
        return (.scalar(text, isPlain: scalar.style == YAML_PLAIN_SCALAR_STYLE), mark)
      case YAML_SEQUENCE_START_EVENT:
        let start = raw.data.sequence_start
        try refuse(anchor: start.anchor, tag: start.tag, mark)
        try descend(mark)
        return (.sequenceStart, mark)
      case YAML_MAPPING_START_EVENT:
        let start = raw.data.mapping_start
        try refuse(anchor: start.anchor, tag: start.tag, mark)
        try descend(mark)
        return (.mappingStart, mark)
      case YAML_SEQUENCE_END_EVENT:
        depth -= 1
        return (.sequenceEnd, mark)
      case YAML_MAPPING_END_EVENT:
        depth -= 1
        return (.mappingEnd, mark)
      default: throw YAMLError("an unknown kind of YAML event", at: mark)
      }
    }
  }

  private func refuse(
    anchor: UnsafeMutablePointer<UInt8>?, tag: UnsafeMutablePointer<UInt8>?, _ mark: YAMLMark
  ) throws(YAMLError) {
    if anchor != nil { throw YAMLError("an anchor (&name) is not allowed", at: mark) }
    if tag != nil { throw YAMLError("a tag (!name) is not allowed", at: mark) }
  }

  private func descend(_ mark: YAMLMark) throws(YAMLError) {
    depth += 1
    if depth > Self.maximumDepth { throw YAMLError("nested too deeply", at: mark) }
  }

  private func mark(_ mark: yaml_mark_t) -> YAMLMark {
    YAMLMark(file: fileName, line: Int(mark.line) + 1, column: Int(mark.column) + 1)
  }

  private func failure() -> YAMLError {
    let problem = parser.pointee.problem.map { String(cString: $0) } ?? "out of memory"
    // The reader counts bytes, the scanner lines.
    if parser.pointee.error == YAML_READER_ERROR {
      return YAMLError(
        "\(problem) at byte \(parser.pointee.problem_offset)", at: mark(parser.pointee.mark))
    }
    return YAMLError(problem, at: mark(parser.pointee.problem_mark))
  }
}
