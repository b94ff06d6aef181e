import ForceTouchModel
import Testing

@testable import ForceTouch

private final class Follower: PreviewInteractionDelegate {
  var log: [String] = []
  var shouldBegin = true

  func previewInteractionShouldBegin(_ interaction: PreviewInteraction) -> Bool {
    log.append("should begin")
    return shouldBegin
  }

  func previewInteraction(
    _ interaction: PreviewInteraction, didUpdatePreviewTransition progress: Double, ended: Bool
  ) {
    log.append("preview \(progress) \(ended)")
  }

  func previewInteraction(
    _ interaction: PreviewInteraction, didUpdateCommitTransition progress: Double, ended: Bool
  ) {
    log.append("commit \(progress) \(ended)")
  }

  func previewInteractionDidCancel(_ interaction: PreviewInteraction) { log.append("cancel") }
}

@Suite struct InteractionTests {
  private let bench: Bench
  private let table = Table()
  private let follower = Follower()
  private let interaction: PreviewInteraction

  init() throws {
    bench = try Bench()
    interaction = PreviewInteraction(view: table, client: bench.client)
    interaction.delegate = follower
    bench.settle()
  }

  private func say(_ kinds: String...) {
    for kind in kinds {
      switch kind {
      case "question": bench.daemon.question(1)
      case "peekProgress", "popProgress": bench.daemon.event(kind, 1, #","progress":0.5"#)
      default: bench.daemon.event(kind, 1)
      }
      bench.settle()
    }
  }

  @Test func previewAndCommitAreTransitions() {
    interaction.context.pointerLocation = ViewPoint(x: 5, y: 6)
    say("question", "peekProgress", "peek", "popProgress", "pop")
    #expect(
      follower.log == [
        "should begin", "preview 0.5 false", "preview 1.0 true", "commit 0.5 false",
        "commit 1.0 true",
      ])
    #expect(interaction.location == ViewPoint(x: 5, y: 6))
    #expect(interaction.view === table)
  }

  @Test func aFingerThatLiftsCancels() {
    say("question", "peekProgress", "peek", "peekEnded")
    #expect(
      follower.log == ["should begin", "preview 0.5 false", "preview 1.0 true", "cancel"])
  }

  @Test func itNeedNotBegin() {
    follower.shouldBegin = false
    say("question")
    #expect(follower.log == ["should begin"])
    #expect(bench.daemon.takeCalls() == ["token1 1 no"])
  }

  @Test func itMayBeCancelledByTheProgram() {
    say("question", "peek")
    interaction.cancel()
    say("popProgress", "pop")
    #expect(follower.log == ["should begin", "preview 1.0 true", "cancel"])
  }

  @Test func itIsCancelledOnceWhenTheDaemonIsLost() {
    say("question", "peek")
    bench.daemon.crash()
    bench.settle()
    bench.settle()
    #expect(follower.log == ["should begin", "preview 1.0 true", "cancel"])
  }

  @Test func withoutADelegateItDoesNotBegin() {
    interaction.delegate = nil
    say("question")
    #expect(bench.daemon.takeCalls() == ["token1 1 no"])
  }

  @Test func aReleasedInteractionIsUnregistered() throws {
    var other: PreviewInteraction? = PreviewInteraction(view: table, client: bench.client)
    bench.settle()
    #expect(bench.daemon.contexts[1] != nil)
    #expect(other != nil)
    other = nil
    bench.settle()
    #expect(bench.daemon.contexts[1] == nil)
    #expect(bench.daemon.contexts[0] != nil)
  }
}
