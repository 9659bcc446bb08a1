#!/usr/bin/env python3
"""What model classes do is data: the sources that read configs name none of data/classes.jsonl but these, and those
that read GGUFs none of data/architectures.jsonl.

usage: no_class_in_code.py SOURCE_FOLDER    prints each other one with its file and line; exit 1 if any
"""
import json
import re
import sys
from pathlib import Path

FOLDERS = ("config", "draft", "lint", "model", "resolve")
ALLOWED = {
    "mpt": "llm-foundry's MPT rotates and transformers' does not, under one model_type",
    "baichuan": "7B rotates and 13B does not, under one model_type",
    "chatglm": "6B has two axes, its successors rotate half of each head",
    "deepseek_v2": "with qk_rope_head_dim 0 it is",
    "deepseek": "this class",
    "t5": "Chronos-2 is published as a t5",
    "Chronos2Model": "and is this class",
    "xlm-roberta": "jina-embeddings-v3 is published as an xlm-roberta",
    "jina_embeddings_v3": "and is this class",
    "llama": "params.json names no class: Meta's are these two",
    "llama4_text": "",
    "mamba": "a kind of layer",
}


def main(root):
    def named(table, key):
        return {json.loads(line)[key] for line in (Path(root) / "data" / table).read_text().splitlines()}

    classes, architectures = named("classes.jsonl", "class"), named("architectures.jsonl", "architecture") - {"*"}
    found, seen = 0, set()
    for folder in (*FOLDERS, "gguf"):
        names = architectures if folder == "gguf" else classes
        for path in sorted((Path(root) / "src/io" / folder).glob("*.?pp")):
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
