import ForceTouchEngine
import ForceTouchModel
import ForceTouchProtocol
import ForceTouchScreen
import Glibc
import Varlink

/// `forcetouchctl monitor` on a terminal: one loop over socket, keys and signals.
final class LiveMonitor {
  /// Why it is over.
  private enum End {
    case quit
    /// The daemon stopped, or the only device that was watched is gone.
    case nothingLeft
    case signal(Int32)
  }

  private let connect: () throws(CommandError) -> (Connection, MonitorMessage.WatchCall)
  private let socket: String
  private var call: MonitorMessage.WatchCall
  /// nil while the shell has the terminal.
  private var connection: Connection?
  /// What came and was not taken yet.
  private var pending: [Reply]
  private var descriptions: DescriptionQuestions
  private let signals: Signals
  private let terminal: CursesTerminal
  private var state: MonitorState
  /// Pressed before the device was described.
  private var postponedKeys: [MonitorKey] = []
  private var lastDraw = Timestamp.zero
  /// The screen may be another.
  private var isStale = true
  /// When it is another by time alone.
  private var nextChange: Timestamp?

  /// 60 times a second, and no more often.
  private static let drawInterval = Interval(microseconds: 16_667)

  /// - Parameter connect: Makes a new connection, and says what is to be watched by the names that
  ///   its daemon gives.
  init(
    socket: String,
    connect: @escaping () throws(CommandError) -> (Connection, MonitorMessage.WatchCall)
  ) throws(CommandError) {
    self.connect = connect
    self.socket = socket
    // What is refused is said before the screen is taken.
    let (connection, call) = try connect()
    self.call = call
    try connection.open(MonitorMessage.interface + ".Watch", call)
    pending = try connection.received()
    self.connection = connection
    descriptions = DescriptionQuestions(socket: socket)
    state = MonitorState(judge: .ofThisMachine)
    signals = try Signals([SIGINT, SIGTERM, SIGHUP, SIGTSTP, SIGCONT, SIGWINCH])
    guard let terminal = CursesTerminal() else {
      throw .failed("cannot draw on this terminal; use --plain")
    }
    self.terminal = terminal
  }

  /// Until somebody quits, or there is nothing left to watch.
  func run() throws(CommandError) {
    let end: End
    do throws(CommandError) {
      end = try loop()
    } catch {
      terminal.leave()
      throw error
    }
    terminal.leave()
    switch end {
    case .signal(let number): signals.obey(number)
    case .quit, .nothingLeft:
      for seen in state.devices + state.goneDevices {
        Output.write(
          "\(seen.device.device)  \(seen.device.name): \(summary(of: seen.counts))\n")
      }
    }
  }

  private func loop() throws(CommandError) -> End {
    while true {
      if let end = try takeReplies() { return end }
      state.pass(.now())
      draw()
      var waited = [
        pollfd(fd: signals.descriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: connection?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
        pollfd(fd: terminal.keyboard, events: Int16(POLLIN), revents: 0),
        pollfd(fd: descriptions.descriptor, events: descriptions.awaited, revents: 0),
        // A terminal that takes nothing is waited for, and nothing waits for it.
        pollfd(fd: isDue ? terminal.output : -1, events: Int16(POLLOUT), revents: 0),
      ]
      poll(&waited, nfds_t(waited.count), timeout)
      if waited[0].revents != 0 {
        if let end = try takeSignals() { return end }
        // After a pause the connection is another: what was waited for is none of it.
        continue
      }
      if waited[3].revents != 0 {
        for (id, description) in descriptions.answers() { state.take(description, of: id) }
        let keys = postponedKeys
        postponedKeys = []
        if take(keys) { return .quit }
      }
      if waited[1].revents != 0, let connection { pending += try connection.received() }
      if waited[2].revents != 0 {
        guard waited[2].revents & Int16(POLLHUP | POLLERR) == 0 else { return .signal(SIGHUP) }
        if take(terminal.keys()) { return .quit }
      }
    }
  }

  /// Takes what came; gives the end if that was the last.
  private func takeReplies() throws(CommandError) -> End? {
    let now = Timestamp.now()
    for reply in pending {
      guard reply.continues else { return .nothingLeft }
      let message = try decode(reply, as: MonitorMessage.WatchReply.self)
      state.take(message, at: now)
      isStale = true
      if state.devices.isEmpty {
        state.whyNone = SeenDevices().whyNone.split(separator: "\n").map(String.init)
      }
      for device in (message.snapshot?.devices ?? []) + [message.added].compactMap(\.self) {
        descriptions.ask(device.device)
      }
      // A device that comes back has another name.
      if let device = call.device, message.removed == device { return .nothingLeft }
    }
    pending.removeAll()
    return nil
  }

  private func takeSignals() throws(CommandError) -> End? {
    let numbers = signals.take()
    if let end = Self.end(by: numbers) { return end }
    if numbers.contains(SIGTSTP) {
      if let end = try pause() { return end }
    } else if numbers.contains(SIGCONT) {
      // Somebody stopped us, and somebody else had the terminal.
      terminal.leave()
      terminal.enter()
    } else if numbers.contains(SIGWINCH) {
      terminal.resize()
    }
    if !numbers.isEmpty { isStale = true }
    return nil
  }

  private static func end(by numbers: Set<Int32>) -> End? {
    if let number = numbers.first(where: { $0 == SIGTERM || $0 == SIGHUP }) {
      return .signal(number)
    }
    return numbers.contains(SIGINT) ? .quit : nil
  }

  /// Leaves the terminal to the shell until it gives it back, or ends the program instead. Who does
  /// not read would be thrown out by the daemon: nothing is listened to meanwhile.
  private func pause() throws(CommandError) -> End? {
    terminal.leave()
    connection = nil
    pending = []
    signals.obey(SIGTSTP)
    if let end = Self.end(by: signals.take()) { return end }
    let (connection, call) = try connect()
    try connection.open(MonitorMessage.interface + ".Watch", call)
    self.connection = connection
    self.call = call
    // It may be another daemon, with other devices of the same names.
    descriptions = DescriptionQuestions(socket: socket)
    postponedKeys = []
    state.resume(at: .now())
    terminal.enter()
    return nil
  }

  /// - Returns: Whether one of them quits.
  private func take(_ keys: [MonitorKey]) -> Bool {
    for key in keys {
      // The answer is under way: as if the key had come after it.
      guard !(descriptions.areAwaited && state.needsDescription(key)) else {
        postponedKeys.append(key)
        continue
      }
      isStale = true
      switch state.press(key, at: .now()) {
      case .quit: return true
      case .save: save()
      case nil: break
      }
    }
    return false
  }

  private func save() {
    guard let seen = state.selected else { return state.say("Nothing to save yet") }
    do throws(CommandError) {
      state.say(try SavedRecording.save(seen))
    } catch {
      state.say(error.text)
    }
  }

  // MARK: Drawing

  private func draw() {
    let now = Timestamp.now()
    if let due = nextChange, due <= now { isStale = true }
    guard isDue, terminal.isReady else { return }
    let (rows, columns) = terminal.size
    terminal.draw(state.page(rows: rows, columns: columns, at: now, isASCII: terminal.isASCII))
    lastDraw = now
    isStale = false
    nextChange = state.nextChange(after: now, columns: columns)
  }

  /// Whether the screen may be drawn again, if the terminal takes it.
  private var isDue: Bool { isStale && Timestamp.now() - lastDraw >= Self.drawInterval }

  /// For how long there may be nothing to do.
  private var timeout: Int32 {
    let redraw = isDue ? nil : isStale ? lastDraw + Self.drawInterval : nextChange
    guard let due = [redraw, state.deadline].compactMap(\.self).min() else { return -1 }
    return (due - .now()).timeout
  }
}
