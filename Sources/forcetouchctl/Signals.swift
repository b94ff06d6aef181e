import Glibc
import Synchronization

/// Signals as something to poll for: a handler itself may do next to nothing. One in a process.
final class Signals {
  private static let pending = Atomic<UInt64>(0)
  private static let wakeEnd = Atomic<Int32>(-1)

  /// Readable when a signal came.
  let descriptor: Int32
  private let numbers: [Int32]

  init(_ numbers: [Int32]) throws(CommandError) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else {
      throw .failed("cannot prepare for Ctrl-C: \(String(cString: strerror(errno)))")
    }
    for end in ends {
      // Neither for commands, nor for waiting.
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    descriptor = ends[0]
    self.numbers = numbers
    Self.pending.store(0, ordering: .relaxed)
    Self.wakeEnd.store(ends[1], ordering: .relaxed)
    for number in numbers { Self.catch(number) }
  }

  private static func `catch`(_ number: Int32) {
    signal(number) { number in
      let code = errno
      Signals.pending.bitwiseOr(1 << UInt64(number), ordering: .sequentiallyConsistent)
      // A full pipe wakes as well.
      var byte: UInt8 = 0
      _ = write(Signals.wakeEnd.load(ordering: .relaxed), &byte, 1)
      errno = code
    }
  }

  /// Does what a signal does where nobody catches it, which may be the end. Whoever started the
  /// program is to see it as it was.
  func obey(_ number: Int32) {
    signal(number, SIG_DFL)
    raise(number)
    Self.catch(number)
  }

  /// From now on the signals do what they always do: whatever waits, they end it.
  deinit {
    for number in numbers { signal(number, SIG_DFL) }
    close(descriptor)
    close(Self.wakeEnd.exchange(-1, ordering: .relaxed))
  }

  /// Those that came since the last time, each once.
  func take() -> Set<Int32> {
    var bytes = [UInt8](repeating: 0, count: 64)
    while read(descriptor, &bytes, bytes.count) > 0 {}
    let pending = Self.pending.exchange(0, ordering: .sequentiallyConsistent)
    return Set((0..<64).filter { pending & (1 << UInt64($0)) != 0 })
  }
}
