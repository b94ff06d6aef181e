import Glibc
import Varlink

/// Who may do what: decided by user and groups as the kernel knows them, never by process.
struct AccessPolicy {
  /// What ``mayMonitor(_:)`` asks for, for a person.
  static let monitorNeeds = "root, or membership in the group forcetouch"

  private let ownUserID = geteuid()

  func mayMonitor(_ peer: PeerCredentials) -> Bool {
    if isTrusted(peer) { return true }
    // Looked up each time: the group may be made after the daemon was started.
    guard let group = getgrnam("forcetouch")?.pointee.gr_gid else { return false }
    return peer.groupID == group || peer.groups.contains(group)
  }

  /// root and the daemon's own user may do everything.
  func isTrusted(_ peer: PeerCredentials) -> Bool {
    peer.userID == 0 || peer.userID == ownUserID
  }
}
