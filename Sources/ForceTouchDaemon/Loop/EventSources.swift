import CLinux
import CSystemd
import Glibc

/// Something that the loop waits for.
protocol EventSource: AnyObject {
  var raw: OpaquePointer? { get }
}

/// A descriptor that is watched for as long as this exists.
final class ReadinessSource: EventSource {
  let handler: (Readiness) -> Void
  var raw: OpaquePointer?

  init(handler: @escaping (Readiness) -> Void) { self.handler = handler }

  deinit { release(raw) }

  /// Changes what is waited for.
  func wait(for events: Readiness) {
    sd_event_source_set_io_events(raw, events.rawValue)
  }
}

/// A timer that fires once each time it is set, on the daemon's own monotonic clock.
final class TimerSource: EventSource {
  let handler: () -> Void
  var raw: OpaquePointer?
  private var isSet = false

  init(handler: @escaping () -> Void) { self.handler = handler }

  deinit { release(raw) }

  func set(at time: MonotonicTime) {
    isSet = true
    sd_event_source_set_time(raw, UInt64(clamping: time.microseconds))
    sd_event_source_set_enabled(raw, Int32(SD_EVENT_ONESHOT))
  }

  /// Fires when whatever runs now is done, in turn with all else of its priority. (A source of sd-event's
  /// own for that, `sd_event_add_defer(3)`, goes before all of these each time.)
  func setToNext() { set(at: .now()) }

  func cancel() {
    guard isSet else { return }
    isSet = false
    sd_event_source_set_enabled(raw, Int32(SD_EVENT_OFF))
  }
}

/// A signal that is handled in the loop for as long as this exists.
final class SignalSource {
  let handler: () -> Void
  var raw: OpaquePointer?

  init(handler: @escaping () -> Void) { self.handler = handler }

  deinit { release(raw) }
}

/// Tells when the clock was set or the machine woke, for as long as this exists.
final class ClockChangeSource {
  private let descriptor: Int32
  var readiness: ReadinessSource?

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  deinit {
    readiness = nil
    close(descriptor)
  }

  func rearm() { cl_arm_clock_change_timer(descriptor) }
}

private func release(_ raw: OpaquePointer?) {
  // sd-event keeps a source alive while it is being dispatched; it must not fire again.
  if let raw {
    sd_event_source_set_enabled(raw, Int32(SD_EVENT_OFF))
    sd_event_source_unref(raw)
  }
}
