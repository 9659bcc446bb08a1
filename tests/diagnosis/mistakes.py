"""Every known mistake, alone or with another one: a table or vectors, in turn, in every number format. A mistake, or a
name with the same numbers, must come first; of several, all must be named. Right dumps must pass."""
import itertools
import math
from typing import NamedTuple

import numpy as np

from compared import Case
from rotary import (POSITIONS, ROUND, accumulated, bf16, interleaved, inv_freq, llama3, normal, ntk, rng, rotate, sectioned,
                    several_axes, store, table, yarn)

P = np.asarray(POSITIONS)
FORMATS = "float32", "bfloat16", "float16"


class Dump(NamedTuple):
    """`wanted`: ids of mistakes. Without a `rotation` of q by cos and sin, there may be a table. `parameters` are those of
    the mistake."""
    what: str
    flags: list
    wanted: str
    rows: tuple
    rotation: object = None
    head: int = 0
    positions: object = P
    parameters: dict = {}
    formats: tuple = FORMATS


def flags(d, base=10000, **rope):
    words = ["--dim", str(d), "--base", repr(base)]
    if "max_position" in rope:
        words += ["--max-position", str(rope.pop("max_position"))]
    return words + (["--rope", ",".join(f"{key}={value}" for key, value in rope.items())] if rope else [])


def in_turn(q, c, s):
    return rotate(q, c, s, "interleaved")


def scaled_configs(d):
    """The flags of linear scaling by 4, of yarn by 8 and its amplitude, and of llama3 by 16."""
    return (flags(d, rope_type="linear", factor=4),
            flags(d, rope_type="yarn", factor=8, original_max_position_embeddings=4096, max_position=32768),
            np.float32(0.1 * math.log(8) + 1),
            flags(d, 500000, rope_type="llama3", factor=16, low_freq_factor=1, high_freq_factor=4,
                  original_max_position_embeddings=8192, max_position=131072))


def layouts(d):
    plain, (c, s) = flags(d), table(inv_freq(d))
    yield Dump("right", plain, "", (c, s))
    yield Dump("interleaved", plain, "pair-layout", (c, s), in_turn)
    yield Dump("backwards", plain, "direction", (c, -s))
    yield Dump("swapped", plain, "cos-sin-swapped", (s, c))
    yield Dump("both negated", plain, "sign", (-c, -s))
    yield Dump("cos negated", plain, "sign", (-c, s))
    yield Dump("zeros", plain, "uninitialised", (0 * c, 0 * s))
    yield Dump("ones", plain, "not-rotated", (0 * c + 1, 0 * s))
    late = np.arange(64)[:, None] >= 45
    yield Dump("zeros from row 45 on", plain, "table-truncated", (np.where(late, 0, c), np.where(late, 0, s)))
    yield Dump("clamped to 4095", plain, "table-truncated", table(inv_freq(d), np.minimum(P, 4095)))
    memory = 1e3 * rng.standard_normal(c.shape)
    yield Dump("memory from row 45 on", plain, "uninitialised", (np.where(late, memory, c), np.where(late, memory / 3, s)))
    yield Dump("inv_freq is memory", plain, "uninitialised", table(np.float32(
        np.abs(rng.standard_normal(d // 2)) * 10.0 ** rng.integers(-8, 0, d // 2))))
    lost = late & (np.arange(d // 2) == 3)
    yield Dump("NaN in one pair", plain, "uninitialised", (np.where(lost, np.nan, c), np.where(lost, np.nan, s)))


def bases(d):
    theta, plain = inv_freq(d), flags(d)
    for base in 500000, 10001, 41234.5:
        yield Dump(f"{base}", plain, "base", table(inv_freq(d, base)), parameters={"rope_theta": base})
    yield Dump("the default", flags(d, 500000), "base", table(theta), parameters={"rope_theta": 10000})
    for divisor in 2 * d, d // 2, d - 2:
        yield Dump(f"{divisor}", plain, "exponent-divisor", table(inv_freq(d, divisor=divisor)))
    for first in 1, -1, 0.5, -0.5:
        yield Dump(f"{first}", flags(d, 500000), "exponent-start", table(inv_freq(d, 500000, start=first)))
    yield Dump("lost", flags(d, 500000), "exponent-sign", table(1 / inv_freq(d, 500000)))
    i = np.arange(d // 2)
    for order, index in (("reversed", i[::-1]), ("2i", 2 * i % (d // 2)), ("half", i // 2), ("rolled", np.roll(i, 1)),
                         ("rolled by 5", np.roll(i, 5)), ("swapped", i ^ 1), ("halves", np.roll(i, d // 4))):
        yield Dump(order, plain, "frequency-order", table(theta[index]))


def scalings(d):
    theta = inv_freq(d)
    linear, of_yarn, amplitude, of_llama3 = scaled_configs(d)
    yield Dump("linear", linear, "", table(theta / np.float32(4)))
    yield Dump("yarn", of_yarn, "", table(yarn(d, 10000, 8, 4096), scale=amplitude))
    yield Dump("llama3", of_llama3, "", table(llama3(d, 500000, 16)))
    yield Dump("linear", linear, "scaling-missing", table(theta))
    yield Dump("linear", linear, "scaling-doubled", table(theta / np.float32(16)))
    yield Dump("linear", linear, "scaling-inverted", table(theta * np.float32(4)))
    yield Dump("ntk for linear", linear, "scaling-type", table(ntk(d, 10000, 4)))
    yield Dump("linear 6", linear, "scaling-parameter", table(theta / np.float32(6)), parameters={"factor": 6})
    yield Dump("yarn", of_yarn, "scaling-missing", table(theta))
    yield Dump("linear for yarn", of_yarn, "scaling-type", table(theta / np.float32(8)))
    for what, more in (("betas swapped", (8, 4096, 1, 32)), ("another factor", (12, 4096)),
                       ("not truncated", (8, 4096, 32, 1, False)), ("inverted ramp", (8, 4096, 32, 1, True, True))):
        yield Dump(what, of_yarn, "scaling-parameter", table(yarn(d, 10000, *more), scale=amplitude))
    for value in 1.0, float(amplitude) ** 2, 8.0:
        yield Dump(f"{value:.3g}", of_yarn, "attention-factor", table(yarn(d, 10000, 8, 4096), scale=np.float32(value)))
    yield Dump("llama3", of_llama3, "scaling-missing", table(inv_freq(d, 500000)))
    yield Dump("linear for llama3", of_llama3, "scaling-type", table(inv_freq(d, 500000) / np.float32(16)))
    yield Dump("another length", of_llama3, "scaling-parameter", table(llama3(d, 500000, 16, L0=131072)))


def lists(d):
    """Scalings with a list, a length, or only some pairs."""
    theta, n = inv_freq(d), d // 2
    short, long = np.round(1 + np.arange(n) / n, 2), np.round(1 + 40 * (np.arange(n) / n) ** 2, 2)
    longrope = flags(d, rope_type="longrope", short_factor=",".join(map(str, short)), long_factor=",".join(map(str, long)),
                     original_max_position_embeddings=4096, max_position=131072, attention_factor=1)
    # without seq_len the positions choose the list
    early, late = [*longrope, "--rope", "seq_len=4096"], [*longrope, "--rope", "seq_len=65536"]
    by_short, by_long = table(theta / short.astype(np.float32)), table(theta / long.astype(np.float32))
    switched = tuple(np.where((P > 4097)[:, None], after, before) for after, before in zip(by_long, by_short))
    for asked, right, wrong in (early, by_short, by_long), (late, by_long, by_short):
        yield Dump("longrope", asked, "", right)
        yield Dump("the other list", asked, "scaling-parameter", wrong)
        yield Dump("the list by position", asked, "scaling-parameter", switched)
    yield Dump("longrope", longrope, "scaling-missing", table(theta))
    he_xu = table((theta * (math.pi / (2 * 4096))).astype(np.float32))
    yield Dump("He & Xu", flags(d, rope_type="he_xu", max_position=4096), "", he_xu)
    yield Dump("He & Xu of another length", flags(d, rope_type="he_xu", max_position=2048), "scaling-parameter", he_xu,
               parameters={"max_position_embeddings": 4096})
    dynamic = flags(d, rope_type="dynamic", factor=4, max_position=4096)
    now = table(ntk(d, 10000, 4 * 65536 / 4096 - 3))  # the positions go to 65535
    yield Dump("dynamic", dynamic, "", now)
    yield Dump("dynamic of short sequences", flags(d, rope_type="dynamic", factor=4, max_position=65536), "", table(theta))
    yield Dump("dynamic", dynamic, "scaling-missing", table(theta))
    yield Dump("regrown", dynamic, "scaling-parameter",
               tuple(np.where((P >= 4096)[:, None], after, before) for after, before in zip(now, table(theta))))
    yield Dump("static", dynamic, "scaling-parameter", table(ntk(d, 10000, 13)))
    still, of_part = theta * (np.arange(n) < n // 2), np.zeros(n, np.float32)
    of_part[:n // 2] = inv_freq(n)
    proportional = flags(d, rope_type="proportional", partial_rotary_factor=0.5)
    yield Dump("proportional", proportional, "", table(still))
    yield Dump("of the part", proportional, "exponent-divisor", table(of_part))
    yield Dump("proportional", proportional, "scaling-missing", table(theta))
    yield Dump("half of the pairs", flags(d), "rotary-dim", table(still))


def widths(d):
    part = d // 4 * 2
    asked, rows = [*flags(d), "--rotary-dim", str(part)], table(inv_freq(part))
    yield Dump("a part", asked, "", rows, head=d)
    yield Dump("all", asked, "rotary-dim", table(inv_freq(d)), rotate)
    yield Dump("the end", asked, "rotary-dim", rows, lambda q, c, s: rotate(q, c, s, first=d - part), d)
    yield Dump("of the head", asked, "exponent-divisor", table(inv_freq(part, divisor=d)), head=d)
    yield Dump("a part alone", flags(d), "rotary-dim", rows, rotate, d)


def positions(d):
    theta, plain = inv_freq(d), flags(d)
    for offset in 1, 100, -1:
        yield Dump(f"{offset}", plain, "position-offset", table(theta, P + offset), parameters={"offset": offset})
    for scale in 0.25, 2:
        yield Dump(f"{scale}", plain, "position-scale", table(theta, P * scale), parameters={"scale": scale})
    yield Dump("degrees", plain, "position-scale", table(theta * np.float32(180 / math.pi)))
    for last in 0, 1000:
        yield Dump(f"clamped to {last}", plain, "position-collapse", table(theta, np.minimum(P, last)))
    yield Dump("in fours", plain, "position-collapse", table(theta, P // 4 * 4))
    for period in 1024, 4096:
        yield Dump(f"{period}", plain, "position-wrap", table(theta, P % period), parameters={"period": period})


def precisions(d):
    theta, plain = inv_freq(d), flags(d)
    for fmt in "bfloat16", "float16":
        for part, mistake in ("inv", "inv-freq"), ("pos", "position"), ("prod", "angle"):
            yield Dump(fmt, plain, f"{mistake}-precision", table(theta, **{part: fmt}))
        yield Dump(f"all {fmt}", plain, "angle-precision", table(theta, P, fmt, fmt, fmt))
        yield Dump(fmt, plain, "table-precision", tuple(ROUND[fmt](t) for t in table(theta)), formats=("float32",))
    for part, mistake in ("inv", "inv-freq"), ("pos", "position"), ("prod", "angle"):
        yield Dump("bfloat16, cut", plain, f"{mistake}-precision", table(theta, **{part: "bfloat16 cut"}))
    for how in "tf32", "tf32 cut", "tf32 away":
        yield Dump(how, plain, "angle-precision", table(theta, P, how, how))
    yield Dump("added up", plain, "recurrence", accumulated(theta))


SHORT = {"half_split": "half", "interleaved": "interleaved"}


def written_orders(d):
    """How pairs are read, and the order in which the rotated dimensions are written."""
    dimensions = np.arange(d)
    evens, halves = np.concatenate([dimensions[0::2], dimensions[1::2]]), np.roll(dimensions, d // 2)
    return {"even-dimensions-first": ("half_split", evens), "halves-swapped": ("half_split", halves),
            "halves-interleaved": ("interleaved", np.stack([dimensions[:d // 2], dimensions[d // 2:]], 1).ravel()),
            "dimensions-swapped": ("interleaved", dimensions ^ 1)}


def halves(d, other, width=None):
    """Rotates pairs of halves, whose second dimension is other(x1, x2, c, s); or, if the first is given, from it."""
    width = width or d

    def rotation(q, c, s):
        x1, x2 = q[:, :width // 2], q[:, width // 2:width]
        return np.concatenate([*other(x1, x2, c, s), q[:, width:]], 1)
    return rotation


def by_two_layouts(d, sign=-1, width=None):
    """The vectors pair dimensions by halves, and the table is for interleaved pairs."""
    def other(x1, x2, c, s):
        (c1, c2), (s1, s2) = (np.split(np.repeat(t, 2, 1), 2, 1) for t in (c, s))
        return x1 * c1 + sign * x2 * s1, x2 * c2 + x1 * s2
    return halves(d, other, width)


def mixed(d):
    plain, rows = flags(d, 500000), table(inv_freq(d, 500000))
    yield Dump("by two layouts", plain, "pair-layout", rows, by_two_layouts(d))
    for name, (layout, order) in written_orders(d).items():
        yield Dump(name, plain, "pair-layout", rows,
                   lambda q, c, s, layout=layout, order=order: rotate(q, c, s, SHORT[layout])[:, order],
                   parameters={"before": layout, "after": name.replace("-", " ")})
    yield Dump("second from first", plain, "rotated-in-place", rows,
               halves(d, lambda x1, x2, c, s: (y := x1 * c - x2 * s, x2 * c + y * s)))
    yield Dump("no minus", plain, "rotate-half-sign", rows, halves(d, lambda x1, x2, c, s: (x1 * c + x2 * s, x2 * c + x1 * s)))


T, H, W = 0, 1, 2
SECTIONS = {64: ((8, 12, 12), (12, 10, 10)), 96: ((12, 18, 18), (18, 15, 15)), 128: ((16, 24, 24), (24, 20, 20))}
_ids = np.random.default_rng(1)
PLACES = np.stack([P, np.sort(_ids.integers(0, 4000, len(P))), _ids.integers(0, 3000, len(P))])


def several(d):
    """Pairs that follow several position axes, by the right map and by others."""
    in_a_row, in_turns = SECTIONS[d]
    theta, first, second = inv_freq(d, 1000000), sectioned(in_a_row), interleaved(in_turns, d // 2)
    rows = flags(d, 1000000, axes="sectioned", mrope_section=",".join(map(str, in_a_row)))
    turns = flags(d, 1000000, axes="interleaved", mrope_section=",".join(map(str, in_turns)))
    for what, asked, wanted, axis in (
            ("sectioned", rows, "", first), ("interleaved", turns, "", second),
            ("interleaved", rows, "axis-map", interleaved(in_a_row, d // 2)),
            ("sectioned", turns, "axis-map", sectioned(in_turns)), ("time alone", rows, "axis-map", 0 * first),
            ("in a cycle", turns, "axis-map", (second + 1) % 3), ("exchanged", rows, "axis-map", np.array((T, W, H))[first]),
            ("other lengths", rows, "axis-map", sectioned((in_a_row[1], in_a_row[0], in_a_row[2])))):
        yield Dump(what, asked, wanted, several_axes(theta, axis, PLACES), positions=PLACES)
    row = np.arange(len(P))
    for wanted, changes in (
            ("position-offset", {H: lambda m: m + 3}), ("position-offset", {axis: lambda m: m + 1 for axis in (T, H, W)}),
            ("position-collapse", {W: lambda m: np.minimum(m, 999)}), ("position-wrap", {H: lambda m: (m + 128) % 256 - 128}),
            ("position-wrap", {T: lambda m: m % 300}), ("position-scale", {W: lambda m: 2 * m}),
            ("position-source", {axis: lambda m: row for axis in (T, H, W)}), ("position-source", {H: lambda m: row}),
            ("axis-map", {H: lambda m: PLACES[T]}),
            ("position-offset position-collapse", {H: lambda m: m - 1, W: lambda m: np.minimum(m, 999)})):
        moved = np.stack([changes.get(axis, lambda m: m)(ids) for axis, ids in enumerate(PLACES)])
        yield Dump(f"on axes {list(changes)}", rows, wanted, several_axes(theta, first, moved), positions=PLACES)


def together(d):
    theta, plain, other, exact = inv_freq(d), flags(d), inv_freq(d, 41234.5), {"formats": ("float32",)}
    linear, of_yarn, amplitude, of_llama3 = scaled_configs(d)
    (c, s), (c0, s0), (c7, s7) = table(other), table(theta), table(theta, P + 7)
    yield Dump("", plain, "base position-offset", table(other, P + 7))
    yield Dump("", plain, "base direction", (c, -s))
    yield Dump("", plain, "base cos-sin-swapped", (s, c))
    yield Dump("", plain, "base pair-layout", (c, s), in_turn)
    yield Dump("", plain, "base table-precision", (bf16(c), bf16(s)), **exact)
    yield Dump("", plain, "base inv-freq-precision", table(other, inv="bfloat16"))
    # 8 bits of bfloat16 leave the base of a few turns open
    yield Dump("", plain, "base position-wrap", table(other, P % 4096), formats=("float32", "float16"))
    yield Dump("", [*plain, "--rotary-dim", str(d // 2)], "base rotary-dim", (c, s), rotate)
    for fmt in "bfloat16", "float16":
        yield Dump(fmt, plain, "position-offset inv-freq-precision", table(theta, P + 7, inv=fmt))
    yield Dump("", plain, "direction position-offset", (c7, -s7))
    yield Dump("", plain, "pair-layout position-offset", (c7, s7), in_turn)
    yield Dump("", linear, "scaling-missing position-offset", table(theta, P + 1))
    yield Dump("its amplitude is right", of_yarn, "scaling-missing", table(theta, scale=amplitude))
    c1, s1 = table(yarn(d, 10000, 8, 4096, truncate=False), scale=amplitude)
    yield Dump("", of_yarn, "scaling-parameter direction", (c1, -s1))
    yield Dump("", of_yarn, "scaling-parameter attention-factor", table(yarn(d, 10000, 8, 4096, truncate=False)))
    # rope_theta and the scaling are both wrong, as when a config's rope section is not read
    yield Dump("yarn lost", of_yarn, "base scaling-missing", (c, s), **exact)
    yield Dump("yarn for none", plain, "base scaling-type", table(yarn(d, 500000, 4, 8192), scale=0.1 * math.log(4) + 1), **exact)
    yield Dump("llama3 lost", of_llama3, "base scaling-missing", (c, s), **exact)
    yield Dump("llama3 for none", plain, "base scaling-type", table(llama3(d, 500000, 16)), **exact)
    yield Dump("linear", linear, "base position-wrap", table(other / np.float32(4), P % 4096), **exact)
    # two rows have each other's position
    swapped = P.copy()
    swapped[[7, 30]] = swapped[[30, 7]]
    yield Dump("", plain, "rows-swapped base", table(other, swapped), **exact)
    cr, sr = table(theta, swapped)
    yield Dump("", plain, "rows-swapped direction", (cr, -sr), **exact)
    yield Dump("", plain, "rows-swapped pair-layout", (cr, sr), in_turn, **exact)
    # one entry of inv_freq holds uninitialised memory; only the products show its value
    for entry in 23486.0, 1310.25:
        yield Dump(f"{entry}", plain, "inv-freq-entry", table(np.where(np.arange(d // 2) == 3, entry, theta)), **exact)
        yield Dump(f"{entry}", plain, "inv-freq-entry base", table(np.where(np.arange(d // 2) == 3, entry, other)), **exact)
    yield Dump("", plain, "pair-layout rotate-half-sign", (c0, s0), by_two_layouts(d, 1), **exact)
    yield Dump("", plain, "pair-layout rotary-dim", table(inv_freq(d // 2)), by_two_layouts(d, -1, d // 2), d, **exact)

    def last_dimensions_plus(q, c, s):
        a, b = q[:, d // 2:d // 4 * 3], q[:, d // 4 * 3:]
        return np.concatenate([q[:, :d // 2], a * c + b * s, b * c + a * s], 1)
    yield Dump("", [*plain, "--rotary-dim", str(d // 2)], "rotary-dim rotate-half-sign", table(inv_freq(d // 2)),
               last_dimensions_plus, d, **exact)


def names_of(explanation):
    """The mistake, equivalent names, and names that fit the data as well."""
    others = explanation["equivalent"] + explanation["also_fits"]
    return {explanation["mistake"], *(name.split()[0] for name in others)}


def naming(wanted, parameters, tolerance):
    """Checks that the report has these names, and the parameters if it has the name itself."""
    def fault(report):
        found = report["diagnosis"]
        own = found[0]["parameters"] if found and found[0]["mistake"] == wanted[0] else {}
        wrong = [key for key, value in parameters.items() if own and (own.get(key) != value if isinstance(value, str) else
                 not abs(own.get(key, math.nan) - value) <= tolerance * abs(value))]
        named = set().union(*map(names_of, found[:1] if len(wanted) == 1 else found))
        return "" if set(wanted) <= named and not wrong else f"named {[names_of(one) for one in found]}, {own}"
    return fault


def case(dump, fmt, is_table):
    name = f"{dump.wanted or 'right'}: {dump.what} of {dump.flags[1]}, {'a table' if is_table else 'vectors'} in {fmt}"
    arrays = {"position_ids": dump.positions}
    if is_table:
        arrays |= store("cos", dump.rows[0], fmt) | store("sin", dump.rows[1], fmt)
    else:
        q = normal(len(P), dump.head or 2 * dump.rows[0].shape[1], fmt=fmt)
        with np.errstate(invalid="ignore"):
            y = (dump.rotation or rotate)(q, *(ROUND[fmt](t) for t in dump.rows))
        arrays |= store("q", q, fmt) | store("q_rot", np.float32(y), fmt)
    if not dump.wanted:
        return Case(name, arrays, dump.flags, [])
    tolerance = 2e-3 if fmt == "float32" else 5e-2
    return Case(name, arrays, dump.flags, None, 1, check=naming(dump.wanted.split(), dump.parameters, tolerance))


def cases():
    kinds = layouts, bases, scalings, lists, widths, positions, precisions, mixed, several, together
    for first, d in enumerate((64, 96, 128)):  # each dump with one of these head sizes
        every = itertools.chain(*(kind(d) for kind in kinds))
        for number, dump in enumerate(itertools.islice(every, first, None, 3)):
            for k, fmt in enumerate(dump.formats):
                yield case(dump, fmt, dump.rotation is None and (number + k) % 2 == 0)
