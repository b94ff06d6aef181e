import CNcurses
import ForceTouchScreen
import Glibc

/// The terminal that the live monitor is drawn on (ncurses). Whoever has one leaves it by ``leave()``,
/// whatever happened. One in a process, and after the signals of the loop: ncurses takes those that
/// nobody has.
final class CursesTerminal {
  /// Readable when a key was pressed.
  let keyboard: Int32
  /// Writable when it takes something.
  let output: Int32
  private let screen: OpaquePointer
  private var window: UnsafeMutablePointer<WINDOW>?
  private let restoration: TerminalRestoration
  private let looks: [Look]
  let isASCII: Bool
  /// What stands on it.
  private var shown: Page?

  /// Whether standard output is a terminal of a kind that is known, and there is one to type on.
  static var isPossible: Bool {
    var problem: Int32 = 0
    guard TerminalSettings.canDraw(on: STDOUT_FILENO),
      setupterm(nil, STDOUT_FILENO, &problem) == OK,
      tigetstr("cup").map({ Int(bitPattern: $0) }) ?? -1 != -1
    else { return false }
    let keyboard = open(keyboardPath, O_RDWR | O_CLOEXEC)
    close(keyboard)
    return keyboard >= 0
  }

  private static let keyboardPath = "/dev/tty"

  /// nil where that is not so.
  init?() {
    keyboard = open(Self.keyboardPath, O_RDWR | O_CLOEXEC)
    output = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
    var modes = termios()
    setlocale(LC_CTYPE, "")
    isASCII = String(cString: nl_langinfo(Int32(CODESET))) != "UTF-8"
    // It would take any size: see ``resize()``.
    use_env(false)
    guard keyboard >= 0, output >= 0, tcgetattr(output, &modes) == 0,
      let input = fdopen(keyboard, "r"), let file = fdopen(output, "w"),
      let screen = newterm(nil, file, input)
    else {
      close(keyboard)
      close(output)
      return nil
    }
    self.screen = screen
    restoration = TerminalRestoration(
      output, modes: modes, capabilities: ["sgr0", "rmkx", "cnorm", "rmcup"])
    cbreak()
    noecho()
    nonl()
    curs_set(0)
    // Of a key that begins with Esc the rest comes at once.
    set_escdelay(25)
    looks = Self.looks()
    resize()
    guard window != nil else {
      leave()
      return nil
    }
  }

  /// A window as large as the screen; where there is no memory for it, the one before stays.
  private func makeWindow() {
    guard let new = newwin(0, 0, 0, 0) else { return }
    if let window { delwin(window) }
    window = new
    keypad(window, true)
    nodelay(window, true)
    shown = nil
  }

  /// Gives it back as it was. A second time does nothing: by then it may be another's, whom a program
  /// in the background must not disturb.
  func leave() {
    if !isendwin() { endwin() }
  }

  /// Takes it again after ``leave()``, or after somebody else had it.
  func enter() {
    resize()
    clearok(window, true)
    shown = nil
  }

  var size: (rows: Int, columns: Int) { (Int(getmaxy(window)), Int(getmaxx(window))) }

  /// More rows or columns than these stay empty: any program may say that a terminal has 65535.
  private static let sizeLimit: UInt16 = 1000

  /// Goes by the size that it has now; where it says none, by what its kind is known to have.
  func resize() {
    var size = winsize()
    if ioctl(output, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0, size.ws_col > 0 {
      resizeterm(
        Int32(min(size.ws_row, Self.sizeLimit)), Int32(min(size.ws_col, Self.sizeLimit)))
    }
    makeWindow()
  }

  /// The keys that were pressed, as far as they are any that the monitor may know.
  func keys() -> [MonitorKey] {
    var keys: [MonitorKey] = []
    while true {
      let code = wgetch(window)
      switch code {
      case -1: return keys
      case KEY_UP: keys.append(.up)
      case KEY_DOWN: keys.append(.down)
      case KEY_ENTER, 10, 13: keys.append(.enter)
      case 27: keys.append(.escape)
      case 32..<127: keys.append(.character(Character(Unicode.Scalar(UInt8(code)))))
      default: break
      }
    }
  }

  /// Whether it takes something now. One behind a slow line is not waited for.
  var isReady: Bool {
    var waited = pollfd(fd: output, events: Int16(POLLOUT), revents: 0)
    return poll(&waited, 1, 0) > 0 && waited.revents & Int16(POLLOUT) != 0
  }

  /// Draws what is not there yet.
  func draw(_ page: Page) {
    guard page != shown else { return }
    shown = page
    for row in 0..<page.rows {
      for run in page.runs(ofRow: row) {
        let look = looks[run.style.rawValue]
        wattr_set(window, look.attributes, look.pair, nil)
        let characters = run.text.unicodeScalars.map { wchar_t($0.value) }
        // The last cell of all: the cursor cannot go on, and that it says so is no harm.
        mvwaddnwstr(window, Int32(row), Int32(run.column), characters, Int32(characters.count))
      }
    }
    wnoutrefresh(window)
    doupdate()
  }

  // MARK: Looks

  private struct Look {
    var attributes: attr_t = 0
    var pair: Int16 = 0
  }

  /// What each style looks like, with the colors that there are. Blue, orange and pink can be told
  /// apart by whoever is color-blind; words are dark on a color, to be read on any background.
  private static func looks() -> [Look] {
    let colors = TerminalSettings.allowsColor ? tigetnum("colors") : 0
    guard colors >= 8, start_color() == OK else { return Style.allCases.map(plainLook) }
    use_default_colors()
    return Style.allCases.map { style in
      let (text, ground) = colors >= 256 ? manyColors(style) : fewColors(style)
      let pair = Int16(style.rawValue + 1)
      init_pair(pair, text, ground)
      var look = plainLook(style)
      if ground >= 0 || style == .faint { look.attributes &= ~(cn_reverse | cn_dim) }
      if text >= 0 || ground >= 0 { look.pair = pair }
      if style == .faint && text < 0 { look.attributes = cn_dim }
      return look
    }
  }

  private static func plainLook(_ style: Style) -> Look {
    switch style {
    case .plain, .touch: Look()
    case .faint: Look(attributes: cn_dim)
    case .heading, .peek, .pop: Look(attributes: cn_bold)
    case .bar, .touchTag: Look(attributes: cn_reverse)
    case .key, .peekTag, .popTag, .warning: Look(attributes: cn_bold | cn_reverse)
    }
  }

  /// Text and ground of the 256 that most terminals have; -1: the terminal's own.
  private static func manyColors(_ style: Style) -> (Int16, Int16) {
    switch style {
    case .plain, .heading: (-1, -1)
    case .faint: (245, -1)
    case .bar: (253, 237)
    case .key: (231, 24)
    case .touch: (74, -1)
    case .peek: (214, -1)
    case .pop: (205, -1)
    case .touchTag: (16, 74)
    case .peekTag: (16, 214)
    case .popTag: (16, 205)
    case .warning: (231, 124)
    }
  }

  private static func fewColors(_ style: Style) -> (Int16, Int16) {
    switch style {
    case .plain, .heading, .faint: (-1, -1)
    case .bar, .key: (7, 4)
    case .touch: (6, -1)
    case .peek: (3, -1)
    case .pop: (5, -1)
    case .touchTag: (0, 6)
    case .peekTag: (0, 3)
    case .popTag: (0, 5)
    case .warning: (7, 1)
    }
  }

  deinit {
    delscreen(screen)
    close(keyboard)
    close(output)
  }
}
