"""The accuracy of an implementation at far positions: rope-check compare checks its cos and sin.

The request is a conformance suite with one case, so that the programs that answer the suite answer it, too.
Its vectors have 1 in the first dimension of each pair, whose rotation gives cos and sin.
"""
import json
import os
import subprocess
from pathlib import Path

import numpy as np

import suite_folder
from page import UP_TO

HEAD_DIM, PAIRS = 128, 64
# each position to 131,072, then 64 of each 4096
POSITIONS = np.concatenate([np.arange(131072), *(np.arange(n - 64, n) for n in range(135168, 1048577, 4096))])
AXES = {"sectioned": 3, "interleaved": 3, "interleaved4": 4, "axial": 2}


def spec_flags(flags):
    return ["--dim", str(HEAD_DIM), "--max-position", str(UP_TO["1M"]), *flags]


def ask(tool, folder, flags, dtype):
    request = folder / "request"
    subprocess.run([tool, "audit", "new", request, *spec_flags(flags), "--positions", "0", "-q"], check=True,
                   capture_output=True)
    spec = json.loads((request / "spec.json").read_text())
    plan = json.loads(subprocess.run([tool, "explain", *spec_flags(flags), "--format", "json"], check=True,
                                     capture_output=True).stdout)["plans"][0]
    q = np.zeros((len(POSITIONS), HEAD_DIM), np.float32)
    first = np.arange(PAIRS) if spec["layout"] == "half_split" else 2 * np.arange(PAIRS)
    second = first + (PAIRS if spec["layout"] == "half_split" else 1)
    q[:, first] = 1
    arrays = {"q": ("F32", q), "inv_freq": ("F64", np.array(plan["inv_freq"])),
              "positions": ("I32", np.tile(POSITIONS.astype(np.int32), (AXES.get(spec.get("axes"), 1), 1))),
              "pairs": ("I32", np.stack([first, second, first, second, 0 * first], 1).astype(np.int32))}
    suite_folder.write(folder / "vectors.safetensors", {
        f"sweep/{name}": (dtype, array.shape, array.tobytes()) for name, (dtype, array) in arrays.items()})
    case = {"id": "sweep", "spec": spec, "rows": len(q), "head_dim": HEAD_DIM,
            "attention_factor": plan["attention_factor"]}
    (folder / "manifest.json").write_text(json.dumps({"cases": [case], "dtypes": [dtype]}))
    return spec["layout"]


def table(folder, layout, dtype):
    y = suite_folder.read(folder / "answers.safetensors")[f"sweep/{dtype}/q_rot"]
    return (y[:, ::2], y[:, 1::2]) if layout == "interleaved" else (y[:, :PAIRS], y[:, PAIRS:])


def accuracy(tool, folder, flags, cos, sin):
    """rope-check's findings on the rows up to each limit; the last is for all rows."""
    for name, limit in UP_TO.items():
        rows = POSITIONS < limit
        np.savez(folder / "table.npz", cos=cos[rows], sin=sin[rows], position_ids=POSITIONS[rows])
        done = subprocess.run([tool, "compare", folder / "table.npz", *spec_flags(flags), "--only", "table-accuracy",
                               "--only", "identity-at-zero", "--format", "json"], capture_output=True, encoding="utf-8")
        if done.returncode > 1:
            raise RuntimeError(done.stderr)
        yield name, next(one for one in json.loads(done.stdout)["findings"] if one["check"] == "table-accuracy")


def sweep(tool, folder, configuration):
    folder = Path(folder)
    layout = ask(tool, folder, configuration.sweep, configuration.dtype)
    subprocess.run([*configuration.program, folder], check=True, capture_output=True, timeout=200,
                   env={**os.environ, **configuration.environment})
    found = dict(accuracy(tool, folder, configuration.sweep, *table(folder, layout, configuration.dtype)))
    last = found["1M"]
    return {"K": rounded(last["K"]), "class": last["like"],
            **{name: rounded(found[name]["worst_error"]) for name in UP_TO},
            "first_beyond_1e_3": last["first_beyond_1e_3"]}


def rounded(x):
    """Two digits: cos and sin of other processors differ only beyond them."""
    return float(f"{x:.1e}")
