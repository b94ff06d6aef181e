/* load record NODE SOCKET watch|plain CLIENTS CONTACTS HERTZ FRAMES MESSAGES
   load measure NODE SOCKET watch|plain CLIENTS CONTACTS HERTZ FRAMES

   Both ends of a program under test: the trackpad that it reads and the clients that it writes to.
   CONTACTS fingers lie on the pad, and in each frame every one of them moves a little and presses
   otherwise, between hint and peek, so that each frame gives one message per contact.

   NODE is a FIFO, or `uinput`: then a device is made, and its node is the first line of output. The
   first line of input is the process that is measured; it may be started when the node is known.
   `watch`: clients ask for org.forcetouchd.Monitor.Watch; `plain`: they only connect.
   `record` writes into MESSAGES what one client gets, frame by frame: for each the number of its
   bytes (uint32_t), then those. `measure` prints what one frame took, in nanoseconds: the process's
   CPU time, the median and the 99th percentile of the time from the frame's write to when the last client had read it all.
   With no clients at all there is only the CPU time. `record` prints an empty line. Then it waits for
   the end of its input. */
#define _GNU_SOURCE
#include "pad.h"
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { WARM_UP = 64, PATIENCE_MS = 20000 };

static bool recording, watching;
static int client_count, contact_count, frame_count;
static long period;
static clockid_t cpu_clock;
static FILE *messages;

struct client {
  int socket;
  /* Of this frame's messages. */
  size_t received, ends;
};
static struct client *clients;
static int poll_descriptor;

static int64_t now(clockid_t clock) {
  struct timespec time;
  if (clock_gettime(clock, &time) < 0) err(1, "clock_gettime");
  return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

static void sleep_until(int64_t time) {
  struct timespec until = {time / 1000000000, time % 1000000000};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == EINTR) {}
}

/* Whether what is waited for may still come; sleeps a little. */
static void try_again(int64_t since, const char *what) {
  if (now(CLOCK_MONOTONIC) - since > PATIENCE_MS * INT64_C(1000000)) errx(1, "%s", what);
  sleep_until(now(CLOCK_MONOTONIC) + 500000);
}

/* Waits until a process sleeps, and so has done all that the last frame gave it to do: two frames
   that it takes in one go would cost it less. */
static void wait_for_sleep(pid_t process) {
  static int status = -1;
  char text[512], path[32];
  if (status < 0) {
    snprintf(path, sizeof path, "/proc/%d/stat", process);
    if ((status = open(path, O_RDONLY | O_CLOEXEC)) < 0) err(1, "%s", path);
  }
  for (int64_t since = now(CLOCK_MONOTONIC);; try_again(since, "the process never sleeps")) {
    ssize_t length = pread(status, text, sizeof text - 1, 0);
    if (length <= 0) errx(1, "the process is gone");
    text[length] = '\0';
    if (strstr(text, ") S ")) return;
  }
}

/* --- Clients ------------------------------------------------------------------------------- */

static int connect_to(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (strlen(path) >= sizeof address.sun_path) errx(2, "%s: too long for a socket", path);
  strcpy(address.sun_path, path);
  int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (descriptor < 0) err(1, "socket");
  int64_t since = now(CLOCK_MONOTONIC);
  while (connect(descriptor, (struct sockaddr *)&address, sizeof address) < 0) {
    if (errno != ENOENT && errno != ECONNREFUSED && errno != EAGAIN) err(1, "%s", path);
    try_again(since, "nobody listens at the socket");
  }
  return descriptor;
}

/* Reads one message, which nothing follows. */
static const char *read_message(int socket) {
  static char buffer[1 << 20];
  size_t length = 0;
  do {
    ssize_t count = read(socket, buffer + length, sizeof buffer - length);
    if (count <= 0) err(1, "no answer");
    length += count;
  } while (buffer[length - 1] != '\0');
  return buffer;
}

static const char *ask(int socket, const char *call) {
  size_t length = strlen(call) + 1;
  if (write(socket, call, length) != (ssize_t)length) err(1, "a call");
  return read_message(socket);
}

/* Until the daemon has answered everything that was asked before, and knows the pad. */
static void wait_for_pad(const char *path) {
  int socket = connect_to(path);
  int64_t since = now(CLOCK_MONOTONIC);
  while (!strstr(ask(socket, "{\"method\":\"org.forcetouchd.Devices.List\"}"), PAD_NAME))
    try_again(since, "the daemon does not find the pad");
  close(socket);
}

static void connect_clients(const char *path) {
  if (watching) wait_for_pad(path);
  clients = calloc(client_count, sizeof *clients);
  poll_descriptor = epoll_create1(EPOLL_CLOEXEC);
  for (int i = 0; i < client_count; i++) {
    int socket = clients[i].socket = connect_to(path);
    if (watching) {
      if (strstr(ask(socket, "{\"method\":\"org.forcetouchd.Monitor.Watch\",\"more\":true}"),
                 "\"error\""))
        errx(1, "the daemon refuses Watch");
    } else {
      read_message(socket);
    }
    fcntl(socket, F_SETFL, O_NONBLOCK);
    struct epoll_event wanted = {.events = EPOLLIN, .data.ptr = &clients[i]};
    if (epoll_ctl(poll_descriptor, EPOLL_CTL_ADD, socket, &wanted) < 0) err(1, "epoll");
  }
  /* It opens the pad after its first answer, and before the next. */
  if (watching) wait_for_pad(path);
}

/* --- One frame ----------------------------------------------------------------------------- */

static char frame_text[1 << 16];

static bool is_complete(const struct client *client) {
  return client->ends == (size_t)contact_count;
}

static void receive(struct client *client) {
  char *place = frame_text + client->received;
  ssize_t count = read(client->socket, place, sizeof frame_text - client->received);
  if (count < 0 && errno == EAGAIN) return;
  if (count <= 0) err(1, "a client was disconnected");
  client->received += count;
  for (ssize_t i = 0; i < count; i++) client->ends += place[i] == '\0';
  if (client->ends > (size_t)contact_count) errx(1, "a client got more than the messages of a frame");
}

/* Writes a frame, and waits until every client has all of its messages. Gives how long it took. */
static int64_t play(int node, int index, enum pad_phase phase) {
  for (int i = 0; i < client_count; i++) clients[i].received = clients[i].ends = 0;
  struct input_event events[MOST_EVENTS];
  size_t size = pad_frame(events, contact_count, index, phase);
  int64_t start = now(CLOCK_MONOTONIC);
  pad_date(events, size, start);
  if (write(node, events, size) != (ssize_t)size) err(1, "the pad");
  for (int complete = 0; complete < client_count;) {
    struct epoll_event ready[64];
    int count = epoll_wait(poll_descriptor, ready, 64, PATIENCE_MS);
    if (count == 0) errx(1, "frame %d did not come", index);
    for (int i = 0; i < count; i++) {
      struct client *client = ready[i].data.ptr;
      receive(client);
      complete += is_complete(client);
    }
  }
  int64_t took = now(CLOCK_MONOTONIC) - start;
  if (recording) {
    uint32_t length = clients[0].received;
    fwrite(&length, sizeof length, 1, messages);
    fwrite(frame_text, length, 1, messages);
  }
  return took;
}

static int compare(const void *left, const void *right) {
  int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
  return (a > b) - (a < b);
}

static int number(const char *text, int least, int most) {
  char *end;
  long value = strtol(text, &end, 10);
  if (*end || value < least || value > most) errx(2, "%s: not %d to %d", text, least, most);
  return value;
}

int main(int argc, char **argv) {
  if (argc < 9 || argc != (strcmp(argv[1], "record") ? 9 : 10))
    errx(2, "usage: load record|measure NODE SOCKET watch|plain CLIENTS CONTACTS HERTZ FRAMES [MESSAGES]");
  recording = !strcmp(argv[1], "record");
  watching = !strcmp(argv[4], "watch");
  client_count = number(argv[5], 0, 256);
  contact_count = number(argv[6], 1, MOST_CONTACTS);
  period = 1000000000 / number(argv[7], 1, 10000);
  frame_count = number(argv[8], 1, 1000000);
  if (recording && client_count != 1) errx(2, "record wants one client");
  if (recording && !(messages = fopen(argv[9], "wb"))) err(1, "%s", argv[9]);

  int made = strcmp(argv[2], "uinput") ? -1 : pad_create();
  char line[16] = "";
  if (!fgets(line, sizeof line, stdin)) errx(1, "no process");
  line[strcspn(line, "\n")] = '\0';
  pid_t process = number(line, 1, 1 << 22);
  if (clock_getcpuclockid(process, &cpu_clock) != 0) errx(1, "there is no process %d", process);
  if (client_count) connect_clients(argv[3]);
  int node = made;
  for (int64_t since = now(CLOCK_MONOTONIC); node < 0; )
    if ((node = open(argv[2], O_WRONLY | O_NONBLOCK | O_CLOEXEC)) < 0) {
      if (errno != ENXIO) err(1, "%s", argv[2]);
      try_again(since, "nobody opens the pad");
    }

  int64_t *took = calloc(frame_count, sizeof *took), cpu = 0, due = now(CLOCK_MONOTONIC);
  for (int i = 0; i < WARM_UP + frame_count; i++) {
    sleep_until(due += period);
    wait_for_sleep(process);
    if (i == WARM_UP) cpu = now(cpu_clock);
    int64_t time = play(node, i, i == 0 ? PAD_DOWN : PAD_STAY);
    if (i >= WARM_UP) took[i - WARM_UP] = time;
  }
  sleep_until(due += period);
  cpu = now(cpu_clock) - cpu;
  play(node, WARM_UP + frame_count, PAD_LIFT);
  if (recording && fclose(messages) != 0) err(1, "%s", argv[9]);
  qsort(took, frame_count, sizeof *took, compare);
  if (!recording)
    printf("%.1f %ld %ld", (double)cpu / frame_count, (long)took[frame_count / 2],
           (long)took[frame_count * 99 / 100]);
  puts("");
  fflush(stdout);
  /* A pad that goes away costs the program something, too: it stays until that is ended. */
  while (getchar() != EOF) {}
  return 0;
}
