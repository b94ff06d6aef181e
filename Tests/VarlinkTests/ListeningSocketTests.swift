import Glibc
import Synchronization
import TestSupport
import Testing

@testable import Varlink

@Suite struct ListeningSocketTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path("socket")
  }

  /// Why there can be no socket at `path`.
  private func failure(_ path: String) -> ListeningSocket.Failure? {
    do throws(ListeningSocket.Failure) {
      _ = try ListeningSocket(path: path)
      return nil
    } catch {
      #expect(!"\(error)".contains("\n"))
      return error
    }
  }

  /// A socket that knows of no lock.
  private func foreignSocket(
    kind: __socket_type = SOCK_STREAM, backlog: Int32? = 8
  ) throws -> FileDescriptor {
    let socket = FileDescriptor(
      owning: try immediate("socket") { Glibc.socket(AF_UNIX, Int32(kind.rawValue), 0) })
    let address = try #require(SocketAddress(path: path))
    try immediate("bind") { address.withPointer { bind(socket.raw, $0, $1) } }
    if let backlog { try immediate("listen") { listen(socket.raw, backlog) } }
    return socket
  }

  private func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  @Test func everybodyMayConnect() throws {
    let socket = try ListeningSocket(path: path)
    var status = stat()
    #expect(stat(path, &status) == 0)
    #expect(status.st_mode & 0o7777 == 0o666)
    let peer = try #require(TestPeer(path: path))
    guard case .connection(let connection) = socket.accept() else {
      Issue.record("nobody was accepted")
      return
    }
    #expect(connection.peer.processID == getpid())
    #expect(fcntl(connection.descriptor, F_GETFD) & FD_CLOEXEC != 0)
    #expect(fcntl(connection.descriptor, F_GETFL) & O_NONBLOCK != 0)
    guard case .none = socket.accept() else {
      Issue.record("somebody else was accepted")
      return
    }
    _ = peer
  }

  @Test func theSocketAndItsLockGoWithTheirOwner() throws {
    do {
      let socket = try ListeningSocket(path: path)
      #expect(exists(path))
      #expect(exists(path + ".lock"))
      _ = socket
    }
    #expect(!exists(path))
    #expect(!exists(path + ".lock"))
    #expect(failure(path) == nil)
  }

  @Test func nobodyElseMayTakeTheLock() throws {
    let before = umask(0)
    defer { umask(before) }
    let socket = try ListeningSocket(path: path)
    var status = stat()
    #expect(stat(path + ".lock", &status) == 0)
    #expect(status.st_mode & 0o7777 == 0o600)
    _ = socket
  }

  @Test func ofManyThatStartAndStopAtOnceOneServes() async {
    final class Counts: Sendable {
      let serving = Atomic(0)
      let served = Atomic(0)
    }
    let (path, counts) = (path, Counts())
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          for _ in 0..<300 {
            do throws(ListeningSocket.Failure) {
              let socket = try ListeningSocket(path: path)
              #expect(counts.serving.add(1, ordering: .sequentiallyConsistent).newValue == 1)
              counts.served.add(1, ordering: .relaxed)
              counts.serving.subtract(1, ordering: .sequentiallyConsistent)
              _ = socket
            } catch {
              guard case .alreadyServed = error else {
                Issue.record(error)
                return
              }
            }
          }
        }
      }
    }
    #expect(counts.served.load(ordering: .relaxed) > 0)
  }

  @Test func aSecondStarterIsToldWhoServes() throws {
    let socket = try ListeningSocket(path: path)
    #expect(failure(path) == .alreadyServed(path, processID: getpid()))
    #expect(
      failure(path)?.description
        == "another daemon (pid \(getpid())) serves \(path) already; "
        + "stop it or choose another path")
    #expect(exists(path))
    _ = socket
  }

  @Test func theLockDecidesBeforeThereIsASocket() throws {
    let lock = FileDescriptor(
      owning: try immediate("open") { open(path + ".lock", O_RDWR | O_CREAT, 0o600) })
    try immediate("flock") { flock(lock.raw, LOCK_EX) }
    #expect(failure(path) == .alreadyServed(path, processID: nil))
    #expect(!exists(path))
  }

  @Test func aSocketThatWasLeftBehindIsReplaced() throws {
    do { _ = try foreignSocket() }
    #expect(exists(path))
    let socket = try ListeningSocket(path: path)
    #expect(TestPeer(path: path) != nil)
    _ = socket
  }

  @Test func aForeignSocketThatIsServedIsLeftAlone() throws {
    let foreign = try foreignSocket()
    #expect(failure(path) == .alreadyServed(path, processID: getpid()))
    #expect(TestPeer(path: path) != nil)
    _ = foreign
  }

  @Test func aForeignSocketThatTakesNoMoreIsLeftAlone() throws {
    let foreign = try foreignSocket(backlog: 0)
    let waiting = try #require(TestPeer(path: path))
    #expect(failure(path) == .alreadyServed(path, processID: nil))
    #expect(exists(path))
    _ = (foreign.raw, waiting)
  }

  @Test func aForeignSocketOfAnotherKindIsLeftAlone() throws {
    let foreign = try foreignSocket(kind: SOCK_DGRAM, backlog: nil)
    #expect(failure(path) == .alreadyServed(path, processID: nil))
    #expect(exists(path))
    _ = foreign
  }

  @Test func whatIsNoSocketIsLeftAlone() throws {
    close(open(path, O_CREAT | O_WRONLY, 0o600))
    #expect(failure(path) == .notASocket(path))
    #expect(exists(path))
  }

  @Test func aLinkIsNoSocket() throws {
    #expect(symlink(folder.path("elsewhere"), path) == 0)
    #expect(failure(path) == .notASocket(path))
  }

  @Test func aPathMustFitAndItsFolderExist() throws {
    let long = "/tmp/" + String(repeating: "x", count: 103)
    #expect(failure(long) == .unusablePath(long))
    #expect(failure(long)?.description.contains("longer than 107 bytes") == true)
    #expect(failure("") == .unusablePath(""))
    let missing = folder.path("missing/socket")
    #expect(failure(missing) == .noFolder(missing))
    #expect(failure(missing)?.description.contains("its folder does not exist") == true)
  }

  @Test func theLongestPathIsTaken() throws {
    let name = String(repeating: "x", count: 107 - folder.path("").utf8.count)
    #expect(folder.path(name).utf8.count == 107)
    let socket = try ListeningSocket(path: folder.path(name))
    #expect(TestPeer(path: folder.path(name)) != nil)
    _ = socket
  }

  @Test func anInheritedSocketIsServedAndNotRemoved() throws {
    do {
      let foreign = try foreignSocket()
      let socket = try ListeningSocket(inherited: dup(foreign.raw))
      #expect(fcntl(socket.descriptor, F_GETFD) & FD_CLOEXEC != 0)
      guard case .none = socket.accept() else {
        Issue.record("nobody connected")
        return
      }
      let peer = try #require(TestPeer(path: path))
      guard case .connection = socket.accept() else {
        Issue.record("nobody was accepted")
        return
      }
      _ = peer
    }
    #expect(exists(path))
  }

  @Test func whatDoesNotListenIsNotInherited() throws {
    let (one, other) = try socketPair()
    let datagrams = try foreignSocket(kind: SOCK_DGRAM, backlog: nil)
    let internet = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    listen(internet, 1)
    for descriptor in [one, datagrams.raw, internet, open("/dev/null", O_RDONLY), -1] {
      #expect(throws: ListeningSocket.Failure.notListening) {
        try ListeningSocket(inherited: descriptor)
      }
    }
    close(one)
    close(other)
    close(internet)
  }

  @Test func aClientThatLeftBeforeItWasAcceptedHarmsNobody() throws {
    let socket = try ListeningSocket(path: path)
    do { _ = try #require(TestPeer(path: path)) }
    guard case .connection(let connection) = socket.accept() else { return }
    try connection.receive()
    #expect(connection.isFinished)
  }
}
