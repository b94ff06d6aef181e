package import ForceTouchModel
package import ForceTouchRecognition

/// Holds what contexts hear against the grammar, interaction by interaction. It knows nothing of
/// how the events are made, only who asked what and what was answered when.
///
///     question ( peekCancelled | no or silence | yes peekProgress* ( peekCancelled
///              | peek popProgress* ( pop | peekEnded | peekCancelled ) ) )
package struct PreviewChecker {
  package enum State: Equatable {
    case asked(until: Timestamp)
    case accepted(allowsPop: Bool)
    case peeking(allowsPop: Bool)
  }

  package struct Open {
    package var interaction: InteractionID
    package var device: DeviceID
    package var state: State
  }

  /// A context has at most one.
  package private(set) var open: [PreviewingContextID: Open] = [:]
  package private(set) var problems: [String] = []
  /// How often each kind of close was seen, so that a test can tell whether it tested anything.
  package private(set) var closes: [String: Int] = [:]
  package private(set) var peeks = 0
  private var lastInteraction: [PreviewingContextID: UInt64] = [:]

  package init() {}

  package mutating func register(_ context: PreviewingContextID) { lastInteraction[context] = 0 }

  /// An answer that was accepted. What follows it comes after.
  package mutating func answer(
    _ context: PreviewingContextID, _ interaction: InteractionID, _ answer: PreviewAnswer,
    at now: Timestamp
  ) {
    endSilences(at: now)
    guard let question = open[context], question.interaction == interaction,
      case .asked = question.state
    else { return problem("\(context) answered \(interaction), which is not open") }
    switch answer {
    case .decline: close(context, "no")
    case .preview(_, let allowsPop): open[context]?.state = .accepted(allowsPop: allowsPop)
    }
  }

  /// Takes what followed one input.
  package mutating func take(_ events: [PreviewEvent], at now: Timestamp) {
    endSilences(at: now)
    for event in events { take(event, at: now) }
  }

  /// Everything must be closed by now.
  package mutating func finish() {
    for (context, open) in open { problem("\(open.interaction) of \(context) was never closed") }
  }

  private mutating func problem(_ text: String) { problems.append(text) }

  private mutating func close(_ context: PreviewingContextID, _ how: String) {
    open[context] = nil
    closes[how, default: 0] += 1
  }

  private mutating func endSilences(at now: Timestamp) {
    for (context, question) in open {
      if case .asked(let until) = question.state, until <= now { close(context, "silence") }
    }
  }

  private mutating func take(_ event: PreviewEvent, at now: Timestamp) {
    checkValues(event)
    if case .question(let timeout, _) = event.kind {
      if open[event.context] != nil { problem("\(event) while another is open") }
      guard let last = lastInteraction[event.context] else {
        return problem("\(event) of no context")
      }
      if event.interaction.rawValue != last + 1 { problem("\(event): not the next number") }
      lastInteraction[event.context] = event.interaction.rawValue
      open[event.context] = Open(
        interaction: event.interaction, device: event.device,
        state: .asked(until: now + timeout))
      return
    }
    guard let open = open[event.context], open.interaction == event.interaction else {
      return problem("\(event) of what is not open")
    }
    if open.device != event.device { problem("\(event) on another device") }
    switch (open.state, event.kind) {
    case (.accepted, .peekProgress): break
    case (.accepted(let allowsPop), .peek):
      peeks += 1
      self.open[event.context]?.state = .peeking(allowsPop: allowsPop)
    case (.peeking(allowsPop: true), .popProgress): break
    case (.peeking(allowsPop: true), .pop): close(event.context, "pop")
    case (.peeking, .peekEnded): close(event.context, "peekEnded")
    case (_, .peekCancelled(let reason)): close(event.context, reason.rawValue)
    default: problem("\(event) in \(open.state)")
    }
  }

  private mutating func checkValues(_ event: PreviewEvent) {
    switch event.kind {
    case .question(let timeout, _):
      if timeout <= .zero { problem("\(event): no time to answer") }
    case .peekProgress(let progress), .popProgress(let progress):
      if !(0...1).contains(progress) { problem("\(event): progress") }
    case .peek, .pop, .peekEnded, .peekCancelled: break
    }
    if let location = event.location, !location.x.isFinite || !location.y.isFinite {
      problem("\(event): location")
    }
  }
}
