#!/usr/bin/env python3
"""Model classes are data: no source that reads configs or defines readings names a class of data/classes.jsonl, and no
source that reads GGUFs names an architecture of data/architectures.jsonl, except in another meaning.

usage: no_class_in_code.py SOURCE_FOLDER    prints each name found with its file and line; exit 1 if any
"""
import json
import re
import sys
from pathlib import Path

FOLDERS = ("io/config", "io/model", "rope/spec")
ALLOWED = {
    "gptj": "no class here but a name of the interleaved layout",
}


def main(root):
    def named(table, key):
        return {json.loads(line)[key] for line in (Path(root) / "data" / table).read_text().splitlines()}

    classes, architectures = named("classes.jsonl", "class"), named("architectures.jsonl", "architecture") - {"*"}
    found, seen = 0, set()
    for folder in FOLDERS:
        for path in sorted((Path(root) / "src" / folder).glob("*.?pp")):
            names = architectures if path.stem.startswith("gguf_") else classes
            for number, line in enumerate(path.read_text().splitlines(), 1):
                words = set(re.findall(r'"([^"]*)"', line.split("//")[0])) & names
                seen |= words
                for word in sorted(words - set(ALLOWED)):
                    found += 1
                    print(f"{path.relative_to(root)}:{number}: {word}")
    idle = sorted(set(ALLOWED) - seen)
    if idle:
        print(f"not in the sources any more: {', '.join(idle)}")
    return 1 if found or idle else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
