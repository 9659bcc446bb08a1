"""Dumps with two mistakes each: both must be named."""
import math

import numpy as np

from dumps import flags
from rotary import POSITIONS, bf16, inv_freq, rotate, table, yarn

P = np.asarray(POSITIONS)


def interleaved(q, c, s):
    return rotate(q, c, s, "interleaved")


def together(w, d):
    t, plain = inv_freq(d), flags(d)
    for k, base in ((1, 500000), (2, 1000000), (100, 41234.5)):
        other = inv_freq(d, base)
        w.both(f"both-base-offset-{d}-{k}", plain, "base position-offset", *table(other, P + k))
        c, s = table(other)
        w.both(f"both-base-direction-{d}-{k}", plain, "base direction", c, -s)
        w.both(f"both-base-swapped-{d}-{k}", plain, "base cos-sin-swapped", s, c)
        w.both(f"both-base-layout-{d}-{k}", plain, "base pair-layout", c, s, lane_map=interleaved)
        w.write(f"both-base-table-{d}-{k}-float32", plain, "base table-precision",
                {"cos": bf16(c.astype(np.float32)), "sin": bf16(s.astype(np.float32))})
        w.both(f"both-base-inv-freq-{d}-{k}", plain, "base inv-freq-precision",
               *table(other, inv="bfloat16"))
        for fmt in ("bfloat16", "float16"):
            w.both(f"both-offset-inv-freq-{fmt}-{d}-{k}", plain,
                   "position-offset inv-freq-precision", *table(t, P + k, inv=fmt))
        w.both(f"both-base-wrap-{d}-{k}", plain, "base position-wrap", *table(other, P % 4096))
        c, s = table(t, P + k)
        w.both(f"both-direction-offset-{d}-{k}", plain, "direction position-offset", c, -s)
        w.both(f"both-layout-offset-{d}-{k}", plain, "pair-layout position-offset", c, s,
               lane_map=interleaved)
        half = flags(d) + ["--rotary-dim", str(d // 2)]
        w.both(f"both-base-rotary-dim-{d}-{k}", half, "base rotary-dim", *table(other), head=d,
               lane_map=rotate)
    for factor in (2, 4, 8):
        linear = flags(d, rope_type="linear", factor=factor)
        w.both(f"both-linear-offset-{d}-{factor}", linear, "scaling-missing position-offset",
               *table(t, P + 1))
        y = flags(d, rope_type="yarn", factor=2 * factor, original_max_position=4096,
                  max_position=8192 * factor)
        kept = np.float32(0.1 * math.log(2 * factor) + 1)
        # the amplitude is right, so that only one mistake is left
        w.both(f"scaling-missing-kept-{d}-{factor}", y, "scaling-missing", *table(t, scale=kept))
        w.both(f"both-yarn-direction-{d}-{factor}", y, "scaling-parameter direction",
               *(lambda c, s: (c, -s))(*table(yarn(d, 10000, 2 * factor, 4096, truncate=False),
                                              scale=kept)))
        w.both(f"both-yarn-amplitude-{d}-{factor}", y, "scaling-parameter attention-factor",
               *table(yarn(d, 10000, 2 * factor, 4096, truncate=False), scale=1.0))
