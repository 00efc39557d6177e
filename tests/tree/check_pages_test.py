import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from fake_tree import ROOT


def console(text, options=""):
    return f"```console{options}\n{text}\n```\n"


class CheckPages(unittest.TestCase):
    def run_on(self, page, *flags, other=None):
        """(exit code, printed text) of the check on a tree of this page, whose program repeats its arguments."""
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            for path, content in {"docs/a.md": page, "docs/b.md": other or "", "out/seam": "#!/bin/sh\necho \"$@\"\n"}.items():
                (root / path).parent.mkdir(parents=True, exist_ok=True)
                (root / path).write_text(content)
            (root / "out/seam").chmod(0o755)
            done = subprocess.run([sys.executable, "-B", ROOT / "tools/check_pages", root / "out", "--root", root, *flags],
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
            return done.returncode, done.stdout

    def assert_passes(self, page, *flags):
        self.assertEqual(self.run_on(page, *flags), (0, ""))

    def assert_fails(self, page, *expected, flags=()):
        code, text = self.run_on(page, *flags)
        self.assertEqual(code, 1, text)
        for part in expected:
            self.assertIn(part, text)
        self.assertIn("check_pages: 1 found", text)

    def test_a_page_that_shows_what_is_printed_passes(self):
        self.assert_passes("text\n" + console("$ build/seam a b\na b\n$ echo c; echo d >&2\nc\nd"))

    def test_another_output_fails_with_page_line_expected_and_got(self):
        self.assert_fails("text\n\n" + console("$ build/seam a b\na c"), "docs/a.md:5: expected `a c`, got", "$ build/seam a b", "| a b")

    def test_a_line_that_is_missing_or_too_many_fails(self):
        self.assert_fails(console("$ build/seam a\na\nb"), "docs/a.md:4: expected `b`")
        self.assert_fails(console("$ printf 'a\\nb\\n'\na"), "docs/a.md:4: expected the end of the text")

    def test_an_ellipsis_stands_for_lines_and_for_text_in_a_line(self):
        self.assert_passes(console("$ seq 1 9\n1\n…\n5\n…\n$ build/seam took 3 ms in all\ntook … in all"))
        self.assert_fails(console("$ seq 1 9\n1\n…\n5\n6\n…\n12"), "expected `12`")
        self.assert_fails(console("$ build/seam took 3 ms\nneeded … ms"), "expected `needed … ms`")

    def test_numbers_agree_to_1e_9_and_no_less(self):
        self.assert_passes(console("$ build/seam x1 = 0.12345678901 s\nx1 = 0.123456789012 s"))
        self.assert_fails(console("$ build/seam 0.1234567\n0.1234568"), "expected `0.1234568`")
        self.assert_fails(console("$ build/seam x1\nx2"), "expected `x2`")

    def test_an_exit_code_that_the_block_does_not_name_fails(self):
        self.assert_passes(console("$ exit 4", " exit=4"))
        self.assert_fails(console("$ exit 4"), "docs/a.md:2: exit code 0 expected, got 4")
        self.assert_fails(console("$ exit 4\n$ exit 4", " exit=4"), "docs/a.md:2: exit code 0 expected, got 4")

    def test_blocks_of_a_page_share_a_folder_and_files_with_a_title_lie_in_it(self):
        self.assert_passes("```yaml title=\"a.yaml\"\nseam: 1\n```\n" + console("$ cat a.yaml > b") + console("$ cat b\nseam: 1"))

    def test_another_page_has_another_folder(self):
        code, text = self.run_on(console("$ touch left"), other=console("$ cat left"))
        self.assertEqual(code, 1)
        self.assertIn("docs/b.md:2: exit code 0 expected, got 1", text)

    def test_slow_blocks_run_on_demand_only(self):
        page = console("$ exit 1", " slow")
        self.assert_passes(page)
        self.assert_fails(page, "exit code 0 expected, got 1", flags=["--slow"])
        self.assert_passes(console("$ exit 1"), "--slow")

    def test_a_command_may_go_on_in_the_next_line(self):
        self.assert_passes(console("$ build/seam a \\\n    b\na b"))

    def test_a_block_without_a_command_fails(self):
        self.assert_fails(console("build/seam a"), "docs/a.md:2: a console block begins with a line `$ command`")


if __name__ == "__main__":
    unittest.main()
