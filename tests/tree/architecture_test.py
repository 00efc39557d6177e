import importlib.machinery
import importlib.util
import re
import sys
import unittest

from fake_tree import ROOT

sys.path.insert(0, str(ROOT / "tools"))
loader = importlib.machinery.SourceFileLoader("check_rooms", str(ROOT / "tools/check_rooms"))
check_rooms = importlib.util.module_from_spec(importlib.util.spec_from_loader("check_rooms", loader))
loader.exec_module(check_rooms)

ARROW = re.compile(r"^    (\w+) +->((?: \w+)*)  ", re.MULTILINE)
PAGE = (ROOT / "ARCHITECTURE.md").read_text()


class Architecture(unittest.TestCase):
    def test_its_arrows_are_those_of_the_cards(self):
        told = {room: set(seen.split()) for room, seen in ARROW.findall(PAGE)}
        cards, _ = check_rooms.read_cards(ROOT)
        self.assertGreater(len(cards), 1)
        for room, card in cards.items():
            self.assertEqual(told.get(room), card.sees, f"the line of {room} in ARCHITECTURE.md against SEES of src/seam/{room}/CMakeLists.txt")

    def test_it_is_short_enough_to_be_read_at_once(self):
        lines = PAGE.split("\n")
        self.assertLessEqual(len(lines), 151)
        self.assertEqual([line for line in lines if len(line) > 160], [])


if __name__ == "__main__":
    unittest.main()
