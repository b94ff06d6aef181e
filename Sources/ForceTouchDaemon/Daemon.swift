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
    public var socketPath = StandardPath.socket
    /// Recordings that are served instead of live devices.
    public var recordings: [String] = []
    /// nil: the standard one, which need not exist.
    public var settingsPath: String?
    public var isVerbose = false

    public init() {}
  }

  public static let version = "0.1.0"

  /// Why the daemon could not start, in one line for a person.
  public struct Failure: Error, CustomStringConvertible {
    public let description: String
  }

  private let loop: EventLoop
  private let log: Log
  private let hub = Hub()
  private var server: Server?
  private var live: LiveDevices?
  private var replays: [ReplayDevice] = []
  private var signals: [SignalSource] = []
  private var ending: TimerSource?
  private let started = MonotonicTime.now()

  private init(_ options: Options) throws {
    log = Log(isVerbose: options.isVerbose)
    loop = try EventLoop()
    ending = try loop.timer(priority: .traffic) { [unowned self] in endWhenFlushed() }

    let judge = try Self.judge(options, log)
    // Recordings first: one that cannot be read stops the start before anything is there.
    let recordings = try options.recordings.map { try Recording(path: $0) }
    // Until here the signals end the process, as they should while there is nothing to close.
    signals = [
      try loop.signal(SIGTERM) { [unowned self] in stop() },
      try loop.signal(SIGINT) { [unowned self] in stop() },
      try loop.signal(SIGHUP) { [unowned self] in
        log.write(.info, .settings, "settings are read at start only; restart to change them")
      },
    ]
    let socket = try Self.socket(options.socketPath)
    let handlers: [any InterfaceHandler] = [
      DevicesHandler(hub: hub),
      MonitorHandler(
        hub: hub, access: AccessPolicy(), statistics: { [unowned self] in statistics }),
    ]
    server = try Server(
      socket: socket,
      identity: .init(
        vendor: "forcetouchd", product: "forcetouchd", version: Self.version,
        url: "https://varlink.org"), handlers: handlers, hub: hub, loop: loop, log: log)
    if recordings.isEmpty {
      live = try LiveDevices(hub: hub, judge: judge, loop: loop, log: log)
    } else {
      for recording in recordings { try serve(recording, judge) }
    }
    try loop.setWatchdog()
  }

  /// Runs until it is told to stop, or until its last recording is played. Gives the exit status.
  public static func run(_ options: Options) throws(Failure) -> Int32 {
    do {
      signal(SIGPIPE, SIG_IGN)
      let daemon = try Daemon(options)
      sd_notify(0, "READY=1\nSTATUS=\(daemon.hub.devices.count) touch devices")
      daemon.log.write(.debug, .daemon, "serving \(options.socketPath)")
      defer { daemon.server?.close() }
      return try daemon.loop.run()
    } catch {
      throw Failure(description: "\(error)")
    }
  }

  private static func judge(_ options: Options, _ log: Log) throws(Failure) -> Judge {
    let (table, tableProblems) = DeviceTable.standard(overrides: StandardPath.deviceTables)
    let (settings, problems) = Settings.load(given: options.settingsPath)
    // A file that was asked for must be there.
    if options.settingsPath != nil, let missing = problems.first(where: { $0.mark == nil }) {
      throw Failure(description: missing.description)
    }
    for problem in tableProblems + problems {
      log.write(.warning, .settings, "\(problem); ignored")
    }
    return Judge(table: table, settings: settings)
  }

  /// The socket that systemd made, or our own.
  private static func socket(_ path: String) throws -> ListeningSocket {
    guard sd_listen_fds(1) > 0 else { return try ListeningSocket(path: path) }
    return try ListeningSocket(inherited: SD_LISTEN_FDS_START)
  }

  private func serve(_ recording: Recording, _ judge: Judge) throws {
    let device = ServedDevice(
      id: hub.nextDeviceID(), engine: judge.engine(for: recording.description), hub: hub)
    replays.append(
      try ReplayDevice(
        recording: recording, device: device, hub: hub, loop: loop, log: log
      ) { [unowned self] done in
        replays.removeAll { $0 === done }
        if replays.isEmpty { end() }
      })
    hub.add(device)
  }

  private var statistics: MonitorMessage.GetStatisticsReply {
    MonitorMessage.GetStatisticsReply(
      uptime: (MonotonicTime.now() - started).microseconds,
      connections: server?.connectionCount ?? 0, streams: hub.streamCount,
      coalesced: hub.coalescedCount, disconnected: server?.disconnectedCount ?? 0,
      devices: hub.devices.map {
        .init(
          device: $0.id, open: $0.isOpen, frames: $0.frameCount, events: $0.eventCount,
          resynchronizations: $0.resynchronizationCount)
      })
  }

  // MARK: The end

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
