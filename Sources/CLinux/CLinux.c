#define _GNU_SOURCE
#include "CLinux.h"

#include <stdint.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/xattr.h>
#include <unistd.h>

int cl_accept(int listener) {
  return accept4(listener, 0, 0, SOCK_CLOEXEC | SOCK_NONBLOCK);
}

int cl_peer_credentials(int socket, pid_t *pid, uid_t *uid, gid_t *gid) {
  struct ucred peer;
  socklen_t length = sizeof peer;
  int result = getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &length);
  if (result == 0) {
    *pid = peer.pid;
    *uid = peer.uid;
    *gid = peer.gid;
  }
  return result;
}

int cl_peer_groups(int socket, gid_t *groups, size_t *count) {
  socklen_t length = *count * sizeof *groups;
  int result = getsockopt(socket, SOL_SOCKET, SO_PEERGROUPS, groups, &length);
  *count = length / sizeof *groups;
  return result;
}

int cl_clock_change_timer(void) {
  int timer = timerfd_create(CLOCK_REALTIME, TFD_NONBLOCK | TFD_CLOEXEC);
  if (timer >= 0)
    cl_arm_clock_change_timer(timer);
  return timer;
}

void cl_arm_clock_change_timer(int timer) {
  uint64_t count;
  struct itimerspec never = {.it_value = {.tv_sec = INT64_MAX / 1000000000}};
  (void)!read(timer, &count, sizeof count);
  timerfd_settime(timer, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &never, 0);
}

int cl_epoll_create(void) {
  return epoll_create1(EPOLL_CLOEXEC);
}

static int control(int epoll, int operation, int descriptor, uint64_t key, int output) {
  struct epoll_event event = {.events = EPOLLIN | (output ? EPOLLOUT : 0), .data.u64 = key};
  return epoll_ctl(epoll, operation, descriptor, &event);
}

int cl_epoll_add(int epoll, int descriptor, uint64_t key, int output) {
  return control(epoll, EPOLL_CTL_ADD, descriptor, key, output);
}

int cl_epoll_modify(int epoll, int descriptor, uint64_t key, int output) {
  return control(epoll, EPOLL_CTL_MOD, descriptor, key, output);
}

int cl_epoll_remove(int epoll, int descriptor) {
  return control(epoll, EPOLL_CTL_DEL, descriptor, 0, 0);
}

int cl_epoll_keys(int epoll, uint64_t keys[32]) {
  struct epoll_event events[32];
  int count = epoll_wait(epoll, events, 32, 0);
  for (int i = 0; i < count; i++)
    keys[i] = events[i].data.u64;
  return count;
}

int cl_timer_create(void) {
  return timerfd_create(CLOCK_BOOTTIME, TFD_NONBLOCK | TFD_CLOEXEC);
}

int cl_timer_set(int timer, uint64_t microseconds) {
  struct itimerspec after = {.it_value = {
    .tv_sec = microseconds / 1000000, .tv_nsec = microseconds % 1000000 * 1000}};
  return timerfd_settime(timer, 0, &after, 0);
}

ssize_t cl_access_list(const char *path, void *list, size_t size) {
  return getxattr(path, "system.posix_acl_access", list, size);
}

int cl_compare_names(const char *a, const char *b) {
  return strverscmp(a, b);
}
