"""Dumps with two mistakes each: both must be named."""
import math

import numpy as np

from dumps import flags
from rotary import POSITIONS, bf16, inv_freq, llama3, rotate, table, yarn

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
        w.both(f"both-base-layout-{d}-{k}", plain, "base pair-layout", c, s, rotation=interleaved)
        w.exact(f"both-base-table-{d}-{k}", plain, "base table-precision", bf16(c), bf16(s))
        w.both(f"both-base-inv-freq-{d}-{k}", plain, "base inv-freq-precision",
               *table(other, inv="bfloat16"))
        for fmt in ("bfloat16", "float16"):
            w.both(f"both-offset-inv-freq-{fmt}-{d}-{k}", plain,
                   "position-offset inv-freq-precision", *table(t, P + k, inv=fmt))
        w.both(f"both-base-wrap-{d}-{k}", plain, "base position-wrap", *table(other, P % 4096))
        c, s = table(t, P + k)
        w.both(f"both-direction-offset-{d}-{k}", plain, "direction position-offset", c, -s)
        w.both(f"both-layout-offset-{d}-{k}", plain, "pair-layout position-offset", c, s,
               rotation=interleaved)
        half = flags(d) + ["--rotary-dim", str(d // 2)]
        w.both(f"both-base-rotary-dim-{d}-{k}", half, "base rotary-dim", *table(other), head=d,
               rotation=rotate)
    for factor in (2, 4, 8):
        linear = flags(d, rope_type="linear", factor=factor)
        w.both(f"both-linear-offset-{d}-{factor}", linear, "scaling-missing position-offset",
               *table(t, P + 1))
        y = flags(d, rope_type="yarn", factor=2 * factor, original_max_position_embeddings=4096,
                  max_position=8192 * factor)
        kept = np.float32(0.1 * math.log(2 * factor) + 1)
        # the amplitude is right, so only one mistake remains
        w.both(f"scaling-missing-kept-{d}-{factor}", y, "scaling-missing", *table(t, scale=kept))
        w.both(f"both-yarn-direction-{d}-{factor}", y, "scaling-parameter direction",
               *(lambda c, s: (c, -s))(*table(yarn(d, 10000, 2 * factor, 4096, truncate=False),
                                              scale=kept)))
        w.both(f"both-yarn-amplitude-{d}-{factor}", y, "scaling-parameter attention-factor",
               *table(yarn(d, 10000, 2 * factor, 4096, truncate=False), scale=1.0))
    two_changes(w, d)
    swapped_rows(w, d)
    entry_beyond_a_turn(w, d)
    one_tensor_by_two_layouts(w, d)


def two_changes(w, d):
    """rope_theta and the scaling are both wrong, as when a config's rope section is not read; float32 only."""
    for base in (41234.5, 216624, 500000):
        y = flags(d, rope_type="yarn", factor=8, original_max_position_embeddings=4096, max_position=32768)
        w.exact(f"both-base-yarn-lost-{d}-{base}", y, "base scaling-missing",
                *table(inv_freq(d, base)))
        w.exact(f"both-base-yarn-{d}-{base}", flags(d), "base scaling-type",
                *table(yarn(d, base, 4, 8192), scale=np.float32(0.1 * math.log(4) + 1)))
        l3 = flags(d, 1000000, rope_type="llama3", factor=8, low_freq_factor=1, high_freq_factor=4,
                   original_max_position_embeddings=8192, max_position=131072)
        w.exact(f"both-base-llama3-lost-{d}-{base}", l3, "base scaling-missing",
                *table(inv_freq(d, base)))
        w.exact(f"both-base-llama3-{d}-{base}", flags(d), "base scaling-type",
                *table(llama3(d, base, 16)))
        linear = flags(d, rope_type="linear", factor=8)
        w.exact(f"both-base-linear-wrap-{d}-{base}", linear, "base position-wrap",
                *table(inv_freq(d, base) / np.float32(8), P % 4096))


def one_tensor_by_two_layouts(w, d):
    """The vectors pair dimensions by one layout and the table by the other; with a second mistake."""
    def mixed(width, sign):
        def rotation(q, c, s):
            x, y = q[:, :width], q.astype(np.float64).copy()
            c2, s2 = (np.repeat(t[:, :width // 2], 2, axis=1) for t in (c, s))
            partner = np.concatenate([sign * x[:, width // 2:], x[:, :width // 2]], axis=1)
            y[:, :width] = x * c2 + partner * s2
            return y
        return rotation
    c, s = table(inv_freq(d))
    w.exact(f"both-mixed-sign-{d}", flags(d), "pair-layout rotate-half-sign", c, s,
            rotation=mixed(d, 1))
    c, s = table(inv_freq(d // 2))
    w.exact(f"both-mixed-width-{d}", flags(d), "pair-layout rotary-dim", c, s, head=d,
            rotation=mixed(d // 2, -1))

    def last_dimensions_plus(q, c, s):
        """The last dimensions rotate, and rotate_half lacks its minus sign."""
        y, first = q.astype(np.float64).copy(), d // 2
        a, b = q[:, first:first + d // 4], q[:, first + d // 4:]
        y[:, first:first + d // 4], y[:, first + d // 4:] = a * c + b * s, b * c + a * s
        return y
    w.exact(f"both-suffix-sign-{d}", flags(d) + ["--rotary-dim", str(d // 2)],
            "rotary-dim rotate-half-sign", c, s, head=d, rotation=last_dimensions_plus)


def swapped_rows(w, d):
    """Two rows have each other's position, and there is a second mistake."""
    rows = P.copy()
    rows[[7, 30]] = rows[[30, 7]]
    plain = flags(d)
    w.exact(f"both-swapped-base-{d}", plain, "rows-swapped base",
            *table(inv_freq(d, 41234.5), rows))
    c, s = table(inv_freq(d), rows)
    w.exact(f"both-swapped-direction-{d}", plain, "rows-swapped direction", c, -s)
    w.exact(f"both-swapped-layout-{d}", plain, "rows-swapped pair-layout", c, s,
            rotation=interleaved)


def entry_beyond_a_turn(w, d):
    """One entry of inv_freq holds uninitialised memory; only the products show its value."""
    for entry in (23486.0, 1310.25):
        theta = inv_freq(d)
        theta[3] = entry
        w.exact(f"inv-freq-entry-{d}-{entry}", flags(d), "inv-freq-entry", *table(theta))
        theta = inv_freq(d, 500000)
        theta[3] = entry
        w.exact(f"both-entry-base-{d}-{entry}", flags(d), "inv-freq-entry base", *table(theta))
