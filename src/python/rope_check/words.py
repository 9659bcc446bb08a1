"""Arguments of Python as words of the command line."""
from __future__ import annotations

import difflib
import json
import operator
import os
import pathlib
import re
from collections.abc import Iterable, Mapping
from typing import Any

from .errors import InputError
from .options import RopeOptions

REPEATED = ("only", "require", "after")  # one flag for each value
BARE = ("quiet", "strict", "table", "verbose")  # flags without a value
# Names of the command line that differ from Python's.
OTHER_NAMES = {"dim": "head_dim", "base": "rope_theta", "max-position": "max_position_embeddings"}
MEANT = {**OTHER_NAMES, "rope_base": "rope_theta", "position_ids": "positions",
         "q_rotated": "q_rot", "k_rotated": "k_rot"}  # and names that people try


def check_names(options: Mapping[str, Any], known: type, also: Iterable[str] = ()) -> None:
    """Raises InputError for an option that the TypedDict lacks, which may mean one of `also`."""
    names = [*known.__annotations__, *also]
    for name in options:
        if name not in names:
            near = [MEANT.get(name), *difflib.get_close_matches(name, names, 1)]
            meant = next((one for one in near if one in names), None)
            raise InputError(f"unknown option '{name}'; " + (f"did you mean '{meant}'?" if meant else
                                                             "help(rope_check) lists them"))


def in_python(message: str) -> str:
    """The tool's message with options as keywords: --dim 128 is head_dim=128."""
    def keyword(found: "re.Match[str]") -> str:
        name, value = found[1], found[2]
        return OTHER_NAMES.get(name, name.replace("-", "_")) + (f"={value}" if value else "")

    return re.sub(r"--([a-z]+(?:-[a-z]+)*)(?:[ =]([0-9][^\s,;)]*))?", keyword,
                  message.replace("give --", "pass --"))


def _text(value: Any) -> str:
    if hasattr(value, "tolist"):  # an array or a number of NumPy or PyTorch
        return _text(value.tolist())
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return value
    if hasattr(value, "__index__"):  # an int of any library
        return str(operator.index(value))
    if isinstance(value, Iterable):
        return ",".join(_text(one) for one in value)
    return repr(float(value))


def _plain(value: Any) -> Any:
    """A number or list of any library, or a path, for JSON."""
    if hasattr(value, "tolist"):
        return value.tolist()
    return _text(value)


def option_words(options: Mapping[str, Any]) -> list[str]:
    """head_dim=64 is --head-dim=64, max_position_embeddings=N is --max-position=N, a list is joined
    by commas, only and require repeat; what is None is left out. rope={…} and the keys of --rope
    become one --rope."""
    words = []
    rope = options.get("rope") or {}
    if isinstance(rope, str):
        words.append("--rope=" + rope)
        rope = {}
    rope = dict(rope)
    rope.update((name, value) for name, value in options.items()
                if name in RopeOptions.__annotations__ and value is not None)
    if rope:
        words.append("--rope=" + json.dumps(rope, default=_plain))
    for name, value in options.items():
        if name == "rope" or name in RopeOptions.__annotations__:
            continue
        flag = "--" + name.removesuffix("_embeddings").replace("_", "-")
        if name in BARE:
            words += [flag] if value else []
        elif value is not None:
            values = value if name in REPEATED and not isinstance(value, str) else [value]
            words += [f"{flag}={_text(one)}" for one in values]
    return words


def judging_words(options: Mapping[str, Any]) -> list[str]:
    """The same, of a command that runs in another folder."""
    baseline = options.get("baseline")
    return option_words({**options, "baseline": baseline and os.path.abspath(baseline)})


def _is_path(config: str) -> bool:
    return os.path.exists(config) or os.sep in config or config.endswith((".json", ".gguf"))


def config_words(config: Any, folder: pathlib.Path) -> list[str]:
    """Of a path, the name of a model, a mapping or what has to_dict(), or None. A mapping is
    written into `folder`, in which the tool will run."""
    if config is None:
        return []
    if isinstance(config, os.PathLike) or (isinstance(config, str) and _is_path(config)):
        return [f"--config={os.path.abspath(config)}"]
    if isinstance(config, str):
        return [f"--model={config}"]
    keys = config.to_dict() if hasattr(config, "to_dict") else config
    if not isinstance(keys, Mapping):
        raise InputError(f"config is of type {type(config).__name__}; pass a dict, a path, the name of "
                         "a model, or keywords such as head_dim=128")
    text = json.dumps(dict(keys), default=str)
    (folder / "config.json").write_text(text, encoding="utf-8")
    return ["--config=config.json"]
