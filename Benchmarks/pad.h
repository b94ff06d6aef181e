/* The trackpad of the benchmarks: a Magic Trackpad 2 on Bluetooth, by its identity and axes. */
#pragma once
#include <linux/input.h>
#include <stddef.h>
#include <stdint.h>

#define PAD_NAME "Magic Trackpad 2"
enum { MOST_CONTACTS = 16, MOST_EVENTS = 8 * (MOST_CONTACTS + 1) };

enum pad_phase { PAD_DOWN, PAD_STAY, PAD_LIFT };

/* Makes the device with /dev/uinput and prints its node. Gives the descriptor that frames are
   written to. */
int pad_create(void);

/* Fills in a frame; gives its size in bytes. A frame that stays has seven events with one contact
   (ABS_MT_POSITION_X and _Y, _TOUCH_MAJOR, _PRESSURE; ABS_X, ABS_Y, ABS_PRESSURE) and five more
   with each further one (its ABS_MT_SLOT), and the SYN_REPORT. */
size_t pad_frame(struct input_event *events, int contacts, int index, enum pad_phase phase);

/* Gives the events their time, in nanoseconds of CLOCK_MONOTONIC. */
void pad_date(struct input_event *events, size_t size, int64_t time);
