internal import CLinux
internal import Glibc

/// Who is at the other end of a connection, as the kernel knew it when it was made.
public struct PeerCredentials: Equatable, Sendable {
  public var processID: Int32
  public var userID: UInt32
  public var groupID: UInt32
  /// The supplementary groups (`SO_PEERGROUPS`).
  public var groups: [UInt32]

  init(of socket: Int32) throws(SystemError) {
    var pid = pid_t()
    var uid = uid_t()
    var gid = gid_t()
    try immediate("getsockopt SO_PEERCRED") { cl_peer_credentials(socket, &pid, &uid, &gid) }
    processID = pid
    userID = uid
    groupID = gid
    groups = try Self.groups(of: socket)
  }

  private static func groups(of socket: Int32) throws(SystemError) -> [UInt32] {
    var groups = [gid_t](repeating: 0, count: 32)
    while true {
      var count = groups.count
      if cl_peer_groups(socket, &groups, &count) == 0 { return Array(groups.prefix(count)) }
      guard errno == ERANGE, count > groups.count else {
        throw SystemError(call: "getsockopt SO_PEERGROUPS", code: errno)
      }
      groups = [gid_t](repeating: 0, count: count)
    }
  }
}
