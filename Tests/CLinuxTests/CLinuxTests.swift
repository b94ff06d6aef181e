import CLinux
import Glibc
import Testing

/// The shim's calls, each with what it is given at the edges: the undefined sanitizer watches here.
@Suite struct CLinuxTests {
  private func isReadable(_ descriptor: Int32, within milliseconds: Int32) -> Bool {
    var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&wait, 1, milliseconds) == 1
  }

  @Test func theClockChangeTimerIsQuietWhileTheClockIs() {
    let timer = cl_clock_change_timer()
    #expect(timer >= 0)
    #expect(!isReadable(timer, within: 0))
    cl_arm_clock_change_timer(timer)
    #expect(!isReadable(timer, within: 0))
    close(timer)
  }

  @Test func aTimerIsDueWhenItWasSetTo() {
    let timer = cl_timer_create()
    #expect(timer >= 0)
    #expect(cl_timer_set(timer, 1) == 0)
    #expect(isReadable(timer, within: 5000))
    #expect(cl_timer_set(timer, 0) == 0)
    #expect(!isReadable(timer, within: 0))
    #expect(cl_timer_set(timer, 1_999_999) == 0)
    #expect(!isReadable(timer, within: 0))
    // More than any time that the kernel keeps: it may refuse, and must not be due.
    _ = cl_timer_set(timer, .max)
    #expect(!isReadable(timer, within: 0))
    close(timer)
    #expect(cl_timer_set(-1, 1) == -1 && errno == EBADF)
  }

  @Test func epollGivesBackTheKeysOfWhatIsReady() {
    let epoll = cl_epoll_create()
    var ends: [Int32] = [-1, -1]
    #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    var keys = [UInt64](repeating: 0, count: 32)
    #expect(cl_epoll_add(epoll, ends[0], .max, 0) == 0)
    #expect(cl_epoll_keys(epoll, &keys) == 0)
    #expect(cl_epoll_modify(epoll, ends[0], .max - 1, 1) == 0)
    #expect(cl_epoll_keys(epoll, &keys) == 1 && keys[0] == .max - 1)
    #expect(cl_epoll_remove(epoll, ends[0]) == 0)
    #expect(cl_epoll_keys(epoll, &keys) == 0)
    #expect(cl_epoll_remove(epoll, ends[0]) == -1 && errno == ENOENT)
    for descriptor in ends + [epoll] { close(descriptor) }
    #expect(cl_epoll_keys(epoll, &keys) == -1)
  }

  @Test func aPeerIsWhoItIs() {
    var ends: [Int32] = [-1, -1]
    #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    var (process, user, group): (pid_t, uid_t, gid_t) = (0, .max, .max)
    #expect(cl_peer_credentials(ends[0], &process, &user, &group) == 0)
    #expect(process == getpid() && user == getuid() && group == getgid())

    var count = 0
    let result = cl_peer_groups(ends[0], nil, &count)
    #expect((result == 0) == (count == 0))
    var groups = [gid_t](repeating: .max, count: count)
    #expect(cl_peer_groups(ends[0], &groups, &count) == 0)
    #expect(groups.count == count && groups.allSatisfy { $0 != .max })
    for descriptor in ends { close(descriptor) }
    #expect(cl_peer_credentials(ends[0], &process, &user, &group) == -1)
    #expect(cl_peer_groups(ends[0], &groups, &count) == -1)
  }

  @Test func acceptingWhatIsNoListenerFails() {
    #expect(cl_accept(-1) == -1 && errno == EBADF)
  }
}
