"""Dumps whose values exclude the most obvious name."""
import numpy as np

import compared
import mistakes
from rotary import (ROUND, bf16, cos_sin, fp16, image, inv_freq, llama3, rng, rotate, sectioned, several_axes, table, tf32,
                    transformed, turns as turns_of, yarn)

HEADS = ["--dim", "64", "--axes", "bhsd"]


def Case(title, arrays, flags, names=None, expects="", excludes="", refused=""):
    return compared.Case(title, arrays, flags, names, 2 if refused else 1, expects or refused, excludes)


def q_of(rows, heads=4):
    return rng.standard_normal((1, heads, rows, 64)).astype(np.float32)


def turned(q, c, s):
    return rotate(q, c, s).astype(np.float32)


def doubled(x):
    return np.concatenate([x, x], -1)


def vectors(q, y):
    return {"q": q, "q_rot": y}


def lost_values():
    q, (c, s) = q_of(40), table(inv_freq(64), np.arange(40))
    yield Case("zero", vectors(q * 0, q * 0), HEADS, refused="vectors are zero in every pair")
    big = np.clip(q * 60000, -65000, 65000).astype(np.float16)
    with np.errstate(over="ignore"):
        y = turned(big.astype(np.float32), c, s).astype(np.float16)
    yield Case("overflow", vectors(big, y), HEADS, [], "exceeds the largest float16 number", "meta-device")
    for rows in (1, 5):
        given = q.copy()
        given[:, 2:, 7:7 + rows] = np.nan
        yield Case(f"NaN of q in {rows}", vectors(given, turned(given, c, s)), HEADS, [],
                   "the vectors before the rotation are not finite in", "meta-device")
    y = turned(q, c, s)
    y[:, :, 7:12, 3] = np.nan
    yield Case("NaN of the kernel", vectors(q, y), HEADS, [("uninitialised", {"not_finite": 20})])
    for fmt in "float32", "bfloat16":
        short, page = ROUND[fmt](q).astype(np.float32), slice(16, 24)
        for rows, value in (page, 0), (page, 2.0 ** 30), (slice(20, 21), 0):
            lost = ROUND[fmt](turned(short, c, s)).astype(np.float32)
            lost[:, :, rows] = value
            yield Case(f"{fmt}: {value} in {rows}", vectors(short, lost), HEADS,
                       [("uninitialised", {"rows": "memory" if value else "zero"})], "all others match the config")
    y[:, :, 7:12, 3] = np.inf
    yield Case("no overflow", vectors(q, y), HEADS, [("uninitialised", {"not_finite": 20})])


def lawful_in_16_bits():
    """Two mistakes of frequencies. 16 bits leave the order of slow pairs open; the report must still name a rule."""
    flags = ["--dim", "32", "--axes", "bhsd", "--base", "500000", "--rope", "rope_type=yarn,factor=16,original_max_position_embeddings=256", "--max-position", "4096", "--rope", "attention_factor=1.25"]
    for last in 32, 40, 56, 80:
        at = np.arange(96) % last
        c, s = (bf16(1.25 * x) for x in table(yarn(32, 1e7, 16, 4096), at))
        q = bf16(rng.standard_normal((1, 2, 96, 32)).astype(np.float32))
        y = bf16(np.stack([rotate(head, c, s) for head in q[0]])[None])
        yield Case(f"yarn of another base and length, documents of {last}", {**vectors(q, y), "position_ids": at},
                   flags, excludes="by no rule")


def last_rows():
    for heads in 1, 4:
        for rows, missed in (32, 1), (32, 2), (33, 1), (300, 44):
            q = q_of(rows, heads)
            y = turned(q, *table(inv_freq(64), np.arange(rows)))
            y[:, :, -missed:] = q[:, :, -missed:]
            yield Case(f"{missed} of {rows} rows missed", vectors(q, y), HEADS,
                       [("not-rotated", {"from": rows - missed})], excludes="position-wrap")
    q = q_of(40)
    yield Case("wrap", vectors(q, turned(q, *table(inv_freq(64), np.arange(40) % 31))), HEADS,
               [("position-wrap", {"period": 31})])


def other_positions():
    # the second sequence uses the position_ids of the first, which are 100 less
    q, at = np.concatenate([q_of(48), q_of(48)]), np.stack([np.arange(48) + 3, np.arange(48) + 103])
    y = np.concatenate([turned(one[None], *table(inv_freq(64), at[0])) for one in q])
    yield Case("ids of sequence 0", {**vectors(q, y), "position_ids": at}, HEADS,
               [("position-offset", {"offset": -100})], "position-source source=sequence 0", "row number")


def equivalents():
    at = np.arange(4096)
    both = {"format": "tf32", "rounded": "inv_freq and positions"}
    # float16 also has 11 significant bits: the results are equal only if positions are rounded, too
    yield Case("TF32", cos_sin(table(tf32(inv_freq(64)), tf32(at)), doubled),
               ["--dim", "64"], [("angle-precision", both)],
               "inv-freq-precision format=float16 rounded=inv_freq and positions")
    # huggingface/transformers#48428
    for how, words in ("cut", "toward zero"), ("away", "ties away"):
        rounded = ROUND[f"tf32 {how}"]
        yield Case(f"TF32 {how}", cos_sin(table(rounded(inv_freq(64)), rounded(at)), doubled),
                   ["--dim", "64"], [("angle-precision", {**both, "rounding": words})])
    yield Case("float16", cos_sin(table(fp16(inv_freq(64)), at), doubled),
               ["--dim", "64"], [("inv-freq-precision", {"format": "float16"})], excludes="rounded=")


def scaled_tables():
    # linear scaling with and without another base; 16-bit tables round cos and sin of small angles alike
    at = np.arange(512)
    for base, named in (10000, []), (500000, [("base", {"rope_theta": 500000})]):
        rows = table(inv_freq(64, base), at / 8)
        scale = ("position-scale", {"scale": 0.125})
        yield Case(f"float16, linear 8, base {base}", cos_sin(rows, np.float16),
                   ["--dim", "64"], [scale, *named])
        yield Case(f"bfloat16 as float32, linear 8, base {base}", cos_sin(rows, bf16),
                   ["--dim", "64"], [("table-precision", {"format": "bfloat16"}), scale, *named])


def twice():
    q, at = q_of(16), np.arange(16)
    (c, s), (c2, s2), (c1, s1) = (table(inv_freq(64), m) for m in (at, 2 * at, 2 * at - 1))
    scaled = ("position-scale", {"scale": 2})
    yield Case("2m", vectors(q, turned(q, c2, s2)), HEADS, [("rotated-twice", {})])
    yield Case("2m, bfloat16", vectors(q, turned(q, bf16(c2), bf16(s2))), HEADS,
               [("table-precision", {}), scaled])
    yield Case("2m, swapped", vectors(q, turned(q, s2, c2)), HEADS, [("cos-sin-swapped", {}), scaled])
    yield Case("2m - 1", vectors(q, turned(q, c1, s1)), HEADS,
               [("position-scale", {"scale": 2, "offset": -1})])
    yield Case("twice, swapped", vectors(q, turned(turned(q, s, c), s, c)), HEADS,
               [("cos-sin-swapped", {}), ("rotated-twice", {})], excludes="position-scale")
    yield Case("twice, reversed", vectors(q, turned(turned(q, c, -s), c, -s)), HEADS,
               [("direction", {}), ("rotated-twice", {})], "position-scale scale=2")


def small_errors():
    # reduction by a float32 2π: a few values fail, by an error that grows with the angle
    turn, angle = np.float32(2 * np.pi), np.outer(np.arange(4096, dtype=np.float32), inv_freq(64))
    angle = (angle - np.round(angle / turn).astype(np.float32) * turn).astype(np.float32)
    yield Case("reduction by a float32 2π", cos_sin((np.cos(angle), np.sin(angle)), doubled),
               ["--dim", "64"], [("angle-precision", "angles are inaccurate by up to 3.1 float32 roundings of their size")])


def strided():
    twice = llama3(128, 500000, 8).astype(np.float64)
    wave = 2 * np.pi / twice
    mixed = (8192 / wave - 1) / 3
    twice = np.where(wave > 8192, twice / 8, np.where(wave < 2048, twice, (1 - mixed) * twice / 8 + mixed * twice))
    flags = ["--dim", "128", "--base", "500000", "--rope", "rope_type=llama3,factor=8,low_freq_factor=1,high_freq_factor=4,original_max_position_embeddings=8192"]
    for step in 7, 64:
        at = np.arange(256) * step
        yield Case(f"llama3 twice, every {step}", cos_sin(table(twice.astype(np.float32), at), lambda x: np.float32(doubled(x)), position_ids=at), flags, [],
                   f"known up to 2π/{step}")
        yield Case(f"base, every {step}", cos_sin(table(inv_freq(64, 12345), at), lambda x: np.float32(doubled(x)), position_ids=at), ["--dim", "64"],
                   [("base", {"rope_theta": 12345})])


def dynamic(theta, length, base=10000, factor=4, trained=256):
    """transformers' _compute_dynamic_ntk_parameters"""
    stretch = factor * length / trained - (factor - 1)
    return inv_freq(theta, base * stretch ** (theta / (theta - 2)))


def stale():
    """A cache that was computed for another sequence length (huggingface/transformers#46624)."""
    for factor, made, rows, rotary in (4, 512, 1024, 64), (4, 3000, 600, 64), (2.5, 300, 1000, 128):
        flags = ["--dim", str(rotary), "--rope", f"rope_type=dynamic,factor={factor}", "--max-position", "256"]
        yield Case(f"base of {made} for {rows}", cos_sin(table(dynamic(rotary, made, factor=factor), np.arange(rows)), np.float64), flags,
                   [("scaling-parameter", {"seq_len": made})])


def still():
    """One batch entry is not rotated, and the other has a different fault."""
    q = np.stack([q_of(48)[0], q_of(48)[0]])
    c, s = table(inv_freq(64), np.arange(1, 49))
    y = np.stack([q[0], turned(q[1:], s, c)[0]])
    yield Case("not rotated, and swapped", {**vectors(q, y), "position_ids": np.tile(np.arange(1, 49), (2, 1))},
               HEADS, [("not-rotated", {"batch": "0"}), ("cos-sin-swapped", {"batch": "1"})])


def divided():
    """Positions after an integer division."""
    for step, rows in (2, 400), (3, 120), (64, 399):
        q, at = q_of(rows), np.arange(rows)
        yield Case(f"m // {step}", vectors(q, turned(q, *table(inv_freq(64), at // step))), HEADS,
                   [("position-collapse", {"divisor": step})])


def one_row():
    c, s = (x.astype(np.float32) for x in table(inv_freq(64), np.arange(256)))
    c[100], s[100] = -c[100], -s[100]
    yield Case("one row of 256 negated", {"cos": c, "sin": s}, ["--dim", "64"], expects="at position 100")


def written_orders():
    """Rotated dimensions in an order that no layout has, in every format; also with a second fault."""
    flags, at = ["--dim", "64"], np.arange(48)
    for name, (layout, order) in mistakes.written_orders(64).items():
        layout_mistake = ("pair-layout", {"before": layout, "after": name.replace("-", " ")})
        for base, offset, names in ((10000, 0, []), (500000, 0, [("base", {"rope_theta": 500000})]),
                                    (10000, 3, [("position-offset", {"offset": 3})])):
            for fmt in ("float32", "bfloat16", "float16") if not names else ("float32",):
                q = ROUND[fmt](q_of(48)[0, 0])
                c, s = (ROUND[fmt](x.astype(np.float32)) for x in table(inv_freq(64, base), at + offset))
                y = ROUND[fmt](rotate(q, c, s, mistakes.SHORT[layout]).astype(np.float32))[:, order]
                yield Case(f"{name}, {fmt}, {names}", vectors(q, y), flags, [layout_mistake, *names])


SECTIONS = ["--dim", "64", "--rope", "axes=sectioned,mrope_section=8,12,12"]


def image_ids(text, high, wide, after):
    """Ids of text, an image and text by Qwen2-VL's rule, and a mask of the image's rows."""
    rows = np.arange(text + high * wide + after)
    return image(text, 1, high, wide, after), (rows >= text) & (rows < text + high * wide)


def of_axes(title, ids, given, names, axis=sectioned((8, 12, 12)), batch=1, **more):
    """Heads at positions `given` in a dump with position_ids `ids`; both are [3, rows] or [3, batch, rows]."""
    ids, given = (np.broadcast_to(np.reshape(m, (3, -1, np.shape(m)[-1])), (3, batch, np.shape(m)[-1])) for m in (ids, given))
    q = rng.standard_normal((batch, 2, ids.shape[-1], 64)).astype(np.float32)
    y = np.concatenate([turned(q[b:b + 1], *several_axes(inv_freq(64), axis, given[:, b])) for b in range(batch)])
    yield Case(title, {**vectors(q, y), "position_ids": ids}, [*SECTIONS, "--axes", "bhsd"], names, **more)


def axes():
    ids, image = image_ids(7, 6, 9, 20)
    rows = np.tile(np.arange(ids.shape[1]), (3, 1))
    t, h, w = ids
    yield from of_axes("height and width exchanged", ids, [t, w, h], [("axis-map", {"map": "order 0, 2, 1"})])
    yield from of_axes("every axis at its row", ids, rows, [("position-source", {"source": "row number"})], excludes='"axes"')
    yield from of_axes("height at its row", ids, [t, rows[1], w], [("position-source", {"source": "row number", "axes": "1"})])
    yield from of_axes("height at m + 3", ids, [t, h + 3, w], [("position-offset", {"offset": 3, "axes": "1"})])
    yield from of_axes("m + 3", ids, ids + 3, [("position-offset", {"offset": 3})], excludes='"axes"')
    yield from of_axes("height at the ids of time", ids, [t, t, w], [("axis-map", {"map": "axis 0", "axes": "1"})])
    yield from of_axes("text by its rows", ids, np.where(image, ids, rows),
                       [("position-source", {"source": "row number", "rows": "behind images"})])
    yield from of_axes("image without text", ids, np.where(image, ids - 7, ids), [("position-source", {"source": "image alone"})])
    yield from of_axes("height without text", ids, [t, np.where(image, h - 7, h), w],
                       [("position-source", {"source": "image alone", "axes": "1"})])
    yield from of_axes("width clamped", ids, [t, h, np.minimum(w, 11)], [("position-collapse", {"last": 11, "axes": "2"})])
    yield from of_axes("two of them", ids, [t, h - 1, np.minimum(w, 11)],
                       [("position-offset", {"offset": -1, "axes": "1"}), ("position-collapse", {"last": 11, "axes": "2"})])
    yield from of_axes("sections in another order", ids, ids, [("axis-map", {"map": "sections 12, 8, 12"})],
                       axis=sectioned((12, 8, 12)))
    text = np.tile(np.arange(40), (3, 1))
    yield from of_axes("text, one axis alone", text, [text[0], text[1] + 3, text[2]], [("position-offset", {"offset": 3, "axes": "1"})])
    # the width axis has one id, which leaves the positions of its pairs open
    level = np.stack([np.zeros(40, int), np.arange(40), np.full(40, 5)])
    yield from of_axes("one width", level, [level[0], level[1], level[2] + 3], [("position-offset", {"axes": "2"})],
                       expects="position-scale scale=1.6 axes=2")
    several = np.stack([image_ids(7, 6, 9, 20)[0], image_ids(3, 6, 9, 24)[0]], 1)
    yield from of_axes("sequence 0", several, several[:, :1], [("position-source", {"source": "sequence 0"})], batch=2)
    yield from of_axes("entries exchanged", several, several[:, ::-1],
                       [("position-source", {"source": "other entries", "entries": "0, 1"})], batch=2)
    yield from of_axes("text of two images by its rows", several, np.where(behind(several), np.arange(several.shape[2]), several),
                       [("position-source", {"source": "row number", "rows": "behind images"})], batch=2)


def behind(ids):
    """A mask of the rows after the image, for ids [3, batch, rows]."""
    unlike = np.any(ids != ids[:1], 0)
    return np.arange(ids.shape[2]) > np.array([np.flatnonzero(row).max() for row in unlike])[:, None]


def entries():
    at = np.array([np.arange(40) + first for first in (3, 100, 17)])
    q = rng.standard_normal((3, 2, 40, 64)).astype(np.float32)
    for title, order, names in (
            ("all exchanged", [1, 2, 0], [{"source": "other entries", "entries": "0, 1, 2", "positions_of": "1, 2, 0"}]),
            ("two exchanged", [0, 2, 1], [{"source": "other entries", "entries": "1, 2", "positions_of": "2, 1"}]),
            ("sequence 0", [0, 0, 0], [{"source": "sequence 0"}])):
        y = np.concatenate([turned(q[b:b + 1], *table(inv_freq(64), at[order[b]])) for b in range(3)])
        yield Case(title, {**vectors(q, y), "position_ids": at}, HEADS, [("position-source", one) for one in names])


def slightly_faster():
    """Frequencies that are 2·10⁻⁵ too large, which rounding in two float32 rotations does not explain."""
    k, theta = q_of(192), inv_freq(64)
    yield Case("no shift", {"k": k, "k_rot": turned(k, *table(1.00002 * theta, np.arange(192)))}, HEADS,
               [("position-scale", {})], excludes="two rotations in a row")


def padded_by_negative_rows():
    """Tokens have their own positions. The padding before them has ids of 1 and was rotated to negative positions."""
    q, pads = q_of(40).repeat(3, 0), np.array([0, 7, 19])[:, None]
    own = np.arange(40) - pads
    y = np.concatenate([turned(q[b:b + 1], *table(inv_freq(64), own[b])) for b in range(3)])
    yield Case("negative padding", {**vectors(q, y), "position_ids": np.where(own < 0, 1, own)}, HEADS,
               [("position-source", {}), ("position-source", {}), ("position-offset", {}), ("position-offset", {})],
               "position m − 7, not m, where m is the row number", "the scores stay the same")


def padded_by_minus_one():
    """Ids of −1 whose rows are not rotated. In 16 bits, an accumulated angle from 0 explains the other rows as well."""
    for pads in 3, 10:
        at = np.concatenate([np.full(pads, -1), np.arange(100 - pads)])
        for fmt in "float32", "bfloat16", "float16":
            q = ROUND[fmt](q_of(100)).astype(np.float32)
            y = ROUND[fmt](turned(q, *table(inv_freq(64), np.maximum(at, 0)))).astype(np.float32)
            yield Case(f"padding of -1, {pads} rows, {fmt}", {**vectors(q, y), "position_ids": at}, HEADS,
                       [("position-collapse", {"first": 0})], "not-rotated")


def free_scales():
    """A scale with five digits is not half of it with two rotations, nor a scale with four digits and an offset."""
    for scale, start, rows, base in ((1.3858, 3000, 64, 10000), (1.0416, 3000, 300, 10000), (0.58514, 20000, 64, 10000),
                                     (0.69396, 3000, 300, 500000), (1.88409, 20000, 300, 500000),
                                     (0.46128, 20000, 64, 10000), (1.82856, 0, 64, 1000000)):
        for fmt in "bfloat16", "float16":
            q = ROUND[fmt](q_of(rows)).astype(np.float32)
            at = start + np.arange(rows)
            y = ROUND[fmt](turned(q, *table(inv_freq(64, base), scale * at))).astype(np.float32)
            yield Case(f"{fmt}: positions from {start} on times {scale}", {**vectors(q, y), "position_ids": at},
                       [*HEADS, "--base", str(base)], [("position-scale", {})])


def cut_tables():
    """Values truncated to 16 bits, as by >> 16, instead of rounded: errors up to one unit toward 0."""
    for dim, base, rows in (128, 10000, 200), (64, 500000, 32), (64, 10000, 8):
        both = [np.float32(t) for t in table(inv_freq(dim, base), np.arange(rows))]
        over = [np.abs(t.astype(np.float16)) > np.abs(t) for t in both]
        halves = [np.where(o, np.nextafter(t.astype(np.float16), np.float16(0)), t.astype(np.float16))
                  for o, t in zip(over, both)]
        words = [(t.view(np.uint32) & np.uint32(0xffff0000)).view(np.float32) for t in both]
        for fmt, (c, s) in ("float16", halves), ("float16", np.float32(halves)), ("bfloat16", words):
            yield Case(f"cut to {fmt}, {rows} rows of {dim}", {"cos": c, "sin": s},
                       ["--dim", str(dim), "--base", str(base)],
                       [("table-precision", {"format": fmt, "rounding": "toward zero"})])


def amplitudes():
    """yarn with another factor: the report says whether the attention factor follows the config or the other factor."""
    flags = ["--dim", "64", "--rope", "rope_type=yarn,factor=4,original_max_position_embeddings=4096"]
    for fmt in ROUND["float32"], ROUND["bfloat16"]:
        for factor, words in (8, "the attention factor is 1.20794 with it, not 1.13863"), (
                4, "the attention factor is the config's, 1.13863"):
            rows = table(yarn(64, 10000, 8, 4096), np.arange(600), scale=0.1 * np.log(factor) + 1)
            yield Case(f"yarn's factor 8 and {factor}", cos_sin(rows, fmt), flags, None, words)


def each_head():
    """Each head has a different fault."""
    q = q_of(64)
    y = [turned(q[:, h:h + 1], *table(inv_freq(64, base), np.arange(64)))[0] for h, base in enumerate(
        (1e4, 5e4, 5e5, 1e6))]
    yield Case("a base a head", vectors(q, np.stack(y, 1)), HEADS + ["--base", "500000"],
               [("base", {"rope_theta": base}) for base in (1e4, 5e4, 1e6)], excludes="not explained")
    y = [turned(q[:, h:h + 1], *table(inv_freq(64), np.arange(64) + h))[0] for h in range(4)]
    yield Case("an offset a head", vectors(q, np.stack(y, 1)), HEADS,
               [("position-offset", {"offset": k}) for k in (1, 2, 3)], excludes="not explained")


def heads_of_entries():
    """Rows at their heads' numbers, and one batch entry that is not rotated: each name is limited to its rows."""
    q = q_of(64, 2).repeat(3, 0)
    y = q.copy()
    y[1:, 1] = turned(q[:1, 1:], *table(inv_freq(64), np.ones(64)))[0]
    yield Case("heads of entries", vectors(q, y), HEADS,
               [("position-collapse", {"position": 1, "batch": "1–2", "heads": "1"}), ("not-rotated", {"batch": "0"}),
                ("not-rotated", {"batch": "1–2", "heads": "0"})])


def only_frequencies():
    """inv_freq has no positions, and determines frequencies that large angles leave open."""
    flags, theta = ["--dim", "64", "--base", "500000"], inv_freq(64, 500000)
    for name, values in ("zero", 0 * theta), ("tiny", np.abs(rng.standard_normal(32)) * 1e-30):
        yield Case(f"{name} inv_freq", {"inv_freq": values.astype(np.float32)}, flags,
                   [("uninitialised", {"inv_freq": "zero"})])
    for name, values in ("power", 500000.0 ** (np.arange(0, 64, 2) / 64)), ("reciprocal", 1 / theta):
        yield Case(f"exponent's sign by {name}", {"inv_freq": values.astype(np.float32)}, flags, [("exponent-sign", {})],
                   excludes="no known rule")
    for doubled in np.concatenate([theta, theta]), theta.repeat(2):
        yield Case("another base, every number twice", {"inv_freq": doubled}, ["--dim", "64"],
                   [("base", {"rope_theta": 500000})])


def named_caches():
    """vLLM's cos_sin_cache stores cosines first, whatever row 0 contains."""
    c, s = (x.astype(np.float32) for x in table(inv_freq(64), np.arange(80)))
    yield Case("sines first", {"cos_sin_cache": np.hstack([s, c])}, ["--dim", "64"], [("cos-sin-swapped", {})])


def turns(at, dim, base):
    return turns_of(base ** (-np.arange(0, dim, 2) / dim), at)


def far_positions():
    """At far positions, float32 leaves the angles of fast pairs undetermined; slow pairs determine the mistake."""
    at, flags = 2**31 - 60 + np.arange(120), ["--dim", "128", "--base", "500000", "--axes", "bhsd"]
    q, theta = rng.standard_normal((1, 2, 120, 128)).astype(np.float32), inv_freq(128, 500000)
    wrapped = at.astype(np.int32).astype(np.float64)
    for title, angles in (("float64", np.outer(wrapped, theta)),
                          ("float32", np.outer(wrapped.astype(np.float32), theta.astype(np.float32)))):
        yield Case(f"int32 wrap, {title}", {**vectors(q, turned(q, np.cos(angles), np.sin(angles))), "position_ids": at},
                   flags, [("position-wrap", {"type": "int32"})], "from 2147483648 on they are negative", "rope_theta")
    at = 2**31 - 20 + np.arange(40)
    c, s = turns(at, 64, 2e6)
    yield Case("another base at 2^31", {**vectors(q[:, :, :40, :64], turned(q[:, :, :40, :64], c, s)), "position_ids": at},
               HEADS, [("base", {"rope_theta": 2e6})], excludes="sign")


def undetermined_positions():
    q, at = rng.standard_normal((1, 2, 120, 128)).astype(np.float32), 10**7 + np.arange(120)
    flags = ["--dim", "128", "--base", "500000", "--axes", "bhsd"]
    yield Case("another base at 10^7", {**vectors(q, turned(q, *turns(at, 128, 10000))), "position_ids": at}, flags,
               [("base", {"rope_theta": 1e4})], excludes="0–10 match")
    place = rng.integers(0, 2 * 10**7, 120)
    yield Case("anywhere below 2·10^7", {**vectors(q, turned(q, *turns(place, 128, 10000))), "position_ids": at}, flags,
               [], '"0 of 64 pairs rotate', "0–10 match")


def increasing_frequencies():
    """θ_i = base^(2i/d): float32 leaves the fastest pairs undetermined. Random frequencies of that size get no name."""
    q, at = q_of(512, 2), np.arange(512)
    for base in 1e4, 1e5, 5e5, 1e6, 1e7:
        flags = ["--dim", "64", "--base", repr(base), "--axes", "bhsd"]
        for title, theta, names in (("sign lost", base ** (np.arange(0, 64, 2) / 64), [("exponent-sign", {})]),
                                    ("random", base ** rng.uniform(0, 1, 32), [])):
            angles = np.outer(at, theta.astype(np.float32)).astype(np.float32).astype(np.float64)
            yield Case(f"{title}, base {base:g}", vectors(q, turned(q, np.cos(angles), np.sin(angles))), flags, names,
                       excludes="" if names else "exponent-sign")
    for base in 100, 5e4, 1e6:
        both = [("exponent-sign", {}), ("base", {"rope_theta": base})]
        angles = np.outer(at, (base ** (np.arange(0, 64, 2) / 64)).astype(np.float32)).astype(np.float32)
        rows = np.cos(angles.astype(np.float64)), np.sin(angles.astype(np.float64))
        yield Case(f"sign lost, and base {base:g}", vectors(q, turned(q, *rows)), HEADS, both)
        yield Case(f"sign lost, and base {base:g}, table", cos_sin(rows), ["--dim", "64"], both)


def shifted_in_part():
    """A cache shift by −64 that omits the first rows."""
    k, at = q_of(160), np.arange(160) - 64
    given = np.where(np.arange(160) < 80, at + 64, at)
    yield Case("shifted in part", {"k": k, "k_rot": turned(k, *table(inv_freq(64), given)), "position_ids": at}, HEADS,
               [("position-source", {"rows": "rows 0–79 are for positions 0–79"})])


def inaccurate_sines():
    """sin and cos that lose digits at large angles. Equal errors in a slow pair or at small angles get no name."""
    q, at = q_of(64, 2), np.arange(64) + 60000
    noise = rng.uniform(0.05, 0.1, 64)
    for title, pairs, start, names in (("fastest", [0], 60000, [("angle-precision", {"pairs": "0"})]),
                                       ("two fastest", [0, 1], 60000, [("angle-precision", {"pairs": "0–1"})]),
                                       ("a slow pair", [12], 60000, []), ("small angles", [0], 8, [])):
        angles = np.outer(at - 60000 + start, inv_freq(64))
        angles[:, pairs] += noise[:, None]
        yield Case(f"inaccurate sines, {title}", {**vectors(q, turned(q, np.cos(angles), np.sin(angles))),
                                                  "position_ids": at - 60000 + start}, HEADS, names,
                   excludes="" if names else "angle-precision")
    at = np.unique(np.linspace(0, 131071, 300).astype(int))
    product = lambda angle: np.float32(np.float32(angle) * np.float32(1 / (2 * np.pi))).astype(float)  # kekzl/imp#1630
    for title, angle_of, name in (("right", lambda m, t: np.float32(m * t), []),
                                  ("fraction of a turn", lambda m, t: 2 * np.pi * product(m * t), "angle-precision"),
                                  ("a float32 π", lambda m, t: np.float32(m * t) * (float(np.float32(np.pi)) / np.pi), ""),
                                  ("inaccurate frequencies", lambda m, t: m * t * (1 + 4e-7 * (t < 1)), "")):
        for layout in "half", "interleaved":
            q = q_of(len(at), 2)
            angles = angle_of(np.float64(at)[:, None], inv_freq(64, 1e6)[None]).astype(float)
            yield compared.Case(
                f"inaccurate angles, {title}, {layout}",
                {"q": q, "q_rot": np.float32(rotate(q, np.cos(angles), np.sin(angles), layout)), "position_ids": at},
                [*HEADS, "--base", "1000000", "--layout", layout], [(name, {})] if name else None if name == "" else name,
                excludes="" if name == "angle-precision" else "roundings of their size")


def hidden_in_16_bits():
    """16 bits hide a slow pair and a factor of all pairs within their tolerance; names must not deny them."""
    theta = inv_freq(64, 10000)
    theta[20] = 0
    q = bf16(q_of(128))
    y = bf16(turned(q, *table(theta, np.arange(128))))
    yield Case("pair 20 of 32, others are slow", vectors(q, y), HEADS, [("inv-freq-entry", {"pair": 20})], "", "pairs rotate")
    q, (c, s) = bf16(q_of(128)), table(inv_freq(64), np.arange(128))
    for factor in 1, 1.15:
        y = bf16((factor * transformed(turned(q, c, s), 64)).astype(np.float32))
        words = "another mistake may be left, such as a factor of 1.15 in every pair" if factor > 1.1 else ""
        yield Case(f"{factor} times a transform", vectors(q, y), HEADS, None, ["Hadamard transform", words], "" if words else "may be left")


def one_head():
    """All heads have one inv_freq: a head with another position has the others' frequencies, too."""
    at = np.arange(256)
    theta, q = inv_freq(64, 20000), q_of(256)
    y = turned(q, *table(theta, at))
    y[:, :1] = turned(q[:, :1], *table(theta, at - 1))
    yield Case("head 0 at m - 1, another base", vectors(q, y), HEADS, None, ["position m − 1", "rope_theta is 20000"], "inv_freq of pair")


def cases():
    for kind in (entries, slightly_faster, padded_by_negative_rows, padded_by_minus_one, free_scales, cut_tables, amplitudes,
                 only_frequencies, each_head, heads_of_entries, named_caches, axes, written_orders, lost_values, stale,
                 still, divided, one_row, last_rows, other_positions, equivalents, scaled_tables, twice, small_errors,
                 strided, far_positions, undetermined_positions, increasing_frequencies, shifted_in_part, lawful_in_16_bits,
                 inaccurate_sines, hidden_in_16_bits, one_head):
        yield from kind()
