/// The text of a `libinput record` file with what strict YAML refuses put right, line by line: tabs
/// become the spaces they stand for, Latin-1 becomes UTF-8, other bytes that are no text question
/// marks, a mail's quotation marks and Markdown's fences go, and so do the lines above the YAML
/// ("Recording to …"). Lines keep their numbers, but for those removed above.
final class SanitizedText {
  private var source: LineReader
  private var buffer: [UInt8] = []
  private var position = 0
  private var hasBegun = false
  /// How many bytes of each line are quotation marks.
  private var quotation = 0
  /// Lines left out above the first.
  private(set) var removedLines = 0
  /// Lines given so far.
  private(set) var lines = 0
  private(set) var isAtEnd = false
  private(set) var failure: RecordingError?
  var overlongLines: Int { source.overlongLines }

  /// About as much as libyaml asks for at once.
  private static let batch = 16 * 1024

  init(_ file: InputFile) { source = LineReader(file) }

  /// Fills the buffer as far as there is text; 0 at the end or after a failure.
  func read(into target: UnsafeMutableRawBufferPointer) -> Int {
    if position == buffer.count { fill() }
    let count = min(target.count, buffer.count - position)
    buffer.withUnsafeBytes {
      target.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[position..<position + count]))
    }
    position += count
    return count
  }

  private func fill() {
    // Moved out and back, so that its storage stays unique.
    var text = buffer
    buffer = []
    text.removeAll(keepingCapacity: true)
    while text.count < Self.batch && !isAtEnd {
      do throws(RecordingError) {
        if let line = try source.next() { take(line, into: &text) } else { isAtEnd = true }
      } catch {
        failure = error
        isAtEnd = true
      }
    }
    buffer = text
    position = 0
  }

  private func take(_ line: ArraySlice<UInt8>, into text: inout [UInt8]) {
    if !hasBegun {
      let first = line.unquoted
      guard LibinputRecording.recognizes(first) else {
        removedLines += 1
        return
      }
      hasBegun = true
      let margin = line[..<first.startIndex]
      quotation = margin.contains(UInt8(ascii: ">")) ? margin.count : 0
    }
    lines += 1
    var line = line
    for _ in 0..<quotation {
      guard let byte = line.first, byte == UInt8(ascii: ">") || byte == 0x20 || byte == 0x09
      else { break }
      line = line.dropFirst()
    }
    if !line.starts(with: "```") && !text.appendEvent(line) { text.appendText(line) }
    text.append(UInt8(ascii: "\n"))
  }
}

extension [UInt8] {
  /// Most lines are events, `- [ … ]` and a comment. One word of YAML for the five numbers takes a
  /// fraction of the time that a list takes: `- 12 345678 3 58 47`. False when it is another line.
  fileprivate mutating func appendEvent(_ line: ArraySlice<UInt8>) -> Bool {
    let start = count
    var rest = line
    while rest.first == 0x20 { rest = rest.dropFirst() }
    guard rest.starts(with: "- [") else { return false }
    append(contentsOf: line[..<rest.startIndex])
    append(UInt8(ascii: "-"))
    append(0x20)
    for byte in rest.dropFirst(3) {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): append(byte)
      case 0x20, UInt8(ascii: ","): if last != 0x20 { append(0x20) }
      case UInt8(ascii: "]"): return true
      default:
        removeLast(count - start)
        return false
      }
    }
    removeLast(count - start)
    return false
  }

  fileprivate mutating func appendText(_ line: ArraySlice<UInt8>) {
    let start = count
    if line.allSatisfy({ 0x20..<0x7f ~= $0 }) {
      append(contentsOf: line)
    } else if let text = String(validating: line, as: UTF8.self) {
      for scalar in text.unicodeScalars { append(scalar, lineStart: start) }
    } else {
      for byte in line { append(Unicode.Scalar(byte), lineStart: start) }
    }
  }

  private mutating func append(_ scalar: Unicode.Scalar, lineStart: Int) {
    switch scalar.value {
    case 0x09:
      repeat { append(0x20) } while (count - lineStart) % 8 != 0
    // Control characters, line separators, byte order marks: no text, or line ends for YAML.
    case 0..<0x20, 0x7f..<0xa0, 0x2028, 0x2029, 0xfeff, 0xfffe, 0xffff:
      append(UInt8(ascii: "?"))
    default: if let bytes = UTF8.encode(scalar) { append(contentsOf: bytes) }
    }
  }
}
