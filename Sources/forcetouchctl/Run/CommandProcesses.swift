import ForceTouchModel
import Glibc

/// The commands that run: each in a process group of its own, so that its end is the end of all
/// that it started, and none longer than it may.
struct CommandProcesses {
  /// What became of a command.
  enum End: Equatable {
    case exited(Int32)
    case signaled(Int32)
    /// It was ended because its time was up, or because we end.
    case ended
  }

  private enum Phase {
    case running(until: Timestamp)
    /// It was asked to end; at the given time it is made to.
    case ending(until: Timestamp)
    case killed
  }

  private struct Process {
    var pid: pid_t
    var phase: Phase
    /// Of whom started it.
    var tag: Int
  }

  /// At once.
  static let limit = 16
  /// From SIGTERM to SIGKILL.
  static let grace = Interval.milliseconds(2000)

  private var processes: [Process] = []
  private var isEnding = false

  var isEmpty: Bool { processes.isEmpty }
  var isFull: Bool { processes.count >= Self.limit }

  /// When ``advance(at:)`` has something to do even though no process ended.
  var deadline: Timestamp? {
    processes.compactMap {
      switch $0.phase {
      case .running(let time), .ending(let time): time
      case .killed: nil
      }
    }.min()
  }

  /// Starts a program (`posix_spawnp(3)`) with no input and our output.
  ///
  /// - Parameter tag: Given back when it ends.
  /// - Returns: 0, or an `errno`.
  mutating func start(
    _ arguments: [String], environment: [String], tag: Int, until: Timestamp
  ) -> Int32 {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // Nothing of how we take signals is to be seen there.
    var none = sigset_t()
    var all = sigset_t()
    sigemptyset(&none)
    sigfillset(&all)
    sigdelset(&all, SIGKILL)
    sigdelset(&all, SIGSTOP)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))

    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)

    var pid: pid_t = 0
    let code = Self.withStrings(arguments) { list in
      Self.withStrings(environment) { environment in
        posix_spawnp(&pid, arguments[0], &actions, &attributes, list, environment)
      }
    }
    guard code == 0 else { return code }
    processes.append(Process(pid: pid, phase: .running(until: until), tag: tag))
    return 0
  }

  /// Takes those that ended, and ends those whose time is up.
  mutating func advance(at now: Timestamp) -> [(tag: Int, end: End)] {
    var ends: [(tag: Int, end: End)] = []
    processes = processes.compactMap { process in
      var process = process
      if let end = advance(&process, at: now) {
        ends.append((process.tag, end))
        return nil
      }
      return process
    }
    return ends
  }

  /// All are to end, and none gets more than the grace.
  mutating func end(at now: Timestamp) {
    isEnding = true
    for index in processes.indices {
      guard case .running = processes[index].phase else { continue }
      terminate(&processes[index], at: now)
    }
  }

  /// - Returns: How it ended, once its number may be used again.
  private func advance(_ process: inout Process, at now: Timestamp) -> End? {
    if case .running(let until) = process.phase {
      if Self.hasEnded(process.pid) { return Self.reap(process.pid) }
      if now >= until { terminate(&process, at: now) }
    }
    if case .ending(let until) = process.phase {
      // As long as nobody waited for the first process, its number is that of the group and of
      // nothing else, whoever of the group is left. When we end ourselves, the rest gets no more
      // time than the first process took.
      if now >= until || (isEnding && Self.hasEnded(process.pid)) {
        kill(-process.pid, SIGKILL)
        process.phase = .killed
      }
    }
    guard case .killed = process.phase, Self.hasEnded(process.pid) else { return nil }
    _ = Self.reap(process.pid)
    return .ended
  }

  private func terminate(_ process: inout Process, at now: Timestamp) {
    kill(-process.pid, SIGTERM)
    // One that was stopped would not hear it.
    kill(-process.pid, SIGCONT)
    process.phase = .ending(until: now + Self.grace)
  }

  /// Whether a child ended; it stays to be waited for.
  private static func hasEnded(_ pid: pid_t) -> Bool {
    var information = siginfo_t()
    return waitid(P_PID, id_t(pid), &information, WEXITED | WNOHANG | WNOWAIT) == 0
      && information.si_signo == SIGCHLD
  }

  private static func reap(_ pid: pid_t) -> End {
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0 && errno == EINTR {}
    let number = status & 0x7f
    return number == 0 ? .exited((status >> 8) & 0xff) : .signaled(number)
  }

  /// Whether a program of this name would be started.
  static func isFound(_ program: String) -> Bool {
    if program.contains("/") { return access(program, X_OK) == 0 }
    let path = getenv("PATH").map { String(cString: $0) } ?? "/bin:/usr/bin"
    return path.split(separator: ":", omittingEmptySubsequences: false).contains {
      access(($0.isEmpty ? "." : $0) + "/" + program, X_OK) == 0
    }
  }

  /// Texts as C has lists of them.
  private static func withStrings<Result>(
    _ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
  ) -> Result {
    let pointers = texts.map { strdup($0) }
    defer { for pointer in pointers { free(pointer) } }
    return body(pointers + [nil])
  }
}
