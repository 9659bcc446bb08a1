"""What the present tool names otherwise than the frozen one, in one place.

The scripts and corpora call the present tool. Change these as the redesign renames things, so that only
differences in behaviour remain: `for_frozen` for the command line, KEYS for JSON, `as_frozen` for what is not a
matter of names. A name that is gone without a successor belongs into accepted.md instead.
"""
KEYS = {}  # of JSON: the present name → the frozen one


def for_frozen(words):
    """The words after the tool's name as the frozen tool knows them."""
    return words


def as_frozen(document):
    """A parsed JSON document of the present tool as the frozen one would write it."""
    if isinstance(document, dict):
        return {KEYS.get(key, key): as_frozen(value) for key, value in document.items()}
    if isinstance(document, list):
        return [as_frozen(value) for value in document]
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
