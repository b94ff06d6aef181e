internal import Glibc

/// The lines of a file, in memory that does not grow with it. A line that is too long for any
/// recording is left out and counted.
struct LineReader {
  static let maximumLength = 64 * 1024

  private let file: InputFile
  /// The number of the line that was given last, from 1.
  private(set) var number = 0
  private(set) var overlongLines = 0
  /// What was read and not given yet lies from `position` to `end`.
  private var buffer: [UInt8]
  private var position = 0
  private var end = 0
  private var isAtEnd = false

  init(_ file: InputFile) {
    self.file = file
    buffer = [UInt8](unsafeUninitializedCapacity: 2 * Self.maximumLength) { bytes, count in
      _ = bytes.baseAddress.map { memset($0, 0, bytes.count) }
      count = bytes.count
    }
  }

  /// The next line without its end (LF or CRLF); nil at the end of the file. Let go of it before
  /// asking for another, or the buffer is copied.
  mutating func next() throws(RecordingError) -> ArraySlice<UInt8>? {
    var isOverlong = false
    while true {
      let lineEnd = endOfLine() ?? (isAtEnd && position < end ? end : nil)
      if let lineEnd {
        let line = buffer[position..<lineEnd]
        position = min(lineEnd + 1, end)
        number += 1
        if !isOverlong && line.count <= Self.maximumLength { return trimmed(line) }
        if !isOverlong { overlongLines += 1 }
        isOverlong = false
        continue
      }
      if isAtEnd { return nil }
      if end - position > Self.maximumLength || isOverlong {
        if !isOverlong { overlongLines += 1 }
        isOverlong = true
        position = end
      }
      try fill()
    }
  }

  private func endOfLine() -> Int? {
    buffer.withUnsafeBytes { bytes in
      guard position < end, let start = bytes.baseAddress else { return nil }
      return memchr(start + position, 0x0a, end - position).map { UnsafeRawPointer($0) - start }
    }
  }

  private func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    // A byte order mark, as editors on Windows put it before UTF-8.
    let text = number == 1 && line.starts(with: [0xef, 0xbb, 0xbf]) ? line.dropFirst(3) : line
    return text.last == UInt8(ascii: "\r") ? text.dropLast() : text
  }

  /// Moves what is left to the front and reads behind it, where at least half the buffer is free.
  private mutating func fill() throws(RecordingError) {
    let rest = end - position
    var count = 0
    var failure: RecordingError?
    buffer.withUnsafeMutableBytes { bytes in
      guard let start = bytes.baseAddress else { return }
      memmove(start, start + position, rest)
      do throws(RecordingError) {
        count = try file.read(into: UnsafeMutableRawBufferPointer(rebasing: bytes[rest...]))
      } catch {
        failure = error
      }
    }
    position = 0
    end = rest + count
    if let failure { throw failure }
    if count == 0 { isAtEnd = true }
  }
}
