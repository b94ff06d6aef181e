import ForceTouchModel
import Glibc

@testable import ForceTouch
@testable import TestSupport
@testable import Varlink

/// A hostile daemon, heard by the client library: the program is told whole conversations, and each
/// preview that it gave is opened or taken away once.
func fuzzDaemon(_ bytes: [UInt8]) {
  var input = InputBytes(bytes)
  var world = HostileDaemon(&input)
  while !input.isAtEnd { world.step(&input) }
  world.finish()
}

private struct HostileDaemon {
  private let folder: TemporaryFolder
  private let listener: ListeningSocket
  private let client: ForceTouchClient
  private let view = View()
  private let program = Program()
  /// Without, the program answers by its own calls.
  private let hasDelegate: Bool
  private var context: PreviewingContext?
  private var connections: [Connection] = []
  private var interaction: UInt64 = 0

  private struct Connection {
    enum Kind { case watch, register, control }
    let descriptor: Int32
    var kind: Kind?
  }

  init(_ input: inout InputBytes) {
    do {
      folder = try TemporaryFolder()
      listener = try ListeningSocket(path: folder.path("socket"))
      client = try ForceTouchClient(
        socketPath: folder.path("socket"), seat: nil, delays: .init(first: .zero, longest: .zero))
    } catch {
      fail("\(error)")
    }
    view.coverage = input.bool() ? .view : .everything(touchscreens: true)
    view.size = input.bool() ? ViewSize(width: 200, height: 400) : nil
    hasDelegate = input.bool()
    register()
    settle()
  }

  private mutating func register() {
    let context =
      hasDelegate
      ? client.registerForPreviewing(with: program, sourceView: view)
      : client.registerForPreviewing(sourceView: view)
    self.context = context
    context.pointerLocation = ViewPoint(x: 1, y: 1)
  }

  /// Lets the client say what it has to say, and find out who is who by its first words.
  private mutating func settle() {
    client.dispatch()
    while true {
      let descriptor = accept(listener.descriptor, nil, nil)
      if descriptor < 0 { break }
      _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
      connections.append(Connection(descriptor: descriptor))
    }
    var open: [Connection] = []
    for var connection in connections {
      guard let said = read(connection) else {
        close(connection.descriptor)
        continue
      }
      if connection.kind == nil, !said.isEmpty {
        let text = String(decoding: said, as: UTF8.self)
        connection.kind =
          text.contains("Previewing.Register")
          ? .register : text.contains("Devices.Watch") ? .watch : .control
      }
      open.append(connection)
    }
    connections = open
    program.checkPreviews()
  }

  /// nil when the client closed it.
  private func read(_ connection: Connection) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = recv(connection.descriptor, &bytes, bytes.count, 0)
    if count == 0 || (count < 0 && errno != EAGAIN) { return nil }
    return Array(bytes[..<max(0, count)])
  }

  private func say(_ bytes: some Sequence<UInt8>, to kind: Connection.Kind) {
    let bytes = Array(bytes)
    for connection in connections where connection.kind == kind {
      _ = send(connection.descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }
  }

  private func say(_ json: String, to kind: Connection.Kind) { say(json.utf8 + [0], to: kind) }

  mutating func step(_ input: inout InputBytes) {
    switch input.choice(16) {
    case 0:
      say(
        #"{"parameters":{"snapshot":{"token":"t","active":true}},"continues":true}"#, to: .register)
    case 1:
      interaction &+= UInt64(input.byte() % 3)
      say(event(0, &input), to: .register)
    case 2..<6: say(event(input.choice(7), &input), to: .register)
    case 6: say(wire(input.take(Int(input.byte()))), to: .register)
    case 7: say(wire(input.take(Int(input.byte()))), to: .watch)
    case 8: say(wire(input.take(Int(input.byte()))), to: .control)
    case 9: say(refusals[input.choice(refusals.count)], to: .control)
    case 10:
      let capability = ["available", "unknown", "unavailable", "none"][input.choice(4)]
      say(
        #"{"parameters":{"snapshot":[{"device":"d1","capability":"\#(capability)"}]},"continues":true}"#,
        to: .watch)
    case 11:
      let kind: Connection.Kind = [.watch, .register, .control][input.choice(3)]
      for connection in connections where connection.kind == kind {
        shutdown(connection.descriptor, Int32(SHUT_RDWR))
      }
    case 12: program.answer = input.choice(6)
    case 13: act(&input)
    case 14:
      context?.unregister()
      program.checkClosed()
      register()
    default: break
    }
    settle()
  }

  /// What the program does of its own accord.
  private func act(_ input: inout InputBytes) {
    guard let context else { return }
    switch input.choice(6) {
    case 0: context.pointerLocation = nil
    case 1: context.pointerLocation = ViewPoint(x: Double(input.byte()), y: 0)
    case 2: context.claim(touchTime: UInt32(input.byte()), location: ViewPoint(x: 3, y: 4))
    case 3: context.cancel()
    case 4: try? context.accept(interaction, allowsPop: input.bool())
    default: try? context.decline(interaction)
    }
  }

  private func event(_ kind: Int, _ input: inout InputBytes) -> String {
    let kinds = [
      "question", "peekProgress", "peek", "popProgress", "pop", "peekEnded", "peekCancelled",
    ]
    var text = #"{"parameters":{"event":{"event":"\#(kinds[kind])","interaction":\#(interaction),"#
    text += #""device":"d1","time":\#(input.int32()),"force":1.5"#
    switch kind {
    case 0:
      text += #","timeout":\#(Int64(input.int32()) << Int64(input.byte() % 32))"#
      if input.bool() { text += #","claimed":\#(input.byte())"# }
      if input.bool() { text += #","location":{"x":\#(input.int16()),"y":1e3}"# }
    case 1, 3: text += #","progress":\#(Double(input.int16()) / 10_000)"#
    case 6: text += #","reason":"\#(["lifted", "moved", "news"][input.choice(3)])""#
    default: break
    }
    return text + #"}},"continues":true}"#
  }

  mutating func finish() {
    settle()
    context?.unregister()
    context = nil
    client.dispatch()
    program.checkClosed()
    for connection in connections { close(connection.descriptor) }
  }
}

private let refusals: [String] =
  [#"{"parameters":{}}"#]
  + [
    "Previewing.NoSuchContext", "Previewing.NoSuchInteraction", "Previewing.InteractionOver",
    "Previewing.InvalidSourceRect", "Previewing.PermissionDenied", "Previewing.ContextDormant",
    "Previewing.TooLate", "Other",
  ].map { #"{"error":"org.forcetouchd.\#($0)","parameters":{}}"# }

private final class View: SourceView {
  var size: ViewSize?
  var coverage = SourceCoverage.view
}

/// What a program is promised, held against what it is told.
private final class Program: PreviewingDelegate {
  /// How the next question is answered.
  var answer = 0
  private var phases: [Int: Phase] = [:]
  private var count = 0
  private var conversation = HeardConversation()

  private enum Phase {
    case given, presented
  }

  func previewingContext(
    _ context: PreviewingContext, previewForLocation location: ViewPoint
  ) -> Int? {
    check(phases.isEmpty, "a question while another preview is there")
    switch answer {
    case 0: return nil
    case 1: context.sourceRect = ViewRect(x: -.infinity, y: 0, width: 1, height: 1)
    case 2: context.sourceRect = ViewRect(x: 1, y: 1, width: 1e300, height: 1)
    case 3: context.cancel()
    case 4: context.allowsPop = false
    default: break
    }
    count += 1
    phases[count] = .given
    return count
  }

  func previewingContext(_ context: PreviewingContext, present preview: Int) {
    check(phases[preview] == .given, "presented when \(String(describing: phases[preview]))")
    phases[preview] = .presented
  }

  func previewingContext(_ context: PreviewingContext, commit preview: Int) {
    check(phases[preview] == .presented, "opened when \(String(describing: phases[preview]))")
    phases[preview] = nil
  }

  func previewingContext(_ context: PreviewingContext, dismiss preview: Int) {
    check(phases[preview] != nil, "taken away twice, or never given")
    phases[preview] = nil
  }

  func previewingContext(_ context: PreviewingContext, didHear event: PreviewingEvent) {
    conversation.take(event)
  }

  func checkPreviews() { check(phases.count <= 1, "several previews at once") }

  func checkClosed() {
    check(phases.isEmpty, "a preview was never taken away")
    conversation.checkClosed()
  }
}

/// The grammar of what a program hears.
private struct HeardConversation {
  private enum Phase {
    case asked, accepted, peeking
  }
  private var open: (interaction: UInt64, phase: Phase)?

  mutating func take(_ event: PreviewingEvent) {
    note("\(event.interaction) \(event.kind)")
    if case .question = event.kind {
      // One that was declined is over without a word.
      check(open == nil || open?.phase == .asked, "a question before the close of another")
      open = (event.interaction, .asked)
      return
    }
    check(open?.interaction == event.interaction, "\(event) of what is not open")
    switch (event.kind, open?.phase) {
    case (.peekProgress(let progress), .asked?), (.peekProgress(let progress), .accepted?):
      check((0...1).contains(progress), "\(event)")
      open?.phase = .accepted
    case (.popProgress(let progress), .peeking?): check((0...1).contains(progress), "\(event)")
    case (.peek, .asked?), (.peek, .accepted?): open?.phase = .peeking
    case (.pop, .peeking?), (.peekEnded, .peeking?), (.peekCancelled, _): open = nil
    default: fail("\(event) in \(String(describing: open))")
    }
  }

  func checkClosed() {
    check(open == nil || open?.phase == .asked, "\(String(describing: open)) was never closed")
  }
}
