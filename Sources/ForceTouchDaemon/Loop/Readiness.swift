import CSystemd

/// What a descriptor is ready for, or is waited for (`epoll_ctl(2)`).
struct Readiness: OptionSet {
  let rawValue: UInt32

  static let readable = Readiness(rawValue: EPOLLIN.rawValue)
  static let writable = Readiness(rawValue: EPOLLOUT.rawValue)
  /// The other end is gone, or the descriptor is broken; reported without being asked for.
  static let gone = Readiness(rawValue: EPOLLHUP.rawValue | EPOLLERR.rawValue)
}
