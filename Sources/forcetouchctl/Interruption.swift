import ForceTouchModel
import Glibc

/// The signals that end a dialog: Ctrl-C, SIGTERM, and a terminal that was closed.
struct Interruption {
  private let signals: Signals

  init() throws(CommandError) { signals = try Signals([SIGINT, SIGTERM, SIGHUP]) }

  /// Waits until a descriptor is readable.
  ///
  /// - Parameter patience: For how long; nil: without end.
  /// - Returns: Whether it is, or the time is up.
  /// - Throws: When a signal came.
  @discardableResult
  func wait(for descriptor: Int32, patience: Interval? = nil) throws(CommandError) -> Bool {
    var waited = [
      pollfd(fd: signals.descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
    ]
    let count = poll(&waited, 2, patience?.timeout ?? -1)
    guard signals.take().isEmpty else { throw .failed("stopped") }
    return count > 0 && waited[1].revents != 0
  }
}
