internal import ForceTouchProtocol
internal import Varlink

/// A source view that is registered for previews. The UIKit counterpart is the
/// `UIViewControllerPreviewing` that `registerForPreviewing(with:sourceView:)` returns.
///
/// Keep it as long as previews are wanted: a context that is released is unregistered (one with an
/// open interaction when that is closed). It is not safe for several threads at once: use it where
/// its client is dispatched.
public final class PreviewingContext {
  /// The view that was registered. The library does not keep it.
  public private(set) weak var sourceView: (any SourceView)?

  /// Which part of the source view the preview is for, in the view's units: the part to be left in
  /// focus. To be set in `previewingContext(_:previewForLocation:)`; nil, as at the beginning of each
  /// question, is the whole view. It must be finite, without negative sides, and touch the view, else
  /// the answer is no and ``ForceTouchError/invalidSourceRect`` is told. UIKit: `sourceRect`.
  public var sourceRect: ViewRect?

  /// Whether pressing on may open what is previewed. To be set in
  /// `previewingContext(_:previewForLocation:)`; true at the beginning of each question. When false,
  /// the peek stays while the finger stays, however hard it presses.
  public var allowsPop = true

  /// Where the pointer is, in the view's units; nil while it is not over the view. Set it from enter,
  /// motion and leave: a view of ``SourceCoverage/view`` is asked about trackpads only while the
  /// pointer is over it. Where there was a pointer last is the location of the next question.
  public var pointerLocation: ViewPoint? {
    didSet {
      if let pointerLocation { lastPointerLocation = pointerLocation }
      if coverage == .view { isActive = pointerLocation != nil }
    }
  }

  /// Whether it may be asked. For ``SourceCoverage/view`` this follows ``pointerLocation``; others
  /// are active from the beginning, and a kiosk's hidden view is not. It changes the next question
  /// only: what is open goes on.
  public var isActive: Bool {
    didSet { tellActivity() }
  }

  /// Whether the daemon knows it at this moment. The library registers it again by itself when the
  /// daemon was gone; only a refusal (``ForceTouchError/permissionDenied(needed:)``) is final.
  public var isRegistered: Bool { token != nil }

  /// Whether its user is not in front of the seat: in another session, or behind a lock. It is asked
  /// nothing then, and works again by itself afterwards.
  public private(set) var isDormant = false

  /// What was heard last: force, pressure, device, location. nil before the first question.
  public private(set) var event: PreviewingEvent?

  private let hub: Hub
  private let control: ControlConnection
  private let seat: String?
  private let handler: (any PreviewingHandler)?
  private let coverage: SourceCoverage
  private var stream: PersistentStream?
  private var key: Hub.Key = 0
  private var listeners = EventBroadcast<PreviewingEvent>()
  private var token: String?
  private var conversation = Conversation()
  private var begun: (any BegunPreview)?
  /// What the daemon was told last; nil where that is not known.
  private var toldActive: Bool?
  private var registeredSize: ViewSize?
  private var lastPointerLocation: ViewPoint?
  private var touches: [(time: UInt32, location: ViewPoint)] = []
  /// Where the question was asked.
  private var askedLocation: ViewPoint?

  init(
    sourceView: any SourceView, handler: (any PreviewingHandler)?, hub: Hub,
    control: ControlConnection, seat: String?
  ) {
    self.sourceView = sourceView
    self.handler = handler
    self.hub = hub
    self.control = control
    self.seat = seat
    coverage = sourceView.coverage
    isActive = coverage != .view
    key = hub.add(self)
    let stream = PersistentStream(hub: hub, owner: self)
    self.stream = stream
    stream.open()
  }

  deinit {
    hub.remove(key)
    listeners.end()
  }

  // MARK: For programs

  /// All that is heard from now on, as a sequence for any task. It ends when the context is
  /// unregistered. A task that is slow loses progress first; one that takes nothing any more is ended.
  public var events: AsyncStream<PreviewingEvent> { listeners.listen() }

  /// Says that a touch of a touchscreen belongs to this view: to be called for each touch that goes
  /// down on it. The context is asked about it before all others when the finger presses.
  ///
  /// Refusals are told to the delegate: ``ForceTouchError/noSuchContact(time:)`` is ordinary on
  /// touchscreens without force.
  ///
  /// - Parameters:
  ///   - touchTime: The time of `wl_touch.down`, in milliseconds on the kernel's clock (in GTK, the
  ///     time of the event).
  ///   - location: Where it went down, in the view's units.
  public func claim(touchTime: UInt32, location: ViewPoint) {
    // Two fingers may have come down in one millisecond. More than a few hands are forgotten.
    if !touches.contains(where: { $0.time == touchTime && $0.location == location }) {
      touches = touches.suffix(15) + [(touchTime, location)]
    }
    guard let token else {
      handler?.failed(.notRegistered, in: self)
      return
    }
    control.send(
      .claim(PreviewingMessage.ClaimCall(token: token, touchTime: touchTime)), for: self)
  }

  /// Answers a question with yes, for a context without a delegate.
  ///
  /// - Parameters:
  ///   - interaction: The number in the question.
  ///   - sourceRect: The part of the view that the preview is for; nil is all of it.
  ///   - allowsPop: Whether pressing on may open it.
  /// - Throws: ``ForceTouchError/interactionOver`` when nothing waits for this answer, and
  ///   ``ForceTouchError/invalidSourceRect``: then the question is still open.
  public func accept(
    _ interaction: UInt64, sourceRect: ViewRect? = nil, allowsPop: Bool = true
  ) throws(ForceTouchError) {
    guard handler == nil, conversation.isAsked(interaction) else { throw .interactionOver }
    guard isUsable(sourceRect) else { throw .invalidSourceRect }
    hub.cancelDeadline(of: key)
    conversation.accept()
    send(.yes(sourceRect, allowsPop: allowsPop), to: interaction)
  }

  /// Answers a question with no, for a context without a delegate.
  ///
  /// - Throws: ``ForceTouchError/interactionOver`` when nothing waits for this answer.
  public func decline(_ interaction: UInt64) throws(ForceTouchError) {
    guard handler == nil, conversation.isAsked(interaction) else { throw .interactionOver }
    declineCurrent(interaction)
  }

  /// Takes back what is open: it is closed with ``PreviewCancellation/program``, and nothing more is
  /// heard of that touch. UIKit: `UIPreviewInteraction.cancel()`.
  public func cancel() {
    guard let interaction = conversation.current else { return }
    if interaction.phase == .asked { send(.no, to: interaction.number) }
    close(.program)
  }

  /// Ends the registration and all that is open, at once. It may be called anywhere, also in a
  /// delegate's method. UIKit: `unregisterForPreviewing(withContext:)`.
  public func unregister() {
    stream?.close()
    stream = nil
    token = nil
    close(.daemon(.unregistered))
    listeners.end()
  }

  // MARK: Answering

  private enum Answer {
    case no
    case yes(ViewRect?, allowsPop: Bool)
  }

  private func ask(_ question: PreviewingEvent) {
    let number = question.interaction
    hub.keep(self)
    tell(question)
    // Whoever listened to that may have ended it.
    guard conversation.isAsked(number) else { return }
    guard let handler else {
      if case .question(let timeout) = question.kind {
        hub.setDeadline(of: key, after: timeout)
      }
      return
    }
    sourceRect = nil
    allowsPop = true
    guard sourceView != nil else {
      declineCurrent(number)
      return handler.failed(.sourceViewGone, in: self)
    }
    let preview = handler.begin(in: self, at: question.location ?? ViewPoint(x: 0, y: 0))
    guard conversation.isAsked(number) else {
      preview?.hear(question.cancelled(.lateAnswer), in: self)
      return
    }
    guard let preview else { return declineCurrent(number) }
    guard isUsable(sourceRect) else {
      declineCurrent(number)
      preview.hear(question.cancelled(.program), in: self)
      return handler.failed(.invalidSourceRect, in: self)
    }
    begun = preview
    conversation.accept()
    send(.yes(sourceRect, allowsPop: allowsPop), to: number)
  }

  private func isUsable(_ rect: ViewRect?) -> Bool {
    guard let rect else { return true }
    return rect.isValid && (sourceView?.size.map { rect.touches(viewOf: $0) } ?? true)
  }

  private func declineCurrent(_ number: UInt64) {
    conversation.close()
    hub.cancelDeadline(of: key)
    hub.release(self)
    send(.no, to: number)
  }

  private func send(_ answer: Answer, to number: UInt64) {
    guard let token else { return }
    var call = PreviewingMessage.AnswerCall(token: token, interaction: number, preview: false)
    if case .yes(let rect, let allowsPop) = answer {
      call.preview = true
      call.sourceRect = rect.map {
        let scale = scale
        return PreviewingMessage.Rect(
          x: $0.x / scale.x, y: $0.y / scale.y, width: $0.width / scale.x,
          height: $0.height / scale.y)
      }
      call.allowsPop = allowsPop ? nil : false
    }
    control.send(.answer(call), for: self)
  }

  // MARK: Closing

  private func close(_ cancellation: PreviewCancellation) {
    guard conversation.current != nil, let event else { return }
    conversation.close()
    finish(event.cancelled(cancellation))
  }

  /// The conversation is closed already; what the program does now cannot close it again.
  private func finish(_ event: PreviewingEvent) {
    let preview = begun
    begun = nil
    hub.cancelDeadline(of: key)
    hub.release(self)
    tell(event)
    preview?.hear(event, in: self)
  }

  private func tell(_ event: PreviewingEvent) {
    self.event = event
    listeners.send(event, isDispensable: event.isProgress)
    handler?.heard(event, in: self)
  }

  // MARK: Locations

  /// The view's units now, in those with which it was registered.
  private var scale: (x: Double, y: Double) {
    guard let registeredSize, let size = sourceView?.size else { return (1, 1) }
    return (size.width / registeredSize.width, size.height / registeredSize.height)
  }

  private func location(of event: PreviewingMessage.Event) -> ViewPoint? {
    if let claimed = event.claimed {
      // A context is asked about a touch once.
      return touches.firstIndex { $0.time == claimed }.map { touches.remove(at: $0).location }
    }
    let scale = scale
    if let location = event.location {
      return ViewPoint(x: location.x * scale.x, y: location.y * scale.y)
    }
    return event.event == .question ? lastPointerLocation : askedLocation
  }
}

// MARK: What the daemon says

extension PreviewingContext: StreamOwner {
  func call(on connection: ClientConnection) throws(ClientError) {
    toldActive = isActive
    var call = PreviewingMessage.RegisterCall(coverage: .view, seat: seat, active: isActive)
    registeredSize = nil
    switch coverage {
    // The library checks source rects itself, by the size that the view has then.
    case .view: break
    case .region(let region):
      call.coverage = .region
      call.region = PreviewingMessage.Rect(
        x: region.x, y: region.y, width: region.width, height: region.height)
      registeredSize = sourceView?.size
    case .everything(let touchscreens):
      call.coverage = .everything
      call.touchscreens = touchscreens
      registeredSize = sourceView?.size
    }
    call.size = registeredSize.map { PreviewingMessage.Size(width: $0.width, height: $0.height) }
    try connection.call("\(PreviewingMessage.interface).Register", call, more: true)
  }

  func received(_ reply: Reply) throws(ClientError) {
    let message = try RegisterReply(reply).message
    if let snapshot = message.snapshot {
      guard token == nil else { throw .malformedReply }
      token = snapshot.token
      isDormant = !snapshot.active
      conversation = Conversation()
      tellActivity()
    } else if token == nil {
      throw .malformedReply
    } else if let active = message.active {
      isDormant = !active
    } else if let event = message.event {
      try hear(event)
    }
  }

  private func hear(_ message: PreviewingMessage.Event) throws(ClientError) {
    let open = conversation.current == nil ? nil : event
    let step: Conversation.Step
    do throws(Conversation.Violation) {
      step = try conversation.hear(message.event, of: message.interaction)
    } catch {
      throw .malformedReply
    }
    if step == .ignore { return }
    let location = location(of: message)
    let heard = PreviewingEvent(
      message, location: location,
      maximumPossibleForce: step == .ask ? nil : event?.maximumPossibleForce)
    switch step {
    case .ignore: break
    case .ask:
      if let open { finish(open.cancelled(.lateAnswer)) }
      guard conversation.isAsked(message.interaction) else { return }
      askedLocation = location
      ask(heard)
    case .tell:
      let preview = begun
      tell(heard)
      // Whoever listened to that may have ended it.
      if conversation.current?.number == heard.interaction { preview?.hear(heard, in: self) }
    case .close: finish(heard)
    }
  }

  func lost(_ error: ForceTouchError) {
    token = nil
    close(.connectionLost)
  }

  func refused(_ error: ForceTouchError) {
    token = nil
    close(.connectionLost)
    handler?.failed(error, in: self)
    listeners.end()
  }
}

// MARK: What becomes of the context's own calls

extension PreviewingContext: Endpoint {
  func isReady() {}

  /// A question that nobody answered: the daemon takes silence for no, and says nothing more.
  func isDue() { close(.lateAnswer) }

  func tellActivity() {
    guard let token, toldActive != isActive else { return }
    toldActive = isActive
    control.send(
      .setActive(PreviewingMessage.SetActiveCall(token: token, active: isActive)), for: self)
  }

  func failed(_ call: ControlCall, _ error: ForceTouchError) {
    guard call.token == token else { return }
    switch error {
    case .connectionLost, .cannotConnect, .malformedMessage: toldActive = nil
    // The daemon gave up the stream: it is time to open another.
    case .notRegistered: stream?.lose(error)
    default: break
    }
    if case .answer(let answer) = call {
      guard conversation.current?.number == answer.interaction else { return }
      if error == .interactionOver { return close(.lateAnswer) }
      // The question may still be open there.
      if error == .invalidSourceRect { send(.no, to: answer.interaction) }
      close(error == .invalidSourceRect ? .program : .connectionLost)
    }
    handler?.failed(error, in: self)
  }
}
