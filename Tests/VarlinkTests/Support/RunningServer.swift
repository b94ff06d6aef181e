import Foundation
import TestSupport
import Testing
import Varlink

/// ``ExampleService`` on a socket, in a thread of its own that ends with this value.
final class RunningServer: Sendable {
  let path: String
  private let folder: TemporaryFolder
  private let stop: Int32
  private let ended = DispatchSemaphore(value: 0)

  init() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("socket")
    self.folder = folder
    self.path = path
    var pipeEnds: [Int32] = [-1, -1]
    try #require(pipe(&pipeEnds) == 0)
    stop = pipeEnds[1]
    let stopped = pipeEnds[0]
    let listens = DispatchSemaphore(value: 0)
    let ended = ended
    Thread.detachNewThread {
      serve(path, until: stopped, listens)
      close(stopped)
      ended.signal()
    }
    listens.wait()
  }

  deinit {
    close(stop)
    ended.wait()
  }
}

/// A loop as small as can be: nobody waits for anybody.
private func serve(_ path: String, until stopped: Int32, _ listens: DispatchSemaphore) {
  guard let listener = try? ListeningSocket(path: path) else {
    listens.signal()
    return
  }
  listens.signal()
  var connections: [ServerConnection] = []
  while true {
    var waits = [
      pollfd(fd: stopped, events: Int16(POLLIN), revents: 0),
      pollfd(fd: listener.descriptor, events: Int16(POLLIN), revents: 0),
    ]
    waits += connections.map {
      var events: Int16 = 0
      if $0.wantsInput { events |= Int16(POLLIN) }
      if $0.pendingBytes > 0 { events |= Int16(POLLOUT) }
      return pollfd(fd: $0.descriptor, events: events, revents: 0)
    }
    guard poll(&waits, nfds_t(waits.count), -1) > 0 else { continue }
    if waits[0].revents != 0 { return }
    connections = zip(connections, waits[2...]).compactMap { connection, wait in
      let isGone = wait.revents & Int16(POLLHUP | POLLERR) != 0
      return !isGone && handle(connection) ? connection : nil
    }
    if waits[1].revents != 0, case .connection(let connection) = listener.accept() {
      connections.append(connection)
    }
  }
}

/// False when the connection must be closed.
private func handle(_ connection: ServerConnection) -> Bool {
  do {
    try connection.receive()
    try ExampleService.answerAll(connection)
    try connection.flush()
  } catch {
    return false
  }
  return !connection.isFinished
}
