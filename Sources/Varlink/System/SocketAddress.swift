internal import Glibc

/// The address of a socket in the file system (`unix(7)`).
struct SocketAddress {
  /// The longest path that `sockaddr_un` holds, without its NUL.
  static let maximumPathLength = 107

  private var address = sockaddr_un()

  /// nil when the path is empty or longer than the kernel allows.
  init?(path: String) {
    let bytes = Array(path.utf8)
    guard !bytes.isEmpty, bytes.count <= Self.maximumPathLength, !bytes.contains(0) else {
      return nil
    }
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
  }

  func withPointer<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
    withUnsafePointer(to: address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }
}

let streamSocket = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
