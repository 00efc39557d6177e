"""A small tree in a temporary folder, and a check of tools/ run on it."""
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


class FakeTree(unittest.TestCase):
    check = ""  # the program in tools/ under test

    def run_on(self, files):
        """(exit code, printed text) of the check on a tree of these files: {path: content}."""
        with tempfile.TemporaryDirectory() as folder:
            for path, content in files.items():
                place = Path(folder) / path
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_bytes(content.encode())
            done = subprocess.run([sys.executable, "-B", ROOT / "tools" / self.check, folder],
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
            return done.returncode, done.stdout

    def assert_passes(self, files):
        self.assertEqual(self.run_on(files), (0, ""))

    def assert_fails(self, files, *expected):
        code, text = self.run_on(files)
        self.assertEqual(code, 1, text)
        for line in expected:
            self.assertIn(line, text)
        self.assertIn(f"{self.check}: {len(expected)} found", text)
