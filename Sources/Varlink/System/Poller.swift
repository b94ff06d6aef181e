internal import CLinux
internal import Glibc

/// Many descriptors and one timer behind one descriptor, which is readable when any of them has
/// something to do (`epoll(7)`, `timerfd_create(2)`). It never waits. Not safe for several threads
/// at once.
public final class Poller {
  private let epoll: FileDescriptor
  private let timer: FileDescriptor

  /// The key of the timer.
  public static let timerKey = UInt64.max

  public init() throws(SystemError) {
    let epoll = FileDescriptor(owning: try immediate("epoll_create1") { cl_epoll_create() })
    let timer = FileDescriptor(owning: try immediate("timerfd_create") { cl_timer_create() })
    try immediate("epoll_ctl") { cl_epoll_add(epoll.raw, timer.raw, Self.timerKey, 0) }
    self.epoll = epoll
    self.timer = timer
  }

  public var descriptor: Int32 { epoll.raw }

  /// Watches a descriptor for input, and for room for output if wanted. `key` is what ``ready()``
  /// calls it.
  public func add(_ descriptor: Int32, key: UInt64, wantsOutput: Bool) throws(SystemError) {
    try immediate("epoll_ctl") { cl_epoll_add(epoll.raw, descriptor, key, wantsOutput ? 1 : 0) }
  }

  /// Changes what a descriptor that was added is watched for.
  public func change(_ descriptor: Int32, key: UInt64, wantsOutput: Bool) throws(SystemError) {
    try immediate("epoll_ctl") { cl_epoll_modify(epoll.raw, descriptor, key, wantsOutput ? 1 : 0) }
  }

  /// To be called before the descriptor is closed.
  public func remove(_ descriptor: Int32) { _ = cl_epoll_remove(epoll.raw, descriptor) }

  /// The keys of some that have something to do. Whatever is left keeps ``descriptor`` readable.
  public func ready() -> [UInt64] {
    let keys = [UInt64](unsafeUninitializedCapacity: 32) { keys, count in
      count = max(0, Int(cl_epoll_keys(epoll.raw, keys.baseAddress)))
    }
    if keys.contains(Self.timerKey) {
      var expirations: UInt64 = 0
      _ = read(timer.raw, &expirations, MemoryLayout<UInt64>.size)
    }
    return keys
  }

  /// Sets the timer; nil stops it.
  public func wake(after duration: Duration?) {
    guard let duration else {
      _ = cl_timer_set(timer.raw, 0)
      return
    }
    // 0 would stop it.
    let microseconds = max(1, (duration / .microseconds(1)).rounded(.up))
    _ = cl_timer_set(timer.raw, UInt64(min(microseconds, 1e15)))
  }
}
