/// The few Linux calls that Swift's Glibc module does not show. No logic: each is the call
/// of its name, with structures flattened to plain values.
#ifndef CLINUX_H
#define CLINUX_H

#include <sys/types.h>

/// `accept4(2)` with SOCK_CLOEXEC | SOCK_NONBLOCK. Returns a descriptor, or -1 and errno.
int cl_accept(int listener);

#endif
