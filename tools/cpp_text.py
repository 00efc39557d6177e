"""C++ source as text: comments and literals blanked, so that what is left can be searched. Lines and columns stay where they were."""
import re

LITERALS = re.compile(
    r"""
    (?P<line_comment>//(?:[^\n\\]|\\.|\\\n)*)
  | (?P<block_comment>/\*.*?\*/)
  | (?P<raw_string>R"(?P<mark>[^()\s\\]*)\(.*?\)(?P=mark)")
  | (?P<string>"(?:[^"\\\n]|\\.)*")
  | (?P<number>\b[0-9](?:'?[\w.])*)          # 1'000: no character begins here
  | (?P<character>'(?:[^'\\\n]|\\.)+')
    """,
    re.VERBOSE | re.DOTALL,
)
DIRECTIVES = re.compile(r"^[ \t]*#(?:[^\n\\]|\\.|\\\n)*", re.MULTILINE | re.DOTALL)


def spaces_for(text):
    return re.sub(r"[^\n]", " ", text)


def without_comments(text):
    def blank(match):
        return spaces_for(match.group()) if match.lastgroup.endswith("comment") else match.group()

    return LITERALS.sub(blank, text)


def without_literals(text):
    """No comments, no preprocessor lines, and only the quotes of strings and characters."""

    def blank(match):
        found = match.group()
        if match.lastgroup == "number":
            return found
        if match.lastgroup.endswith("comment"):
            return spaces_for(found)
        return found[-1] + spaces_for(found[1:-1]) + found[-1]

    return DIRECTIVES.sub(lambda match: spaces_for(match.group()), LITERALS.sub(blank, text))


def line_of(text, position):
    return text.count("\n", 0, position) + 1


def sources(root, folders):
    """Every C++ file under the given folders of root, in order."""
    for folder in folders:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in (".cpp", ".hpp") and path.is_file():
                yield path


def report(check, offenders):
    """Prints the offenders, one a line; the exit code of the check."""
    for offender in offenders:
        print(offender)
    if offenders:
        print(f"{check}: {len(offenders)} found")
    return 1 if offenders else 0
