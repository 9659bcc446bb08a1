"""The command line stays small, and texts for users avoid words that readers misunderstood.

usage: surface_test.py ROPE_CHECK SOURCE_FOLDER
"""
import pathlib
import re
import subprocess
import sys
import unittest

TOOL, ROOT = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
MOST_COMMANDS, MOST_OPTIONS, MOST_ENTRIES, MOST_HELP_LINES, MOST_SUMMARY_LINES = 14, 60, 300, 105, 25

# each word with the replacement to suggest
AVOIDED = {
    "lane": "dimension", "lanes": "dimensions", "allowance": "tolerance", "allowances": "tolerances",
    "Spec": "config", "Specs": "configs", "beside": "next to, against, together with",
    "stands still": "does not rotate", "judge": "check", "judged": "checked", "told": "determined, distinguished",
    "of its own": "its own, separate", "another's": "say whose",
}
WORDS = re.compile(r"(?<![\w\-./{])(" + "|".join(map(re.escape, AVOIDED)) + r")(?![\w\-=}/]|\.[a-z])")
LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
# names in code, and keys and ids in JSON, are one word
NAME = re.compile(r"[\w.:-]*")


def printed(*words):
    return subprocess.run([TOOL, *words], capture_output=True, text=True, check=True, timeout=60).stdout


def commands():
    text = printed("--help").split("Commands:\n")[1]
    return re.findall(r"^  ([a-z][a-z-]+) ", text, re.M)


def literals():
    """(place, text) of each string literal in the sources that users may read."""
    for folder in ("src", "cli", "plots"):
        for path in sorted((ROOT / folder).rglob("*.[ch]pp")):
            for number, line in enumerate(path.read_text().split("\n"), 1):
                if line.lstrip().startswith(("//", "#")):
                    continue
                code = re.sub(r"\s//[^\"]*$", "", line)
                for text in LITERAL.findall(code):
                    if not NAME.fullmatch(text):
                        yield f"{path.relative_to(ROOT)}:{number}", text


def prose():
    """(place, text) of each line of README and docs outside code."""
    for path in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]:
        inside = False
        for number, line in enumerate(path.read_text().split("\n"), 1):
            if line.startswith("```"):
                inside = not inside
            elif not inside:
                yield f"{path.relative_to(ROOT)}:{number}", re.sub(r"`[^`]*`", "", line)


class Surface(unittest.TestCase):
    def test_commands_options_and_help_lines_are_few(self):
        names = commands()
        self.assertLessEqual(len(names), MOST_COMMANDS, names)
        options, entries = set(), 0
        for name in names:
            text = printed("help", name)
            self.assertLessEqual(text.count("\n"), MOST_HELP_LINES, name)
            self.assertLessEqual(printed(name, "-h").count("\n"), MOST_SUMMARY_LINES, name)
            self.assertLessEqual(max(map(len, text.split("\n"))), 80, name)
            rows = re.findall(r"^  (--[a-z-]+|[a-z]+=[A-Z]+|[A-Z]+)\b", text, re.M)
            entries += len(rows)
            options.update(row for row in rows if row.startswith("-"))
        self.assertLessEqual(len(options), MOST_OPTIONS, sorted(options))
        self.assertLessEqual(entries, MOST_ENTRIES)

    def test_texts_contain_no_misunderstood_word(self):
        found = [f"{place}: '{word.group(1)}' (write: {AVOIDED[word.group(1)]}): {text}"
                 for place, text in [*literals(), *prose()] for word in WORDS.finditer(text)]
        self.assertEqual(found, [])

    def test_the_test_finds_each_word(self):
        for text in ("every lane rotates", "match the Spec", "a token beside it"):
            self.assertTrue(WORDS.search(text), text)
        for text in ("mistake dimension-scale", "{lanes} of them", "rope/spec/lanes.hpp", "lanes=8"):
            self.assertFalse(WORDS.search(text), text)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
