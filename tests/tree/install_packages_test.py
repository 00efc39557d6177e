import os
import subprocess
import tempfile
import unittest
from pathlib import Path

from fake_tree import ROOT


class InstallPackages(unittest.TestCase):
    """dpkg-query, apt-get, id and sudo are stand-ins that answer as told and write down how they were called."""

    def run_with(self, installed, user, sudo=False):
        """(exit code, printed text, calls of apt-get) on a machine where these packages are installed."""
        with tempfile.TemporaryDirectory() as folder:
            calls = Path(folder) / "calls"
            answers = {"dpkg-query": "".join(f"echo {package} installed\n" for package in installed) + "exit 1",
                       "apt-get": f'echo "$DEBIAN_FRONTEND apt-get $*" >>{calls}',
                       "id": f"echo {user}",
                       "sudo": 'if [ "$1" = -n ]; then exit 0; fi\n"$@"' if sudo else "exit 1"}
            for name, answer in answers.items():
                program = Path(folder) / name
                program.write_text(f"#!/bin/sh\n{answer}\n")
                program.chmod(0o755)
            wanted = Path(folder) / "wanted.txt"
            wanted.write_text("# a list\nnumbers\n\ntexts  # for messages\n")
            done = subprocess.run([ROOT / "tools/install_packages", wanted], env=os.environ | {"PATH": f"{folder}:{os.environ['PATH']}"},
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
            return done.returncode, done.stdout, calls.read_text().splitlines() if calls.exists() else []

    def test_nothing_is_said_or_done_if_nothing_is_missing(self):
        self.assertEqual(self.run_with(["numbers", "texts"], user=1000), (0, "", []))

    def test_root_installs_what_is_missing(self):
        code, text, calls = self.run_with(["numbers"], user=0)
        self.assertEqual((code, text), (0, "installing: texts\n"))
        self.assertEqual(calls, ["noninteractive apt-get update -qq", "noninteractive apt-get install -y -qq --no-install-recommends texts"])

    def test_a_user_with_sudo_installs_what_is_missing(self):
        code, _, calls = self.run_with([], user=1000, sudo=True)
        self.assertEqual(code, 0)
        self.assertEqual(calls[-1], "noninteractive apt-get install -y -qq --no-install-recommends numbers texts")

    def test_a_user_without_rights_is_told_the_command(self):
        code, text, calls = self.run_with(["numbers"], user=1000)
        self.assertEqual((code, calls), (1, []))
        self.assertIn("apt-get update && apt-get install -y --no-install-recommends texts", text)


if __name__ == "__main__":
    unittest.main()
