// For LD_PRELOAD: moves CLOCK_BOOTTIME and CLOCK_REALTIME by the nanoseconds that stand in the file
// $FORCETOUCH_CLOCKS, two 64-bit numbers, as if the machine had slept or its clock been set.
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
  int64_t moved[2];
  if (result == 0 && (clock == CLOCK_BOOTTIME || clock == CLOCK_REALTIME) &&
      pread(file, moved, sizeof moved, 0) == sizeof moved) {
    int64_t sum = time->tv_sec * INT64_C(1000000000) + time->tv_nsec +
                  moved[clock == CLOCK_REALTIME];
    time->tv_sec = sum / 1000000000;
    time->tv_nsec = sum % 1000000000;
  }
  return result;
}
