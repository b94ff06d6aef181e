#define _GNU_SOURCE
#include "CLinux.h"

#include <stdint.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
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
