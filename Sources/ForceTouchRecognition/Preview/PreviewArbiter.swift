public import ForceTouchModel

/// Decides which previewing context is asked about a contact, who owns the interaction, and what
/// each context hears of it: the daemon's side of UIKit's previewing conversation.
///
/// It has no clock, no descriptor and no log. It is told what devices, programs and sessions do,
/// and appends what contexts are to hear to a buffer that the caller owns. What one context hears
/// of one interaction follows the grammar of ``PreviewEvent``; each interaction is closed exactly
/// once, whatever happens. The words and the rules are in `docs/previewing.md`.
///
/// `now` is the time on one clock of the caller's that never goes backward, which need not be that
/// of any device. A deadline that lies at or before `now` is met before anything else, so an
/// answer that comes with its deadline is late. Not safe for use from several threads at once.
public struct PreviewArbiter: Sendable {
  /// May be changed at any time; questions that are open keep their deadline.
  public var settings: PreviewSettings
  /// When ``timeout(at:into:)`` is due if nothing else comes before; nil: nothing is due.
  public private(set) var deadline: Timestamp?

  var devices: [PreviewDevice] = []
  var contexts: [RegisteredContext] = []
  /// All that are down, in the order they began.
  var contacts: [PreviewedContact] = []
  private var lastOrder: UInt64 = 0
  private var claimLimit = ClaimLimit()

  public init(settings: PreviewSettings = PreviewSettings()) {
    self.settings = settings
    contacts.reserveCapacity(16)
  }

  // MARK: Devices

  /// Contacts of a device count only after it was added. Adding it again brings news of it, such
  /// as another seat; what is open stays open.
  public mutating func add(_ device: PreviewDevice) {
    devices.removeAll { $0.id == device.id }
    devices.append(device)
  }

  /// Whatever of its contacts is still open is cancelled.
  public mutating func remove(
    _ device: DeviceID, at now: Timestamp, into events: inout [PreviewEvent]
  ) {
    meetDeadlines(at: now, into: &events)
    for index in contacts.indices where contacts[index].device == device {
      contacts[index].cancel(.deviceRemoved, into: &events)
    }
    contacts.removeAll { $0.device == device }
    devices.removeAll { $0.id == device }
    askWhoCanBeAsked(at: now, into: &events)
  }

  /// Whether a context that is not dormant may hear of the device's contacts: whether it has to be
  /// read for the arbiter's sake.
  public func needs(_ device: DeviceID) -> Bool {
    guard let index = index(of: device) else { return false }
    return contexts.contains { !$0.context.isDormant && $0.context.concerns(devices[index]) }
  }

  /// Whether a context may be asked about the next contact of the device. A touchscreen's may be
  /// claimed by any view.
  public func hasAudience(_ device: DeviceID) -> Bool {
    guard let device = devices.first(where: { $0.id == device }) else { return false }
    return contexts.contains {
      !$0.context.isDormant && $0.context.concerns(device)
        && ($0.context.isActive || device.kind == .touchscreen)
    }
  }

  /// Takes what the recognizer says of a device's contacts at the end of a frame, a timeout or a
  /// cancellation. Nobody is asked before all of it is known.
  public mutating func process(
    _ contactEvents: [ContactEvent], of device: DeviceID, at now: Timestamp,
    into events: inout [PreviewEvent]
  ) {
    meetDeadlines(at: now, into: &events)
    guard index(of: device) != nil else { return }
    for event in contactEvents { take(event, of: device, at: now, into: &events) }
    askWhoCanBeAsked(at: now, into: &events)
  }

  private mutating func take(
    _ event: ContactEvent, of device: DeviceID, at now: Timestamp,
    into events: inout [PreviewEvent]
  ) {
    let known = index(of: event.contact, on: device)
    switch event.kind {
    case .began:
      guard known == nil else { return }
      if !settings.peeksBesideOtherContacts {
        for index in contacts.indices where contacts[index].device == device {
          contacts[index].yieldToOtherContact(into: &events)
        }
      }
      contacts.append(
        PreviewedContact(event, device: device, heard: now, patience: settings.totalTimeout))
    case .changed, .peek, .pop, .peekEnded, .peekCancelled:
      guard let known else { return }
      contacts[known].take(event, into: &events)
    case .ended, .cancelled:
      guard let known else { return }
      contacts[known].take(event, into: &events)
      contacts.remove(at: known)
    }
  }

  // MARK: Time

  /// Takes the passing of ``deadline``.
  public mutating func timeout(at now: Timestamp, into events: inout [PreviewEvent]) {
    meetDeadlines(at: now, into: &events)
  }

  /// Silence was no.
  private mutating func meetDeadlines(at now: Timestamp, into events: inout [PreviewEvent]) {
    guard let deadline, deadline <= now else { return }
    for index in contacts.indices {
      guard case .asking(let interaction, let since, let until) = contacts[index].state,
        until <= now
      else { continue }
      // Who was given less than the whole time is not to blame.
      let isBlamed = until - since >= min(settings.questionTimeout, settings.totalTimeout)
      if isBlamed, let context = self.index(of: interaction.context) {
        contexts[context].silences += 1
      }
      contacts[index].endQuestion(at: now)
    }
    askWhoCanBeAsked(at: now, into: &events)
  }

  // MARK: Contexts

  /// Adds a context. It is asked at once about what is pressed already, unless that is a peek by
  /// now.
  ///
  /// UIKit: `registerForPreviewing(with:sourceView:)`.
  /// - Parameter context: Its `id` must be unlike any before.
  public mutating func register(
    _ context: PreviewingContext, at now: Timestamp, into events: inout [PreviewEvent]
  ) {
    meetDeadlines(at: now, into: &events)
    contexts.append(RegisteredContext(context, order: nextOrder()))
    askWhoCanBeAsked(at: now, into: &events)
  }

  /// Takes a context away, because its program said so or is gone. A question that it did not
  /// answer yet goes on to the next; an interaction that it owns is closed, and nobody else is
  /// asked. The last it hears are these closes (`unregistered`).
  ///
  /// UIKit: `unregisterForPreviewing(withContext:)`.
  public mutating func unregister(
    _ context: PreviewingContextID, at now: Timestamp, into events: inout [PreviewEvent]
  ) {
    meetDeadlines(at: now, into: &events)
    contexts.removeAll { $0.context.id == context }
    for index in contacts.indices {
      contacts[index].lose(context, at: now, into: &events)
    }
    askWhoCanBeAsked(at: now, into: &events)
  }

  /// The pointer is over the source view, or no longer. What is open goes on: only the next
  /// question is another's. A context that becomes active is the newest, and is asked at once about
  /// what is pressed already, unless that is a peek by now.
  public mutating func setActive(
    _ isActive: Bool, _ context: PreviewingContextID, at now: Timestamp,
    into events: inout [PreviewEvent]
  ) {
    meetDeadlines(at: now, into: &events)
    guard let index = index(of: context) else { return }
    contexts[index].silences = 0
    if isActive && !contexts[index].context.isActive { contexts[index].order = nextOrder() }
    contexts[index].context.isActive = isActive
    askWhoCanBeAsked(at: now, into: &events)
  }

  /// Another session comes to the front of the seat, or the screen is locked (or that is over).
  /// Falling dormant cancels what the context has open (`sessionInactive`), and nobody else is
  /// asked about it; its claims are forgotten.
  public mutating func setDormant(
    _ isDormant: Bool, _ context: PreviewingContextID, at now: Timestamp,
    into events: inout [PreviewEvent]
  ) {
    meetDeadlines(at: now, into: &events)
    guard let index = index(of: context) else { return }
    contexts[index].context.isDormant = isDormant
    if isDormant {
      for index in contacts.indices {
        if contacts[index].claimant == context { contacts[index].claimant = nil }
        if contacts[index].interaction?.context == context {
          contacts[index].cancel(.sessionInactive, into: &events)
        }
      }
    }
    askWhoCanBeAsked(at: now, into: &events)
  }

  /// The program answers a question that the context was asked.
  public mutating func answer(
    _ interaction: InteractionID, of context: PreviewingContextID, with answer: PreviewAnswer,
    at now: Timestamp, into events: inout [PreviewEvent]
  ) throws(AnswerError) {
    meetDeadlines(at: now, into: &events)
    guard let index = index(of: context) else { throw .noSuchContext }
    contexts[index].silences = 0
    defer { askWhoCanBeAsked(at: now, into: &events) }
    guard interaction.rawValue > 0, interaction <= contexts[index].lastInteraction else {
      throw .noSuchInteraction
    }
    guard let contact = contacts.firstIndex(where: { $0.isAsking(interaction, of: context) })
    else { throw .interactionOver }
    switch answer {
    case .decline: contacts[contact].endQuestion(at: now)
    case .preview(let sourceRect, let allowsPop):
      if let sourceRect {
        let size = contexts[index].context.viewSize
        guard sourceRect.isValid, size.map(sourceRect.touches(viewOf:)) ?? true else {
          throw .invalidSourceRect
        }
      }
      contacts[contact].accept(allowsPop: allowsPop, into: &events)
    }
  }

  /// The program received a touch that began at this time, and wants to be asked about it: before
  /// all others, and at once if it is pressed already. Fingers that came down in the same
  /// millisecond are claimed one by one, in slot order.
  ///
  /// - Parameter touchTime: `wl_touch.down`'s time: the kernel's, in milliseconds, which wraps.
  public mutating func claim(
    _ touchTime: UInt32, by context: PreviewingContextID, at now: Timestamp,
    into events: inout [PreviewEvent]
  ) throws(ClaimError) {
    meetDeadlines(at: now, into: &events)
    guard let index = index(of: context) else { throw .noSuchContext }
    contexts[index].silences = 0
    defer { askWhoCanBeAsked(at: now, into: &events) }
    guard !contexts[index].context.isDormant else { throw .contextDormant }
    let user = contexts[index].context.user
    guard claimLimit.allows(user, at: now, settings) else { throw .tooManyWrongClaims }
    do {
      let contact = try findContact(touchTime, for: contexts[index].context, at: now)
      contacts[contact].claimant = context
    } catch {
      claimLimit.countWrongClaim(of: user, at: now, settings)
      throw error
    }
  }

  private func index(of contact: ContactID, on device: DeviceID) -> Int? {
    contacts.firstIndex { $0.id == contact && $0.device == device }
  }

  func index(of device: DeviceID) -> Int? { devices.firstIndex { $0.id == device } }

  private func index(of context: PreviewingContextID) -> Int? {
    contexts.firstIndex { $0.context.id == context }
  }

  private mutating func nextOrder() -> UInt64 {
    lastOrder += 1
    return lastOrder
  }

  // MARK: Questions

  /// Whatever happened, somebody may be asked now who could not be before. Every input ends here.
  private mutating func askWhoCanBeAsked(at now: Timestamp, into events: inout [PreviewEvent]) {
    guard !contexts.isEmpty else {
      // Nothing can be open either.
      for index in contacts.indices { contacts[index].missQuestion() }
      deadline = nil
      return
    }
    for index in contacts.indices where contacts[index].wantsQuestion {
      guard let device = self.index(of: contacts[index].device),
        let context = contextToAsk(about: contacts[index], on: devices[device])
      else {
        contacts[index].missQuestion()
        continue
      }
      let interaction = contexts[context].beginInteraction(on: devices[device])
      contacts[index].ask(interaction, at: now, timeout: settings.questionTimeout, into: &events)
    }
    deadline = nil
    for index in contacts.indices {
      guard let due = contacts[index].questionDeadline else { continue }
      deadline = min(deadline ?? due, due)
    }
  }
}
