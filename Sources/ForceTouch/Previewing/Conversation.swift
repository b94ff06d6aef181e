internal import ForceTouchProtocol

/// Where one context is in its conversation. A daemon that breaks the grammar is not believed.
struct Conversation {
  enum Phase {
    case asked
    case accepted
    case peeking
  }

  struct Interaction: Equatable {
    let number: UInt64
    var phase: Phase
  }

  enum Step {
    case ask
    case tell
    case close
    /// Of an interaction that was closed on this side already.
    case ignore
  }

  struct Violation: Error {}

  private(set) var current: Interaction?
  private var lastNumber: UInt64 = 0

  /// A question closes what is still open: the daemon must have given it up.
  mutating func hear(
    _ kind: PreviewingMessage.Event.Kind, of number: UInt64
  ) throws(Violation) -> Step {
    if kind == .question {
      guard number > lastNumber else { throw Violation() }
      lastNumber = number
      current = Interaction(number: number, phase: .asked)
      return .ask
    }
    guard number <= lastNumber else { throw Violation() }
    guard let phase = current?.phase, current?.number == number else { return .ignore }
    switch (kind, phase) {
    case (.peekProgress, .accepted), (.popProgress, .peeking): return .tell
    case (.peek, .accepted):
      current?.phase = .peeking
      return .tell
    case (.pop, .peeking), (.peekEnded, .peeking), (.peekCancelled, _):
      current = nil
      return .close
    default: throw Violation()
    }
  }

  func isAsked(_ number: UInt64) -> Bool {
    current == Interaction(number: number, phase: .asked)
  }

  mutating func accept() { current?.phase = .accepted }

  mutating func close() { current = nil }
}
