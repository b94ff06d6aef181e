/// The few Linux calls that Swift's Glibc module does not show. No logic: each is the call
/// of its name, with structures flattened to plain values.
#ifndef CLINUX_H
#define CLINUX_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// `accept4(2)` with SOCK_CLOEXEC | SOCK_NONBLOCK. Returns a descriptor, or -1 and errno.
int cl_accept(int listener);

/// `getsockopt(SO_PEERCRED)`. Returns 0, or -1 and errno.
int cl_peer_credentials(int socket, pid_t *pid, uid_t *uid, gid_t *gid);

/// `getsockopt(SO_PEERGROUPS)`. `count` says how many `groups` has room for and returns how many
/// there are. Returns 0, or -1 and errno: ERANGE when there is not room enough.
int cl_peer_groups(int socket, gid_t *groups, size_t *count);

/// `timerfd_create(2)` on CLOCK_REALTIME, set with TFD_TIMER_CANCEL_ON_SET to a time that never
/// comes: it becomes readable when the clock is set or the machine wakes. Returns a descriptor, or
/// -1 and errno.
int cl_clock_change_timer(void);

/// Reads the cancellation away and sets the timer again.
void cl_arm_clock_change_timer(int timer);

/// `epoll_create1(2)` with EPOLL_CLOEXEC. Returns a descriptor, or -1 and errno.
int cl_epoll_create(void);

/// `epoll_ctl(2)` with EPOLL_CTL_ADD: input is waited for, and output if `output` is not 0. `key`
/// comes back when there is something. Returns 0, or -1 and errno.
int cl_epoll_add(int epoll, int descriptor, uint64_t key, int output);

/// The same with EPOLL_CTL_MOD.
int cl_epoll_modify(int epoll, int descriptor, uint64_t key, int output);

/// `epoll_ctl(2)` with EPOLL_CTL_DEL. Returns 0, or -1 and errno.
int cl_epoll_remove(int epoll, int descriptor);

/// `epoll_wait(2)` without waiting, for up to 32 `keys`. Returns how many there are, or -1 and
/// errno.
int cl_epoll_keys(int epoll, uint64_t keys[32]);

/// `timerfd_create(2)` on CLOCK_BOOTTIME, so that what is due while the machine sleeps is due when
/// it wakes. Returns a descriptor, or -1 and errno.
int cl_timer_create(void);

/// `timerfd_settime(2)`: it becomes readable after so many microseconds; 0 stops it. Returns 0, or
/// -1 and errno.
int cl_timer_set(int timer, uint64_t microseconds);

/// `getxattr(2)` of `system.posix_acl_access`: a file's access control list as the kernel has it.
/// Returns its length, or -1 and errno: ENODATA when there is none.
ssize_t cl_access_list(const char *path, void *list, size_t size);

/// `strverscmp(3)`: the order of names with numbers in them, below 0 when `a` comes before `b`.
int cl_compare_names(const char *a, const char *b);

#endif
