#include <libevdev/libevdev.h>
#include <linux/input.h>
#include <sys/ioctl.h>

// Constants newer than some distributions' headers.
#ifndef INPUT_PROP_PRESSUREPAD
#define INPUT_PROP_PRESSUREPAD 0x07
#endif
#ifndef FF_HAPTIC
#define FF_HAPTIC 0x4f
#endif

// Swift does not see macros that are built from other macros with arguments.
enum { FT_EVIOCSCLOCKID = _IOW('E', 0xa0, int) };

/// The time of an event: its fields have other names where time_t is wider than long.
static inline long long ft_event_seconds(const struct input_event *event) {
  return event->input_event_sec;
}
static inline long long ft_event_microseconds(const struct input_event *event) {
  return event->input_event_usec;
}
