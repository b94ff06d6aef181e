import ForceTouchModel

/// A context, and what the arbiter remembers of it.
struct RegisteredContext: Sendable {
  var context: PreviewingContext
  /// Grows with every context that is registered or becomes active: the newest has the highest.
  var order: UInt64
  /// Questions in a row that were met with silence.
  var silences = 0
  private(set) var lastInteraction = InteractionID(rawValue: 0)

  init(_ context: PreviewingContext, order: UInt64) {
    self.context = context
    self.order = order
  }

  mutating func beginInteraction(on device: PreviewDevice) -> Interaction {
    lastInteraction.rawValue += 1
    return Interaction(
      context: context.id, id: lastInteraction, mapping: context.mapping(on: device))
  }
}

/// Who goes before whom when several contexts may be asked about a contact: who claimed it, then
/// the smaller region, then the newer, then those that want everything.
private struct Precedence: Comparable {
  enum Kind: Int {
    case claim, view, everything
  }

  var kind: Kind
  var area = 0.0
  var order: UInt64

  static func < (left: Self, right: Self) -> Bool {
    if left.kind != right.kind { return left.kind.rawValue < right.kind.rawValue }
    if left.area != right.area { return left.area < right.area }
    return left.order > right.order
  }
}

extension PreviewArbiter {
  /// The context that is asked about a contact next; nil: nobody may be.
  func contextToAsk(about contact: PreviewedContact, on device: PreviewDevice) -> Int? {
    var first: (index: Int, precedence: Precedence)?
    for index in contexts.indices {
      guard let precedence = precedence(of: contexts[index], for: contact, on: device) else {
        continue
      }
      if let first, first.precedence < precedence { continue }
      first = (index, precedence)
    }
    return first?.index
  }

  /// nil: it may not be asked.
  private func precedence(
    of registered: RegisteredContext, for contact: PreviewedContact, on device: PreviewDevice
  ) -> Precedence? {
    let context = registered.context
    guard !context.isDormant, registered.silences < settings.silencesBeforeSuspension,
      context.concerns(device), !contact.asked.contains(context.id),
      !contacts.contains(where: { $0.interaction?.context == context.id })
    else { return nil }
    if contact.claimant == context.id { return Precedence(kind: .claim, order: registered.order) }
    guard context.isActive, !contact.isMissed else { return nil }
    switch context.coverage {
    case .view:
      guard device.kind == .trackpad else { return nil }
      return Precedence(kind: .view, order: registered.order)
    case .region(let region, _):
      guard let position = contact.position,
        context.mapping(on: device)?.contains(position) == true
      else { return nil }
      return Precedence(kind: .view, area: region.area, order: registered.order)
    case .everything: return Precedence(kind: .everything, order: registered.order)
    }
  }

  /// The contact that a claim means.
  func findContact(
    _ touchTime: UInt32, for context: PreviewingContext, at now: Timestamp
  ) throws(ClaimError) -> Int {
    var refusal = ClaimError.noSuchContact
    var isClaimedAlready: Int?
    for index in contacts.indices where contacts[index].touchTime == touchTime {
      guard let device = self.index(of: contacts[index].device),
        devices[device].kind == .touchscreen, context.concerns(devices[device])
      else { continue }
      if contacts[index].claimant == context.id {
        isClaimedAlready = index
      } else if let error = contacts[index].refusal(
        of: context.id, at: now, window: settings.claimWindow)
      {
        if refusal == .noSuchContact { refusal = error }
      } else {
        return index
      }
    }
    if let isClaimedAlready { return isClaimedAlready }
    throw refusal
  }
}

extension PreviewedContact {
  /// Why a context may not claim the contact; nil: it may.
  fileprivate func refusal(
    of context: PreviewingContextID, at now: Timestamp, window: Interval
  ) -> ClaimError? {
    if claimant != nil { return .ownedByAnother }
    switch state {
    case .accepted(let interaction, _), .peeking(let interaction, _):
      return interaction.context == context ? .tooLate : .ownedByAnother
    case .over: return .tooLate
    case .unasked, .asking: break
    }
    return now - heard > window || asked.contains(context) || !hasPatience ? .tooLate : nil
  }
}
