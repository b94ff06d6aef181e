import Glibc

/// Where log lines go: to the journal, or to standard error.
///
/// Neither is waited for. journald may hang, a terminal be stopped, and nobody read a pipe: what
/// finds no room is lost, for the daemon must go on. (`sd_journal_sendv(3)` waits for room.)
enum LogOutput {
  /// A socket for datagrams, in journald's own protocol: https://systemd.io/JOURNAL_NATIVE_PROTOCOL
  case journal(Int32)
  case standardError

  /// As systemd connected standard error.
  static func current() -> LogOutput {
    guard standardErrorIsJournal() else { return .standardError }
    let socket = Glibc.socket(
      AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    return socket < 0 ? .standardError : .journal(socket)
  }

  /// A pipe takes so much in one piece or not at all (`PIPE_BUF`, `pipe(7)`): were it more, one
  /// that has some room would have us wait for the rest of it.
  static let longestLine = 4096

  /// Gives whether it was taken.
  ///
  /// - Parameter fields: Names and values without newlines, for the journal alone.
  func write(_ line: String, _ fields: [(name: String, value: String)]) -> Bool {
    switch self {
    case .journal(let socket):
      let message = fields.map { "\($0.name)=\($0.value)\n" }.joined()
      return Self.send(Array(message.utf8), to: "/run/systemd/journal/socket", from: socket)
    case .standardError:
      var ready = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
      guard poll(&ready, 1, 0) == 1, ready.revents & Int16(POLLOUT) != 0 else { return false }
      let bytes = Array(line.utf8.prefix(Self.longestLine - 1)) + [UInt8(ascii: "\n")]
      return bytes.withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) > 0 }
    }
  }

  private static func send(_ bytes: [UInt8], to path: String, from socket: Int32) -> Bool {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bytes.withUnsafeBytes {
          sendto(
            socket, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL), address,
            socklen_t(MemoryLayout<sockaddr_un>.size)) >= 0
        }
      }
    }
  }

  /// Whether systemd connected standard error to the journal: JOURNAL_STREAM names the device and
  /// inode of that stream (`systemd.exec(5)`), and a child may have been given another since.
  private static func standardErrorIsJournal() -> Bool {
    guard let variable = getenv("JOURNAL_STREAM") else { return false }
    var status = stat()
    return fstat(STDERR_FILENO, &status) == 0
      && String(cString: variable) == "\(status.st_dev):\(status.st_ino)"
  }
}
