import ForceTouchModel
import ForceTouchScreen
import Glibc

/// One line of a terminal that is drawn again and again and is gone at the end: how far something
/// is that lasts. Where there is no terminal, nothing.
final class LiveLine {
  private let descriptor: Int32
  private let interval: Interval
  private var due: Timestamp
  private var isShown = false
  /// Whether anything is ever drawn.
  let isTerminal: Bool

  /// - Parameters:
  ///   - interval: Between two drawings.
  ///   - delay: Before the first, so that what is done soon says nothing.
  init(
    _ descriptor: Int32 = STDERR_FILENO, every interval: Interval = .milliseconds(100),
    after delay: Interval = .milliseconds(500)
  ) {
    self.descriptor = descriptor
    self.interval = interval
    due = .now() + delay
    isTerminal = TerminalSettings.canDraw(on: descriptor)
  }

  deinit { clear() }

  /// Draws the line, unless it was drawn a moment ago.
  func show(_ text: @autoclosure () -> String) {
    guard isTerminal else { return }
    let now = Timestamp.now()
    guard now >= due else { return }
    due = now + interval
    // In the last column a terminal would begin another line.
    let line = text().printable.prefix(columns: columns - 1)
    Output.write(Array("\r\(line)\u{1b}[K".utf8), to: descriptor)
    isShown = true
  }

  /// Takes the line away, so that others can write.
  func clear() {
    if isShown { Output.write(Array("\r\u{1b}[K".utf8), to: descriptor) }
    isShown = false
  }

  /// The width of the terminal now; 80 where it is not known.
  private var columns: Int {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 1 else { return 80 }
    return Int(size.ws_col)
  }
}
