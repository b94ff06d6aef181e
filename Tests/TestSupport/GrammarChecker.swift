package import ForceTouchModel

/// Holds a stream of contact events against the grammar, contact by contact, and against the
/// order within a frame. It knows nothing of how the events are made.
///
///     began changed* ( E | peek changed* ( pop changed* E | peekEnded ended
///                                        | peekCancelled(reason) changed* E ) )
///
/// A stream without frames is checked by taking its events one by one.
package struct GrammarChecker {
  package enum State {
    case touching, peeking, popped, peekOver
  }

  package private(set) var open: [ContactID: State] = [:]
  package private(set) var problems: [String] = []
  package private(set) var peeks = 0
  package private(set) var pops = 0
  private var known: Set<ContactID> = []
  private var failed: Set<ContactID> = []
  private var isEstimated: [ContactID: Bool] = [:]
  /// The only event that may come next: the close that follows the close of a peek at once.
  private var due: (contact: ContactID, kind: ContactEvent.Kind)?

  package init() {}

  /// Takes the events of one frame, timeout or cancellation.
  package mutating func take(_ events: [ContactEvent]) {
    var last: (rank: Int, slot: Int32, contact: ContactID?, step: Int) = (0, .min, nil, 0)
    for (index, event) in events.enumerated() {
      checkValues(event)
      if event.time != events[0].time { problem("\(event) has another time") }
      // Contacts that end, then those that stay, then those that begin, each in slot order;
      // of one contact `changed`, then `peek`, then `pop`.
      let next = index + 1 < events.count ? events[index + 1] : nil
      let rank = Self.rank(event, next)
      if rank < last.rank { problem("\(event) comes too late") }
      if rank == last.rank && event.slot < last.slot { problem("\(event) is out of slot order") }
      let isSame = event.contact == last.contact
      if isSame && Self.step(event) <= last.step { problem("\(event) comes too late") }
      if !isSame && events[..<index].contains(where: { $0.contact == event.contact }) {
        problem("\(event) is apart from the others of its contact")
      }
      last = (rank, event.slot, event.contact, Self.step(event))
      follow(event)
      if isSame && (event.kind == .ended || Self.isCancelled(event)) && index > 0 {
        switch events[index - 1].kind {
        case .peekEnded, .peekCancelled: break
        case .began, .changed, .peek, .pop, .ended, .cancelled:
          problem("\(event) in a frame that has more of its contact")
        }
      }
    }
  }

  /// Everything must be closed by now.
  package mutating func finish() {
    for contact in open.keys { problem("\(contact) was never closed") }
    if let due { problem("\(due.kind) is missing") }
  }

  private mutating func problem(_ text: String) { problems.append(text) }

  private static func isCancelled(_ event: ContactEvent) -> Bool {
    if case .cancelled = event.kind { true } else { false }
  }

  private static func rank(_ event: ContactEvent, _ next: ContactEvent?) -> Int {
    switch event.kind {
    case .ended, .cancelled, .peekEnded: return 0
    case .peekCancelled:
      guard let next, next.contact == event.contact else { return 1 }
      return isCancelled(next) ? 0 : 1
    case .changed, .peek, .pop: return 1
    case .began: return 2
    }
  }

  private static func step(_ event: ContactEvent) -> Int {
    switch event.kind {
    case .began, .changed: 1
    case .peek, .peekCancelled, .peekEnded: 2
    case .pop, .ended, .cancelled: 3
    }
  }

  private mutating func checkValues(_ event: ContactEvent) {
    let unit = [event.peekProgress, event.popProgress, event.force?.pressure ?? 0]
    if !unit.allSatisfy({ (0...1).contains($0) }) { problem("\(event): not in 0…1") }
    if event.popProgress > 0 && event.peekProgress < 1 { problem("\(event): progress") }
    if let force = event.force, !(0...20.000001).contains(force.force) {
      problem("\(event): force")
    }
    if let grams = event.force?.grams, !grams.value.isFinite || !grams.uncertainty.isFinite {
      problem("\(event): grams")
    }
    if event.stage > 2 { problem("\(event): stage") }
    if event.wasAlreadyDown && event.kind != .began { problem("\(event): already down") }
    if event.isEstimated != isEstimated[event.contact, default: event.isEstimated] {
      problem("\(event): estimated or not")
    }
    isEstimated[event.contact] = event.isEstimated
    switch event.kind {
    case .peek, .pop:
      if event.isResynchronized { problem("\(event) after lost events") }
      if event.kind == .peek && event.position == nil { problem("\(event) nowhere") }
      if event.force == nil { problem("\(event) without force") }
      if failed.contains(event.contact) { problem("\(event) of a failed contact") }
    case .began, .changed, .peekEnded, .peekCancelled, .ended, .cancelled: break
    }
    if event.failure != nil {
      // A listener that comes late hears it with `began`.
      if event.kind != .changed && event.kind != .began { problem("\(event): failure") }
      if !failed.insert(event.contact).inserted { problem("\(event): failure told twice") }
    }
  }

  private mutating func follow(_ event: ContactEvent) {
    if let due {
      if event.contact != due.contact || event.kind != due.kind {
        problem("\(event) comes instead of \(due.kind)")
      }
      self.due = nil
    }
    switch (open[event.contact], event.kind) {
    case (nil, .began):
      if !known.insert(event.contact).inserted { problem("\(event) comes after its close") }
      open[event.contact] = .touching
    case (.touching, .changed), (.peeking, .changed), (.popped, .changed), (.peekOver, .changed):
      break
    case (.touching, .peek):
      peeks += 1
      open[event.contact] = .peeking
    case (.peeking, .pop):
      pops += 1
      open[event.contact] = .popped
    case (.peeking, .peekEnded):
      due = (event.contact, .ended)
      open[event.contact] = .peekOver
    case (.peeking, .peekCancelled(let reason)):
      // The contact lives on beside another one, and as a palm; otherwise it closes too.
      if reason != .otherContact && reason != .palm {
        due = (event.contact, .cancelled(reason))
      }
      open[event.contact] = .peekOver
    case (.touching, .ended), (.popped, .ended), (.peekOver, .ended), (.touching, .cancelled),
      (.popped, .cancelled), (.peekOver, .cancelled):
      open[event.contact] = nil
    case (let state, let kind):
      problem("\(kind) in \(state.map { "\($0)" } ?? "no contact")")
    }
  }
}
