"""What the present tool names otherwise than the frozen one, in one place.

The scripts and corpora call the present tool. Change these as the redesign renames things, so that only
differences in behaviour remain: `for_frozen` for the command line, KEYS for JSON, `as_frozen` for what is not a
matter of names. A name that is gone without a successor belongs into accepted.md instead.
"""
import json
import re
from collections import Counter

# Of JSON: the present name → the frozen one.
KEYS = {"first_beyond_1e_3": "first_beyond_1e-3", "first_beyond_2e_9": "first_beyond_2^-9"}
# Of --rope: a key whose frozen flag is not its own name with hyphens.
FLAGS = {"axes": "--axis-map", "original_max_position_embeddings": "--original-max-position"}
LISTS = {"models": ["models"], "readings": ["explain", "--list-readings"],
         "mistakes": ["compare", "--list-mistakes"]}
# The commands whose figures and pages verify, compare, explain and base-bound write now, by what --output ends in.
DRAWN = {(command, ending): figure
         for command, figure in (("verify", "plot-precision"), ("compare", "plot-compare"),
                                 ("explain", "plot-spectrum"), ("base-bound", "plot-base-bound"))
         for ending in ("svg", "csv", "png", "pdf")}
DRAWN |= {("verify", "html"): "report", ("compare", "html"): "report", ("explain", "html"): "page"}
# Of verify: what makes a table where it is given several times, and what is no value before a config.
OF_A_TABLE = ("--pipeline", "--context", "--model", "--config", "--dim", "--head-dim", "--base")
WITHOUT_VALUE = ("--all-models", "-q", "--quiet", "-v", "--verbose", "--strict", "--json")
# What the words that identify a dump say before those of --rope.
IDENTITY = re.compile(r"(--dim \d+(?: --rotary-dim \d+)?)((?: --(?:layout|max-position|base) \S+)*) --rope ([^\s;]+)")


def pairs_of_rope(text):
    """The flags and values of "rope_type=yarn,factor=4", where a list's further values follow, or of JSON."""
    if text.startswith("{"):
        pairs = [(key, ",".join(map(str, value)) if isinstance(value, list) else
                  value if isinstance(value, str) else json.dumps(value)) for key, value in json.loads(text).items()]
    else:
        pairs = re.findall(r"([a-z]\w*)=(.*?)(?=,[a-z]\w*=|$)", text)
    return [(FLAGS.get(key, "--" + key.replace("_", "-")), value) for key, value in pairs]


def endings(words):
    """What the outputs end in, or the formats that they name."""
    named = [value for option, value in zip(words, words[1:]) if option in ("-o", "--output")]
    return {re.sub(r".*\.|:.*", "", value) for value in named}


def configs_of_table(words):
    """The words of a table, each config after its option; nothing where verify prints one report."""
    said, named = [], 0
    for before, word in zip(words, words[1:]):
        is_config = not word.startswith("-") and (not before.startswith("-") or before in WITHOUT_VALUE)
        named += is_config
        said += ["--config" if word.endswith(".json") else "--model", word] if is_config else [word]
    times = Counter(word for word in said if word in OF_A_TABLE)
    is_table = "--all-models" in said or times["--model"] + times["--config"] > 1 or max(times.values(), default=0) > 1
    return said if is_table else []


def command_for_frozen(words):
    """The words where another command of the frozen tool does what they ask."""
    if words[:1] == ["verify"] and (table := configs_of_table(words)):
        return ["sweep", *table]
    if words[:2] == ["audit", "--suite"] and len(words) > 2:
        return ["suite", "check", *words[2:]]
    drawn = {DRAWN.get((words[0], ending)) for ending in endings(words)} if words else set()
    if len(drawn) != 1 or None in drawn:
        return words
    name = drawn.pop()
    return [name, *("--distance" if name == "plot-spectrum" and word == "--context" else word for word in words[1:])]


def is_figure(words):
    """Whether the frozen tool draws without the exit code of a check."""
    return command_for_frozen(words)[:1] != words[:1] and command_for_frozen(words)[0].startswith("plot-")


def options_for_frozen(words):
    """The words with the options that have other names or were options of two words."""
    text = "\0".join(words)
    for now, then in ((r"(^explain\0.*)--reading\0all", r"\1--readings"), (r"(^claims\0)all\b", r"\1--all"),
                      (r"(^claims\0)(\d{3}|\d{4}\.\d{5})(?=\0|$)", "\\1--article\0\\2"),
                      (r"(^export\0.*)--only\0tables", r"\1--tables-only"), (r"(^export\0.*)--only\0", "\\1--tensor\0"),
                      (r"(^compare\0.*)--raw\0(\w+):", "\\1--raw\0\\2\0--shape\0"),
                      (r"(^diff\0.*)--positions\0", "\\1--at\0"), (r"(^diff\0.*)--strict", r"\1--exact")):
        text = re.sub(now, then, text)
    return text.split("\0")


def for_frozen(words):
    """The words after the tool's name as the frozen tool knows them."""
    words = options_for_frozen(command_for_frozen(words))
    if words[:1] == ["list"]:
        return LISTS.get(words[1], ["list", words[1]]) + words[2:] if len(words) > 1 else words
    end = words.index("--") if "--" in words and words[0] != "baseline" else len(words)
    known, rest = [], iter(words[:end])
    for word in rest:
        name, equals, value = word.partition("=")
        if name == "--rope":
            for flag, said in pairs_of_rope(value if equals else next(rest, "")):
                known += [flag, said]
        elif word == "--json":
            known += ["--format", "json"]
        else:
            known.append(word)
    return known + words[end:]


def identity_for_frozen(found):
    dim, others, rope = found.groups()
    flags = pairs_of_rope(rope)
    first = [pair for pair in flags if pair[0] in ("--rotary-offset", "--direction")]
    last = [pair for pair in flags if pair not in first]
    return (dim + "".join(f" {flag} {value}" for flag, value in first) + others +
            "".join(f" {flag} {value}" for flag, value in last))


def as_frozen(document):
    """A parsed JSON document of the present tool as the frozen one would write it."""
    if isinstance(document, dict):
        return {KEYS.get(key, key): as_frozen(value) for key, value in document.items()}
    if isinstance(document, list):
        return [as_frozen(value) for value in document]
    if isinstance(document, str):
        return IDENTITY.sub(identity_for_frozen, document)
    return document


def without_config(words, options):
    """The same dump for compare to identify: without those options, each of which has a value. Any other command
    stays as it is."""
    if not words or words[0] != "compare":
        return words
    kept, rest = [], iter(words)
    for word in rest:
        if word in options:
            next(rest, None)
        elif word.partition("=")[0] not in options:
            kept.append(word)
    return kept
