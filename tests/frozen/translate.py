"""What the present tool names otherwise than the frozen one, in one place.

The scripts and corpora call the present tool. Change these as the redesign renames things, so that only
differences in behaviour remain: `for_frozen` for the command line, KEYS for JSON, `as_frozen` for what is not a
matter of names. A name that is gone without a successor belongs into accepted.md instead.
"""
import json
import re

# Of JSON: the present name → the frozen one.
KEYS = {"first_beyond_1e_3": "first_beyond_1e-3", "first_beyond_2e_9": "first_beyond_2^-9"}
# Of --rope: a key whose frozen flag is not its own name with hyphens.
FLAGS = {"axes": "--axis-map", "original_max_position_embeddings": "--original-max-position"}
LISTS = {"models": ["models"], "readings": ["explain", "--list-readings"],
         "mistakes": ["compare", "--list-mistakes"]}
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


def for_frozen(words):
    """The words after the tool's name as the frozen tool knows them."""
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
