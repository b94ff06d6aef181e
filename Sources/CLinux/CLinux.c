#define _GNU_SOURCE
#include "CLinux.h"

#include <sys/socket.h>

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
