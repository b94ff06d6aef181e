internal import Glibc
internal import Synchronization

/// A thread that waits for a descriptor, so that no task has to. It ends with this value.
final class PollingThread: Sendable {
  private let shared: Shared
  /// A byte in this socket asks for one more wait; its end ends the thread.
  private let requests: Int32

  /// What the thread has, too.
  private final class Shared: Sendable {
    let descriptor: Int32
    let requests: Int32
    private let waiters = Mutex<[CheckedContinuation<Void, Never>]>([])

    init(descriptor: Int32, requests: Int32) {
      self.descriptor = descriptor
      self.requests = requests
    }

    deinit {
      close(descriptor)
      close(requests)
    }

    func wait(_ continuation: CheckedContinuation<Void, Never>) {
      waiters.withLock { $0.append(continuation) }
    }

    /// Wakes all who wait: one too many does no harm.
    func wake() {
      let woken = waiters.withLock { waiters in
        defer { waiters = [] }
        return waiters
      }
      for continuation in woken { continuation.resume() }
    }

    func poll() {
      var isAsked = false
      while true {
        var waits = [
          pollfd(fd: requests, events: Int16(POLLIN), revents: 0),
          pollfd(fd: isAsked ? descriptor : -1, events: Int16(POLLIN), revents: 0),
        ]
        guard Glibc.poll(&waits, 2, -1) > 0 else { continue }
        if waits[0].revents != 0 {
          var bytes: (UInt64, UInt64) = (0, 0)
          guard read(requests, &bytes, MemoryLayout.size(ofValue: bytes)) > 0 else { return }
          isAsked = true
        } else if waits[1].revents != 0 {
          isAsked = false
          wake()
        }
      }
    }
  }

  init(for descriptor: Int32) throws(ForceTouchError) {
    func check(_ call: String, _ result: Int32) throws(ForceTouchError) -> Int32 {
      guard result >= 0 else { throw .system(call: call, reason: String(cString: strerror(errno))) }
      return result
    }
    var ends: [Int32] = [-1, -1]
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    _ = try check("socketpair", socketpair(AF_UNIX, type, 0, &ends))
    requests = ends[1]
    // The client may close its descriptor while the thread still waits for it.
    shared = Shared(
      descriptor: fcntl(descriptor, F_DUPFD_CLOEXEC, 0), requests: ends[0])
    _ = try check("fcntl", shared.descriptor)
    var thread = pthread_t()
    let context = Unmanaged.passRetained(shared)
    let code = pthread_create(
      &thread, nil,
      { context in
        // Signals are for the program's own threads.
        var signals = sigset_t()
        sigfillset(&signals)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        if let context { Unmanaged<Shared>.fromOpaque(context).takeRetainedValue().poll() }
        return nil
      }, context.toOpaque())
    guard code == 0 else {
      context.release()
      throw .system(call: "pthread_create", reason: String(cString: strerror(code)))
    }
    pthread_detach(thread)
  }

  deinit { close(requests) }

  /// Returns when the descriptor is readable, or the task was cancelled.
  func wait() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        shared.wait(continuation)
        if Task.isCancelled {
          shared.wake()
        } else {
          var request: UInt8 = 0
          _ = write(requests, &request, 1)
        }
      }
    } onCancel: {
      shared.wake()
    }
  }
}
