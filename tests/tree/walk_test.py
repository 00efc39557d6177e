"""The walk of ARCHITECTURE.md from an output to an input: each file and function exists, and each is called by the row it names."""
import re
import sys
import unittest

from fake_tree import ROOT

sys.path.insert(0, str(ROOT / "tools"))
import cpp_text

ROW = re.compile(r"^\| (\d+) \| `([^`]+)` \| `(\w+)` \| (\d*) ?\|", re.MULTILINE)


def end_of_group(text, begin):
    """The position after the bracket that closes the one at begin."""
    pair = text[begin] + {"(": ")", "{": "}"}[text[begin]]
    depth = 0
    for match in re.compile(f"[{re.escape(pair)}]").finditer(text, begin):
        depth += 1 if match.group() == pair[0] else -1
        if depth == 0:
            return match.end()
    return len(text)


def bodies(code, function):
    """(begin, end) of every definition of that name, without its head."""
    result = []
    for match in re.finditer(rf"\b{function}\s*(?=\()", code):
        head_end = end_of_group(code, match.end())
        brace = re.compile(r"\s*(const|noexcept|override|final|\s)*\{").match(code, head_end)
        if brace:
            result.append((brace.end(), end_of_group(code, brace.end() - 1)))
    return result


def is_called(code, caller, function):
    return any(re.search(rf"\b{function}\s*\(", code[begin:end]) for begin, end in bodies(code, caller))


def is_callback(code, function):
    """Named without being called, as in a table of functions."""
    return re.search(rf"(?<![:.>\w]){function}\s*[,}})]", code) is not None


def faults(page):
    """What is not true of the rows of a page."""
    rows = {number: (file, function, by) for number, file, function, by in ROW.findall(page)}
    found = [] if len(rows) > 1 else ["there is no walk"]
    for number, (file, function, by) in rows.items():
        if not (ROOT / file).is_file():
            found.append(f"row {number}: there is no file {file}")
            continue
        if not bodies(cpp_text.without_literals((ROOT / file).read_text()), function):
            found.append(f"row {number}: {file} does not define {function}")
        if by == "" and number == "1":
            continue
        if by not in rows or int(by) >= int(number):
            found.append(f"row {number}: no row above calls it")
            continue
        caller_file, caller, _ = rows[by]
        code = cpp_text.without_literals((ROOT / caller_file).read_text()) if (ROOT / caller_file).is_file() else ""
        if not is_called(code, caller, function) and not is_callback(code, function):
            found.append(f"row {number}: {caller} in {caller_file} does not call {function}")
    return found


def walk(*rows):
    return "".join(f"| {number} | `src/seam/coupling/{file}` | `{function}` | {by} | |\n" for number, file, function, by in rows)


class Walk(unittest.TestCase):
    def test_every_row_of_the_architecture_is_called_by_the_row_it_names(self):
        self.assertEqual(faults((ROOT / "ARCHITECTURE.md").read_text()), [])

    def test_a_walk_that_is_true_has_no_faults(self):
        self.assertEqual(faults(walk((1, "executor.cpp", "execute_slot", ""), (2, "executor.cpp", "execute", "1"),
                                     (3, "executor.cpp", "copy", "2"))), [])

    def test_files_and_functions_that_do_not_exist_are_found(self):
        self.assertEqual(faults(walk((1, "executor.cpp", "execute", ""), (2, "nowhere.cpp", "f", "1"), (3, "executor.cpp", "perform", "1"))),
                         ["row 2: there is no file src/seam/coupling/nowhere.cpp",
                          "row 3: src/seam/coupling/executor.cpp does not define perform"])

    def test_a_function_that_is_not_called_by_the_row_it_names_is_found(self):
        self.assertEqual(faults(walk((1, "executor.cpp", "execute", ""), (2, "exchange.cpp", "observe", "1"), (3, "executor.cpp", "copy", ""))),
                         ["row 2: execute in src/seam/coupling/executor.cpp does not call observe", "row 3: no row above calls it"])

    def test_a_page_without_a_walk_is_found(self):
        self.assertEqual(faults("# Architecture\n"), ["there is no walk"])


if __name__ == "__main__":
    unittest.main()
