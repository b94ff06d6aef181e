// The functions with wide characters, and no macros in place of functions, which Swift cannot see.
#define NCURSES_WIDECHAR 1
#define NCURSES_NOMACROS 1
#include <curses.h>
