"""make install, make uninstall, and the version that everything has."""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

from support import BIN, ROOT

SETTINGS = "etc/forcetouchd/forcetouchd.yaml"


class InstallationTest(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.root = pathlib.Path(tempfile.mkdtemp(prefix="forcetouch-test-"))
        self.addCleanup(shutil.rmtree, self.root)

    def make(self, target, *variables):
        # Not as a part of the make that may run this test.
        environment = {k: v for k, v in os.environ.items() if not k.startswith("MAKE")}
        done = subprocess.run(
            ["make", target, f"DESTDIR={self.root}",
             f"PROGRAMS={BIN}/forcetouchd {BIN}/forcetouchctl", *variables],
            cwd=ROOT, env=environment, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def files(self):
        return {str(p.relative_to(self.root)) for p in self.root.rglob("*") if not p.is_dir()}

    def test_everything_has_its_place(self):
        self.make("install", "PREFIX=/usr")
        self.assertLessEqual(
            {
                "usr/bin/forcetouchd", "usr/bin/forcetouchctl",
                "usr/lib/systemd/system/forcetouchd.service",
                "usr/lib/systemd/system/forcetouchd.socket",
                "usr/lib/systemd/user/forcetouch-run.service",
                "usr/lib/sysusers.d/forcetouchd.conf",
                "usr/lib/udev/rules.d/70-forcetouchd.rules",
                "usr/share/forcetouchd/devices.yaml",
                "usr/share/man/man1/forcetouchctl.1", "usr/share/man/man8/forcetouchd.8",
                "usr/share/man/man5/forcetouchd.yaml.5",
                "usr/share/man/man5/forcetouchd-devices.5",
                "usr/share/man/man5/forcetouch-actions.5",
                "usr/share/bash-completion/completions/forcetouchctl",
                "usr/share/zsh/site-functions/_forcetouchctl",
                "usr/share/fish/vendor_completions.d/forcetouchctl.fish",
                "usr/share/doc/forcetouchd/README.md", "usr/share/doc/forcetouchd/docs/devices.md",
                "usr/share/doc/forcetouchd/docs/images/data-path.svg",
                "usr/share/doc/forcetouchd/examples/peek-and-pop.evemu",
                "usr/share/doc/forcetouchd/examples/actions.yaml",
                SETTINGS,
            }, self.files())
        for folder in ("conf.d", "devices.d"):
            self.assertTrue((self.root / "etc/forcetouchd" / folder).is_dir(), folder)
        for path in self.root.rglob("*"):
            program = path.is_dir() or path.parent.name == "bin"
            self.assertEqual(path.stat().st_mode & 0o777, 0o755 if program else 0o644, path)

    def test_the_unit_starts_the_program_that_was_installed(self):
        for prefix in ("/usr", "/usr/local", "/opt/force"):
            with self.subTest(prefix=prefix):
                self.make("install", f"PREFIX={prefix}")
                folder = self.root / prefix.lstrip("/")
                unit = (folder / "lib/systemd/system/forcetouchd.service").read_text()
                self.assertRegex(unit, rf"(?m)^ExecStart={prefix}/bin/forcetouchd$")
                unit = (folder / "lib/systemd/user/forcetouch-run.service").read_text()
                self.assertRegex(unit, rf"(?m)^ExecStart={prefix}/bin/forcetouchctl run$")
                page = (folder / "share/man/man1/forcetouchctl.1").read_text()
                self.assertIn(f"{prefix}/share/doc/forcetouchd/examples", page)

    @unittest.skipUnless(shutil.which("systemd-analyze"), "systemd is not installed")
    def test_systemd_understands_the_user_unit(self):
        self.make("install")
        unit = self.root / "usr/local/lib/systemd/user/forcetouch-run.service"
        # The program is where the unit will find it, but for the root.
        unit.write_text(unit.read_text().replace("/usr/local/bin", f"{self.root}/usr/local/bin"))
        self.root.chmod(0o700)
        done = subprocess.run(
            ["systemd-analyze", "--user", "verify", "--man=no", "--recursive-errors=no", unit],
            env={**os.environ, "XDG_RUNTIME_DIR": str(self.root)}, capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout + done.stderr), (0, ""))

    @unittest.skipUnless(shutil.which("systemctl"), "systemd is not installed")
    def test_no_user_has_the_user_unit_without_wanting_it(self):
        self.make("install", "PREFIX=/usr")
        state = subprocess.run(
            ["systemctl", f"--root={self.root}", "--global", "is-enabled", "forcetouch-run.service"],
            capture_output=True, text=True).stdout
        self.assertEqual(state, "disabled\n")

    def test_changed_settings_are_kept(self):
        self.make("install")
        settings = self.root / SETTINGS
        self.make("install")
        self.assertNotIn(SETTINGS + ".new", self.files())
        settings.write_text("recognition: {sensitivity: light}\n")
        self.make("install")
        self.assertEqual(settings.read_text(), "recognition: {sensitivity: light}\n")
        self.assertEqual(
            (self.root / (SETTINGS + ".new")).read_text(), (ROOT / "etc/forcetouchd.yaml").read_text())
        self.make("uninstall")
        self.assertEqual(self.files(), {SETTINGS})

    def test_uninstall_leaves_nothing(self):
        self.make("install")
        self.make("uninstall")
        self.assertEqual(self.files(), set())
        self.assertFalse((self.root / "etc/forcetouchd").exists())


class VersionTest(unittest.TestCase):
    def test_there_is_one(self):
        changelog = (ROOT / "debian/changelog").read_text()
        version = re.match(r"forcetouchd \(([^)]+)\)", changelog)[1]
        for program in ("forcetouchd", "forcetouchctl"):
            shown = subprocess.run(
                [BIN / program, "--version"], capture_output=True, text=True, check=True).stdout
            self.assertEqual(shown, f"{program} {version}\n")
        changes = (ROOT / "CHANGELOG.md").read_text()
        self.assertEqual(re.search(r"^## (\S+)", changes, re.M)[1], version)


if __name__ == "__main__":
    unittest.main()
