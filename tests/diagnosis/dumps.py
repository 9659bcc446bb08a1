"""Dumps as files, and what each is: cases.json."""
import json
import os

import numpy as np

from rotary import POSITIONS, ROUND, bf16, rotate

rng = np.random.default_rng(7)


class Writer:
    def __init__(self, folder):
        self.folder, self.cases = folder, []

    def store(self, name, value, fmt):
        value = np.ascontiguousarray(value)
        if fmt == "bfloat16":
            return {name + "__bf16bits": (bf16(value).view(np.uint32) >> 16).astype(np.uint16)}
        return {name: np.asarray(value, {"float32": np.float32, "float16": np.float16}[fmt])}

    def write(self, name, spec, expect, arrays, parameters=None, positions=None):
        file = name + ".npz"
        at = np.asarray(POSITIONS if positions is None else positions, np.int64)
        np.savez(os.path.join(self.folder, file), position_ids=at, **arrays)
        self.cases.append({"name": name, "file": file, "spec": spec, "expect": expect.split(),
                           "parameters": parameters or {}})

    def exact(self, name, spec, expect, c, s, **more):
        """As both, in float32 alone: where 16 bits hold what simpler mistakes explain as well."""
        self.both(name, spec, expect, c, s, formats=("float32",), **more)

    def both(self, name, spec, expect, c, s, head=None, layout="half", lanes=0, lane_map=None,
             parameters=None, positions=None, formats=("float32", "bfloat16", "float16")):
        """As a table and as q before and after."""
        for fmt in formats:
            if lane_map is None and lanes == 0:
                self.write(f"{name}-table-{fmt}", spec, expect,
                           {**self.store("cos", c, fmt), **self.store("sin", s, fmt)}, parameters, positions)
            head_dim = head or 2 * c.shape[1]
            q = ROUND[fmt](rng.standard_normal((len(POSITIONS), head_dim)).astype(np.float32))
            with np.errstate(invalid="ignore"):
                c2, s2 = ROUND[fmt](c.astype(np.float32)), ROUND[fmt](s.astype(np.float32))
                y = (lane_map(q, c2, s2) if lane_map else
                     rotate(q, c2.astype(np.float64), s2.astype(np.float64), layout, lanes))
            self.write(f"{name}-vectors-{fmt}", spec, expect,
                       {**self.store("q", q, fmt), **self.store("q_rot", y.astype(np.float32), fmt)},
                       parameters, positions)

    def close(self):
        with open(os.path.join(self.folder, "cases.json"), "w") as out:
            json.dump(self.cases, out, indent=1)


def flags(d, base=10000, **more):
    words = ["--dim", str(d), "--base", repr(base)]
    if "max_position" in more:
        words += ["--max-position", str(more.pop("max_position"))]
    return words + (["--rope", ",".join(f"{key}={value}" for key, value in more.items())] if more else [])
