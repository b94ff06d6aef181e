import Testing

@testable import ForceTouchDoctor

/// Who may open a node, by the rules of acl(5).
@Suite struct NodeAccessTests {
  /// As udev makes them: root's, readable for the group `input` (104 here).
  static let node = NodeAccess(mode: 0o660, owner: 0, group: 104)

  @Test(
    arguments: [
      (0, [], true), (1000, [1000], false), (1000, [1000, 104], true), (998, [998, 104], true),
    ] as [(UInt32, Set<UInt32>, Bool)])
  func modeBits(user: UInt32, groups: Set<UInt32>, mayRead: Bool) {
    #expect(Self.node.allowsReading(user: user, groups: groups) == mayRead)
  }

  @Test func theFirstThatIsAskedDecides() {
    // The owner, though everybody else may.
    let own = NodeAccess(mode: 0o044, owner: 1000, group: 100)
    #expect(!own.allowsReading(user: 1000, groups: [100]))
    let group = NodeAccess(mode: 0o604, owner: 0, group: 100)
    #expect(!group.allowsReading(user: 1000, groups: [100]))
    #expect(group.allowsReading(user: 1000, groups: [1000]))
  }

  /// A list as the kernel gives it: version 2, then (tag, permissions, id) each.
  static func list(_ entries: [(tag: UInt16, permissions: UInt16, id: UInt32)]) -> [UInt8] {
    func bytes(_ value: some FixedWidthInteger) -> [UInt8] {
      withUnsafeBytes(of: value.littleEndian) { Array($0) }
    }
    return entries.reduce(bytes(UInt32(2))) {
      $0 + bytes($1.tag) + bytes($1.permissions) + bytes($1.id)
    }
  }

  @Test func anAccessControlListCounts() {
    var node = Self.node
    node.take(
      Self.list([
        (0x01, 6, .max), (0x02, 4, 1000), (0x02, 0, 1001), (0x04, 0, .max), (0x08, 4, 200),
        (0x10, 4, .max), (0x20, 0, .max),
      ]))
    #expect(node.allowsReading(user: 1000, groups: []))
    #expect(!node.allowsReading(user: 1001, groups: [200]))
    #expect(!node.allowsReading(user: 1002, groups: [104]))
    #expect(node.allowsReading(user: 1002, groups: [104, 200]))
    #expect(!node.allowsReading(user: 1002, groups: []))
  }

  @Test func theMaskTakesAway() {
    var node = Self.node
    node.take(
      Self.list([
        (0x01, 6, .max), (0x02, 4, 1000), (0x04, 4, .max), (0x10, 0, .max), (0x20, 4, .max),
      ]))
    #expect(!node.allowsReading(user: 1000, groups: []))
    #expect(!node.allowsReading(user: 1001, groups: [104]))
  }

  @Test(arguments: [
    [], [2], [2, 0, 0, 0], [9, 0, 0, 0, 2, 0, 4, 0, 1, 0, 0, 0], [2, 0, 0, 0, 1],
  ])
  func anythingElseSaysNothing(list: [UInt8]) {
    var node = Self.node
    node.take(list)
    #expect(node == Self.node)
  }

  @Test func whatIsNotThereHasNoPermissions() {
    #expect(NodeAccess(path: "/nowhere") == nil)
    #expect(NodeAccess(path: "/dev/null")?.owner == 0)
  }
}
