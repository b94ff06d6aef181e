import ForceTouchModel
import Glibc
import TestSupport
import Testing

@testable import ForceTouch

/// A scripted daemon and a client, moved along by the test.
final class Bench {
  let folder: TemporaryFolder
  let daemon: ScriptedDaemon
  let client: ForceTouchClient

  init(seat: String? = nil, isDaemonThere: Bool = true) throws {
    folder = try TemporaryFolder()
    daemon = try ScriptedDaemon(path: folder.path("socket"))
    if !isDaemonThere { daemon.crash() }
    client = try ForceTouchClient(
      socketPath: folder.path("socket"), seat: seat,
      delays: .init(first: .milliseconds(1), longest: .milliseconds(4)))
    settle()
  }

  /// Lets both sides do what there is to do.
  func settle() {
    for _ in 0..<6 {
      daemon.step()
      client.dispatch()
    }
  }

  /// Moves both along until something is true, as a plain poll loop does.
  func until(
    _ condition: () -> Bool, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let end = ContinuousClock.now + .seconds(60)
    while !condition() {
      guard ContinuousClock.now < end else {
        Issue.record("it never came true", sourceLocation: sourceLocation)
        return
      }
      daemon.step()
      var wait = pollfd(fd: client.descriptor, events: Int16(POLLIN), revents: 0)
      if poll(&wait, 1, 2) > 0 { client.dispatch() }
    }
  }
}

/// A view that gives previews and writes down what it is told.
final class Table: SourceView, PreviewingDelegate {
  var size: ViewSize? = ViewSize(width: 200, height: 400)
  var coverage = SourceCoverage.view
  private(set) var log: [String] = []
  private(set) var errors: [ForceTouchError] = []
  var preview: (PreviewingContext, ViewPoint) -> String? = { _, _ in "row" }
  var onCall: (String, PreviewingContext) -> Void = { _, _ in }
  var onHear: (PreviewingEvent, PreviewingContext) -> Void = { _, _ in }

  func takeLog() -> [String] {
    defer { log = [] }
    return log
  }

  private func note(_ line: String, _ context: PreviewingContext) {
    log.append(line)
    onCall(line, context)
  }

  func previewingContext(
    _ context: PreviewingContext, previewForLocation location: ViewPoint
  ) -> String? {
    note("preview for \(location.x),\(location.y)", context)
    return preview(context, location)
  }

  func previewingContext(_ context: PreviewingContext, present preview: String) {
    note("present \(preview)", context)
  }

  func previewingContext(_ context: PreviewingContext, commit preview: String) {
    note("commit \(preview)", context)
  }

  func previewingContext(_ context: PreviewingContext, dismiss preview: String) {
    note("dismiss \(preview)", context)
  }

  func previewingContext(_ context: PreviewingContext, didHear event: PreviewingEvent) {
    onHear(event, context)
  }

  func previewingContext(_ context: PreviewingContext, didFailWith error: ForceTouchError) {
    errors.append(error)
  }
}

extension PreviewingEvent {
  /// In a word or two, for comparing.
  var word: String {
    switch kind {
    case .question: "question"
    case .peekProgress(let progress): "peekProgress \(progress)"
    case .peek: "peek"
    case .popProgress(let progress): "popProgress \(progress)"
    case .pop: "pop"
    case .peekEnded: "peekEnded"
    case .peekCancelled(.daemon(let reason)): "peekCancelled \(reason)"
    case .peekCancelled(let cancellation): "peekCancelled \(cancellation)"
    }
  }
}
