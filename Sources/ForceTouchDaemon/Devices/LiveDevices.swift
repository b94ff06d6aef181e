import ForceTouchDevices
import ForceTouchEngine
import ForceTouchModel
import Glibc

/// The touch devices of the machine: those that are there, come, change and go.
final class LiveDevices {
  private let hub: Hub
  private let loop: EventLoop
  private let log: Log
  private let configuration: Configuration
  private let udev = Udev()
  /// nil: nothing is heard of devices that come and go.
  private var changes: ReadinessSource?
  /// By path in sysfs: a node's name is used again.
  private var nodes: [String: Node] = [:]

  /// How long a node must stay before it is announced: at start the kernel binds HID devices to
  /// its generic driver first, and that node vanishes within 10 to 90 ms.
  private static let settlingTime = Interval.milliseconds(150)

  /// No machine has as many. What a dock or a program brings beyond that waits for a place.
  private static let mostDevices = 256
  /// Some were not taken.
  private var isFull = false

  private final class Node {
    var udev: UdevDevice
    var timer: TimerSource?
    var isSettling = false
    var retry: BackOff?
    var live: LiveDevice?
    var device: ServedDevice?

    init(_ udev: UdevDevice) { self.udev = udev }
  }

  init(hub: Hub, configuration: Configuration, loop: EventLoop, log: Log) throws {
    self.hub = hub
    self.configuration = configuration
    self.loop = loop
    self.log = log
    if !Udev.isRunning {
      log.write(
        .warning, .daemon, "udev does not run: devices that it did not look at are not served")
    }
    // Heard first, then looked at: what comes in between is not missed.
    do {
      let monitor = try UdevMonitor(udev)
      changes = try loop.watch(
        monitor.descriptor, priority: .traffic
      ) { [weak self] _ in self?.follow(monitor) }
    } catch let error as UdevMonitor.Failure {
      log.write(.error, .kernel, "\(error); only those that are there now are served")
    }
    for device in udev.devices() { take(device) }
    if nodes.isEmpty, let why = SeenDevice.whyNone(SeenDevice.all(udev)) {
      log.write(.info, .device, why)
    }
  }

  /// Closes everything that is open.
  func stop(_ reason: CancelReason) {
    for node in nodes.values { node.live?.close(reason) }
  }

  private func follow(_ monitor: UdevMonitor) {
    while let change = monitor.nextChange() {
      switch change {
      case .present(let udev): take(udev)
      case .removed(let path): remove(path)
      case .overflowed:
        log.write(.warning, .kernel, "udev's messages overflowed; looking at all devices again")
        let present = udev.devices()
        for path in nodes.keys where !present.contains(where: { $0.devicePath == path }) {
          remove(path)
        }
        for device in present { take(device) }
      }
    }
    takeThoseThatWait()
  }

  /// Looks again at all devices when there is a place for one that had none.
  private func takeThoseThatWait() {
    guard isFull, nodes.count < Self.mostDevices else { return }
    isFull = false
    for device in udev.devices() { take(device) }
    if !isFull { log.forget("devices") }
  }

  /// The machine slept, perhaps.
  func noticeSuspend() {
    for node in nodes.values { node.live?.noticeSuspend() }
  }

  private func take(_ udev: UdevDevice) {
    if let node = nodes[udev.devicePath] {
      guard node.udev != udev else {
        // The same as before; but a change is also how permissions arrive.
        node.live?.tryAgain()
        if node.device == nil && !node.isSettling { describe(node) }
        return
      }
      // Another seat, or another judgement: what was open belongs to nobody now.
      remove(udev.devicePath)
    }
    guard case .touch = udev.udevClass else { return }
    guard nodes.count < Self.mostDevices else {
      isFull = true
      return log.once(
        .warning, .device, about: "devices",
        "there are \(nodes.count) touch devices; \(udev.node) and further ones are left out")
    }
    let node = Node(udev)
    nodes[udev.devicePath] = node
    let now = MonotonicTime.now()
    let settled = min(now, MonotonicTime(udev.initializationTime)) + Self.settlingTime
    guard now < settled else { return describe(node) }
    node.timer = try? loop.timer(priority: .traffic) { [weak self, weak node] in
      if let node { self?.describe(node) }
    }
    node.isSettling = true
    node.timer?.set(at: settled)
  }

  /// Opens the node for as long as reading its description takes, and announces the device.
  private func describe(_ node: Node) {
    guard node.device == nil else { return }
    node.isSettling = false
    let path = node.udev.node
    do {
      // One that is to be ignored is listed as such, and not opened for that.
      let declared =
        node.udev.mayBeOpened
        ? try EvdevReader(node: path).description : DeviceDescription(name: path)
      let description = node.udev.complete(declared)
      let device = ServedDevice(
        number: hub.nextDeviceNumber(),
        engine: DeviceEngine(description: description, judge: configuration.judge), hub: hub)
      let devicePath = node.udev.devicePath
      node.live = try LiveDevice(node: path, device: device, loop: loop, log: log) {
        [weak self] in self?.remove(devicePath)
      }
      node.device = device
      node.retry = nil
      log.forget(path)
      let verdict = device.engine.verdict
      log.write(
        .info, .device,
        "\(device.id) is \(description.name) (\(path)): \(verdict.capability.rawValue), "
          + verdict.reason.rawValue,
        [
          .init("DEVICE", device.id), .init("NODE", path), .init("NAME", description.name),
          .init("CAPABILITY", verdict.capability.rawValue),
          .init("REASON", verdict.reason.rawValue),
        ])
      hub.add(device)
    } catch let error as EvdevError {
      guard error.mayPass else {
        log.write(.warning, .kernel, "\(error); the device is left out")
        return
      }
      log.once(.warning, .kernel, about: path, "\(error); trying again")
      if node.retry == nil {
        // For some two minutes. After that udev will tell when its permissions change.
        node.retry = try? BackOff(loop: loop, limit: 20) { [weak self, weak node] in
          if let node { self?.describe(node) }
        }
      }
      node.retry?.again()
    } catch {
      log.write(.error, .daemon, "\(path): \(error)")
    }
  }

  /// Whichever comes first, the failed read or udev: the second finds nothing.
  private func remove(_ path: String) {
    guard let node = nodes.removeValue(forKey: path) else { return }
    node.live?.close(.deviceRemoved)
    log.forget(node.udev.node)
    guard let device = node.device else { return }
    log.write(.info, .device, "\(device.id) is gone", [.init("DEVICE", device.id)])
    hub.remove(device)
  }
}
