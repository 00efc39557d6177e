import re
import unittest

from fake_tree import ROOT

README = (ROOT / "README.md").read_text()


class Readme(unittest.TestCase):
    def test_names_the_two_commands_a_newcomer_needs(self):
        self.assertIn("make demo", README)
        self.assertIn("make test", README)

    def test_every_make_target_it_names_exists(self):
        targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
        for target in re.findall(r"`make ([a-z-]+)`", README):
            self.assertIn(target, targets)

    def test_every_file_it_links_to_exists(self):
        for target in re.findall(r"\]\(([^)#]+)[^)]*\)", README):
            if "://" not in target:
                self.assertTrue((ROOT / target).exists(), target)


if __name__ == "__main__":
    unittest.main()
