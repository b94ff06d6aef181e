import Glibc

/// What the environment says of the terminal.
enum TerminalSettings {
  /// Whether lines on it can be drawn again: a terminal that is not the dumbest.
  static func canDraw(on descriptor: Int32) -> Bool {
    let type = getenv("TERM").map { String(cString: $0) } ?? ""
    return isatty(descriptor) == 1 && !type.isEmpty && type != "dumb"
  }

  /// https://no-color.org: set, and not empty.
  static var allowsColor: Bool { !(getenv("NO_COLOR").map { $0.pointee != 0 } ?? false) }
}
