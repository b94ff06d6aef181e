"""Numbers that tests saw, printed after the last of them."""

import atexit

_numbers = []


def note(what, value):
    _numbers.append(f"  {what}: {value}")


@atexit.register
def print_numbers():
    if _numbers:
        print("\nNumbers from inside (emulated; times are for comparison only):")
        print("\n".join(_numbers), flush=True)
