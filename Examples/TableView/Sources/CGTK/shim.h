// What a later GTK calls deprecated is no warning: Debian 12 has GTK 4.8.
#define GDK_VERSION_MIN_REQUIRED GDK_VERSION_4_8
#include <glib-unix.h>
#include <gtk/gtk.h>
