import ForceTouchModel
import Glibc

/// Where a dialog is held: lines, and on a terminal one line that is drawn again and again.
///
/// With `--json` standard output is the result's, and the dialog is on standard error.
final class Screen {
  private let descriptor: Int32
  private let isTerminal: Bool
  private let usesColor: Bool
  private var hasLiveLine = false
  private var lastLive: Timestamp?

  /// Between two drawings of the live line.
  private static let liveInterval = Interval.milliseconds(34)
  /// The same where each is a line of its own.
  private static let plainInterval = Interval.milliseconds(500)

  init(isJSON: Bool) {
    descriptor = isJSON ? STDERR_FILENO : STDOUT_FILENO
    let type = getenv("TERM").map { String(cString: $0) } ?? ""
    isTerminal = isatty(descriptor) == 1 && !type.isEmpty && type != "dumb"
    // https://no-color.org: set, and not empty.
    let noColor = getenv("NO_COLOR").map { $0.pointee != 0 } ?? false
    usesColor = isTerminal && !noColor
  }

  func line(_ text: String, isProminent: Bool = false) {
    clear()
    write((isProminent && usesColor ? "\u{1b}[1m\(text)\u{1b}[m" : text) + "\n")
  }

  /// Draws the live line, unless it was drawn a moment ago.
  func live(_ text: String) {
    let now = Timestamp.now()
    let interval = isTerminal ? Self.liveInterval : Self.plainInterval
    if let lastLive, now - lastLive < interval { return }
    lastLive = now
    write(isTerminal ? "\r\(text)\u{1b}[K" : text + "\n")
    hasLiveLine = isTerminal
  }

  /// Takes the live line away.
  func clear() {
    if hasLiveLine { write("\r\u{1b}[K") }
    hasLiveLine = false
    lastLive = nil
  }

  /// Asks a question that only a `y` agrees to. What was typed before it is not an answer.
  func agrees(_ question: String, _ interruption: Interruption) throws(CommandError) -> Bool {
    clear()
    tcflush(STDIN_FILENO, TCIFLUSH)
    write(question)
    var answer: [UInt8] = []
    while answer.last != UInt8(ascii: "\n") {
      do throws(CommandError) {
        try interruption.wait(for: STDIN_FILENO)
      } catch {
        // What comes now is a line of its own.
        write("\n")
        throw error
      }
      var byte: UInt8 = 0
      let count = read(STDIN_FILENO, &byte, 1)
      if count < 0 && (errno == EINTR || errno == EAGAIN) { continue }
      guard count > 0 else {
        write("\n")
        break
      }
      answer.append(byte)
    }
    let word = String(decoding: answer, as: UTF8.self).lowercased()
      .filter { !$0.isWhitespace }
    return word == "y" || word == "yes"
  }

  private func write(_ text: String) { Output.write(Array(text.utf8), to: descriptor) }
}
