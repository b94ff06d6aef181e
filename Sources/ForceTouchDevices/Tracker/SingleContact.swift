import ForceTouchModel

/// A device without multitouch axes: one contact, down while `BTN_TOUCH` is. Position without
/// `BTN_TOUCH` is a finger that hovers.
struct SingleContact: Sendable {
  private struct Tracked: Sendable {
    var id: ContactID
    var wasAlreadyDown: Bool
    var isPublished = false
  }

  private let touchKey: UInt16
  /// The kernel sends only what changed: a value holds from one contact to the next.
  private var values = ContactValues()
  private var contact: Tracked?
  private var isDownAtOpen = false

  init(touchKey: UInt16) { self.touchKey = touchKey }

  init(_ description: DeviceDescription, _ initialState: ContactTracker.InitialState) {
    let hasTouch = description.keys.contains(KeyCode.touch)
    touchKey =
      !hasTouch && description.keys.contains(KeyCode.toolFinger)
      ? KeyCode.toolFinger : KeyCode.touch
    guard case .known(let state) = initialState else { return }
    for (code, value) in state.values { values.setSingle(code, value) }
    isDownAtOpen = state.keys.contains(touchKey)
  }

  mutating func process(
    _ frame: Frame, _ numbers: inout ContactNumbers, into contacts: inout [Contact]
  ) {
    if isDownAtOpen {
      isDownAtOpen = false
      contact = Tracked(id: numbers.next(), wasAlreadyDown: true)
    }
    var gone: Tracked?
    let before = values
    for event in frame.events {
      switch (event.type, event.code) {
      case (EventType.key, touchKey) where event.value == 0:
        if let contact, contact.isPublished { gone = contact }
        contact = nil
      case (EventType.key, touchKey):
        if contact == nil {
          contact = Tracked(id: numbers.next(), wasAlreadyDown: frame.isResynchronized)
        }
      case (EventType.absolute, let code): values.setSingle(code, event.value)
      default: break
      }
    }
    if frame.isResynchronized, let lost = contact, lost.isPublished {
      // Still down, or down again: nobody knows.
      gone = lost
      contact = Tracked(id: numbers.next(), wasAlreadyDown: true)
    }
    if let gone {
      contacts.append(
        before.contact(
          gone.id, slot: 0, phase: frame.isResynchronized ? .cancelled(.dropped) : .ended,
          wasAlreadyDown: gone.wasAlreadyDown))
    }
    if let contact {
      contacts.append(
        values.contact(
          contact.id, slot: 0, phase: contact.isPublished ? .stayed : .began,
          wasAlreadyDown: contact.wasAlreadyDown))
      self.contact?.isPublished = true
    }
  }
}
