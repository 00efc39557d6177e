#!/usr/bin/env python3
"""A subsystem that lives on a thread of its own hands on every function of the contract: one that was forgotten would
quietly answer with the default."""
import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
ASSEMBLY = ROOT / "src" / "seam" / "assembly"


def body(text, head):
    begin = text.index(head)
    return text[begin : text.index("\n};", begin)]


def virtuals(text, name):
    found = re.findall(r"virtual [^;{]*?(\w+)\(", body(text, f"class {name} {{"))
    return {function for function in found if function != name}


def overrides(text, name):
    return set(re.findall(r"(\w+)\([^;{}]*\)(?: const)? override", body(text, f"class {name} final")))


class Resident(unittest.TestCase):
    def test_hands_on_every_function_of_the_contract(self):
        contract = (ASSEMBLY / "subsystem.hpp").read_text()
        handed_on = (ASSEMBLY / "resident.cpp").read_text()
        for whole, part in (("Subsystem", "Resident"), ("DiscretePart", "ResidentEvents")):
            wanted = virtuals(contract, whole)
            self.assertGreater(len(wanted), 10)
            self.assertEqual(wanted - overrides(handed_on, part), set(), f"{part} lacks these")


if __name__ == "__main__":
    unittest.main()
