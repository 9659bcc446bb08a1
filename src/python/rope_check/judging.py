"""verify and compare: the tool's commands."""
from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from . import tool
from .errors import InputError, without_own_frames
from .options import CompareOptions, VerifyOptions
from .report import Report
from .tensors import tensor_of, write_safetensors
from .words import check_names, config_words, judging_words

if TYPE_CHECKING:
    from typing_extensions import Unpack

DUMP = "dump.safetensors"


@without_own_frames
def verify(config: Any = None, *, keep: "str | os.PathLike[str] | None" = None,
           **options: Unpack[VerifyOptions]) -> Report:
    """Checks a config's rotation as a known implementation computes it.

    config   a config.json, its folder or a GGUF; the name of a built-in model; a dict of a config's
             keys, or an object with to_dict(); None where keywords say it all
    options  every option of `rope-check verify` by its name with underscores: head_dim=128,
             rope_theta=5e5, layout="interleaved", rope_type="yarn", factor=4,
             pipeline="bf16-table", context=131072, only=["table-accuracy"], require="c3-R1",
             max_error=1e-3, strict=True, baseline="rope-baseline.json"

    Raises InputError when the config or an option cannot be used, and ToolError when the tool
    cannot run.
    """
    check_names(options, VerifyOptions)
    with tool.working_folder(keep) as folder:
        words = ["verify", *config_words(config, folder), *judging_words(options)]
        return tool.judge(words, folder)


@without_own_frames
def compare(config: Any = None, *, cos: Any = None, sin: Any = None, cos_sin: Any = None,
            angles: Any = None, inv_freq: Any = None, q: Any = None, q_rot: Any = None,
            k: Any = None, k_rot: Any = None, positions: Any = None,
            keep: "str | os.PathLike[str] | None" = None, **options: Unpack[CompareOptions]) -> Report:
    """Checks existing tables, frequencies, or q and k before and after rotation, and names the
    fault. Without a config it identifies the config that the arrays match.

    cos, sin       [length, rotary_dim] or [length, rotary_dim/2], with axes of 1 or a batch around
    cos_sin        both in one array, complex freqs_cis [length, rotary_dim/2] among them
    angles         position * inv_freq, shaped like cos
    inv_freq       [rotary_dim/2]
    q, q_rot       before and after, such as [batch, heads, length, head_dim] or
    k, k_rot       [length, heads, head_dim]; axes="bshd" says so where it is not clear
    positions      of each row, [length] or [batch, length] (default: 0, 1, 2, …)

    An array is one of NumPy, a tensor of PyTorch (on any device; bfloat16 by its bits), anything
    with __dlpack__, __array__ or a buffer, a flat list, or a str that names a file: "x.npy",
    "x.npz:cos". config and options are as for verify(), with `rope-check compare`'s, such as
    cache_layout="cos-sin" or table=True. Raises InputError when arrays cannot be read or do not
    fit, and ToolError when the tool cannot run.
    """
    arrays = {"cos": cos, "sin": sin, "cos_sin": cos_sin, "angles": angles, "inv_freq": inv_freq,
              "q": q, "q_rot": q_rot, "k": k, "k_rot": k_rot, "positions": positions}
    given = {name: one for name, one in arrays.items() if one is not None}
    if not set(given) - {"positions"}:
        raise InputError("compare needs arrays: cos and sin, cos_sin, angles, inv_freq, q and "
                         "q_rot, or k and k_rot")
    check_names(options, CompareOptions, arrays)
    files = {name: one for name, one in given.items() if isinstance(one, (str, os.PathLike))}
    with tool.working_folder(keep) as folder:
        tensors = {name: tensor_of(one, name) for name, one in given.items() if name not in files}
        words = ["compare"]
        if tensors:
            write_safetensors(folder / DUMP, tensors)
            words.append(DUMP)
        for name in given:
            # a file has its name for the array; an array of the dump is named by its role
            value = os.path.abspath(files[name]) if name in files else name
            words.append(f"{'--' if name == 'positions' else ''}{name}={value}")
        words += [*config_words(config, folder), *judging_words(options)]
        return tool.judge(words, folder, kept=keep is not None)
