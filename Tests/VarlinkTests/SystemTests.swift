import Glibc
import Testing

@testable import Varlink

@Suite struct SystemTests {
  @Test func anInterruptedCallIsMadeAgain() throws {
    var calls = 0
    let attempt = try system("read") { () -> Int in
      calls += 1
      if calls == 3 { return 7 }
      errno = EINTR
      return -1
    }
    guard case .done(7) = attempt else {
      Issue.record("\(attempt)")
      return
    }
    #expect(calls == 3)
  }

  @Test func nothingToDoYetIsAValue() throws {
    func tryAgain() -> Int32 {
      errno = EAGAIN
      return -1
    }
    guard case .wouldBlock = try system("accept4", tryAgain) else {
      Issue.record("not a value")
      return
    }
    #expect(throws: SystemError(call: "connect", code: EAGAIN)) {
      try immediate("connect", tryAgain)
    }
  }

  @Test func aFailureNamesItsCallAndReason() {
    func fail() -> Int32 {
      errno = EACCES
      return -1
    }
    #expect(throws: SystemError(call: "bind", code: EACCES)) { try system("bind", fail) }
    #expect(SystemError(call: "bind", code: EACCES).description == "bind: Permission denied")
  }

  @Test func aDescriptorIsClosedWithItsOwner() throws {
    let (one, other) = try socketPair()
    let peer = TestPeer(owning: one)
    do { _ = FileDescriptor(owning: other) }
    #expect(peer.message() == nil)
    #expect(!peer.send([0]))
  }

  @Test func anAddressHoldsAHundredAndSevenBytes() {
    #expect(SocketAddress(path: String(repeating: "x", count: 107)) != nil)
    #expect(SocketAddress(path: String(repeating: "x", count: 108)) == nil)
    #expect(SocketAddress(path: "") == nil)
    #expect(SocketAddress(path: "a\0b") == nil)
  }
}
