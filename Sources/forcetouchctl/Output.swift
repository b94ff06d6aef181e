import ForceTouchModel
import Glibc

/// Standard output, written whole lines at a time, and complaints on standard error.
enum Output {
  /// Lines for people. Whoever a text is of, it cannot move a terminal's cursor.
  static func write(_ text: String) {
    write(
      Array(
        text.split(separator: "\n", omittingEmptySubsequences: false)
          .map { String($0).printable }.joined(separator: "\n").utf8))
  }

  static func write(_ bytes: [UInt8]) {
    write(bytes, to: STDOUT_FILENO)
  }

  /// A line of JSON.
  static func writeLine(_ bytes: [UInt8]) {
    write(bytes + [UInt8(ascii: "\n")])
  }

  /// One line on standard error; lost if nobody reads there.
  static func complain(_ text: String) {
    write(Array("forcetouchctl: \(text.printable)\n".utf8), to: STDERR_FILENO)
  }

  /// Complaints that nobody reads are lost; output that nobody takes ends the program.
  static func write(_ bytes: [UInt8], to descriptor: Int32) {
    guard !writeAll(bytes, to: descriptor), descriptor == STDOUT_FILENO else { return }
    complain("cannot write the output: \(String(cString: strerror(errno)))")
    exit(1)
  }
}

/// - Returns: Whether all was taken; `errno` says why not.
func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
  var written = 0
  while written < bytes.count {
    let count = bytes.withUnsafeBytes {
      write(descriptor, $0.baseAddress.map { $0 + written }, bytes.count - written)
    }
    if count < 0 && errno != EINTR { return false }
    written += max(0, count)
  }
  return true
}

/// How many there are of what a word names.
func counted(_ number: Int, _ word: String) -> String {
  number == 1 ? "1 \(word)" : "\(number) \(word)s"
}

/// Fills a text up with spaces.
func pad(_ text: String, _ width: Int) -> String {
  text + String(repeating: " ", count: max(1, width - text.count))
}

/// Columns, each as wide as its widest cell.
func table(_ lines: [[String]], indent: String = "") -> String {
  let columns = lines.map(\.count).max() ?? 0
  let widths = (0..<columns).map { column in
    lines.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
  }
  return lines.map { line in
    let cells = line.indices.map { column in
      column == line.count - 1 ? line[column] : pad(line[column], widths[column] + 2)
    }
    return indent + cells.joined() + "\n"
  }.joined()
}
