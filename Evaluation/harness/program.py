"""forcetouchctl, as anybody would use it."""

import json
import pathlib
import re
import subprocess


class ProgramError(Exception):
    """The program did not do what it was asked for."""


class Program:
    def __init__(self, path):
        self.path = pathlib.Path(path)
        if not self.path.exists():
            raise ProgramError(f"there is no {path}; run `make programs` first")

    def run(self, *arguments):
        done = subprocess.run([self.path, *map(str, arguments)], capture_output=True, stdin=subprocess.DEVNULL)
        if done.returncode != 0 or done.stderr:
            raise ProgramError(f"{self.path.name} {' '.join(map(str, arguments))}: status {done.returncode}, "
                               f"{done.stderr.decode().strip()}")
        return done.stdout

    def probe(self, file, *options):
        """The device, as the protocol has it."""
        return json.loads(self.run("probe", "--json", file, *options))

    def replay(self, file, *options, kinds=None):
        """The events of a recording; of these kinds only."""
        wanted = kinds and tuple(f'{{"event":{{"event":"{kind}",'.encode() for kind in kinds)
        for line in self.run("replay", "--json", file, *options).splitlines():
            if not wanted or line.startswith(wanted):
                yield json.loads(line)["event"]

    def rules(self):
        """The names of the rules that `replay --without` switches off."""
        help = self.run("replay", "--help").decode()
        rules = re.findall(r"^  (\w+) {2,}", help.partition("\nRules")[2], re.M)
        if not rules:
            raise ProgramError("`forcetouchctl replay --help` names no rules")
        return rules
