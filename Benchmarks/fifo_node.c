/* Loaded before umockdev's own library, so that a FIFO can stand in an event node's place at no
   cost: what umockdev needs for its tricks costs system calls on every read and write, and none of
   its tricks is needed for these. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <linux/input.h>
#include <stdarg.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

ssize_t read(int descriptor, void *buffer, size_t size) {
  return syscall(SYS_read, descriptor, buffer, size);
}

ssize_t write(int descriptor, const void *buffer, size_t size) {
  return syscall(SYS_write, descriptor, buffer, size);
}

ssize_t recv(int descriptor, void *buffer, size_t size, int flags) {
  return syscall(SYS_recvfrom, descriptor, buffer, size, flags, NULL, NULL);
}

ssize_t send(int descriptor, const void *buffer, size_t size, int flags) {
  return syscall(SYS_sendto, descriptor, buffer, size, flags, NULL, 0);
}

/* umockdev describes the device; but it refuses the clock, and the times are of that one. */
int ioctl(int descriptor, unsigned long request, ...) {
  static int (*next)(int, unsigned long, ...);
  va_list arguments;
  va_start(arguments, request);
  void *argument = va_arg(arguments, void *);
  va_end(arguments);
  if (request == EVIOCSCLOCKID) return 0;
  if (!next) next = dlsym(RTLD_NEXT, "ioctl");
  return next(descriptor, request, argument);
}
