"""Dumps with other pairs, axes or frequencies than the config: layouts, partial heads, axis maps, unrotated pairs."""
import itertools

import numpy as np

from compared import Case
from positions import ROWS, in_text, orders
from rotary import (ROUND, axis_of_pairs, bf16, cos_sin, exponents, interleaved, inv_freq, normal, rng, rotate,
                    sectioned, several_axes, store, table, turns_on_axes, vectors, yarn)

LAYOUT = "pairs are interleaved instead of half_split"


def both_layouts():
    """The model and its kernel both rotate, with different layouts (NVIDIA/TensorRT-LLM#16378)."""
    def twice(fmt, first, then, positions, rotary=64, theta=None, factor=1.0, late=0):
        theta = inv_freq(rotary) if theta is None else theta
        x = normal(2, 3, len(positions), 64, fmt=fmt)

        def turn(y, layout, at):
            rows = [np.float32(t * factor) for t in table(theta, at)]
            return ROUND[fmt](np.float32(rotate(y, *rows, layout)))

        y = turn(x, first, positions)
        return {"q": x, "q_rot": turn(y, then, positions + late) if then else y, "position_ids": positions}

    names = {"half": "half_split", "interleaved": "interleaved"}
    flags, at = ["--dim", "64", "--axes", "bhsd"], np.arange(100)
    for fmt in "float32", "bfloat16", "float16":
        for first, then in ("half", "interleaved"), ("interleaved", "half"):
            want = [f"every vector is rotated twice, first in {names[first]} pairs and then in {names[then]} ones"]
            for asked in names:
                yield Case(f"{fmt}: {first}, {then}, asked {asked}", twice(fmt, first, then, at), [*flags, "--layout", asked], want)
            yield Case(f"{fmt}: {first}, {then}, late", twice(fmt, first, then, at + 5000), flags, want)
            yield Case(f"{fmt}: {first}, {then}, short", twice(fmt, first, then, at[:6]), flags, want)
            yield Case(f"{fmt}: {first}, {then}, partial", twice(fmt, first, then, at, rotary=32), [*flags, "--rotary-dim", "32"], want)
            yield Case(f"{fmt}: {first}, {then}, yarn", twice(fmt, first, then, at, theta=yarn(64, 150000.0, 32, 4096, truncate=False),
                                                              factor=0.1 * np.log(32) + 1),
                       [*flags, "--base", "150000", "--rope",
                        "rope_type=yarn,factor=32,original_max_position_embeddings=4096,truncate=false"], want)
        yield Case(f"{fmt}: an offset in the second", twice(fmt, "interleaved", "half", at, late=5), flags,
                   [want[0], "every row is for position m + 5, not m"])
        yield Case(f"{fmt}: once", twice(fmt, "half", None, at), flags, [])
        yield Case(f"{fmt}: by another base", twice(fmt, "interleaved", "half", at, theta=inv_freq(64, 5e5)), flags,
                   excludes="rotated twice, first")
        yield Case(f"{fmt}: in one layout", twice(fmt, "half", "half", at), flags, excludes="rotated twice, first")


def part_and_all():
    """The model rotates 32 of 64 dimensions, and its kernel all of them, before or after the model."""
    names, at, x = {"half": "half_split", "interleaved": "interleaved"}, np.arange(100), normal(1, 4, 100, 64)
    for fmt in "float32", "bfloat16":
        def turn(y, layout, width, base=10000.0):
            return ROUND[fmt](np.float32(np.concatenate([rotate(y[..., :width], *table(inv_freq(width, base), at), layout), y[..., width:]], -1)))
        for own, other in itertools.product(names, names):
            flags, q = ["--dim", "64", "--rotary-dim", "32", "--axes", "bhsd", "--layout", own], ROUND[fmt](x)
            case = lambda name, y, *more, **kind: Case(f"{fmt}: {own} of 32, {other} of 64, {name}", {"q": q, "q_rot": y, "position_ids": at}, flags, *more, **kind)
            both = ["every vector is rotated twice: once 64 and once 32 of its dimensions"] if own == other == "interleaved" else None
            yield case("in this order", turn(turn(q, own, 32), other, 64), both or [
                f"every vector is rotated twice, first in {names[own]} pairs of 32 dimensions and then in {names[other]} ones of 64"])
            yield case("in the other order", turn(turn(q, other, 64), own, 32), both or [
                f"every vector is rotated twice, first in {names[other]} pairs of 64 dimensions and then in {names[own]} ones of 32"])
            yield case("by another base", turn(turn(q, own, 32), other, 64, 5e5), excludes="rotated twice")
            yield case("once", turn(q, own, 32), [])


# --- M-RoPE on part of the head: transformers' and ggml's sections (AI-Hypercomputer/maxtext#4616) ---

PLACES = in_text(orders(8, 10)["rows"])
TEXT = np.tile(np.arange(PLACES.shape[1]), (3, 1))


def widths_of_axes():
    flags = ["--dim", "256", "--rotary-dim", "64", "--base", "1e7"]
    turns = [*flags, "--rope", "axes=interleaved,mrope_section=11,11,10"]
    sections = [*flags, "--rope", "axes=sectioned,mrope_section=8,12,12"]
    wide = "all 256 dimensions rotate, not the first 64"

    def in_turn(width, places=PLACES, base=1e7):
        return several_axes(inv_freq(width, base), interleaved((11, 11, 10), width // 2), places)

    def in_sections(width):
        return several_axes(inv_freq(width, 1e7), sectioned(np.array((8, 12, 12)) * width // 64), PLACES)

    for fmt in "float32", "bfloat16", "float16":
        for name, rows, layout, first, spec, want in (
                ("right", in_turn(64), "half", 0, turns, []), ("whole head", in_turn(256), "half", 0, turns, [wide]),
                ("interleaved pairs", in_turn(256), "interleaved", 0, turns, [LAYOUT, wide]),
                ("other base", in_turn(256, base=1e6), "half", 0, turns, ["rope_theta is 1000000 instead of 10000000", wide]),
                ("first 128", in_turn(128), "half", 0, turns, ["the first 128 dimensions rotate instead of 64"]),
                ("first 16", in_turn(16), "half", 0, turns, ["the first 16 dimensions rotate instead of 64"]),
                ("at the end", in_turn(64), "half", 192, turns, ["the last 64 dimensions rotate, not the first"]),
                ("sections, right", in_sections(64), "half", 0, sections, []),
                ("sections of all", in_sections(256), "half", 0, sections, [wide])):
            yield Case(f"{fmt}: {name}", vectors(fmt, rows, layout, first, 256) | {"position_ids": PLACES},
                       [*spec, "--axes", "bhsd"], want)
        yield Case(f"{fmt}: text alone", vectors(fmt, in_turn(256, TEXT), head_dim=256) | {"position_ids": TEXT},
                   [*turns, "--axes", "bhsd"], [wide])
    yield Case("a wide table", cos_sin(in_turn(256), position_ids=PLACES), turns, ["the table is for rotary_dim 256 instead of 64"])
    yield Case("wide frequencies", {"inv_freq": inv_freq(256, 1e7)}, turns, ["the frequencies are for rotary_dim 256 instead of 64"])


def axes_of_other_pairs():
    """Two faults: another layout or rotary_dim, and another map of axes, other positions or another base."""
    models = {"Qwen2-VL": (128, 128, 1e6, "sectioned", (16, 24, 24)), "Qwen3-VL": (128, 128, 5e6, "interleaved", (24, 20, 20)),
              "Qwen3.5": (256, 64, 1e7, "interleaved", (11, 11, 10))}
    other = {"sectioned": "interleaved", "interleaved": "sectioned"}
    for name, (head, width, base, scheme, sections) in models.items():
        flags = ["--dim", str(head), "--rotary-dim", str(width), "--base", repr(base), "--axes", "bhsd",
                 "--rope", f"axes={scheme},mrope_section=" + ",".join(map(str, sections))]
        axis = axis_of_pairs((scheme, sections), width // 2)
        order = np.array([0, 2, 1])
        faults = (("every pair follows axis 0", 0 * axis, PLACES, base),
                  ("axes are taken in the order 0, 2, 1", order[axis], PLACES, base),
                  (f"the pairs' axes are {other[scheme]} instead of {scheme}", axis_of_pairs((other[scheme], sections), width // 2),
                   PLACES, base),
                  (ROWS, axis, TEXT, base), (f"rope_theta is 10000 instead of {int(base)}", axis, PLACES, 1e4))
        for fmt in "float32", "bfloat16":
            for expected, own_axis, places, own_base in faults:
                for layout, second in ("half", []), ("interleaved", [LAYOUT]):
                    rows = several_axes(inv_freq(width, own_base), own_axis, places)
                    yield Case(f"{name}, {fmt}: {layout}, {expected}", vectors(fmt, rows, layout, 0, head) | {"position_ids": PLACES},
                               flags, [expected, *second])
                if width < head and not expected.startswith("the pairs' axes"):
                    wide = interleaved(sections, head // 2) * (1 if any(own_axis) else 0)
                    rows = several_axes(inv_freq(head, own_base), order[wide] if "order" in expected else wide, places)
                    yield Case(f"{name}, {fmt}: width, {expected}", vectors(fmt, rows) | {"position_ids": PLACES}, flags,
                               [f"all {head} dimensions rotate, not the first {width}", expected])


def places_of_pairs():
    """The axis is looked up for another index than the pair's (alibaba/rtp-llm#1086)."""
    i = np.arange(64)
    places = {"2⌊i/2⌋": i & ~1, "2⌊i/2⌋ + 1": i | 1, "⌊i/2⌋": i // 2, "2i mod d/2": 2 * i % 64, "i − 1 mod d/2": i - 1,
              "i + 1 mod d/2": (i + 1) % 64, "d/2 − 1 − i": i[::-1]}
    axis = interleaved((24, 20, 20))
    for layout, fmt in ("half", "float32"), ("half", "bfloat16"), ("interleaved", "float16"), ("interleaved", "float32"):
        flags = ["--dim", "128", "--base", "1000000", "--axes", "bhsd", "--layout", layout,
                 "--rope", "axes=interleaved,mrope_section=24,20,20"]
        dump = lambda own: vectors(fmt, several_axes(inv_freq(128, 1e6), own, PLACES), layout) | {"position_ids": PLACES}
        yield Case(f"{layout} {fmt}: right", dump(axis), flags, [])
        for place, index in places.items():
            # only the slowest pairs distinguish it from an order of the axes
            is_open = place == "i + 1 mod d/2" and fmt != "float32"
            yield Case(f"{layout} {fmt}: {place}", dump(axis[index]), flags,
                       [("axis-map", {} if is_open else {"map": f"pair {place}"})])


def open_positions():
    """A rule on two axes, of which one has only slow pairs, whose values leave its positions open."""
    axis = sectioned((12, 10, 10))
    for fmt in "float32", "float16", "bfloat16":
        for name, rule, want in (("right", lambda p: p, []),
                                 ("wrap", lambda p: np.where([[False], [True], [True]], p % 14, p),
                                  [("position-wrap", {"period": 14} | ({} if fmt == "bfloat16" else {"axes": "1, 2"}))])):
            for layout in "half", "interleaved":
                rows = several_axes(inv_freq(64, 500000.0), axis, rule(PLACES))
                yield Case(f"{name}, {fmt} {layout}", vectors(fmt, rows, layout, heads=4) | {"position_ids": PLACES},
                           ["--dim", "64", "--base", "500000", "--layout", layout, "--rope", "axes=sectioned,mrope_section=12,10,10",
                            "--axes", "bhsd"], want)


def other_words():
    """Combinations that fit another name as well: a start of the exponents as a scale, heads as dimensions."""
    at = np.arange(80)
    lists = [np.round(1 + rate * np.arange(64) / 64, 3) for rate in (0.5, 40)]
    flags = ["--dim", "128", "--base", "5000000", "--axes", "bhsd", "--rope", "rope_type=longrope,seq_len=8192,attention_factor=1,"
             "original_max_position_embeddings=4096," + ",".join(
                 f"{key}=" + ",".join(map(str, one)) for key, one in zip(("short_factor", "long_factor"), lists))]
    for fmt in "float32", "bfloat16":
        for start, list_of, want in ((0, 1, []), (1, 1, ["exponent-start"]), (1, 0, ["scaling-parameter", "exponent-start"])):
            theta = (inv_freq(128, 5e6, start=start) / lists[list_of]).astype(np.float32)
            yield Case(f"longrope, {fmt}: {start}, {list_of}", vectors(fmt, table(theta, at)), [*flags, "--max-position", "32768"],
                       [(one, {}) for one in want])
        rows, x = table(inv_freq(16, 1e6, start=1), at), normal(1, 2, 80, 16, fmt=fmt)
        half = x.reshape(1, 2, 80, 2, 8).astype(float)
        c, s = rows
        y = np.concatenate([half[..., 0, :] * c + half[..., 1, :] * s, half[..., 1, :] * c + half[..., 0, :] * s], -1)
        yield Case(f"heads exchanged, {fmt}", {"q": x, "q_rot": ROUND[fmt](np.float32(y[:, ::-1])), "position_ids": at},
                   ["--dim", "16", "--base", "1000000", "--axes", "bhsd"],
                   [("exponent-start", {}), ("rotate-half-sign", {}), ("head-order", {})])


def separate_frequencies(base, sections):
    """inv_freq with a separate list of exponents for each axis."""
    return np.concatenate([inv_freq(2 * n, base) for n in sections])


def base_and_positions():
    """Two faults: a base that no config has, and wrong positions on one axis or on all."""
    text, image = in_text(orders(12, 16)["rows"]), orders(10, 14)["rows"]
    models = {
        "Qwen2.5-VL": (1e6, "sectioned,mrope_section=16,24,24", sectioned((16, 24, 24)), text, ("float16",)),
        "Qwen3-VL": (5e6, "interleaved,mrope_section=24,20,20", interleaved((24, 20, 20)), text, ("float32", "bfloat16")),
        "Wan": (1e4, "blocks,mrope_section=22,21,21", sectioned((22, 21, 21)), text, ("float16", "bfloat16")),
        "vision": (1e4, "axial", np.repeat((0, 1), 20), image, ("float32", "bfloat16"))}
    for name, (base, axes, axis, ids, formats) in models.items():
        flags = ["--dim", str(2 * len(axis)), "--base", repr(base), "--rope", f"axes={axes}", "--axes", "bhsd"]
        labels = ("axis 0 (time): ", "axis 1 (height): ", "axis 2 (width): ") if len(ids) > 2 else ("axis 0: ", "axis 1: ")

        def moved(which, change):
            return np.stack([change(row) if a == which else row for a, row in enumerate(ids)])

        for fmt in formats:
            for own_base in 3 * base, 29000.0:
                theta = inv_freq(128, own_base) if "Qwen" in name else separate_frequencies(own_base, np.bincount(axis))
                for expected, used in (
                        (f"{labels[-1]}positions are multiplied by 2", moved(len(ids) - 1, lambda m: 2 * m)),
                        (f"{labels[1]}every position beyond 6 is clamped to it", moved(1, lambda m: np.minimum(m, 6))),
                        (ROWS, np.tile(np.arange(len(ids[0])), (len(ids), 1)))):
                    yield Case(f"{name}, {fmt}, {own_base}: {expected}", vectors(fmt, several_axes(theta, axis, used), heads=1) |
                               {"position_ids": ids}, flags, [expected, f"rope_theta is {int(own_base)} instead of {int(base)}"])


def own_head():
    """Dimensions that rotate as a separate smaller head instead of with pairs from the whole head (Gemma 4's
    proportional), or the reverse (partial rotary), with either form's frequencies."""
    own, spread = "rotary-dim rotary_dim=64 dimensions=prefix", "rotary-dim rotary_dim=64 dimensions=spread"
    half, turns = "pair-layout layout=half_split", "pair-layout layout=interleaved"
    by_part, by_head = "exponent-divisor divisor=64", "exponent-divisor divisor=256"
    of_head, of_part = inv_freq(256, 1000000)[:32], inv_freq(64, 1000000)
    first, across = np.arange(64), np.r_[:32, 128:160]
    proportional, partial = ["--rope", "rope_type=proportional,partial_rotary_factor=0.25"], ["--rotary-dim", "64"]
    for fmt in "float32", "bfloat16", "float16":
        for flags, asked, dims, layout, theta, want in (
                (proportional, "half", across, "half", of_head, []),
                (proportional, "half", first, "half", of_head, [own]),
                (proportional, "half", np.arange(128), "half", inv_freq(128, 1000000), ["rotary-dim rotary_dim=128 dimensions=prefix"]),
                (proportional, "half", first, "half", of_part, [own, by_part]),
                (proportional, "half", across, "half", of_part, [by_part]),
                (proportional, "half", first, "interleaved", of_part, [turns, by_part]),
                (proportional, "interleaved", first, "interleaved", of_head, []),
                (proportional, "interleaved", first, "interleaved", of_part, [by_part]),
                (proportional, "interleaved", first, "half", of_head, [half, own]),
                (proportional, "interleaved", first, "half", of_part, [half, own, by_part]),
                (proportional, "interleaved", across, "half", of_part, [half, by_part]),
                (partial, "half", first, "half", of_part, []),
                (partial, "half", across, "half", of_part, [spread]),
                (partial, "half", across, "half", of_head, [spread, by_head]),
                (partial, "half", first, "half", of_head, [by_head]),
                (partial, "half", first, "interleaved", of_head, [turns, by_head]),
                (partial, "interleaved", across, "half", of_part, [spread]),
                (partial, "interleaved", across, "half", of_head, [spread, by_head])):
            q = normal(96, 256, fmt=fmt)
            y, rows = q.copy(), [ROUND[fmt](t) for t in table(theta, np.arange(96))]
            y[:, dims] = ROUND[fmt](rotate(q[:, dims], *rows, layout))
            words = ["--dim", "256", "--base", "1000000", *flags, "--layout", asked]
            name = f"{fmt}: {flags[-1]}, asked {asked}, {layout}: {want}"
            yield Case(name, {**store("q", q, fmt), **store("q_rot", y, fmt)}, words, want)
            if want[:1] == [own]:  # a dimension that must not rotate changes
                y[48, 255] += 0.25
                yield Case(f"{name}, bent", {**store("q", q, fmt), **store("q_rot", y, fmt)}, words, [], 1)


def moved_keys():
    """Keys in a cache that are moved with other frequencies, or in other dimensions, than they were rotated with."""
    for fmt, layout, by in itertools.product(("float32", "bfloat16", "float16"), ("half", "interleaved"), (-40, -7, 25)):
        theta, part = inv_freq(64, 10000), inv_freq(16, 10000)
        x = normal(4, 96, 64, fmt=fmt)
        turn = lambda y, at, by_theta: ROUND[fmt](np.float32(rotate(y, *table(by_theta, at), layout)))

        def of_part(y, at):
            return np.concatenate([turn(y[..., :16], at, part), y[..., 16:]], -1)
        for start in 0, 200, 5000:
            at, move = start + np.arange(96), np.full(96, by)
            once, once_in_part = turn(x, at - by, theta), of_part(x, at - by)
            further = "after the rotation each pair is rotated by a further angle"
            slow = np.where(np.arange(32) < 16, theta, theta * (1 + 0.3 * np.sin(np.arange(32)) / (at[-1] * theta)))
            for name, flags, y, want, without in (
                    ("right", [], turn(once, move, theta), [], ""),
                    ("by another base and factor", [], turn(once, move, inv_freq(64, 1000000) / 8), [("rotated-twice", further)] if start < 5000 else [], ""),
                    ("by another base, far rows too", [], turn(turn(x, np.r_[at[:48], at[48:] + 1] - by, theta), move, inv_freq(64, 1000000)), [], further),
                    ("slow pairs at other rates", [], turn(x, at, slow), None, further),
                    ("right in part", ["--rotary-dim", "16"], of_part(once_in_part, move), [], ""),
                    ("in all dimensions", ["--rotary-dim", "16"], turn(once_in_part, move, theta),
                     [("rotated-twice", {"by": by, "then_dim": 64}), ("position-offset", {"offset": -by})], "")):
                arrays = {**store("k", x, fmt), **store("k_rot", y, fmt), "position_ids": at}
                yield Case(f"moved by {by}, {name}, from {start}, {fmt}, {layout}", arrays,
                           ["--dim", "64", "--layout", "half_split" if layout == "half" else layout, "--axes", "hsd", *flags], want,
                           code=None if name.startswith(("right", "slow")) else 1, excludes=without)


# --- axes with separate frequencies, by another base, exponent or map ---

FLUX, WAN, EVEN = ("blocks", (8, 28, 28)), ("blocks", (22, 21, 21)), ("blocks", (16, 16, 16))
AXIAL, HALVES, EVEN_ODD, IN_TURNS = (("axial", ()), ("halves", ()), ("even_odd", ()), ("alternating", ()))
ONE_LADDER, QWEN = ("sectioned", (8, 28, 28)), ("sectioned", (16, 24, 24))
VIDEO, IMAGE = np.indices((4, 5, 7)).reshape(3, -1), np.indices((9, 13)).reshape(2, -1)
# after 10 rows of text at position 0
ONE_FRAME = np.concatenate([np.zeros((3, 10), int), np.indices((1, 6, 8)).reshape(3, -1)], 1)


def of_ladders():
    """The config's map, number of pairs, ids, the dump's map and frequencies, and the mistake and sentence expected."""
    def theta(axes, pairs, base=10000.0):
        return base ** -exponents(axes, pairs)

    def by(divisors, sections):
        return 1e4 ** -np.concatenate([2 * np.arange(n) / d for n, d in zip(sections, divisors)])

    for ids in VIDEO, ONE_FRAME:
        for base in 256.0, 750.0, 1e6:
            yield FLUX, 64, ids, FLUX, theta(FLUX, 64, base), "base", f"rope_theta is {base:.0f} instead of 10000"
        yield FLUX, 64, ids, ONE_LADDER, theta(ONE_LADDER, 64), "axis-map", "the pairs' axes are sectioned instead of blocks"
        yield ONE_LADDER, 64, ids, FLUX, theta(FLUX, 64), "axis-map", "the pairs' axes are blocks instead of sectioned"
    for axes, divisors, expected in ((WAN, [128] * 3, "−2i/128 instead of −2i/44, −2i/42, −2i/42"),
                                 (WAN, [88, 84, 84], "−2i/88, −2i/84, −2i/84 instead of −2i/44, −2i/42, −2i/42"),
                                 (EVEN, [96] * 3, "−2i/96 instead of −2i/32")):
        yield (axes, sum(axes[1]), VIDEO, axes, by(divisors, axes[1]), "exponent-divisor",
               f"within each axis, the exponent is {expected}")
    other = ("blocks", (21, 21, 22))
    yield WAN, 64, VIDEO, other, theta(other, 64), "axis-map", "the sections are 21, 21, 22"
    for axes in AXIAL, HALVES, IN_TURNS:
        for divisor in 80, 38:
            yield (axes, 40, IMAGE, axes, 1e4 ** -(exponents(axes, 40) * 40 / divisor), "exponent-divisor",
                   f"within each axis, the exponent is −2i/{divisor} instead of −2i/40")
        yield (axes, 40, IMAGE, axes, 1e4 ** -(exponents(axes, 40) + 2 / 40), "exponent-start",
               "within each axis, the exponents start at 2/40, not at 0: pairs are counted from 1")
    yield (EVEN_ODD, 40, IMAGE, EVEN_ODD, 1e4 ** -(exponents(EVEN_ODD, 40) / 2), "exponent-divisor",
           "the exponent is −2i/160 instead of −2i/80")
    for axes in AXIAL, EVEN_ODD, IN_TURNS:
        yield axes, 40, IMAGE, axes, theta(axes, 40, 750), "base", "rope_theta is 750 instead of 10000"
    for axes, other in (AXIAL, EVEN_ODD), (EVEN_ODD, AXIAL), (IN_TURNS, AXIAL), (AXIAL, IN_TURNS):
        yield axes, 40, IMAGE, other, theta(other, 40), "axis-map", f"the pairs' axes are {other[0]} instead of {axes[0]}"
    other = ("sectioned", (20, 20))
    yield AXIAL, 40, IMAGE, other, theta(other, 40), "axis-map", "the pairs' axes are sectioned instead of axial"
    yield QWEN, 64, VIDEO, QWEN, theta(QWEN, 64, 750), "base", "rope_theta is 750 instead of 10000"


def ladders():
    for n, (axes, pairs, ids, used, theta, mistake, what) in enumerate(of_ladders()):
        spec = ["--dim", str(2 * pairs), "--rope", f"axes={axes[0]}"]
        spec[-1] += ",mrope_section=" + ",".join(map(str, axes[1])) if axes[1] else ""
        rows = turns_on_axes(theta, axis_of_pairs(used, pairs), ids)
        fmt = ("float32", "bfloat16", "float16")[n % 3]
        dumps = {"table": cos_sin(rows)}
        if axes != HALVES:  # halves has pairs within each half of the head
            dumps[fmt] = vectors(fmt, [ROUND[fmt](t) for t in rows], heads=1 + n % 2 * 2)
        for kind, arrays in dumps.items():
            yield Case(f"{axes}, {kind}: {what}", arrays | {"position_ids": ids}, spec + (["--axes", "bhsd"] if kind == fmt else []),
                       [(mistake, what)])
    # an unrotated image: the first axis has only position 0
    q = normal(1, 2, ONE_FRAME.shape[1], 128)
    spec = ["--dim", "128", "--rope", "axes=blocks,mrope_section=8,28,28"]
    yield Case("not rotated", {"q": q, "q_rot": q, "position_ids": ONE_FRAME}, [*spec, "--axes", "bhsd"],
               [("not-rotated", "no row is rotated: ")], expects="axis-map map=axis 0")
    # frequencies without a rule: the report names the first wrong row, which has several ids
    c, s = turns_on_axes(1e4 ** -exponents(FLUX, 64) * rng.uniform(0.5, 1, 64), axis_of_pairs(FLUX, 64), ONE_FRAME)
    yield Case("by no rule", {"cos": np.float32(c), "sin": np.float32(s), "position_ids": ONE_FRAME}, spec, [], 1,
               expects="position (0, 0, 1) is wrong, the first of those sampled")


# --- tables whose slow pairs do not rotate, or have another rate, for the pipeline that rounded them ---

def still(base, first):
    return np.where(np.arange(64) < first, inv_freq(128, base), 0).astype(np.float32)


def still_pairs():
    def stored(fused, rows):
        """The same bfloat16 numbers: vectors rotated by them in float32, the table in float32, and in bfloat16."""
        narrow = [bf16(t) for t in rows]
        yield "vectors", vectors("float32", narrow, heads=1)
        columns = {"cos_sin_cache": np.concatenate(narrow, -1)} if fused else dict(zip(("cos", "sin"), narrow))
        yield "in float32", columns
        yield "as bfloat16", {key: value for name, x in columns.items() for key, value in store(name, x, "bfloat16").items()}

    entry = inv_freq(128, 5e5)
    entry[50] *= 3
    rows, flags = np.arange(64), ["--dim", "128", "--base"]
    for pipeline in "bf16-table", "vllm-bf16-cache":
        for name, theta, want in (
                ("right", inv_freq(128, 5e5), []),
                ("pairs 40 to 63 stand still", still(5e5, 40), ["rotary-dim partial_rotary_factor=0.625"]),
                ("pairs 48 to 63 stand still", still(5e5, 48), ["rotary-dim partial_rotary_factor=0.75"]),
                ("pairs 52 to 63 stand still", still(5e5, 52), ["rotary-dim"]),
                ("pair 50 at 3 times its rate", entry, [("inv-freq-entry", {"pair": 50})]),
                ("positions twice", 2 * inv_freq(128, 5e5), ["position-scale scale=2"]),
                ("base 520000", inv_freq(128, 520000), ["base"])):
            for how, arrays in stored(pipeline == "vllm-bf16-cache", table(theta, rows)):
                yield Case(f"{name}, {how}, {pipeline}", arrays, [*flags, "500000", "--pipeline", pipeline], want)
    for first in 54, 58, 62:
        c, s = table(still(5e5, first), rows)
        yield Case(f"pairs {first} to 63 stand still, float16", {"cos": np.float16(c), "sin": np.float16(s)},
                   [*flags, "500000", "--pipeline", "fp16-table"], ["rotary-dim"])
    c, s = table(inv_freq(128, 5e5), rows)
    # table-precision is still reported if the pipeline does not round to bfloat16
    for pipeline in "hf-fp32", "fp16-table":
        yield Case(f"bfloat16 by {pipeline}", {"cos": bf16(c), "sin": bf16(s)}, [*flags, "500000", "--pipeline", pipeline],
                   ["table-precision format=bfloat16"])
    # float16 vectors are too coarse to show each value of a bfloat16 table, but not that all are near one
    for factor, rope in (1, "1000000"), (1 + 0.1 * np.log(8), "1000000 --rope rope_type=yarn,factor=8,original_max_position_embeddings=4096"):
        theta = inv_freq(128, 1e6) if factor == 1 else yarn(128, 1e6, 8, 4096)
        for first in 0, 5000:
            exact = [np.float32(factor * t) for t in table(theta, first + np.arange(24))]
            own, by_bf16 = [*flags, *rope.split(), "--axes", "bhsd", "--positions", f"{first}:{first + 24}"], [bf16(t) for t in exact]
            named = ["table-precision format=bfloat16"]
            yield Case(f"float16 by bfloat16, {factor} from {first}", vectors("float16", by_bf16, heads=8), own, named, excludes="heads ")
            yield Case(f"float16 by bf16-table, {factor} from {first}", vectors("float16", by_bf16, heads=8), [*own, "--pipeline", "bf16-table"], [])
            yield Case(f"float16 by float32, {factor} from {first}", vectors("float16", exact, heads=8), own, [])
    for first in 1, 2, 33, 60:  # 1/∞, from this pair on
        theta = still(1e6, first)
        c, s = map(np.float32, table(theta, rows))
        for arrays in {"cos": c, "sin": s}, vectors("float32", (c, s), heads=1), {"inv_freq": theta}:
            yield Case(f"inv_freq 0 from pair {first} on, {list(arrays)}", arrays, [*flags, "1000000", "--max-position", "4096"],
                       [f"rotary-dim partial_rotary_factor={first / 64:.6g}"])
    # no rule fits: the rotating pairs are not the first ones, and two rates follow no formula
    theta = still(1e6, 1)
    theta[3::5], theta[3] = 0.3, 0.7
    yield Case("pairs by no rule", cos_sin(table(theta, rows)), [*flags, "1000000"], [], 1,
               ["14 of 64 pairs rotate at a constant rate", "too little for any value to show, or not at all"])
    theta[8::5] = 0
    yield Case("two pairs turn", cos_sin(table(theta, rows)), [*flags, "1000000"], [], 1, "2 of 64 pairs rotate at a constant rate",
               "the nearest power law")


def cases():
    for kind in (both_layouts, part_and_all, widths_of_axes, axes_of_other_pairs, places_of_pairs, open_positions, other_words,
                 base_and_positions, own_head, moved_keys, ladders, still_pairs):
        yield from kind()
