"""Dumps with one mistake each."""
import math

import numpy as np

from dumps import flags
from rotary import (POSITIONS, ROUND, accumulated, interleaved, inv_freq, llama3, ntk, rng, rotate, sectioned,
                    several_axes, table, yarn)

P = np.asarray(POSITIONS)


def sound(w, d):
    t, plain = inv_freq(d), flags(d)
    w.both(f"sound-default-{d}", plain, "", *table(t))
    w.both(f"sound-linear-{d}", flags(d, rope_type="linear", factor=4), "", *table(t / np.float32(4)))
    w.both(f"sound-yarn-{d}", flags(d, rope_type="yarn", factor=16, original_max_position_embeddings=4096,
                                    max_position=65536), "",
           *table(yarn(d, 10000, 16, 4096), scale=np.float32(0.1 * math.log(16) + 1)))
    w.both(f"sound-llama3-{d}", flags(d, 500000, rope_type="llama3", factor=8, low_freq_factor=1,
                                      high_freq_factor=4, original_max_position_embeddings=8192,
                                      max_position=131072), "", *table(llama3(d, 500000, 8)))


def layouts(w, d):
    for k, base in enumerate((10000, 500000, 1000000)):
        c, s = table(inv_freq(d, base))
        f = flags(d, base)
        w.both(f"pair-layout-{d}-{k}", f, "pair-layout", c, s, layout="interleaved",
               rotation=lambda q, c, s: rotate(q, c, s, "interleaved"))
        w.both(f"direction-{d}-{k}", f, "direction", c, -s)
        w.both(f"cos-sin-swapped-{d}-{k}", f, "cos-sin-swapped", s, c)
        w.both(f"sign-both-{d}-{k}", f, "sign", -c, -s)
        w.both(f"sign-cos-{d}-{k}", f, "sign", -c, s)
        w.both(f"uninitialised-zero-{d}-{k}", f, "uninitialised", 0 * c, 0 * s)
        one = np.ones_like(c)
        w.both(f"not-rotated-{d}-{k}", f, "not-rotated", one, 0 * one)
        cc, ss = c.copy(), s.copy()
        n = (40, 45, 50)[k]
        cc[n:], ss[n:] = 0, 0
        w.both(f"table-truncated-{d}-{k}", f, "table-truncated", cc, ss)
        w.both(f"table-truncated-clamp-{d}-{k}", f, "table-truncated",
               *table(inv_freq(d, base), np.minimum(P, (2048, 4096, 1024)[k] - 1)))
        bad = rng.standard_normal(c.shape) * 1e3
        cc, ss = c.copy(), s.copy()
        cc[n:], ss[n:] = bad[n:], bad[n:] / 3
        w.both(f"uninitialised-{d}-{k}", f, "uninitialised", cc, ss)
        w.both(f"uninitialised-inv-{d}-{k}", f, "uninitialised",
               *table(np.abs(rng.standard_normal(d // 2)).astype(np.float32) *
                      np.float32(10.0) ** rng.integers(-8, 0, d // 2).astype(np.float32)))
        cc, ss = c.copy(), s.copy()
        cc[k + 5:, 3], ss[k + 5:, 3] = np.nan, np.nan
        w.both(f"uninitialised-nan-{d}-{k}", f, "uninitialised", cc, ss)


def bases(w, d):
    t, plain = inv_freq(d), flags(d)
    for base in (500000, 1000000, 10001, 9000, 41234.5):
        w.both(f"base-{d}-{base}", plain, "base", *table(inv_freq(d, base)),
               parameters={"rope_theta": base})
    w.both(f"base-default-{d}", flags(d, 500000), "base", *table(t), parameters={"rope_theta": 10000})
    for divisor in (2 * d, d // 2, d - 2):
        w.both(f"exponent-divisor-{d}-{divisor}", plain, "exponent-divisor",
               *table(inv_freq(d, divisor=divisor)))
    for base in (10000, 500000, 1000000):
        f = flags(d, base)
        for first in (1, -1, 0.5, -0.5):
            w.both(f"exponent-start-{d}-{base}-{first}", f, "exponent-start",
                   *table(inv_freq(d, base, start=first)))
        w.both(f"exponent-sign-{d}-{base}", f, "exponent-sign", *table(1 / inv_freq(d, base)))
    i = np.arange(d // 2)
    for order, index in (("reversed", i[::-1]), ("2i", 2 * i % (d // 2)), ("half", i // 2),
                         ("rolled", np.roll(i, 1)), ("rolled-by-5", np.roll(i, 5)),
                         ("swapped", i ^ 1), ("halves", np.roll(i, d // 4))):
        w.both(f"frequency-order-{order}-{d}", plain, "frequency-order", *table(t[index]))


def scalings(w, d):
    t = inv_freq(d)
    for factor in (2, 4, 8):
        lin = flags(d, rope_type="linear", factor=factor)
        w.both(f"scaling-missing-{d}-{factor}", lin, "scaling-missing", *table(t))
        w.both(f"scaling-doubled-{d}-{factor}", lin, "scaling-doubled",
               *table(t / np.float32(factor * factor)))
        w.both(f"scaling-inverted-{d}-{factor}", lin, "scaling-inverted", *table(t * np.float32(factor)))
        w.both(f"scaling-type-ntk-{d}-{factor}", lin, "scaling-type", *table(ntk(d, 10000, factor)))
        w.both(f"scaling-parameter-linear-{d}-{factor}", lin, "scaling-parameter",
               *table(t / np.float32(factor * 1.5)), parameters={"factor": factor * 1.5})
        y = flags(d, rope_type="yarn", factor=2 * factor, original_max_position_embeddings=4096,
                  max_position=8192 * factor)
        a = np.float32(0.1 * math.log(2 * factor) + 1)
        w.both(f"scaling-missing-yarn-{d}-{factor}", y, "scaling-missing", *table(t))
        w.both(f"scaling-type-linear-{d}-{factor}", y, "scaling-type", *table(t / np.float32(2 * factor)))
        w.both(f"scaling-parameter-swapped-{d}-{factor}", y, "scaling-parameter",
               *table(yarn(d, 10000, 2 * factor, 4096, 1, 32), scale=a))
        w.both(f"scaling-parameter-truncate-{d}-{factor}", y, "scaling-parameter",
               *table(yarn(d, 10000, 2 * factor, 4096, truncate=False), scale=a))
        w.both(f"scaling-parameter-ramp-{d}-{factor}", y, "scaling-parameter",
               *table(yarn(d, 10000, 2 * factor, 4096, inverted=True), scale=a))
        w.both(f"scaling-parameter-factor-{d}-{factor}", y, "scaling-parameter",
               *table(yarn(d, 10000, 3 * factor, 4096), scale=a))
        for name, value in (("one", 1.0), ("squared", float(a) ** 2), ("factor", 2.0 * factor)):
            w.both(f"attention-factor-{name}-{d}-{factor}", y, "attention-factor",
                   *table(yarn(d, 10000, 2 * factor, 4096), scale=np.float32(value)))
        l3 = flags(d, 500000, rope_type="llama3", factor=4 * factor, low_freq_factor=1,
                   high_freq_factor=4, original_max_position_embeddings=8192, max_position=131072)
        w.both(f"scaling-missing-llama3-{d}-{factor}", l3, "scaling-missing", *table(inv_freq(d, 500000)))
        w.both(f"scaling-type-llama3-{d}-{factor}", l3, "scaling-type",
               *table(inv_freq(d, 500000) / np.float32(4 * factor)))
        w.both(f"scaling-parameter-length-{d}-{factor}", l3, "scaling-parameter",
               *table(llama3(d, 500000, 4 * factor, L0=131072)))


def lists(w, d):
    """Scalings with a list, a length, or only some pairs."""
    t = inv_freq(d)
    n = d // 2
    short = np.round(1 + np.arange(n) / n, 2)
    long = np.round(1 + 40 * (np.arange(n) / n) ** 2, 2)
    f = flags(d, rope_type="longrope", short_factor=",".join(map(str, short)),
              long_factor=",".join(map(str, long)), original_max_position_embeddings=4096,
              max_position=131072, attention_factor=1)
    by = {"short": t / short.astype(np.float32), "long": t / long.astype(np.float32)}
    # without seq_len the positions choose the list
    early, late = ["--rope", "seq_len=4096"], ["--rope", "seq_len=65536"]
    w.both(f"sound-longrope-short-{d}", f + early, "", *table(by["short"]))
    w.both(f"sound-longrope-long-{d}", f + late, "", *table(by["long"]))
    w.both(f"scaling-parameter-short-{d}", f + late, "scaling-parameter", *table(by["short"]))
    w.both(f"scaling-parameter-long-{d}", f + early, "scaling-parameter", *table(by["long"]))
    for last in (1000, 4097, 8191):  # the position of the last row that uses the short list
        switched = [np.where((P > last)[:, None], after, before)
                    for after, before in zip(table(by["long"]), table(by["short"]))]
        w.both(f"scaling-parameter-switched-{d}-{last}", f + early, "scaling-parameter", *switched)
        w.both(f"scaling-parameter-switched-late-{d}-{last}", f + late, "scaling-parameter",
               *switched)
    w.both(f"scaling-missing-longrope-{d}", f, "scaling-missing", *table(t))
    for n in (1000, 4096, 8192):
        theta = (t * (math.pi / (2 * n))).astype(np.float32)
        f = flags(d, rope_type="he_xu", max_position=2048)
        w.both(f"scaling-parameter-he-xu-{d}-{n}", f, "scaling-parameter", *table(theta),
               parameters={"max_position_embeddings": n})
        w.both(f"sound-he-xu-{d}-{n}", flags(d, rope_type="he_xu", max_position=n), "", *table(theta))
    for factor in (2, 4, 8):
        f = flags(d, rope_type="dynamic", factor=factor, max_position=4096)
        stretch = factor * factor - (factor - 1)
        stretch_now = factor * 65536 / 4096 - (factor - 1)  # the positions go to 65535
        w.both(f"sound-dynamic-{d}-{factor}", f, "", *table(ntk(d, 10000, stretch_now)))
        w.both(f"sound-dynamic-short-{d}-{factor}", flags(d, rope_type="dynamic", factor=factor,
               max_position=65536), "", *table(t))
        w.both(f"scaling-missing-dynamic-{d}-{factor}", f, "scaling-missing", *table(t))
        regrown = [np.where((P >= 4096)[:, None], after, before) for after, before in
                   zip(table(ntk(d, 10000, stretch_now)), table(t))]
        w.both(f"scaling-parameter-regrown-{d}-{factor}", f, "scaling-parameter", *regrown)
        w.both(f"scaling-parameter-static-{d}-{factor}", f, "scaling-parameter",
               *table(ntk(d, 10000, stretch)))
    for part in (0.25, 0.5, 0.75):
        turning = int(part * d / 2)
        f = flags(d, rope_type="proportional", partial_rotary_factor=part)
        still = (np.arange(d // 2) < turning).astype(np.float32)
        of_part = np.zeros(d // 2, np.float32)
        of_part[:turning] = inv_freq(2 * turning)
        w.both(f"sound-proportional-{d}-{part}", f, "", *table(t * still))
        w.both(f"exponent-divisor-proportional-{d}-{part}", f, "exponent-divisor", *table(of_part))
        w.both(f"scaling-missing-proportional-{d}-{part}", f, "scaling-missing", *table(t))
        w.both(f"rotary-dim-still-{d}-{part}", flags(d), "rotary-dim", *table(t * still))


def widths(w, d):
    plain = flags(d)
    for part, name in ((d // 2, "half"), (d // 4, "quarter")):
        part -= part % 2
        f = flags(d) + ["--rotary-dim", str(part)]
        c, s = table(inv_freq(part))
        w.both(f"sound-partial-{name}-{d}", f, "", c, s, head=d)
        w.both(f"rotary-dim-all-{name}-{d}", f, "rotary-dim", *table(inv_freq(d)), head=d,
               rotation=lambda q, c, s: rotate(q, c, s))
        w.both(f"rotary-dim-suffix-{name}-{d}", f, "rotary-dim", c, s, head=d, first=d - part)
        w.both(f"exponent-divisor-head-{name}-{d}", f, "exponent-divisor",
               *table(inv_freq(part, divisor=d)), head=d)
    w.both(f"rotary-dim-part-{d}", plain, "rotary-dim", *table(inv_freq(d // 2)), head=d,
           rotation=lambda q, c, s: rotate(q, c, s))


def positions(w, d):
    t, plain = inv_freq(d), flags(d)
    for k in (1, 2, 100):
        w.both(f"position-offset-{d}-{k}", plain, "position-offset", *table(t, P + k),
               parameters={"offset": k})
    w.both(f"position-offset-minus-{d}", plain, "position-offset", *table(t, P - 1), parameters={"offset": -1})
    for scale in (0.25, 0.5, 2):
        w.both(f"position-scale-{d}-{scale}", plain, "position-scale", *table(t, P * scale),
               parameters={"scale": scale})
    w.both(f"position-scale-degrees-{d}", plain, "position-scale", *table(t * np.float32(180 / math.pi)))
    for last in (0, 1000, 4096):
        w.both(f"position-collapse-{d}-{last}", plain, "position-collapse", *table(t, np.minimum(P, last)))
    for run in (2, 4):
        w.both(f"position-collapse-run-{d}-{run}", plain, "position-collapse", *table(t, P // run * run))
    for period in (1024, 2048, 4096):
        w.both(f"position-wrap-{d}-{period}", plain, "position-wrap", *table(t, P % period),
               parameters={"period": period})


def precisions(w, d):
    t, plain = inv_freq(d), flags(d)
    for fmt in ("bfloat16", "float16"):
        for k, base in enumerate((10000, 500000)):
            f, theta = flags(d, base), inv_freq(d, base)
            w.both(f"inv-freq-precision-{fmt}-{d}-{k}", f, "inv-freq-precision", *table(theta, inv=fmt))
            w.both(f"position-precision-{fmt}-{d}-{k}", f, "position-precision", *table(theta, pos=fmt))
            w.both(f"angle-precision-{fmt}-{d}-{k}", f, "angle-precision", *table(theta, prod=fmt))
            w.both(f"angle-precision-all-{fmt}-{d}-{k}", f, "angle-precision",
                   *table(theta, inv=fmt, pos=fmt, prod=fmt))
            c, s = table(theta)
            cut = ROUND[fmt]
            c, s = cut(c.astype(np.float32)), cut(s.astype(np.float32))
            w.exact(f"table-precision-{fmt}-{d}-{k}", f, "table-precision", c, s)
    w.both(f"angle-precision-tf32-{d}", plain, "angle-precision", *table(t, inv="tf32", pos="tf32"))
    for how in ("cut", "away"):
        w.both(f"angle-precision-tf32-{how}-{d}", plain, "angle-precision",
               *table(t, inv=f"tf32 {how}", pos=f"tf32 {how}"))
    for part, mistake in (("inv", "inv-freq"), ("pos", "position"), ("prod", "angle")):
        w.both(f"{mistake}-precision-bfloat16-cut-{d}", plain, f"{mistake}-precision",
               *table(t, **{part: "bfloat16 cut"}))
    for base in (10000, 500000, 1000000):
        w.both(f"recurrence-{d}-{base}", flags(d, base), "recurrence",
               *accumulated(inv_freq(d, base)))


def rotated_in_place(q, c, s):
    half = q.shape[1] // 2
    first = q[:, :half] * c - q[:, half:] * s
    return np.concatenate([first, q[:, half:] * c + first * s], 1)


SHORT = {"half_split": "half", "interleaved": "interleaved"}


def written_orders(d):
    """How pairs are read, and the order in which the rotated dimensions are written."""
    dimensions = np.arange(d)
    evens, halves = np.concatenate([dimensions[0::2], dimensions[1::2]]), np.roll(dimensions, d // 2)
    return {"even-dimensions-first": ("half_split", evens), "halves-swapped": ("half_split", halves),
            "halves-interleaved": ("interleaved", np.stack([dimensions[:d // 2], dimensions[d // 2:]], 1).ravel()),
            "dimensions-swapped": ("interleaved", dimensions ^ 1)}


def mixed(w, d):
    for base in (10000, 500000, 1000000):
        f = flags(d, base)
        c, s = table(inv_freq(d, base))
        w.both(f"pair-layout-mixed-{d}-{base}", f, "pair-layout", c, s, rotation=lambda q, c, s: np.concatenate(
            [q[:, :d // 2] * np.repeat(c, 2, 1)[:, :d // 2] - q[:, d // 2:] * np.repeat(s, 2, 1)[:, :d // 2],
             q[:, d // 2:] * np.repeat(c, 2, 1)[:, d // 2:] + q[:, :d // 2] * np.repeat(s, 2, 1)[:, d // 2:]], 1))
        for name, (layout, order) in written_orders(d).items():
            w.both(f"pair-layout-{name}-{d}-{base}", f, "pair-layout", c, s,
                   parameters={"before": layout, "after": name.replace("-", " ")},
                   rotation=lambda q, c, s, layout=layout, order=order: rotate(q, c, s, SHORT[layout])[:, order])
        w.both(f"rotated-in-place-{d}-{base}", f, "rotated-in-place", c, s, rotation=rotated_in_place)
        w.both(f"rotate-half-sign-{d}-{base}", f, "rotate-half-sign", c, s, rotation=lambda q, c, s: np.concatenate(
            [q[:, :d // 2] * c + q[:, d // 2:] * s, q[:, d // 2:] * c + q[:, :d // 2] * s], 1))


# --- M-RoPE: pairs that follow several position axes, by the right map and by others ---

T, H, W = 0, 1, 2
SECTIONS = {64: ((8, 12, 12), (12, 10, 10)), 96: ((12, 18, 18), (18, 15, 15)),
            128: ((16, 24, 24), (24, 20, 20))}
PLACES = [POSITIONS, sorted(rng.integers(0, 4000, len(POSITIONS)).tolist()),
          rng.integers(0, 3000, len(POSITIONS)).tolist()]


def moved(changes):
    """PLACES with the ids of some axes changed."""
    return [changes.get(a, lambda m: m)(np.asarray(ids)) for a, ids in enumerate(PLACES)]


def several(w, d):
    in_a_row, in_turn = SECTIONS[d]
    for base in (10000, 1000000, 5000000):
        theta = inv_freq(d, base)
        rows = flags(d, base, axes="sectioned", mrope_section=",".join(map(str, in_a_row)))
        turns = flags(d, base, axes="interleaved", mrope_section=",".join(map(str, in_turn)))
        first, second = sectioned(in_a_row), interleaved(in_turn, d // 2)

        def write(name, spec, expect, axis):
            w.both(f"{name}-{d}-{base}", spec, expect, *several_axes(theta, axis, PLACES),
                   positions=PLACES)

        write("sound-sectioned", rows, "", first)
        write("sound-interleaved", turns, "", second)
        write("axis-map-interleaved", rows, "axis-map", interleaved(in_a_row, d // 2))
        write("axis-map-sectioned", turns, "axis-map", sectioned(in_turn))
        write("axis-map-time", rows, "axis-map", np.zeros(d // 2, int))
        write("axis-map-cycle", turns, "axis-map", (second + 1) % 3)
        write("axis-map-swapped", rows, "axis-map", np.array((T, W, H))[first])
        write("axis-map-lengths", rows, "axis-map", sectioned((in_a_row[1], in_a_row[0], in_a_row[2])))

        rows_of = np.arange(len(POSITIONS))
        for name, expect, given in (
                ("axis-offset-height", "position-offset", moved({H: lambda m: m + 3})),
                ("axis-offset-all", "position-offset", moved({a: lambda m: m + 1 for a in (T, H, W)})),
                ("axis-clamp-width", "position-collapse", moved({W: lambda m: np.minimum(m, 999)})),
                ("axis-int8-height", "position-wrap", moved({H: lambda m: (m + 128) % 256 - 128})),
                ("axis-wrap-time", "position-wrap", moved({T: lambda m: m % 300})),
                ("axis-scale-width", "position-scale", moved({W: lambda m: m * 2})),
                ("axis-rows-all", "position-source", [rows_of] * 3),
                ("axis-rows-height", "position-source", moved({H: lambda m: rows_of})),
                ("axis-ids-of-time", "axis-map", moved({H: lambda m: np.asarray(PLACES[T])})),
                ("axis-two", "position-offset position-collapse",
                 moved({H: lambda m: m - 1, W: lambda m: np.minimum(m, 999)}))):
            w.both(f"{name}-{d}-{base}", rows, expect, *several_axes(theta, first, given), positions=PLACES)
