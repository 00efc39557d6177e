import re
import unittest

from fake_tree import ROOT

README = (ROOT / "README.md").read_text()
PAGES = sorted(path for pattern in ("*.md", "docs/**/*.md", "examples/**/*.md", "fmus/*.md", "fuzz/*.md") for path in ROOT.glob(pattern))
FENCED = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)


def anchors(page):
    """What the headings of a page are called in links: lower case, no punctuation, blanks as dashes."""
    headings = re.findall(r"^#+ (.*)$", FENCED.sub("", page.read_text()), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


class Readme(unittest.TestCase):
    def test_names_the_two_commands_a_newcomer_needs(self):
        self.assertIn("make demo", README)
        self.assertIn("make test", README)

    def test_every_make_target_it_names_exists(self):
        targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
        for target in re.findall(r"`make ([a-z-]+)`", README):
            self.assertIn(target, targets)

    def test_every_place_that_a_page_links_to_exists(self):
        for page in PAGES:
            for target in re.findall(r"\]\(([^)\s]+)\)", FENCED.sub("", page.read_text())):
                path, _, anchor = target.partition("#")
                if "://" in target:
                    continue
                place = page.parent / path if path else page
                self.assertTrue(place.exists(), f"{page.relative_to(ROOT)}: {target}")
                if anchor:
                    self.assertIn(anchor, anchors(place), f"{page.relative_to(ROOT)}: {target}")


if __name__ == "__main__":
    unittest.main()
