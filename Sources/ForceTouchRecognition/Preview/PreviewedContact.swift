import ForceTouchModel

/// One context's conversation about one contact.
struct Interaction: Equatable, Sendable {
  let context: PreviewingContextID
  let id: InteractionID
  /// nil: the context may not know where the contact is.
  let mapping: ViewMapping?
}

/// One contact, and how far the conversation about it went: the state machine of one interaction.
/// Who is asked is not decided here. The transitions are drawn up in `docs/previewing.md`.
struct PreviewedContact: Sendable {
  enum State: Sendable {
    /// Nobody was asked, or whoever was did not want it: the next may be.
    case unasked
    /// Silence until then is no.
    case asking(Interaction, since: Timestamp, until: Timestamp)
    /// Waits for the peek.
    case accepted(Interaction, allowsPop: Bool)
    /// The peek was told.
    case peeking(Interaction, allowsPop: Bool)
    /// It had its interaction, or cannot have one any more. Nobody will be asked.
    case over
  }

  let device: DeviceID
  let id: ContactID
  /// When its `began` was heard.
  let heard: Timestamp
  /// By what it can be claimed: the kernel's time of its `began` in milliseconds, as in
  /// `wl_touch.down`. nil: nobody saw it begin.
  let touchTime: UInt32?

  private(set) var state = State.unasked
  /// It crossed the peek threshold when there was nobody to ask: only who claims it may be asked,
  /// or the peek would be somebody's whose view the finger comes to later.
  private(set) var isMissed = false
  /// Who claimed it and was not asked yet, or did not answer yet.
  var claimant: PreviewingContextID?
  /// Nobody is asked twice about the same contact.
  private(set) var asked: [PreviewingContextID] = []
  /// How long it may still wait for answers.
  private var patience: Interval

  private var latest: ContactEvent
  private var isArmed: Bool
  /// It can peek and pop no more.
  private var hasFailed: Bool
  /// The thresholds it crossed, with the samples that crossed them.
  private var peek: ContactEvent?
  private var pop: ContactEvent?
  /// What the context knows of progress and place: it is not told the same twice.
  private var toldProgress = 0.0
  private var toldLocation: ViewPoint?

  init(_ began: ContactEvent, device: DeviceID, heard: Timestamp, patience: Interval) {
    self.device = device
    self.heard = heard
    self.patience = patience
    id = began.contact
    touchTime =
      began.wasAlreadyDown ? nil : UInt32(truncatingIfNeeded: began.time.microseconds / 1000)
    latest = began
    isArmed = began.isArmed
    hasFailed = began.failure != nil
  }

  // MARK: What may be done with it

  /// The interaction that is open.
  var interaction: Interaction? {
    switch state {
    case .unasked, .over: nil
    case .asking(let interaction, _, _): interaction
    case .accepted(let interaction, _), .peeking(let interaction, _): interaction
    }
  }

  var position: Position? { latest.position }

  var hasPatience: Bool { patience > .zero }

  /// Pressed beyond the hint, so that somebody should be asked, and nobody is.
  var wantsQuestion: Bool {
    switch state {
    case .unasked:
      hasPatience && (peek != nil || (isArmed && latest.peekProgress > 0))
    case .asking, .accepted, .peeking, .over: false
    }
  }

  func isAsking(_ interaction: InteractionID, of context: PreviewingContextID) -> Bool {
    guard case .asking(let open, _, _) = state else { return false }
    return open.context == context && open.id == interaction
  }

  /// When the question that is open is due.
  var questionDeadline: Timestamp? {
    guard case .asking(_, _, let until) = state else { return nil }
    return until
  }

  // MARK: The contact goes on

  /// Takes what the recognizer says of it.
  mutating func take(_ event: ContactEvent, into events: inout [PreviewEvent]) {
    latest = event
    isArmed = event.isArmed
    switch event.kind {
    case .began: break
    case .changed:
      if let failure = event.failure { fail(failure, into: &events) }
      tellProgress(into: &events)
    case .peek:
      peek = event
      if case .accepted(let interaction, let allowsPop) = state {
        beginPeek(interaction, event, allowsPop: allowsPop, into: &events)
      }
    case .pop:
      pop = event
      if case .peeking(let interaction, allowsPop: true) = state {
        tell(.pop, interaction, event, into: &events)
        end()
      }
    case .peekCancelled(let reason), .cancelled(let reason):
      cancel(PreviewCancelReason(reason), into: &events)
    // The lift that comes with it closes the peek.
    case .peekEnded: break
    case .ended: lift(into: &events)
    }
  }

  /// Another contact came down on the same device.
  mutating func yieldToOtherContact(into events: inout [PreviewEvent]) {
    isArmed = false
    if interaction != nil { cancel(.otherContact, into: &events) }
  }

  private mutating func fail(_ reason: FailureReason, into events: inout [PreviewEvent]) {
    hasFailed = true
    // A peek stays, but never pops; only a palm's is taken back.
    if peek == nil || reason == .palm { cancel(PreviewCancelReason(reason), into: &events) }
  }

  private mutating func lift(into events: inout [PreviewEvent]) {
    switch state {
    case .peeking(let interaction, _):
      tell(.peekEnded, interaction, latest, into: &events)
      end()
    case .unasked, .asking, .accepted, .over: cancel(.lifted, into: &events)
    }
  }

  // MARK: The conversation goes on

  mutating func ask(
    _ interaction: Interaction, at now: Timestamp, timeout: Interval,
    into events: inout [PreviewEvent]
  ) {
    let timeout = min(timeout, patience)
    let claimed = claimant == interaction.context ? touchTime : nil
    asked.append(interaction.context)
    state = .asking(interaction, since: now, until: now + timeout)
    toldLocation = location(interaction, latest)
    tell(.question(timeout: timeout, claimed: claimed), interaction, latest, into: &events)
  }

  /// Nobody is there to be asked, if somebody should be.
  mutating func missQuestion() {
    if peek != nil && wantsQuestion { isMissed = true }
  }

  /// The answer is yes: whatever it was late for follows at once.
  mutating func accept(allowsPop: Bool, into events: inout [PreviewEvent]) {
    guard case .asking(let interaction, _, _) = state else { return }
    state = .accepted(interaction, allowsPop: allowsPop)
    guard let peek else { return tellProgress(into: &events) }
    beginPeek(interaction, peek, allowsPop: allowsPop, into: &events)
  }

  /// The answer is no, or there was none, or nobody is left who could give one.
  mutating func endQuestion(at now: Timestamp) {
    guard case .asking(let interaction, let since, _) = state else { return }
    patience = Interval(
      microseconds: patience.microseconds - max(0, (now - since).microseconds))
    if claimant == interaction.context { claimant = nil }
    state = .unasked
  }

  /// Closes what is open. Nobody is asked any more.
  mutating func cancel(_ reason: PreviewCancelReason, into events: inout [PreviewEvent]) {
    if let interaction { tell(.peekCancelled(reason), interaction, latest, into: &events) }
    end()
  }

  private mutating func end() {
    state = .over
    claimant = nil
  }

  /// Its context goes away. A question goes on to the next, an accepted interaction is over.
  mutating func lose(
    _ context: PreviewingContextID, at now: Timestamp, into events: inout [PreviewEvent]
  ) {
    if claimant == context { claimant = nil }
    guard let interaction, interaction.context == context else { return }
    if case .asking = state {
      tell(.peekCancelled(.unregistered), interaction, latest, into: &events)
      endQuestion(at: now)
    } else {
      cancel(.unregistered, into: &events)
    }
  }

  // MARK: What the context hears

  private mutating func beginPeek(
    _ interaction: Interaction, _ peek: ContactEvent, allowsPop: Bool,
    into events: inout [PreviewEvent]
  ) {
    state = .peeking(interaction, allowsPop: allowsPop)
    tell(.peek, interaction, peek, into: &events)
    toldProgress = 0
    toldLocation = location(interaction, peek)
    if allowsPop, let pop {
      tell(.pop, interaction, pop, into: &events)
      end()
    } else {
      tellProgress(into: &events)
    }
  }

  private mutating func tellProgress(into events: inout [PreviewEvent]) {
    switch state {
    case .unasked, .asking, .over, .peeking(_, allowsPop: false): return
    case .accepted(let interaction, _):
      tellProgress(latest.peekProgress, interaction, PreviewEvent.Kind.peekProgress, &events)
    case .peeking(let interaction, allowsPop: true):
      let progress = hasFailed ? 0 : latest.popProgress
      tellProgress(progress, interaction, PreviewEvent.Kind.popProgress, &events)
    }
  }

  private mutating func tellProgress(
    _ progress: Double, _ interaction: Interaction, _ kind: (Double) -> PreviewEvent.Kind,
    _ events: inout [PreviewEvent]
  ) {
    let location = location(interaction, latest)
    guard progress != toldProgress || location != toldLocation else { return }
    toldProgress = progress
    toldLocation = location
    tell(kind(progress), interaction, latest, into: &events)
  }

  private func tell(
    _ kind: PreviewEvent.Kind, _ interaction: Interaction, _ sample: ContactEvent,
    into events: inout [PreviewEvent]
  ) {
    events.append(
      PreviewEvent(
        kind: kind, context: interaction.context, interaction: interaction.id, device: device,
        time: sample.time, force: sample.force, location: location(interaction, sample),
        isEstimated: sample.isEstimated))
  }

  private func location(_ interaction: Interaction, _ sample: ContactEvent) -> ViewPoint? {
    guard let mapping = interaction.mapping, let position = sample.position else { return nil }
    return mapping.point(of: position)
  }
}
