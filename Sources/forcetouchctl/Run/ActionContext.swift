import ForceTouch
import ForceTouchActions
import ForceTouchModel
import ForceTouchProtocol

/// A previewing context for everything, whose answers and commands are those of an actions file.
final class ActionContext: SourceView, PreviewingDelegate {
  let size: ViewSize? = nil
  var coverage: SourceCoverage { .everything(touchscreens: hasTouchscreens) }
  /// False once the daemon said that touchscreens are not for us.
  private(set) var hasTouchscreens = true
  /// The daemon is of no use to us: it will not be by waiting either.
  private(set) var refusal: ForceTouchError?
  private let client: ForceTouchClient
  private let socket: String
  private let answer: (ActionDevice) -> ActionAnswer
  private let follow: (ActionTrigger, ActionPress, _ reason: String?) -> Void
  private var context: PreviewingContext?
  /// There while we are registered.
  private var watch: DeviceWatch?

  /// Whoever asks waits for the answer, and takes a silence for a no.
  private static let patience = Interval.milliseconds(20)

  /// - Parameters:
  ///   - answer: Whether presses on a device matter.
  ///   - follow: Called for what happens to one that does.
  init(
    socket: String, answer: @escaping (ActionDevice) -> ActionAnswer,
    follow: @escaping (ActionTrigger, ActionPress, _ reason: String?) -> Void
  ) throws(ForceTouchError) {
    client = try ForceTouchClient(socketPath: socket)
    self.socket = socket
    self.answer = answer
    self.follow = follow
    context = client.registerForPreviewing(with: self, sourceView: self)
  }

  /// One is readable when ``dispatch()`` has something to do.
  var descriptors: [Int32] { [client.descriptor, watch?.descriptor].compactMap(\.self) }

  func dispatch() {
    // First, as what comes next may be about a device that was added just now.
    watch?.dispatch()
    client.dispatch()
    if !isRegistered {
      watch = nil
    } else if watch == nil {
      watch = try? DeviceWatch(socket: socket)
    }
  }

  /// The daemon's devices.
  var devices: [DeviceMessage] { watch?.devices ?? [] }

  var isRegistered: Bool { context?.isRegistered ?? false }

  /// Whether the user is elsewhere, or behind a lock.
  var isDormant: Bool { context?.isDormant ?? true }

  /// Why the daemon is not there; nil while it is.
  var connectionError: ForceTouchError? { client.connectionError }

  private func device(_ id: String) -> ActionDevice? {
    // One that ended is begun again here, where it is missed, and not in vain all the time.
    if watch?.isOver ?? true { watch = try? DeviceWatch(socket: socket) }
    return watch?.device(id, patience: Self.patience).map(ActionDevice.init)
  }

  // MARK: PreviewingDelegate

  func previewingContext(
    _ context: PreviewingContext, previewForLocation location: ViewPoint
  ) -> FollowedPress? {
    guard let question = context.event, let device = device(question.device)
    else { return nil }
    let answer = answer(device)
    context.allowsPop = answer.allowsPop
    return answer.preview ? FollowedPress(ActionPress(question, of: device)) : nil
  }

  func previewingContext(_ context: PreviewingContext, present press: FollowedPress) {
    tell(.peek, of: press, context.event)
  }

  func previewingContext(_ context: PreviewingContext, commit press: FollowedPress) {
    tell(.pop, of: press, context.event)
  }

  func previewingContext(_ context: PreviewingContext, dismiss press: FollowedPress) {
    if case .peekCancelled(let cancellation) = context.event?.kind {
      tell(.peekCancelled, of: press, context.event, reason: cancellation.name)
    } else {
      tell(.peekEnded, of: press, context.event)
    }
  }

  func previewingContext(
    _ context: PreviewingContext, didFailWith error: ForceTouchError
  ) {
    switch error {
    case .permissionDenied where hasTouchscreens:
      hasTouchscreens = false
      self.context = client.registerForPreviewing(with: self, sourceView: self)
    case .permissionDenied, .refused: refusal = error
    // Of one question, which is over; or it is tried again.
    default: break
    }
  }

  private func tell(
    _ trigger: ActionTrigger, of press: FollowedPress, _ event: PreviewingEvent?,
    reason: String? = nil
  ) {
    if let event { press.press.take(ActionPress.Sample(event)) }
    if press.press.isWorthTelling(trigger) { follow(trigger, press.press, reason) }
  }
}

/// A press that was said yes to, until it is over.
final class FollowedPress {
  fileprivate(set) var press: ActionPress
  fileprivate init(_ press: ActionPress) { self.press = press }
}

extension PreviewCancellation {
  /// What a command is told of it.
  fileprivate var name: String {
    switch self {
    case .daemon(let reason): reason.rawValue
    case .unknown: "unknown"
    case .connectionLost: "connectionLost"
    case .lateAnswer: "lateAnswer"
    case .program: "program"
    }
  }
}

extension ActionDevice {
  init(_ device: DeviceMessage) {
    self.init(id: device.device, name: device.name, node: device.node)
  }
}

extension ActionPress {
  fileprivate init(_ event: PreviewingEvent, of device: ActionDevice) {
    self.init(
      device: device, interaction: event.interaction,
      maximumPossibleForce: event.maximumPossibleForce, isEstimated: event.isEstimated,
      sample: Sample(event))
  }
}

extension ActionPress.Sample {
  fileprivate init(_ event: PreviewingEvent) {
    self.init(
      time: Timestamp(microseconds: event.time), pressure: event.pressure, force: event.force,
      grams: event.grams, location: event.location)
  }
}
