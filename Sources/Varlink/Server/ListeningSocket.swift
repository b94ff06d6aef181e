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
    case pathTooLong(String)
    case noFolder(String)
    case alreadyServed(String)
    case notASocket(String)
    case notListening
    case system(SystemError, path: String)

    public var description: String {
      switch self {
      case .pathTooLong(let path):
        "the socket path \(path) is longer than \(SocketAddress.maximumPathLength) bytes; choose a shorter one"
      case .noFolder(let path):
        "cannot make the socket \(path): its folder does not exist; create it or choose another path"
      case .alreadyServed(let path):
        "another daemon serves \(path) already; stop it or choose another path"
      case .notASocket(let path):
        "\(path) exists and is no socket; remove it or choose another path"
      case .notListening: "the inherited descriptor is no listening socket"
      case .system(let error, let path): "cannot make the socket \(path): \(error.reason)"
      }
    }
  }

  /// Makes the socket at `path`, for everybody to connect: access is decided call by call.
  public init(path: String) throws(Failure) {
    guard let address = SocketAddress(path: path), path.utf8.count + 5 <= PATH_MAX else {
      throw .pathTooLong(path)
    }
    let lock = try Self.takeLock(for: path)
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
    var isListening: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    guard getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &isListening, &length) == 0,
      isListening == 1
    else { throw .notListening }
    socket = FileDescriptor(owning: descriptor)
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    lock = nil
    path = nil
  }

  deinit {
    // The lock's file stays: removing it would let two starters lock two files of one name.
    if let path { unlink(path) }
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

  private static func takeLock(for path: String) throws(Failure) -> FileDescriptor {
    let lockPath = path + ".lock"
    let descriptor = open(lockPath, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else {
      let error = SystemError(call: "open \(lockPath)", code: errno)
      throw error.code == ENOENT || error.code == ENOTDIR
        ? .noFolder(path) : .system(error, path: path)
    }
    let lock = FileDescriptor(owning: descriptor)
    guard flock(lock.raw, LOCK_EX | LOCK_NB) == 0 else {
      throw errno == EWOULDBLOCK
        ? .alreadyServed(path) : .system(SystemError(call: "flock", code: errno), path: path)
    }
    return lock
  }

  /// The lock is ours. What stands at the path was left behind, unless somebody who knows of no
  /// lock answers there.
  private static func removeStaleSocket(
    _ path: String, _ address: SocketAddress
  ) throws(Failure) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFSOCK else { throw .notASocket(path) }
    let probe = FileDescriptor(owning: Glibc.socket(AF_UNIX, streamSocket, 0))
    if address.withPointer({ connect(probe.raw, $0, $1) }) == 0 { throw .alreadyServed(path) }
    guard unlink(path) == 0 || errno == ENOENT else {
      throw .system(SystemError(call: "unlink", code: errno), path: path)
    }
  }
}
