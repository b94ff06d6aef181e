/* relay NODE SOCKET MESSAGES

   The yardstick: as little as a program can do that has the daemon's place. For every frame of NODE
   it writes to every client of SOCKET the very bytes that the daemon writes for that frame, which
   lie ready in MESSAGES: one epoll_wait, one read, one write per client. It understands nothing.

   MESSAGES holds for each frame the number of its bytes (uint32_t) and then those. A client that
   connects is greeted by a NUL. */
#define _GNU_SOURCE
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/input.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

enum { MOST_CLIENTS = 256 };

static int clients[MOST_CLIENTS];
static int client_count;

/* The next frame's messages. */
static const char *next, *end;

static int listen_at(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (strlen(path) >= sizeof address.sun_path) errx(2, "%s: too long for a socket", path);
  strcpy(address.sun_path, path);
  int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (descriptor < 0 || bind(descriptor, (struct sockaddr *)&address, sizeof address) < 0 ||
      listen(descriptor, MOST_CLIENTS) < 0)
    err(1, "%s", path);
  return descriptor;
}

static void map_messages(const char *path) {
  struct stat status;
  int descriptor = open(path, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0 || fstat(descriptor, &status) < 0) err(1, "%s", path);
  next = mmap(NULL, status.st_size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, descriptor, 0);
  if (next == MAP_FAILED) err(1, "%s", path);
  end = next + status.st_size;
  close(descriptor);
}

static void admit(int socket) {
  int client;
  while ((client = accept4(socket, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK)) >= 0) {
    if (client_count == MOST_CLIENTS) errx(1, "more than %d clients", MOST_CLIENTS);
    clients[client_count++] = client;
    if (write(client, "", 1) != 1) err(1, "a client");
  }
}

static void relay_frame(void) {
  uint32_t length;
  if (end - next < (ptrdiff_t)sizeof length) errx(1, "more frames than messages");
  memcpy(&length, next, sizeof length);
  next += sizeof length;
  for (int i = 0; i < client_count; i++)
    if (send(clients[i], next, length, MSG_NOSIGNAL) != (ssize_t)length) err(1, "a client");
  next += length;
}

static void relay_frames(int node) {
  struct input_event events[64];
  ssize_t count = read(node, events, sizeof events);
  if (count < 0 && errno != EAGAIN) err(1, "the node");
  if (count == 0) errx(0, "the node's end");
  for (ssize_t i = 0; i < count / (ssize_t)sizeof *events; i++)
    if (events[i].type == EV_SYN && events[i].code == SYN_REPORT) relay_frame();
}

int main(int argc, char **argv) {
  if (argc != 4) errx(2, "usage: relay NODE SOCKET MESSAGES");
  map_messages(argv[3]);
  int node = open(argv[1], O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (node < 0) err(1, "%s", argv[1]);
  int socket = listen_at(argv[2]);
  int poll = epoll_create1(EPOLL_CLOEXEC);
  struct epoll_event wanted = {.events = EPOLLIN};
  wanted.data.fd = node;
  if (poll < 0 || epoll_ctl(poll, EPOLL_CTL_ADD, node, &wanted) < 0) err(1, "epoll");
  wanted.data.fd = socket;
  if (epoll_ctl(poll, EPOLL_CTL_ADD, socket, &wanted) < 0) err(1, "epoll");
  for (;;) {
    struct epoll_event ready[2];
    int count = epoll_wait(poll, ready, 2, -1);
    if (count < 0 && errno != EINTR) err(1, "epoll_wait");
    for (int i = 0; i < count; i++)
      if (ready[i].data.fd == node)
        relay_frames(node);
      else
        admit(socket);
  }
}
