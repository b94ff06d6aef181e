internal import ForceTouchProtocol
internal import Glibc
internal import Varlink

/// A program's way to forcetouchd: whether force is there, and previews for its views. In UIKit
/// these are properties and methods of `UITraitCollection` and `UIViewController`.
///
/// It has no thread and never waits for the daemon. Whatever loop the program has watches
/// ``descriptor`` for input and calls ``dispatch()``; delegates are called from there. A program that
/// has no loop but tasks calls ``run(isolation:)``. One client is enough for a program.
///
/// The daemon need not be there, and may be restarted: the library connects and registers again by
/// itself, and closes what was open.
///
/// It is not safe for several threads at once: it belongs, with its contexts, to the thread or the
/// actor that made it. The compiler checks that.
public final class ForceTouchClient {
  /// Who is told when the capability changes. It is not kept.
  public weak var delegate: (any ForceTouchClientDelegate)?

  private let hub: Hub
  private let control: ControlConnection
  private let seat: String?
  private var capabilityWatch: CapabilityWatch?
  private var toldCapability = ForceTouchCapability.unknown
  private var listeners = EventBroadcast<ForceTouchCapability>()
  private var polling: PollingThread?

  /// - Parameters:
  ///   - socketPath: Where the daemon serves; nil is what the environment variable
  ///     `FORCETOUCHD_SOCKET` says, else `/run/forcetouchd/socket`.
  ///   - seat: The seat that the program is on; nil is what `XDG_SEAT` says, else `seat0`.
  /// - Throws: ``ForceTouchError/system(call:reason:)`` when no descriptors are left. A daemon that is
  ///   not there is no error: see ``connectionError``.
  public convenience init(
    socketPath: String? = nil, seat: String? = nil
  ) throws(ForceTouchError) {
    try self.init(
      socketPath: socketPath ?? SocketPath.ofEnvironment,
      seat: seat ?? Self.seatOfEnvironment, delays: .standard)
  }

  init(socketPath: String, seat: String?, delays: BackOff.Delays) throws(ForceTouchError) {
    hub = try Hub(socketPath: socketPath, delays: delays)
    control = ControlConnection(hub: hub)
    self.seat = seat == Self.firstSeat ? nil : seat
    capabilityWatch = CapabilityWatch(hub: hub, seat: seat ?? Self.firstSeat) { [weak self] in
      self?.capabilityChanged()
    }
    toldCapability = forceTouchCapability
  }

  deinit {
    listeners.end()
    for case let context as PreviewingContext in hub.allEndpoints() { context.unregister() }
  }

  private static let firstSeat = "seat0"

  private static var seatOfEnvironment: String? {
    guard let value = getenv("XDG_SEAT"), value.pointee != 0 else { return nil }
    return String(cString: value)
  }

  // MARK: The program's loop

  /// Readable when ``dispatch()`` has something to do. Watch it for input, and do nothing else with
  /// it. It stays the same for the client's life.
  public var descriptor: Int32 { hub.descriptor }

  /// Does what there is to do, and calls delegates. It never waits; to call it too often does no
  /// harm. A delegate may run a loop that dispatches again.
  public func dispatch() { hub.dispatch() }

  /// Dispatches until the task is cancelled, for programs without a loop of their own: a thread of
  /// the library waits for ``descriptor``, and delegates are called on the caller's actor.
  ///
  /// - Throws: ``ForceTouchError/system(call:reason:)`` when there can be no thread.
  public func run(
    isolation: isolated (any Actor)? = #isolation
  ) async throws(ForceTouchError) {
    let thread: PollingThread
    if let polling { thread = polling } else { thread = try PollingThread(for: descriptor) }
    polling = thread
    dispatch()
    while !Task.isCancelled {
      await thread.wait()
      dispatch()
    }
  }

  // MARK: Capability

  /// Whether a device of the seat feels force: the best that any has. `unknown` while the daemon is
  /// not there, and before it answered. UIKit: `UITraitCollection.forceTouchCapability`.
  public var forceTouchCapability: ForceTouchCapability {
    capabilityWatch?.capability ?? .unknown
  }

  /// The capability now, and each time that it changes, as a sequence for any task.
  public var forceTouchCapabilities: AsyncStream<ForceTouchCapability> {
    listeners.listen(beginningWith: forceTouchCapability)
  }

  /// Why the daemon is not there; nil while it is.
  public var connectionError: ForceTouchError? { capabilityWatch?.error }

  private func capabilityChanged() {
    let previous = toldCapability
    guard forceTouchCapability != previous else { return }
    toldCapability = forceTouchCapability
    listeners.send(toldCapability)
    delegate?.forceTouchClient(self, capabilityDidChangeFrom: previous)
  }

  // MARK: Previewing

  /// Registers a view for peek and pop. UIKit: `registerForPreviewing(with:sourceView:)`.
  ///
  /// - Parameters:
  ///   - delegate: Gives previews. It is not kept.
  ///   - sourceView: Its view. It is not kept.
  /// - Returns: The registration. Keep it: a context that is released is unregistered.
  public func registerForPreviewing(
    with delegate: some PreviewingDelegate, sourceView: any SourceView
  ) -> PreviewingContext {
    register(sourceView, DelegateHandler(delegate))
  }

  /// Registers a view whose questions are answered by ``PreviewingContext/accept(_:sourceRect:allowsPop:)``
  /// and ``PreviewingContext/decline(_:)``, for a program that follows
  /// ``PreviewingContext/events``.
  ///
  /// - Returns: The registration. Keep it: a context that is released is unregistered.
  public func registerForPreviewing(sourceView: any SourceView) -> PreviewingContext {
    register(sourceView, nil)
  }

  /// Ends a registration, and what it has open. UIKit: `unregisterForPreviewing(withContext:)`.
  public func unregisterForPreviewing(withContext context: PreviewingContext) {
    context.unregister()
  }

  func register(
    _ sourceView: any SourceView, _ handler: (any PreviewingHandler)?
  ) -> PreviewingContext {
    PreviewingContext(
      sourceView: sourceView, handler: handler, hub: hub, control: control, seat: seat)
  }
}

/// Who is told what becomes of force itself.
public protocol ForceTouchClientDelegate: AnyObject {
  /// ``ForceTouchClient/forceTouchCapability`` is another: a pad came or went, was calibrated, or the
  /// daemon was started or stopped. Called in ``ForceTouchClient/dispatch()``. UIKit:
  /// `traitCollectionDidChange(_:)`.
  func forceTouchClient(
    _ client: ForceTouchClient, capabilityDidChangeFrom previous: ForceTouchCapability)
}
