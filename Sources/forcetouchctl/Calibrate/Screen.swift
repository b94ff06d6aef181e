import ForceTouchModel
import Glibc

/// Where a dialog is held: lines, and on a terminal one line that is drawn again and again.
///
/// With `--json` standard output is the result's, and the dialog is on standard error.
final class Screen {
  private let descriptor: Int32
  private let liveLine: LiveLine
  private let usesColor: Bool
  private var lastPlain: Timestamp?

  /// Where there is no terminal, between two of the lines that stand for the live one.
  private static let plainInterval = Interval.milliseconds(500)

  init(isJSON: Bool) {
    descriptor = isJSON ? STDERR_FILENO : STDOUT_FILENO
    liveLine = LiveLine(descriptor, every: .milliseconds(34), after: .zero)
    usesColor = liveLine.isTerminal && TerminalSettings.allowsColor
  }

  func line(_ text: String, isProminent: Bool = false) {
    clear()
    write((isProminent && usesColor ? "\u{1b}[1m\(text)\u{1b}[m" : text) + "\n")
  }

  /// Draws the live line, unless it was drawn a moment ago.
  func live(_ text: String) {
    guard !liveLine.isTerminal else { return liveLine.show(text) }
    let now = Timestamp.now()
    if let lastPlain, now - lastPlain < Self.plainInterval { return }
    lastPlain = now
    write(text + "\n")
  }

  /// Takes the live line away.
  func clear() {
    liveLine.clear()
    lastPlain = nil
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
