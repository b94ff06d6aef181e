import CLinux
import CSystemd
import Glibc

/// The daemon's one loop, on one thread: sd-event (`sd-event(3)`).
final class EventLoop {
  private let loop: OpaquePointer

  /// What is served first when several things are ready: who may hear something is decided
  /// before anything is heard.
  enum Priority {
    case session
    /// What is felt, and what is due: no client, whatever it asks, keeps another's event waiting.
    case device
    /// Clients, and devices that say more than can be taken at once: neither may starve the other.
    case traffic

    fileprivate var value: Int64 {
      switch self {
      case .session: -10
      case .device: -5
      case .traffic: 0
      }
    }
  }

  init() throws(LoopError) {
    var loop: OpaquePointer?
    let result = sd_event_new(&loop)
    guard result >= 0, let loop else { throw LoopError(call: "sd_event_new", code: -result) }
    self.loop = loop
  }

  deinit { sd_event_unref(loop) }

  /// Runs until ``exit(status:)``; gives that status.
  func run() throws(LoopError) -> Int32 {
    let result = sd_event_loop(loop)
    guard result >= 0 else { throw LoopError(call: "sd_event_loop", code: -result) }
    return result
  }

  func exit(status: Int32) {
    sd_event_exit(loop, status)
  }

  /// Calls `handler` with what the descriptor is ready for. The watch ends when the source is released.
  func watch(
    _ descriptor: Int32, for events: Readiness = .readable, priority: Priority,
    handler: @escaping (Readiness) -> Void
  ) throws(LoopError) -> ReadinessSource {
    let source = ReadinessSource(handler: handler)
    let callback: sd_event_io_handler_t = { _, _, ready, context in
      guard let context else { return 0 }
      let source = Unmanaged<ReadinessSource>.fromOpaque(context).takeUnretainedValue()
      source.handler(Readiness(rawValue: ready))
      return 0
    }
    var raw: OpaquePointer?
    try check(
      sd_event_add_io(
        loop, &raw, descriptor, events.rawValue, callback,
        Unmanaged.passUnretained(source).toOpaque()),
      "sd_event_add_io")
    source.raw = raw
    sd_event_source_set_priority(raw, priority.value)
    return source
  }

  /// Serves a source in another order from now on.
  func setPriority(_ priority: Priority, of source: some EventSource) {
    sd_event_source_set_priority(source.raw, priority.value)
  }

  /// A timer that is off until it is set.
  func timer(
    priority: Priority, handler: @escaping () -> Void
  ) throws(LoopError) -> TimerSource {
    let source = TimerSource(handler: handler)
    let callback: sd_event_time_handler_t = { _, _, context in
      guard let context else { return 0 }
      Unmanaged<TimerSource>.fromOpaque(context).takeUnretainedValue().handler()
      return 0
    }
    var raw: OpaquePointer?
    try check(
      sd_event_add_time(
        loop, &raw, CLOCK_MONOTONIC, .max, 1, callback,
        Unmanaged.passUnretained(source).toOpaque()), "sd_event_add_time")
    source.raw = raw
    sd_event_source_set_priority(raw, priority.value)
    sd_event_source_set_enabled(raw, Int32(SD_EVENT_OFF))
    return source
  }

  /// Calls `handler` for a signal, which is blocked from now on for the thread that calls this.
  func signal(
    _ number: Int32, handler: @escaping () -> Void
  ) throws(LoopError) -> SignalSource {
    var set = sigset_t()
    sigemptyset(&set)
    sigaddset(&set, number)
    pthread_sigmask(SIG_BLOCK, &set, nil)
    let source = SignalSource(handler: handler)
    let callback: sd_event_signal_handler_t = { _, _, context in
      guard let context else { return 0 }
      Unmanaged<SignalSource>.fromOpaque(context).takeUnretainedValue().handler()
      return 0
    }
    var raw: OpaquePointer?
    try check(
      sd_event_add_signal(
        loop, &raw, number, callback, Unmanaged.passUnretained(source).toOpaque()),
      "sd_event_add_signal")
    source.raw = raw
    sd_event_source_set_priority(raw, Priority.session.value)
    return source
  }

  /// Serves a bus connection until it is detached. Gives a negative errno when that cannot be.
  func attach(_ bus: OpaquePointer?, priority: Priority) -> Int32 {
    sd_bus_attach_event(bus, loop, Int32(priority.value))
  }

  /// Calls `handler` when the clock was set or the machine woke: the kernel cancels a timer on
  /// CLOCK_REALTIME then (`timerfd_create(2)`, TFD_TIMER_CANCEL_ON_SET).
  func clockChanges(handler: @escaping () -> Void) throws(LoopError) -> ClockChangeSource {
    let descriptor = cl_clock_change_timer()
    guard descriptor >= 0 else { throw LoopError(call: "timerfd_create", code: errno) }
    let source = ClockChangeSource(descriptor)
    source.readiness = try watch(descriptor, priority: .session) { [weak source] _ in
      source?.rearm()
      handler()
    }
    return source
  }

  /// Lets systemd's watchdog know that the loop runs, where it asks for it.
  func setWatchdog() throws(LoopError) {
    try check(sd_event_set_watchdog(loop, 1), "sd_event_set_watchdog")
  }

  private func check(_ result: Int32, _ call: String) throws(LoopError) {
    guard result >= 0 else { throw LoopError(call: call, code: -result) }
  }
}

/// sd-event, or the kernel, refused something that the loop was to wait for.
struct LoopError: Error, CustomStringConvertible {
  let call: String
  let code: Int32

  var description: String {
    let problem = "\(call): \(String(cString: strerror(code)))"
    return switch code {
    case EMFILE, ENFILE, ENOMEM, ENOSPC:
      "the system gives no more to wait for (\(problem)); are there limits for the service?"
    default: problem
    }
  }
}
