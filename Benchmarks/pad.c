#define _GNU_SOURCE
#include "pad.h"
#include <dirent.h>
#include <err.h>
#include <fcntl.h>
#include <linux/uinput.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* As hid-magicmouse declares them, but without fuzz: the kernel would leave out small movements. */
static const struct {
  int code, minimum, maximum, resolution;
} axes[] = {
    {ABS_X, -3678, 3934, 48},
    {ABS_Y, -2478, 2587, 46},
    {ABS_PRESSURE, 0, 253, 0},
    {ABS_MT_SLOT, 0, MOST_CONTACTS - 1, 0},
    {ABS_MT_TOUCH_MAJOR, 0, 1023, 0},
    {ABS_MT_TOUCH_MINOR, 0, 1023, 0},
    {ABS_MT_POSITION_X, -3678, 3934, 48},
    {ABS_MT_POSITION_Y, -2478, 2587, 46},
    {ABS_MT_TRACKING_ID, 0, 65535, 0},
    {ABS_MT_PRESSURE, 0, 253, 0},
};
static const int keys[] = {BTN_LEFT, BTN_TOUCH, BTN_TOOL_FINGER, BTN_TOOL_DOUBLETAP};
static const int properties[] = {INPUT_PROP_POINTER, INPUT_PROP_BUTTONPAD};

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void must(int result, const char *what) {
  if (result < 0) err(1, "%s", what);
}

/* The node of the device that a uinput descriptor made. */
static void print_node(int descriptor) {
  char name[64], path[128];
  must(ioctl(descriptor, UI_GET_SYSNAME(sizeof name), name), "UI_GET_SYSNAME");
  snprintf(path, sizeof path, "/sys/devices/virtual/input/%s", name);
  DIR *folder = opendir(path);
  if (!folder) err(1, "%s", path);
  for (struct dirent *entry; (entry = readdir(folder));)
    if (!strncmp(entry->d_name, "event", 5)) printf("/dev/input/%s\n", entry->d_name);
  fflush(stdout);
  closedir(folder);
}

int pad_create(void) {
  int descriptor = open("/dev/uinput", O_WRONLY | O_CLOEXEC);
  must(descriptor, "/dev/uinput");
  must(ioctl(descriptor, UI_SET_EVBIT, EV_KEY), "EV_KEY");
  must(ioctl(descriptor, UI_SET_EVBIT, EV_ABS), "EV_ABS");
  for (size_t i = 0; i < COUNT(keys); i++)
    must(ioctl(descriptor, UI_SET_KEYBIT, keys[i]), "UI_SET_KEYBIT");
  for (size_t i = 0; i < COUNT(properties); i++)
    must(ioctl(descriptor, UI_SET_PROPBIT, properties[i]), "UI_SET_PROPBIT");
  for (size_t i = 0; i < COUNT(axes); i++) {
    struct uinput_abs_setup setup = {.code = axes[i].code};
    setup.absinfo.minimum = axes[i].minimum;
    setup.absinfo.maximum = axes[i].maximum;
    setup.absinfo.resolution = axes[i].resolution;
    must(ioctl(descriptor, UI_ABS_SETUP, &setup), "UI_ABS_SETUP");
  }
  struct uinput_setup setup = {
      .id = {.bustype = BUS_BLUETOOTH, .vendor = 0x004c, .product = 0x0265},
      /* The udev rule of the tests allows what is named so. */
      .name = "Test " PAD_NAME,
  };
  must(ioctl(descriptor, UI_DEV_SETUP, &setup), "UI_DEV_SETUP");
  must(ioctl(descriptor, UI_DEV_CREATE), "UI_DEV_CREATE");
  print_node(descriptor);
  return descriptor;
}

/* A finger goes to and fro, fast enough to move a pointer. */
static int to_and_fro(int index, int step, int steps) {
  int place = index % (2 * steps);
  return step * (place < steps ? place : 2 * steps - place);
}

size_t pad_frame(struct input_event *events, int contacts, int index, enum pad_phase phase) {
  struct input_event *event = events;
  int x = to_and_fro(index, 8, 30), y = to_and_fro(index, 3, 25);
#define PUT(t, c, v) (*event++ = (struct input_event){.type = (t), .code = (c), .value = (v)})
  for (int contact = 0; contact < contacts; contact++) {
    if (contacts > 1 || phase == PAD_DOWN) PUT(EV_ABS, ABS_MT_SLOT, contact);
    if (phase == PAD_LIFT) {
      PUT(EV_ABS, ABS_MT_TRACKING_ID, -1);
      continue;
    }
    if (phase == PAD_DOWN) {
      PUT(EV_ABS, ABS_MT_TRACKING_ID, 1 + contact);
      /* libinput takes a finger without one for hovering. */
      PUT(EV_ABS, ABS_MT_TOUCH_MINOR, 280);
    }
    PUT(EV_ABS, ABS_MT_POSITION_X, 100 + 300 * contact + x);
    PUT(EV_ABS, ABS_MT_POSITION_Y, 100 + 100 * contact + y);
    PUT(EV_ABS, ABS_MT_TOUCH_MAJOR, 300 + index % 7);
    /* Between hint (85) and peek (106). */
    PUT(EV_ABS, ABS_MT_PRESSURE, 86 + (index + contact) % 19);
  }
  if (phase != PAD_STAY) {
    PUT(EV_KEY, BTN_TOUCH, phase == PAD_DOWN);
    PUT(EV_KEY, BTN_TOOL_FINGER, phase == PAD_DOWN);
  }
  if (phase != PAD_LIFT) {
    PUT(EV_ABS, ABS_X, 100 + x);
    PUT(EV_ABS, ABS_Y, 100 + y);
    PUT(EV_ABS, ABS_PRESSURE, 86 + index % 19);
  }
  PUT(EV_SYN, SYN_REPORT, 0);
#undef PUT
  return (char *)event - (char *)events;
}

void pad_date(struct input_event *events, size_t size, int64_t time) {
  for (size_t i = 0; i < size / sizeof *events; i++) {
    events[i].input_event_sec = time / 1000000000;
    events[i].input_event_usec = time % 1000000000 / 1000;
  }
}
