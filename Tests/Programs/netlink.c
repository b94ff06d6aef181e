// For LD_PRELOAD, before umockdev's own: udev cannot be heard. $FORCETOUCH_NETLINK is `refused`: the
// kernel gives no socket for it; or names a file with a 64-bit number: so many times since the start
// there came more than there was room for, what waits is lost, and the kernel says so (ENOBUFS).
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static const char *path;
static int64_t overflows;

__attribute__((constructor)) static void read_environment(void) {
  path = getenv("FORCETOUCH_NETLINK");
}

int socket(int domain, int type, int protocol) {
  int (*real)(int, int, int) = (int (*)(int, int, int))dlsym(RTLD_NEXT, "socket");
  if (domain == AF_NETLINK && path && strcmp(path, "refused") == 0) {
    errno = EAFNOSUPPORT;
    return -1;
  }
  return real(domain, type, protocol);
}

// umockdev has a socket of its own, $UMOCKDEV_DIR/eventN, in the place of the kernel's.
static int is_monitor(int descriptor) {
  struct sockaddr_un address = {0};
  socklen_t length = sizeof address - 1;
  return getsockname(descriptor, (struct sockaddr *)&address, &length) == 0 &&
         address.sun_family == AF_UNIX && strstr(address.sun_path, "/event");
}

ssize_t recvmsg(int descriptor, struct msghdr *message, int flags) {
  ssize_t (*real)(int, struct msghdr *, int) =
      (ssize_t(*)(int, struct msghdr *, int))dlsym(RTLD_NEXT, "recvmsg");
  int64_t wanted = 0;
  int file = path && is_monitor(descriptor) ? open(path, O_RDONLY | O_CLOEXEC) : -1;
  if (file >= 0) {
    if (read(file, &wanted, sizeof wanted) != sizeof wanted)
      wanted = 0;
    close(file);
  }
  if (overflows >= wanted)
    return real(descriptor, message, flags);
  overflows++;
  char lost[8192];
  while (recv(descriptor, lost, sizeof lost, MSG_DONTWAIT) >= 0)
    ;
  errno = ENOBUFS;
  return -1;
}
