// The functions with wide characters, and no macros in place of functions, which Swift cannot see.
#define NCURSES_WIDECHAR 1
#define NCURSES_NOMACROS 1
#include <curses.h>
// Of term.h, whose macros stand in the way.
int setupterm(const char *type, int descriptor, int *problem);

// Macros that Swift cannot read.
static const attr_t cn_bold = WA_BOLD, cn_dim = WA_DIM, cn_reverse = WA_REVERSE;
