internal import CLinux
internal import Glibc

/// The socket that clients connect to.
///
/// Two programs started for the same path do not fight over it: whoever holds `PATH.lock` serves,
/// and only the holder replaces a socket that a crash left behind.
public final class ListeningSocket {
  private let socket: FileDescriptor
  /// Held as long as this lives; nil for a socket that was inherited.
  private let lock: FileDescriptor?
  private let path: String?

  public enum Failure: Error, Equatable, CustomStringConvertible {
    /// Empty, or longer than a socket's address holds.
    case unusablePath(String)
    case noFolder(String)
    /// The process is nil where its socket does not answer (yet).
    case alreadyServed(String, processID: Int32?)
    case notASocket(String)
    case notListening
    case system(SystemError, path: String)

    public var description: String {
      switch self {
      case .unusablePath(let path):
        path.isEmpty
          ? "the socket path is empty; choose one"
          : "the socket path \(path) is longer than \(SocketAddress.maximumPathLength) bytes; choose a shorter one"
      case .noFolder(let path):
        "cannot make the socket \(path): its folder does not exist; create it "
          + "(mkdir -p \(path.prefix(upTo: path.lastIndex(of: "/") ?? path.endIndex))) or choose another path"
      case .alreadyServed(let path, let processID):
        "another daemon\(processID.map { " (pid \($0))" } ?? "") serves \(path) already; stop it or choose another path"
      case .notASocket(let path):
        "\(path) exists and is no socket; remove it or choose another path"
      case .notListening:
        "the socket that was inherited is no listening Unix stream socket; see ListenStream= of its unit"
      case .system(let error, let path):
        "cannot make the socket \(path): \(error)"
          + (error.code == EACCES ? "; be root, or choose another path" : "")
      }
    }
  }

  /// Makes the socket at `path`, for everybody to connect: access is decided call by call.
  public init(path: String) throws(Failure) {
    guard let address = SocketAddress(path: path) else { throw .unusablePath(path) }
    let lock: FileDescriptor
    do throws(SystemError) {
      lock = try Self.lockFile(for: path)
    } catch {
      switch error.code {
      case ENOENT, ENOTDIR: throw .noFolder(path)
      case EWOULDBLOCK:
        guard case .served(let processID) = Self.state(of: address) else {
          throw .alreadyServed(path, processID: nil)
        }
        throw .alreadyServed(path, processID: processID)
      default: throw .system(error, path: path)
      }
    }
    try Self.removeStaleSocket(path, address)
    do throws(SystemError) {
      let flags = streamSocket | Int32(SOCK_NONBLOCK.rawValue)
      let socket = FileDescriptor(
        owning: try immediate("socket") { Glibc.socket(AF_UNIX, flags, 0) })
      try immediate("bind") { address.withPointer { bind(socket.raw, $0, $1) } }
      try immediate("chmod") { chmod(path, 0o666) }
      try immediate("listen") { listen(socket.raw, SOMAXCONN) }
      self.socket = socket
    } catch {
      throw .system(error, path: path)
    }
    self.lock = consume lock
    self.path = path
  }

  /// Takes a socket that somebody else made and listens on (`sd_listen_fds(3)`).
  public init(inherited descriptor: Int32) throws(Failure) {
    func option(_ name: Int32) -> Int32? {
      var value: Int32 = 0
      var length = socklen_t(MemoryLayout<Int32>.size)
      return getsockopt(descriptor, SOL_SOCKET, name, &value, &length) == 0 ? value : nil
    }
    guard option(SO_DOMAIN) == AF_UNIX, option(SO_TYPE) == Int32(SOCK_STREAM.rawValue),
      option(SO_ACCEPTCONN) == 1
    else { throw .notListening }
    socket = FileDescriptor(owning: descriptor)
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    lock = nil
    path = nil
  }

  deinit {
    // The lock is held still.
    if let path {
      unlink(path)
      unlink(path + ".lock")
    }
  }

  public var descriptor: Int32 { socket.raw }

  /// What became of an attempt to accept.
  public enum Accepted {
    case connection(ServerConnection)
    case none
    /// Out of descriptors or memory: try again when something was closed.
    case exhausted(SystemError)
  }

  /// The next client that waits. One that went away meanwhile is passed over.
  public func accept() -> Accepted {
    while true {
      do throws(SystemError) {
        switch try system("accept4", { cl_accept(socket.raw) }) {
        case .wouldBlock: return .none
        case .done(let descriptor):
          return .connection(try ServerConnection(FileDescriptor(owning: descriptor)))
        }
      } catch {
        switch error.code {
        case EMFILE, ENFILE, ENOBUFS, ENOMEM: return .exhausted(error)
        case EBADF, EINVAL, ENOTSOCK, EOPNOTSUPP: return .none
        default: continue
        }
      }
    }
  }

  /// EWOULDBLOCK when somebody else holds it.
  private static func lockFile(for path: String) throws(SystemError) -> FileDescriptor {
    // Who may read a file may lock it (`flock(2)`), and keep us from starting: it is the user's own.
    // In a sticky folder O_CREAT is refused even to root for what another left (fs.protected_regular).
    let flags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW
    let name = path + ".lock"
    while true {
      let lock = FileDescriptor(
        owning: try immediate("open \(name)") {
          let existing = open(name, flags)
          return existing < 0 && errno == ENOENT ? open(name, flags | O_CREAT, 0o600) : existing
        })
      try immediate("flock") { flock(lock.raw, LOCK_EX | LOCK_NB) }
      // Whoever held it until now has removed it: another starter may lock another of that name.
      var (locked, named) = (stat(), stat())
      if fstat(lock.raw, &locked) == 0, lstat(name, &named) == 0,
        locked.st_dev == named.st_dev, locked.st_ino == named.st_ino
      {
        return lock
      }
    }
  }

  /// What is known of an address without taking it.
  private enum State {
    case absent
    /// Left behind by a process that is gone.
    case stale
    case served(by: Int32?)
    case unknown(SystemError)
  }

  private static func state(of address: SocketAddress) -> State {
    do throws(SystemError) {
      let flags = streamSocket | Int32(SOCK_NONBLOCK.rawValue)
      let probe = FileDescriptor(
        owning: try immediate("socket") { Glibc.socket(AF_UNIX, flags, 0) })
      try immediate("connect") { address.withPointer { connect(probe.raw, $0, $1) } }
      return .served(by: try? PeerCredentials(of: probe.raw).processID)
    } catch {
      return switch error.code {
      case ENOENT: .absent
      case ECONNREFUSED: .stale
      // So many clients wait that the kernel takes no more; it is of another kind.
      case EAGAIN, EPROTOTYPE: .served(by: nil)
      default: .unknown(error)
      }
    }
  }

  /// The lock is ours. What stands at the path was left behind, unless somebody who knows of no
  /// lock answers there.
  private static func removeStaleSocket(
    _ path: String, _ address: SocketAddress
  ) throws(Failure) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFSOCK else { throw .notASocket(path) }
    switch state(of: address) {
    case .absent: return
    case .served(let processID): throw .alreadyServed(path, processID: processID)
    case .unknown(let error): throw .system(error, path: path)
    case .stale:
      guard unlink(path) == 0 || errno == ENOENT else {
        throw .system(SystemError(call: "unlink", code: errno), path: path)
      }
    }
  }
}
