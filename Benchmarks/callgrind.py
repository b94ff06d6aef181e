"""What callgrind counted: instructions by function, and between functions."""

import collections
import re
import subprocess

OUTSIDE = "valgrind", "--tool=callgrind", "--quiet"


class Profile:
    """One run's costs, by the demangled names of functions."""

    def __init__(self, path):
        self.calls = collections.defaultdict(int)  # (caller, callee): instructions, all inclusive
        self.total = 0
        self._names = {}
        self._read(path)
        names = dict(zip(self._names.values(), demangle(self._names.values())))
        calls, self.calls = self.calls, collections.defaultdict(int)
        for (caller, callee), cost in calls.items():
            self.calls[names[caller], names[callee]] += cost

    def _read(self, path):
        function = callee = None
        is_call = False
        with open(path) as lines:
            for line in lines:
                if line.startswith("fn="):
                    function = self._name(line[3:])
                elif line.startswith("cfn="):
                    callee = self._name(line[4:])
                elif line.startswith("calls="):
                    is_call = True
                elif line[:1] in "0123456789+-*" and function:
                    cost = int(line.split()[1])
                    if is_call:
                        self.calls[function, callee] += cost
                    else:
                        self.total += cost
                    is_call = False

    def _name(self, text):
        """Names are written once, then their numbers only."""
        number, name = re.match(r"\((\d+)\)(?: (.*))?$", text.rstrip("\n")).groups()
        if name:
            self._names[number] = name
        return self._names[number]

    def inside(self, pattern):
        """What a function cost with all that it called, whoever called it."""
        return sum(cost for (caller, callee), cost in self.calls.items()
                   if re.fullmatch(pattern, callee) and not re.fullmatch(pattern, caller))


def demangle(names):
    done = subprocess.run(
        ["swift", "demangle", "--simplified"], input="\n".join(names), capture_output=True,
        text=True, check=True)
    return done.stdout.split("\n")
