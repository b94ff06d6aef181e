internal import CLinux
internal import Glibc

/// Who may open a node: its mode, its owners and its access control list (`acl(5)`).
public struct NodeAccess: Equatable, Sendable {
  /// An entry for one more user or group.
  public struct Entry: Equatable, Sendable {
    public enum Kind: Equatable, Sendable { case user, group }
    public var kind: Kind
    /// uid or gid.
    public var id: UInt32
    /// Before the mask.
    public var mayRead: Bool

    public init(_ kind: Kind, _ id: UInt32, mayRead: Bool) {
      self.kind = kind
      self.id = id
      self.mayRead = mayRead
    }
  }

  /// The permission bits.
  public var mode: UInt32
  public var owner: UInt32
  public var group: UInt32
  /// What the list gives the owning group; the group bits of the mode where there is no list.
  public var groupMayRead: Bool
  public var entries: [Entry] = []
  /// What the list lets through, to all but the owner and others.
  public var maskMayRead = true

  public init(mode: UInt32, owner: UInt32, group: UInt32) {
    self.mode = mode
    self.owner = owner
    self.group = group
    groupMayRead = mode & 0o040 != 0
  }

  /// What the kernel says of a file; nil when it is not there.
  public init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(mode: status.st_mode & 0o7777, owner: status.st_uid, group: status.st_gid)
    var list = [UInt8](repeating: 0, count: 64 * 1024)
    let count = cl_access_list(path, &list, list.count)
    if count > 0 { take(Array(list[..<count])) }
  }

  /// Takes an access control list as the kernel has it (`linux/posix_acl_xattr.h`).
  mutating func take(_ list: [UInt8]) {
    func number(_ offset: Int, _ size: Int) -> UInt32 {
      (0..<size).reduce(0) { $0 | UInt32(list[offset + $1]) << UInt32(8 * $1) }
    }
    guard list.count >= 4, number(0, 4) == 2 else { return }
    for offset in stride(from: 4, through: list.count - 8, by: 8) {
      let mayRead = number(offset + 2, 2) & 4 != 0
      switch number(offset, 2) {
      case 0x02: entries.append(Entry(.user, number(offset + 4, 4), mayRead: mayRead))
      case 0x04: groupMayRead = mayRead
      case 0x08: entries.append(Entry(.group, number(offset + 4, 4), mayRead: mayRead))
      case 0x10: maskMayRead = mayRead
      default: break
      }
    }
  }

  /// Whether a user may read, by the rules of `acl(5)`.
  public func allowsReading(user: UInt32, groups: Set<UInt32>) -> Bool {
    if user == 0 { return true }
    if user == owner { return mode & 0o400 != 0 }
    if let entry = entries.first(where: { $0.kind == .user && $0.id == user }) {
      return entry.mayRead && maskMayRead
    }
    var answers = groups.contains(group) ? [groupMayRead] : []
    answers += entries.filter { $0.kind == .group && groups.contains($0.id) }.map(\.mayRead)
    return answers.isEmpty ? mode & 0o004 != 0 : answers.contains(true) && maskMayRead
  }
}
