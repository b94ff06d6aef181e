import ForceTouchEngine
import ForceTouchModel
import ForceTouchRecordings

/// A recording that is served as a device: it starts with the first stream that wants it, plays
/// once at its own speed, and is removed.
final class ReplayDevice: DeviceSource {
  private let recording: Recording
  private let device: ServedDevice
  private let hub: Hub
  private let loop: EventLoop
  private let log: Log
  private var timer: TimerSource?
  private var frame = Frame()
  private var hasFrame = false
  /// The daemon's time at which the recording's time `origin` was played.
  private var start: (real: MonotonicTime, origin: Timestamp)?
  private let whenDone: (ReplayDevice) -> Void

  init(
    recording: Recording, device: ServedDevice, hub: Hub, loop: EventLoop, log: Log,
    whenDone: @escaping (ReplayDevice) -> Void
  ) throws(LoopError) {
    self.recording = recording
    self.device = device
    self.hub = hub
    self.loop = loop
    self.log = log
    self.whenDone = whenDone
    timer = try loop.timer(priority: .device) { [weak self] in self?.play() }
    device.source = self
  }

  let waitsForAudience = true

  func takeAvailable() {
    if start != nil { play() }
  }

  /// Once begun it plays to its end, whoever listens.
  func setNeeded(_ isNeeded: Bool) {
    guard isNeeded, start == nil else { return }
    device.isOpen = true
    readFrame()
    start = (MonotonicTime.now(), frame.time)
    // Not at once: who asked is still being answered.
    timer?.setToNext()
  }

  /// Ends it before its end.
  func stop() {
    timer?.cancel()
    device.cancel(.stopping)
  }

  /// Plays everything that is due, then waits for the next.
  private func play() {
    var played = 0
    while let due = nextTime {
      // Not all at once even where all is due: others wait too.
      let isFlooding = played == LiveDevice.framesPerTurn
      guard due <= MonotonicTime.now(), !isFlooding else {
        if let timer {
          loop.setPriority(isFlooding ? .traffic : .device, of: timer)
          timer.set(at: due)
        }
        return
      }
      played += 1
      if let deadline = device.deadline, deadline <= frame.time {
        device.meetDeadline()
      } else {
        device.process(frame)
        readFrame()
        followClock()
      }
    }
    device.cancel(.endOfRecording)
    hub.remove(device)
    whenDone(self)
  }

  /// When the next frame or deadline is due; nil when there is none.
  private var nextTime: MonotonicTime? {
    guard let start, hasFrame else { return nil }
    let time = device.deadline.map { min($0, frame.time) } ?? frame.time
    return start.real + (time - start.origin)
  }

  /// Longer pauses than this are taken for a clock that was set.
  private static let longestPause = Interval.milliseconds(60_000)

  /// A clock that jumps in the recording, forward or backward, does not make the next frame wait.
  private func followClock() {
    guard hasFrame, let start else { return }
    if frame.time < device.time || frame.time - device.time > Self.longestPause {
      self.start = (start.real + (device.time - start.origin), frame.time)
    }
  }

  private func readFrame() {
    do throws(RecordingError) {
      hasFrame = try recording.nextFrame(into: &frame)
    } catch {
      log.write(.error, .daemon, "\(error); the recording ends here")
      hasFrame = false
    }
  }
}
