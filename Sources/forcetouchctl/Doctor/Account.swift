import Glibc

/// A user of the system with all groups.
struct Account {
  let user: UInt32
  let groups: Set<UInt32>

  /// nil when there is no such user.
  init?(user: UInt32) {
    guard let entry = getpwuid(user)?.pointee else { return nil }
    self.init(entry)
  }

  init?(name: String) {
    guard let entry = getpwnam(name)?.pointee else { return nil }
    self.init(entry)
  }

  private init(_ entry: passwd) {
    user = entry.pw_uid
    var list = [gid_t](repeating: 0, count: 65_536)
    var count = Int32(list.count)
    groups =
      getgrouplist(entry.pw_name, entry.pw_gid, &list, &count) >= 0
      ? Set(list[..<Int(count)]) : [entry.pw_gid]
  }
}
