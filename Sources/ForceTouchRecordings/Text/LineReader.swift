internal import Glibc

/// The lines of a file, in memory that does not grow with it. A line that is too long for any
/// recording is left out and counted.
struct LineReader {
  static let maximumLength = 64 * 1024

  private let file: InputFile
  /// The number of the line that was given last, from 1.
  private(set) var number = 0
  private(set) var overlongLines = 0
  private var buffer: [UInt8] = []
  private var position = 0
  private var isAtEnd = false

  init(_ file: InputFile) {
    self.file = file
    buffer.reserveCapacity(2 * Self.maximumLength)
  }

  /// The next line without its end (LF or CRLF); nil at the end of the file. Let go of it before
  /// asking for another, or the buffer is copied.
  mutating func next() throws(RecordingError) -> ArraySlice<UInt8>? {
    var isOverlong = false
    while true {
      if let end = endOfLine() {
        let line = buffer[position..<end]
        position = end + 1
        number += 1
        if !isOverlong { return trimmed(line) }
        isOverlong = false
        continue
      }
      if buffer.count - position > Self.maximumLength || isOverlong {
        if !isOverlong { overlongLines += 1 }
        isOverlong = true
        position = buffer.count
      }
      if isAtEnd {
        guard position < buffer.count else { return nil }
        let line = buffer[position...]
        position = buffer.count
        number += 1
        return trimmed(line)
      }
      try fill()
    }
  }

  private func endOfLine() -> Int? {
    buffer.withUnsafeBytes { bytes in
      guard position < bytes.count, let start = bytes.baseAddress else { return nil }
      return memchr(start + position, 0x0a, bytes.count - position).map {
        UnsafeRawPointer($0) - start
      }
    }
  }

  private func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    // A byte order mark, as editors on Windows put it before UTF-8.
    let text = number == 1 && line.starts(with: [0xef, 0xbb, 0xbf]) ? line.dropFirst(3) : line
    return text.last == UInt8(ascii: "\r") ? text.dropLast() : text
  }

  private mutating func fill() throws(RecordingError) {
    buffer.removeFirst(position)
    position = 0
    let filled = buffer.count
    buffer.append(contentsOf: repeatElement(0, count: Self.maximumLength))
    var count = 0
    var failure: RecordingError?
    buffer.withUnsafeMutableBytes { bytes in
      do throws(RecordingError) {
        count = try file.read(into: UnsafeMutableRawBufferPointer(rebasing: bytes[filled...]))
      } catch {
        failure = error
      }
    }
    buffer.removeLast(Self.maximumLength - count)
    if let failure { throw failure }
    if count == 0 { isAtEnd = true }
  }
}
