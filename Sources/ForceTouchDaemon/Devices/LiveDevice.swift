import ForceTouchDevices
import ForceTouchEngine
import ForceTouchModel
import Glibc

/// A device of the machine: its node is open only while somebody listens.
final class LiveDevice: DeviceSource {
  /// So many frames are taken before others have their turn: of the fastest device, 32 ms.
  static let framesPerTurn = 32

  private let node: String
  private let device: ServedDevice
  private let loop: EventLoop
  private let log: Log
  private var reader: EvdevReader?
  private var readiness: ReadinessSource?
  private var deadline: TimerSource?
  private var readingOn: TimerSource?
  private var retry: BackOff?
  /// It said more than is taken at once, and takes turns with the clients until it does not.
  private var isFlooding = false {
    didSet {
      guard isFlooding != oldValue else { return }
      let priority = isFlooding ? EventLoop.Priority.traffic : .device
      if let readiness { loop.setPriority(priority, of: readiness) }
      if let deadline { loop.setPriority(priority, of: deadline) }
    }
  }
  private var isNeeded = false
  /// What was read of a frame that is not complete yet.
  private var frame = emptyFrame()
  private var timeAsleep = MonotonicTime.timeAsleep()
  private let whenGone: () -> Void

  /// - Parameter whenGone: Called when a read finds the device gone; udev may say so later.
  init(
    node: String, device: ServedDevice, loop: EventLoop, log: Log, whenGone: @escaping () -> Void
  ) throws(LoopError) {
    self.node = node
    self.device = device
    self.loop = loop
    self.log = log
    self.whenGone = whenGone
    deadline = try loop.timer(priority: .device) { [weak self] in self?.meetDeadline() }
    readingOn = try loop.timer(priority: .traffic) { [weak self] in _ = self?.read() }
    retry = try BackOff(loop: loop, limit: 20) { [weak self] in self?.open() }
    device.source = self
  }

  private static func emptyFrame() -> Frame {
    var frame = Frame()
    frame.events.reserveCapacity(128)
    return frame
  }

  let waitsForAudience = false

  func takeAvailable() { read() }

  func setNeeded(_ isNeeded: Bool) {
    let isNeeded = isNeeded && !device.isSwitchedOff
    guard isNeeded != self.isNeeded else { return }
    self.isNeeded = isNeeded
    if isNeeded { open() } else { close(.unobserved) }
  }

  /// Its permissions may be others now.
  func tryAgain() {
    if isNeeded && reader == nil { open() }
  }

  /// Closes what is open, in events and in descriptors. Doing it twice does nothing.
  func close(_ reason: CancelReason) {
    retry?.stop()
    guard reader != nil else { return }
    isFlooding = false
    readiness = nil
    reader = nil
    device.isOpen = false
    deadline?.cancel()
    device.cancel(reason)
  }

  private func open() {
    guard isNeeded, reader == nil else { return }
    do throws(EvdevError) {
      let reader = try EvdevReader(node: node)
      // Holds this until ``close(_:)``: a reference that does not costs something in every frame.
      readiness = try? loop.watch(reader.descriptor, priority: .device) { [self] _ in read() }
      guard readiness != nil else {
        log.once(.error, .daemon, about: node, "cannot watch \(node); trying again")
        retry?.again()
        return
      }
      self.reader = reader
      if !reader.isClockMonotonic {
        log.once(
          .debug, .kernel, about: "clock \(node)",
          "\(node) keeps its own clock; its times are not CLOCK_MONOTONIC")
      }
      device.isOpen = true
      device.reopen(
        initialState: .known(reader.state),
        at: reader.isClockMonotonic
          ? Timestamp(microseconds: MonotonicTime.now().microseconds) : nil)
      frame = Self.emptyFrame()
      timeAsleep = MonotonicTime.timeAsleep()
      retry?.stop()
      log.forget(node)
    } catch {
      log.once(
        .warning, .kernel, about: node, "\(error)\(error.mayPass ? "; trying again" : "")")
      if error.mayPass { retry?.again() }
    }
  }

  /// Takes the frames that are there. False when it stopped before the last.
  @discardableResult private func read() -> Bool {
    guard let reader else { return true }
    noticeSuspend()
    // Out of the property: Swift would check each use of that for exclusive access.
    var frame = Frame()
    swap(&frame, &self.frame)
    defer { swap(&frame, &self.frame) }
    // Not without end: a device that floods must not keep the others and the clients waiting.
    for _ in 0..<Self.framesPerTurn {
      switch reader.nextFrame(into: &frame) {
      case .frame:
        device.process(frame)
        frame.removeAll()
      case .wouldBlock:
        isFlooding = false
        setDeadline()
        return true
      case .gone:
        whenGone()
        return true
      case .failed(let error):
        log.write(.error, .kernel, "\(error); the device is given up")
        whenGone()
        return true
      }
    }
    isFlooding = true
    // The node need not become readable again: libevdev has read ahead.
    readingOn?.setToNext()
    setDeadline()
    return false
  }

  /// A deadline is as long after its frame on our clock as it is on the device's.
  private func setDeadline() {
    if let due = device.deadline {
      deadline?.set(at: MonotonicTime.now() + max(.zero, due - device.time))
    } else {
      deadline?.cancel()
    }
  }

  private func meetDeadline() {
    // What the kernel has queued came before: a finger that lifted just in time did not rest.
    let awaited = device.deadline
    guard read(), reader != nil, let due = device.deadline, due == awaited else { return }
    device.meetDeadline()
    setDeadline()
  }

  /// Nobody knows what a finger did while the machine slept.
  func noticeSuspend() {
    guard reader != nil else { return }
    let asleep = MonotonicTime.timeAsleep()
    if (asleep.microseconds - timeAsleep.microseconds).magnitude > 100_000 {
      device.cancel(.suspended)
    }
    timeAsleep = asleep
  }
}
