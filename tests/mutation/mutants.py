"""Small changes of a C++ source that its tests should notice."""
import re
from dataclasses import dataclass

# comments, strings, characters and preprocessor lines, which are not code
OTHER = re.compile(r'//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|^[ \t]*#[^\n]*'
                   r'|^[ \t]*static_assert[^;]*;', re.M)
# clang-format's spaces distinguish operators from brackets of templates, signs and references
OPERATORS = {" < ": " <= ", " <= ": " < ", " > ": " >= ", " >= ": " > ", " == ": " != ",
             " != ": " == ", " + ": " - ", " - ": " + ", " * ": " / ", " / ": " * ",
             " && ": " || ", " || ": " && "}
NUMBER = re.compile(r"(?<![\w.])(\d+(?:\.\d+)?(?:e-?\d+)?|0x1p-?\d+)(?![\w.])")
STATEMENT = re.compile(r"^[ \t]+(?!return|throw|using|case|break|continue|else|delete)"
                       r"(?:[\w.\[\]>-]+(?:::\w+)*\([^;{}]*\)|[\w.\[\]>-]+ [-+*/|&]?= [^;{}]*);$",
                       re.M)
TWO_WORDS = re.compile(r"(?<=\w\()(?<!\bmin\()(?<!\bmax\()([A-Za-z_][\w.]*), ([A-Za-z_][\w.]*)(?=\))")


@dataclass(frozen=True)
class Mutant:
    begin: int
    end: int
    text: str  # replaces the original text

    def applied(self, source):
        return source[:self.begin] + self.text + source[self.end:]

    def shown(self, path, source):
        """path:line: the line, and the changed line."""
        line = source.count("\n", 0, self.begin) + 1
        first = source.rfind("\n", 0, self.begin) + 1
        last = source.find("\n", self.end)
        new = source[first:self.begin] + self.text + source[self.end:last]
        return f"{path}:{line}: `{source[first:last].strip()}` -> `{new.strip()}`"


def other_number(text):
    if text.startswith("0x1p"):
        return f"0x1p{int(text[4:]) + 1}"
    return str(int(text) + 1) if text.isdigit() else repr(2 * float(text))


def joins_text(source, begin, end):
    """Whether a minus would not compile here."""
    return source[begin - 1] == '"' or source[end] == '"'


def mutants_of(source):
    """Every mutant, in order of its place."""
    code = OTHER.sub(lambda found: " " * len(found[0]), source)  # keeps all places
    all_of_them = []
    for old, new in OPERATORS.items():
        all_of_them += [Mutant(*found.span(), new) for found in re.finditer(re.escape(old), code)
                        if old != " + " or not joins_text(source, *found.span())]
    all_of_them += [Mutant(*found.span(), other_number(found[0]))
                    for found in NUMBER.finditer(code)]
    all_of_them += [Mutant(*found.span(), ";") for found in STATEMENT.finditer(code)
                    if source[slice(*found.span())] == found[0]]
    all_of_them += [Mutant(*found.span(), f"{found[2]}, {found[1]}")
                    for found in TWO_WORDS.finditer(code) if found[1] != found[2]]
    return sorted(all_of_them, key=lambda one: (one.begin, one.text))
