#!/usr/bin/env python3
"""No program keeps a copy of an object of a shared library. An FMU is bound to its own libraries first, so it would meet
the original, which the program left uninitialised: std::cout, for example."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

# The archive of HDF5 copies these two pointers, which never change.
HARMLESS = {"stdout", "stderr"}


def copies(program):
    table = subprocess.run(["readelf", "-rW", program], capture_output=True, text=True, check=True).stdout
    symbols = [line.split()[4].split("@")[0] for line in table.splitlines() if "_COPY" in line]
    return sorted(set(symbols) - HARMLESS)


class Copies(unittest.TestCase):
    def test_are_seen(self):
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder, "copy.cpp")
            source.write_text("#include <iostream>\nint main() { std::cout << 1; }\n")
            program = pathlib.Path(folder, "copy")
            subprocess.run([COMPILER, "-no-pie", "-fno-pic", source, "-o", program], check=True)
            self.assertIn("_ZSt4cout", copies(program))

    def test_are_in_no_program(self):
        self.assertGreater(len(PROGRAMS), 1)
        for program in PROGRAMS:
            with self.subTest(program):
                self.assertEqual(copies(program), [])


if __name__ == "__main__":
    COMPILER, *PROGRAMS = sys.argv[1:]
    unittest.main(argv=sys.argv[:1])
