internal import ForceTouchProtocol
internal import Varlink

/// Something behind the client's one descriptor.
protocol Endpoint: AnyObject {
  /// Its connection has something to do.
  func isReady()
  /// The time that it asked for has come.
  func isDue()
}

/// All that waits behind the client's one descriptor: connections, and times at which something
/// is due. Whatever calls the program back does so as its last act, so that the program may
/// unregister, drop and dispatch again within.
final class Hub {
  /// Names an endpoint; never used again, so that what is late finds nobody.
  typealias Key = UInt64

  let socketPath: String
  let delays: BackOff.Delays
  private let poller: Poller
  private let clock = ContinuousClock()
  private var lastKey: Key = 0
  private var endpoints: [Key: WeakEndpoint] = [:]
  private var deadlines: [Key: ContinuousClock.Instant] = [:]
  private var armedFor: ContinuousClock.Instant?
  /// Contexts with an open interaction: they live to its close, even if the program drops them.
  private var kept: [ObjectIdentifier: AnyObject] = [:]

  private struct WeakEndpoint {
    weak var endpoint: (any Endpoint)?
  }

  init(socketPath: String, delays: BackOff.Delays) throws(ForceTouchError) {
    self.socketPath = socketPath
    self.delays = delays
    do throws(SystemError) {
      poller = try Poller()
    } catch {
      throw .system(call: error.call, reason: error.reason)
    }
  }

  var descriptor: Int32 { poller.descriptor }

  func dispatch() {
    for key in poller.ready() {
      if key == Poller.timerKey { armedFor = nil } else { endpoints[key]?.endpoint?.isReady() }
    }
    let now = clock.now
    let due = deadlines.filter { $0.value <= now }
      .sorted { ($0.value, $0.key) < ($1.value, $1.key) }
    for (key, time) in due where deadlines[key] == time {
      deadlines[key] = nil
      endpoints[key]?.endpoint?.isDue()
    }
    arm()
  }

  // MARK: Endpoints

  func add(_ endpoint: any Endpoint) -> Key {
    lastKey += 1
    endpoints[lastKey] = WeakEndpoint(endpoint: endpoint)
    return lastKey
  }

  func remove(_ key: Key) {
    endpoints[key] = nil
    cancelDeadline(of: key)
  }

  func allEndpoints() -> [any Endpoint] { endpoints.values.compactMap(\.endpoint) }

  func keep(_ context: AnyObject) { kept[ObjectIdentifier(context)] = context }

  func release(_ context: AnyObject) { kept[ObjectIdentifier(context)] = nil }

  // MARK: Connections

  func connect(for key: Key) throws(ClientError) -> ClientConnection {
    let connection = try ClientConnection(path: socketPath)
    do throws(SystemError) {
      try poller.add(connection.descriptor, key: key, wantsOutput: false)
    } catch {
      throw .cannotConnect(path: socketPath, reason: error.reason)
    }
    return connection
  }

  /// Writes what can be written, and waits for room for the rest.
  func flush(_ connection: ClientConnection, of key: Key) {
    let wanted = connection.wantsOutput
    connection.flush()
    if wanted || connection.wantsOutput {
      try? poller.change(connection.descriptor, key: key, wantsOutput: connection.wantsOutput)
    }
  }

  func disconnect(_ connection: ClientConnection) { poller.remove(connection.descriptor) }

  // MARK: Times

  /// Each endpoint has one deadline at most: the last it asked for.
  func setDeadline(of key: Key, after duration: Duration) {
    deadlines[key] = clock.now + duration
    arm()
  }

  func cancelDeadline(of key: Key) {
    guard deadlines.removeValue(forKey: key) != nil else { return }
    arm()
  }

  private func arm() {
    let next = deadlines.values.min()
    guard next != armedFor else { return }
    armedFor = next
    poller.wake(after: next.map { $0 - clock.now })
  }
}
