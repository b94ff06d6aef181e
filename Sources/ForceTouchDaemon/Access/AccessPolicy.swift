import Glibc
import Varlink

/// Who may do what: decided by user and groups as the kernel knows them, never by process
/// (`SO_PEERCRED`, `SO_PEERGROUPS`), and by who sits at the device's seat.
final class AccessPolicy {
  /// What ``mayMonitor(_:)`` asks for, for a person.
  static let monitorNeeds = "root, or membership in the group forcetouch"
  /// What a region of a touchscreen asks for, for a person.
  static let regionNeeds =
    "root, membership in the group forcetouch, or the setting previewing.regions-for-active-users"
  /// What ``mayControl(_:)`` asks for, for a person.
  static let controlNeeds = "root"

  private let ownUserID = geteuid()
  private let seats: Seats
  /// Looked up once: it may mean a question to the network. nil when there is no such group.
  private var monitorGroup = AccessPolicy.group("forcetouch")

  init(seats: Seats) { self.seats = seats }

  /// The group may have been made since.
  func lookUpGroups() { monitorGroup = Self.group("forcetouch") }

  /// root and the daemon's own user may do everything.
  func isTrusted(_ peer: PeerCredentials) -> Bool {
    peer.userID == 0 || peer.userID == ownUserID
  }

  func mayMonitor(_ peer: PeerCredentials) -> Bool {
    if isTrusted(peer) { return true }
    guard let monitorGroup else { return false }
    return peer.groupID == monitorGroup || peer.groups.contains(monitorGroup)
  }

  func mayControl(_ peer: PeerCredentials) -> Bool { isTrusted(peer) }

  /// Whether the user is the one that the devices of a seat are for now. A device without a seat
  /// is root's and the daemon's own.
  func mayPreview(_ peer: PeerCredentials, seat: String?) -> Bool {
    if isTrusted(peer) { return true }
    guard let seat else { return false }
    return seats.user(of: seat) == peer.userID
  }

  private static func group(_ name: String) -> UInt32? { getgrnam(name)?.pointee.gr_gid }
}
