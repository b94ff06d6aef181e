// For LD_PRELOAD: clocks as the file $FORCETOUCH_CLOCKS says in three 64-bit numbers of nanoseconds. By
// the first two CLOCK_BOOTTIME and CLOCK_REALTIME are moved, as if the machine had slept or its clock
// been set. Where the third is not 0, CLOCK_MONOTONIC stands still at it.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static int file = -1;

__attribute__((constructor)) static void open_file(void) {
  const char *path = getenv("FORCETOUCH_CLOCKS");
  if (path)
    file = open(path, O_RDONLY | O_CLOEXEC);
}

int clock_gettime(clockid_t clock, struct timespec *time) {
  static int (*real)(clockid_t, struct timespec *);
  if (!real)
    real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
  int result = real(clock, time);
  int64_t told[3];
  if (result != 0 || pread(file, told, sizeof told, 0) != sizeof told)
    return result;
  int64_t now = time->tv_sec * INT64_C(1000000000) + time->tv_nsec;
  if (clock == CLOCK_BOOTTIME)
    now += told[0];
  else if (clock == CLOCK_REALTIME)
    now += told[1];
  else if (clock == CLOCK_MONOTONIC && told[2])
    now = told[2];
  time->tv_sec = now / 1000000000;
  time->tv_nsec = now % 1000000000;
  return result;
}
