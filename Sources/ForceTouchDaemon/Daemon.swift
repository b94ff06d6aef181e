import CSystemd
import ForceTouchDevices
import ForceTouchEngine
import ForceTouchModel
import ForceTouchProtocol
import ForceTouchRecordings
import ForceTouchSettings
import Glibc
import Varlink

/// forcetouchd: devices on one side, clients on the other, one loop between them.
public final class Daemon {
  public struct Options: Equatable, Sendable {
    public var socketPath = SocketPath.standard
    /// Recordings that are served instead of live devices.
    public var recordings: [String] = []
    /// nil: the standard one, which need not exist.
    public var settingsPath: String?
    /// Where profiles and settings are kept that are set over the socket.
    public var statePath = StandardPath.state
    public var isVerbose = false

    public init() {}
  }

  public static let version = Software.version

  /// Why the daemon could not start, in one line for a person.
  public struct Failure: Error, CustomStringConvertible {
    public let description: String
  }

  private let loop: EventLoop
  private let log: Log
  private let hub: Hub
  private let configuration: Configuration
  private var access: AccessPolicy?
  private var seats: Seats?
  private var server: Server?
  private var live: LiveDevices?
  private var replays: [ReplayDevice] = []
  private var signals: [SignalSource] = []
  private var clockChanges: ClockChangeSource?
  private var ending: TimerSource?
  private var idle: TimerSource?
  private let started = MonotonicTime.now()

  private init(_ options: Options) throws {
    log = Log(isVerbose: options.isVerbose)
    loop = try EventLoop()
    hub = try Hub(loop: loop)
    configuration = try Configuration(
      files: Judge.Files(settings: options.settingsPath, state: options.statePath), log: log)
    // Recordings first: one that cannot be read stops the start before anything is there.
    let recordings = try options.recordings.map { try Recording(path: $0) }
    ending = try loop.timer(priority: .traffic) { [unowned self] in endWhenFlushed() }
    // Until here the signals end the process, as they should while there is nothing to close.
    signals = [
      try loop.signal(SIGTERM) { [unowned self] in stop() },
      try loop.signal(SIGINT) { [unowned self] in stop() },
      try loop.signal(SIGHUP) { [unowned self] in configuration.reload() },
    ]
    let isActivated = sd_listen_fds(1) > 0
    let socket = try Self.socket(options.socketPath, isActivated: isActivated)
    let seats = try Seats(
      loop: loop, log: log,
      willLeave: { [unowned self] in hub.cancelContacts(seat: $0, .sessionInactive) },
      didChange: { [unowned self] in self.server?.accessChanged() })
    let access = AccessPolicy(seats: seats)
    let handlers: [any InterfaceHandler] =
      [
        DevicesHandler(hub: hub),
        MonitorHandler(hub: hub, access: access, statistics: { [unowned self] in statistics }),
        PreviewingHandler(hub: hub, access: access, configuration: configuration),
        ControlHandler(hub: hub, access: access, configuration: configuration),
      ]
    let server = try Server(
      socket: socket,
      identity: .init(
        vendor: "forcetouchd", product: "forcetouchd", version: Self.version,
        url: "https://varlink.org"), handlers: handlers, hub: hub, loop: loop, log: log)
    self.seats = seats
    self.access = access
    self.server = server
    if recordings.isEmpty {
      live = try LiveDevices(hub: hub, configuration: configuration, loop: loop, log: log)
      clockChanges = try loop.clockChanges { [unowned self] in live?.noticeSuspend() }
      if isActivated { try leaveWhenIdle(server) }
    } else {
      for recording in recordings { try serve(recording) }
    }
    hub.previews.settings = configuration.judge.settings.previewing
    configuration.whenRead = { [unowned self] in goByConfiguration() }
    hub.whenDevicesChange = { [unowned self] in tellStatus() }
    hub.whenProven = { [unowned self] in tellProof(of: $0) }
    try loop.setWatchdog()
  }

  /// Runs until it is told to stop, until its last recording is played, or until nobody needs it
  /// any more. Gives the exit status.
  public static func run(_ options: Options) throws(Failure) -> Int32 {
    do {
      reserveStandardDescriptors()
      signal(SIGPIPE, SIG_IGN)
      // A file that may not grow is refused where it is written (EFBIG, `setrlimit(2)`).
      signal(SIGXFSZ, SIG_IGN)
      let daemon = try Daemon(options)
      sd_notify(0, "READY=1")
      daemon.tellStatus()
      daemon.log.write(.debug, .daemon, "serving \(options.socketPath)")
      defer { daemon.server?.close() }
      return try daemon.loop.run()
    } catch {
      throw Failure(description: "\(error)")
    }
  }

  /// The socket that systemd made, or our own.
  private static func socket(_ path: String, isActivated: Bool) throws -> ListeningSocket {
    isActivated
      ? try ListeningSocket(inherited: SD_LISTEN_FDS_START) : try ListeningSocket(path: path)
  }

  private func serve(_ recording: Recording) throws {
    let device = ServedDevice(
      number: hub.nextDeviceNumber(),
      engine: DeviceEngine(description: recording.description, judge: configuration.judge),
      hub: hub)
    replays.append(
      try ReplayDevice(
        recording: recording, device: device, hub: hub, loop: loop, log: log
      ) { [unowned self] done in
        replays.removeAll { $0 === done }
        if replays.isEmpty { end() }
      })
    hub.add(device)
  }

  private func goByConfiguration() {
    sd_notify(0, "RELOADING=1\nMONOTONIC_USEC=\(MonotonicTime.now().microseconds)")
    access?.lookUpGroups()
    hub.previews.settings = configuration.judge.settings.previewing
    server?.accessChanged()
    hub.judgeAgain(by: configuration.judge)
    server?.whenCountChanges()
    sd_notify(0, "READY=1")
  }

  /// What `systemctl status` shows.
  private func tellStatus() {
    let available = hub.devices.count { $0.engine.verdict.capability == .available }
    sd_notify(0, "STATUS=\(hub.devices.count) touch devices, \(available) of them feel force")
  }

  /// Its use has shown that a device cannot be believed.
  private func tellProof(of device: ServedDevice) {
    let (description, verdict) = (device.engine.description, device.engine.verdict)
    log.write(
      .warning, .device,
      "\(device.id) is \(description.name): \(verdict.reason.explanation); it is "
        + "\(verdict.capability.rawValue) until it is plugged in again",
      [
        .init("DEVICE", device.id), .init("NAME", description.name),
        .init("CAPABILITY", verdict.capability.rawValue),
        .init("REASON", verdict.reason.rawValue),
      ])
  }

  private var statistics: MonitorMessage.GetStatisticsReply {
    MonitorMessage.GetStatisticsReply(
      uptime: (MonotonicTime.now() - started).microseconds,
      connections: server?.connectionCount ?? 0, streams: hub.streamCount,
      coalesced: hub.coalescedCount, disconnected: server?.disconnectedCount ?? 0,
      seats: seats?.all.map { .init(seat: $0.seat, user: $0.user) } ?? [],
      devices: hub.devices.map {
        .init(
          device: $0.id, open: $0.isOpen, frames: $0.frameCount, events: $0.eventCount,
          resynchronizations: $0.resynchronizationCount, outOfRange: $0.outOfRangeCount,
          pressure: $0.engine.statistics.map { .init($0) })
      })
  }

  // MARK: The end

  /// systemd starts the daemon again for the next connection: what waits at the socket then is
  /// not lost.
  private func leaveWhenIdle(_ server: Server) throws(LoopError) {
    idle = try loop.timer(priority: .traffic) { [unowned self] in
      log.write(.info, .daemon, "nobody is connected; the next connection starts it again")
      stop()
    }
    server.whenCountChanges = { [unowned self, unowned server] in
      let patience = configuration.judge.settings.service.idleExit
      if server.connectionCount == 0 && patience > .zero {
        idle?.set(at: MonotonicTime.now() + patience)
      } else {
        idle?.cancel()
      }
    }
    server.whenCountChanges()
  }

  /// Closes all that is open, tells every stream, and ends.
  private func stop() {
    sd_notify(0, "STOPPING=1")
    live?.stop(.stopping)
    for replay in replays { replay.stop() }
    replays.removeAll()
    end()
  }

  private var endsAt: MonotonicTime?

  private func end() {
    guard endsAt == nil else { return }
    endsAt = MonotonicTime.now() + .milliseconds(1000)
    server?.stopAccepting()
    hub.endStreams()
    server?.flushAll()
    endWhenFlushed()
  }

  /// Waits for slow readers, but not for those that do not read.
  private func endWhenFlushed() {
    guard let server, let endsAt else { return }
    if server.isFlushed || MonotonicTime.now() >= endsAt {
      loop.exit(status: 0)
    } else {
      server.flushAll()
      ending?.set(at: MonotonicTime.now() + .milliseconds(10))
    }
  }
}
