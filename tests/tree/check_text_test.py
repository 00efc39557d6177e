import unittest

from fake_tree import FakeTree


class CheckText(FakeTree):
    check = "check_text"

    def test_a_clean_tree_passes(self):
        self.assert_passes({"a.cpp": "int a;\n", "Makefile": "all:\n\techo\n", "b.md": "see src/works/a and http://a.b/c\n", "empty": ""})

    def test_a_path_of_one_machine_is_named(self):
        for folder in ("work", "root", "home"):
            path = f"/{folder}/"
            self.assert_fails({"docs/a.md": f"\nin {path}me/a\n"}, f"docs/a.md:2: '{path}' is a path of one machine")

    def test_tabs_are_named_in_cpp_and_yaml(self):
        self.assert_fails({"a.hpp": "\tint a;\n", "b.yaml": "a:\tb\n"}, "a.hpp:1: a tab", "b.yaml:1: a tab")

    def test_blanks_and_carriage_returns_at_the_end_of_a_line_are_named(self):
        self.assert_fails({"a.py": "a = 1 \n", "b.txt": "a\r\n"}, "a.py:1: blanks at the end", "b.txt:1: blanks at the end")

    def test_a_last_line_without_end_is_named(self):
        self.assert_fails({"a.cpp": "int a;\nint b;"}, "a.cpp:2: the last line has no end")

    def test_open_ends_are_named(self):
        for mark in ("TO" + "DO", "FIX" + "ME", "X" * 3):
            self.assert_fails({"a.cpp": f"// {mark}: later\n"}, f"a.cpp:1: '{mark}' leaves something open")

    def test_what_was_built_or_made_by_programs_is_left_alone(self):
        bad = "\tint a; "
        self.assert_passes({"build/a.cpp": bad, "build-asan/a.cpp": bad, ".git/a.cpp": bad, "a.svg": bad, "b.csv": bad, "c.cpp": "\0" + bad})


if __name__ == "__main__":
    unittest.main()
