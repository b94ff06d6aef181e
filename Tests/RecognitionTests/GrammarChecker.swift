import ForceTouchModel

/// Holds a stream of contact events against the grammar, contact by contact, and against the
/// order within a frame. It knows nothing of how the events are made.
///
///     began changed* ( E | peek changed* ( pop changed* E | peekEnded ended
///                                        | peekCancelled(reason) changed* E ) )
struct GrammarChecker {
  enum State {
    case touching, peeking, popped, peekOver
    /// `peekEnded` came, or a `peekCancelled` that a `cancelled` must follow at once.
    case closing
  }

  private(set) var open: [ContactID: State] = [:]
  private var closed: Set<ContactID> = []
  private(set) var problems: [String] = []
  private(set) var peeks = 0
  private(set) var pops = 0

  /// Takes the events of one frame, timeout or cancellation.
  mutating func take(_ events: [ContactEvent]) {
    var began: Set<ContactID> = []
    var changed: Set<ContactID> = []
    var lastRank = 0
    var lastSlot: Int32 = .min
    for (index, event) in events.enumerated() {
      check(event)
      // Contacts that end, then those that stay, then those that begin, each in slot order.
      let rank = Self.rank(event, events[index...])
      if rank < lastRank { problems.append("\(event) comes after rank \(lastRank)") }
      if rank > lastRank { lastSlot = .min }
      if event.slot < lastSlot { problems.append("\(event) is out of slot order") }
      lastRank = rank
      lastSlot = event.slot
      switch event.kind {
      case .began: began.insert(event.contact)
      case .changed:
        if began.contains(event.contact) { problems.append("changed in the frame of began") }
        if !changed.insert(event.contact).inserted { problems.append("changed twice in a frame") }
      case .ended, .cancelled:
        if changed.contains(event.contact) { problems.append("changed in the frame of the end") }
      case .peek, .pop:
        if event.isResynchronized { problems.append("\(event.kind) in a dropped frame") }
      case .peekEnded, .peekCancelled: break
      }
      step(event)
    }
  }

  /// Everything must be closed by now.
  mutating func finish() {
    for contact in open.keys { problems.append("\(contact) was never closed") }
  }

  private static func rank(_ event: ContactEvent, _ rest: ArraySlice<ContactEvent>) -> Int {
    switch event.kind {
    case .ended, .cancelled: return 0
    case .peekEnded: return 0
    case .peekCancelled:
      let closes = rest.dropFirst().first.map {
        guard case .cancelled = $0.kind else { return false }
        return $0.contact == event.contact
      }
      return closes == true ? 0 : 1
    case .changed, .peek, .pop: return 1
    case .began: return 2
    }
  }

  private mutating func check(_ event: ContactEvent) {
    let values =
      [event.peekProgress, event.popProgress] + (event.force.map { [$0.pressure] } ?? [])
    if !values.allSatisfy({ (0...1).contains($0) }) { problems.append("\(event): out of 0…1") }
    if let force = event.force, !(force.force >= 0 && force.force <= 20.000001) {
      problems.append("\(event): force")
    }
    if event.stage > 2 { problems.append("\(event): stage") }
  }

  private mutating func step(_ event: ContactEvent) {
    let state = open[event.contact]
    switch (state, event.kind) {
    case (nil, .began):
      if !closed.insert(event.contact).inserted {
        problems.append("\(event.contact) began after it was closed")
      }
      open[event.contact] = .touching
    case (.touching, .changed), (.peeking, .changed), (.popped, .changed), (.peekOver, .changed):
      break
    case (.touching, .peek):
      peeks += 1
      open[event.contact] = .peeking
    case (.peeking, .pop):
      pops += 1
      open[event.contact] = .popped
    case (.peeking, .peekEnded): open[event.contact] = .closing
    case (.peeking, .peekCancelled): open[event.contact] = .peekOver
    case (.closing, .ended), (.touching, .ended), (.popped, .ended), (.peekOver, .ended):
      open[event.contact] = nil
    case (.touching, .cancelled), (.popped, .cancelled), (.peekOver, .cancelled):
      open[event.contact] = nil
    default: problems.append("\(event.kind) in \(state.map { "\($0)" } ?? "no contact")")
    }
  }
}
