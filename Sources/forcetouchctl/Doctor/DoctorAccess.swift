import CSystemd
import ForceTouchDoctor
import Glibc

extension AccessReport {
  /// The user who runs this program; with sudo, the one who called it.
  static func look() -> AccessReport {
    let isRoot = geteuid() == 0
    let caller = isRoot ? getenv("SUDO_UID").flatMap { UInt32(String(cString: $0)) } : nil
    let user = caller ?? getuid()
    let group = getgrnam("forcetouch")?.pointee.gr_gid
    let groups = Account(user: user)?.groups ?? []
    var session = [gid_t](repeating: 0, count: 65_536)
    let count = getgroups(Int32(session.count), &session)
    let current = Set(session[..<Int(max(0, count))] + [getegid()])
    // root itself needs no group.
    let isFree = isRoot && caller == nil
    return AccessReport(
      root: isRoot, daemonUser: Account(name: "forcetouchd") != nil, group: group != nil,
      member: isFree || group.map { groups.contains($0) || current.contains($0) } ?? false,
      inSession: isRoot || group.map { current.contains($0) } ?? false, session: Self.session(user))
  }

  private static func session(_ user: UInt32) -> Session? {
    var name: UnsafeMutablePointer<CChar>?
    // What a user's systemd starts, such as a terminal's window, is of no session.
    guard sd_pid_get_session(0, &name) >= 0 || sd_uid_get_display(user, &name) >= 0 else {
      return nil
    }
    defer { free(name) }
    var type: UnsafeMutablePointer<CChar>?
    var seat: UnsafeMutablePointer<CChar>?
    defer {
      free(type)
      free(seat)
    }
    guard sd_session_get_type(name, &type) >= 0, let type else { return nil }
    let isAtSeat = sd_session_get_seat(name, &seat) >= 0
    return Session(
      type: String(cString: type), seat: isAtSeat ? seat.map { String(cString: $0) } : nil,
      active: sd_session_is_active(name) > 0)
  }
}
