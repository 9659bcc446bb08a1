"""Dumps with known mistakes; `matrix.py` makes and compares them one at a time."""
import numpy as np

from rotary import POSITIONS, ROUND, normal, rng, rotate, store  # noqa: F401


def flags(d, base=10000, **more):
    words = ["--dim", str(d), "--base", repr(base)]
    if "max_position" in more:
        words += ["--max-position", str(more.pop("max_position"))]
    return words + (["--rope", ",".join(f"{key}={value}" for key, value in more.items())] if more else [])


class Dumps:
    """cases: (name, flags, ids of the mistakes, parameters of the first mistake, a function that makes the arrays)"""

    def __init__(self):
        self.cases = []

    def write(self, name, spec, expect, make, positions=None, parameters=None):
        at = np.asarray(POSITIONS if positions is None else positions, np.int64)
        self.cases.append((name, spec, expect.split(), parameters or {}, lambda: {"position_ids": at, **make()}))

    def exact(self, name, spec, expect, c, s, **more):
        """As `both`, in float32 only, for mistakes that 16 bits do not distinguish from simpler ones."""
        self.both(name, spec, expect, c, s, formats=("float32",), **more)

    def both(self, name, spec, expect, c, s, head=None, layout="half", first=0, rotation=None, positions=None,
             parameters=None, formats=("float32", "bfloat16", "float16")):
        """Writes the rotation as a table, and as q before and after it."""
        for fmt in formats:
            def vectors(fmt=fmt):
                q = normal(len(POSITIONS), head or 2 * c.shape[1], fmt=fmt)
                with np.errstate(invalid="ignore"):
                    c2, s2 = ROUND[fmt](c), ROUND[fmt](s)
                    y = rotation(q, c2, s2) if rotation else rotate(q, c2, s2, layout, first)
                return {**store("q", q, fmt), **store("q_rot", np.float32(y), fmt)}

            if rotation is None and first == 0:
                self.write(f"{name}-table-{fmt}", spec, expect,
                           lambda fmt=fmt: {**store("cos", c, fmt), **store("sin", s, fmt)}, positions, parameters)
            self.write(f"{name}-vectors-{fmt}", spec, expect, vectors, positions, parameters)
