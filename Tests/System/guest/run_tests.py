"""run_tests.py NAME...: runs tests as unittest does. What fails is run once more, alone.

The machine is emulated, beside whatever else its host does: a deadline that is generous elsewhere may
pass here. What fails twice is broken, and what fails once is told.
"""

import subprocess
import sys
import unittest


def run(names):
    """The names of the tests that failed, and whether anything else went wrong."""
    runner = unittest.TextTestRunner(stream=sys.stdout, verbosity=2)
    result = runner.run(unittest.defaultTestLoader.loadTestsFromNames(names))
    failed = [test for test, _ in result.failures + result.errors]
    # A class or module that could not be set up is no test case that can be run again.
    cases = [test for test in failed if isinstance(test, unittest.TestCase)]
    names = sorted({getattr(test, "test_case", test).id() for test in cases})
    return names, len(cases) < len(failed) or bool(result.unexpectedSuccesses)


failed, is_broken = run(sys.argv[1:])
if failed and not is_broken:
    print(f"\nOnce more: {' '.join(failed)}\n", flush=True)
    # The last test may have purged it.
    subprocess.run(["dpkg", "--install", "/host/forcetouchd.deb"], check=True, capture_output=True)
    failed, is_broken = run(failed)
sys.exit(bool(failed) or is_broken)
