"""Faults in part of a dump, faults of row numbers, and operations on vectors or tables in addition to the rotation."""
import itertools

import numpy as np

from compared import Case
from rotary import ROUND, exact, normal, rng, rotate, transformed, turns, vectors

THETA = exact(32)
SPEC = ["--dim", "32", "--axes", "bhsd"]
PI = np.pi


def dump(place, shape=(1, 4, 300), ids=lambda b, i: i, theta=THETA, order=None, angle=lambda a: a, fmt="float32"):
    """Vectors rotated to place(batch entry, head, row, position), with heads in the given order."""
    b, h, i = np.indices(shape)
    m = ids(b, i) + 0 * b
    turned = angle((place(b, h, i, m) + 0.0 * m)[..., None] * theta)
    q = normal(*shape, 32, fmt=fmt)
    y = rotate(q if order is None else q[:, order], np.cos(turned), np.sin(turned))
    return {"q": q, "q_rot": ROUND[fmt](y), "position_ids": m[:, 0] if shape[0] > 1 else m[0, 0]}


def case(name, want, *how, **more):
    return Case(name, dump(*how, **more), SPEC, [want] if isinstance(want, str) else want)


def heads_and_entries():
    one = lambda place: lambda b, h, i, m: place(h, m)
    yield case("a head off by two", "position-offset offset=2 heads=0", one(lambda h, m: m + 2 * (h == 0)))
    for shape in (1, 4, 300), (1, 4, 48):
        yield case(f"a head that does not turn, {shape}", "not-rotated heads=3", one(lambda h, m: m * (h != 3)), shape)
    yield case("a head off, and all backwards", ["direction", "position-offset offset=5 heads=1"], one(lambda h, m: m + 5 * (h == 1)),
               theta=-THETA)
    yield case("an entry off by one", "position-offset offset=1 batch=1", lambda b, h, i, m: m + (b == 1), (3, 2, 100))
    yield case("heads in another order", "head-order heads=0, 2, 1, 3", one(lambda h, m: m), (2, 4, 40), order=[0, 2, 1, 3])
    yield case("along the heads", "position-source source=head number", one(lambda h, m: h), (1, 8, 300))
    yield case("along the heads, one of them off",
               ["position-collapse position=2 heads=3", "position-source source=head number heads=0–2"],
               one(lambda h, m: h - (h == 3)), (2, 4, 40))
    yield case("along the heads, and an entry backwards", ["direction batch=1", "position-source source=head number"],
               lambda b, h, i, m: np.where(b == 1, -h, h), (2, 4, 40))
    noise = rng.uniform(0, 1000, (1, 4, 300))
    yield Case("a head that nothing explains", dump(lambda b, h, i, m: np.where(h == 2, noise, m + 3)), SPEC,
               ["position-offset offset=3 heads=0–1, 3"], expects="head 2 of 4")
    for title, *how in (("2 mistakes, in different heads", one(lambda h, m: m + 2 * (h == 1) + 7 * (h == 2))),
                        ("2 mistakes, in different batch entries", lambda b, h, i, m: np.where(b == 2, 2 * m, m + 2 * (b == 1)), (3, 2, 100)),
                        ("2 mistakes together", one(lambda h, m: -m - 5)),
                        ("2 mistakes together", one(lambda h, m: -m - 5 * (h == 1))),
                        ("1 mistake; not explained: head 2 of 4", lambda b, h, i, m: np.where(h == 2, noise, m + 3))):
        yield Case(title, dump(*how), [*SPEC, "--format", "text"], code=1, expects=f"diagnosis: {title}\n")
    # a decode step of four entries that all use the offset of the longest entry
    ids = lambda b, i: 50 - 7 * b
    for name, place, want in (("the first's", lambda b, h, i, m: 50, "position-collapse position=50"),
                              ("that of a longer entry", lambda b, h, i, m: np.where(b == 0, m, 70), "position-collapse position=70 batch=1–3"),
                              ("none", lambda b, h, i, m: np.where(b == 0, m, 0), "not-rotated batch=1–3")):
        yield case(f"entries at one position, {name}", want, place, (4, 3, 1), ids)


def counted_through():
    """Positions that count rows and heads together, in either order."""
    source = "position-source source="
    for shape, place, want in (
            ((1, 8, 64), lambda b, h, i, m: h * 64 + i, [source + "row of the heads heads=1–7"]),
            ((1, 8, 64), lambda b, h, i, m: i * 8 + h, [source + "head of the rows"]),
            ((2, 3, 50), lambda b, h, i, m: i * 3 + h, [source + "head of the rows"]),
            # head 0 of entry 0 has the same positions by this rule
            ((2, 3, 50), lambda b, h, i, m: (b * 3 + h) * 50 + i,
             [source + "row of the batch's heads batch=0 heads=1–2", source + "row of the batch's heads batch=1"]),
            ((2, 3, 50), lambda b, h, i, m: (b * 50 + i) * 3 + h, [source + "head of the batch's rows"]),
            ((1, 4, 64), lambda b, h, i, m: h * 64 + i + 5, ["position-offset offset=5", source + "row of the heads"]),
            ((1, 8, 64), lambda b, h, i, m: i * 8 + h + 11 * ((h == 5) & (i == 33)),
             ["position-source rows=rows 0–32 are for positions 5–261, row 33 for 280, rows 34–63 for 277–509 heads=5",
              "position-scale scale=8 heads=0", source + "head of the rows heads=1–4, 6–7"])):
        yield case(f"counted through {shape}: {want}", want, place, shape)


def shards():
    """Ids that a context-parallel rank ignores."""
    rows, by_row = "position-source source=row number", lambda b, h, i, m: i
    yield case("sequence 0 where the other has later positions", rows + " batch=1", by_row, (2, 2, 300), lambda b, i: i + 37 * b * (i > 9))
    yield case("packed documents", rows, by_row, ids=lambda b, i: i % 130)
    yield Case("a zigzag shard", dump(by_row, (1, 4, 256), lambda b, i: np.where(i < 128, i, i + 768)), SPEC, [rows],
               expects='["position-wrap period=768", "position-offset offset=-768 from=896"]')
    yield case("a shard in order, from its start", ["position-offset offset=256", rows], lambda b, h, i, m: i + 256, (1, 4, 256),
               lambda b, i: np.where(i < 128, i + 128, i + 640))
    for k in 0, 1, 128:  # rank 1 of 4, which gets every fourth token
        yield Case(f"a striped shard, {k}", dump(lambda b, h, i, m: i + k, (1, 4, 128), lambda b, i: 4 * i + 1), SPEC,
                   [rows, *([f"position-offset offset={k}"] if k else [])], expects="" if k else '["position-collapse divisor=4"]')
    yield Case("one head of a striped shard", dump(lambda b, h, i, m: np.where(h == 2, i, m), (1, 4, 128), lambda b, i: 4 * i), SPEC,
               [rows + " heads=2"], expects='["position-scale scale=0.25", "position-collapse divisor=4"]')
    yield case("divided ids", "position-collapse divisor=4", lambda b, h, i, m: m // 4, (1, 4, 128), lambda b, i: 3 * i + 1)


def rows_and_angles():
    def swapped(a, b, change=lambda m: m):
        return lambda _, h, i, m: change(np.where(m == a, b, np.where(m == b, a, m)))

    narrow, as_it_is = ROUND["bfloat16"], lambda b, h, i, m: m
    for factor, expected in ((180 / PI, "180/π: angles are in degrees"), (2 * PI, "2π: turns were converted to radians twice"),
                         (PI, "π: cospi and sinpi were given radians"), (PI / 180, "π/180: radians were taken for degrees"),
                         (0.5 / PI, "1/2π: angles are in turns")):
        yield case(expected, f"positions are multiplied by {expected}", lambda b, h, i, m: m * factor)
    # with 16 bits and 40 rows, He & Xu's scale times 1/0.044 fits as well
    yield case("16 bits of degrees", "positions are multiplied by π/180: radians were taken for degrees",
               lambda b, h, i, m: m * PI / 180, (2, 4, 40), fmt="float16")
    single = {"shape": (1, 4, 1), "ids": lambda b, i: 37}
    yield Case("one position twice", dump(lambda b, h, i, m: 74, **single), SPEC, ["rotated-twice"],
               expects=["position-scale scale=2", "position-offset offset=37"])
    yield case("a quarter of one position", "positions are multiplied by 0.25", lambda b, h, i, m: 37 / 4, **single)
    yield case("one position further", "position-offset offset=1", lambda b, h, i, m: 38, **single)
    gap = dump(as_it_is, (1, 4, 100), lambda b, i: np.where(i < 80, i, i + 920))
    gap["q_rot"][:, :, 80:] = 0  # rows 80 and later are zero, after a gap in the positions
    yield Case("zeros behind a gap", gap, SPEC, ["rows are correct to position 79, and zero from position 1000 on"])
    yield case("reversed", "position-source source=reversed", lambda b, h, i, m: 299 - m)
    yield case("swapped rows", "rows-swapped rows=75 108", swapped(75, 108))
    yield case("swapped rows, all late", ["position-offset offset=3", "rows-swapped rows=75 108"], swapped(75, 108, lambda m: m + 3))
    for change, other in (lambda m: -m, "direction"), (lambda m: 2 * m, "rotated-twice"):
        yield case(f"swapped among the first, {other}", [other, "rows-swapped rows=1 31"], swapped(1, 31, change))
    yield case("swapped under narrow angles", ["angle-precision format=bfloat16", "rows-swapped rows=79 145"], swapped(79, 145),
               angle=narrow)
    yield case("shifted from a row on", "position-offset offset=1 from=1701", lambda b, h, i, m: m + (m >= 1701), (1, 1, 4000))
    yield case("not rotated from between two rows", "rows are not rotated from position 136 on (the last before it, 128, is right)",
               lambda b, h, i, m: np.where(m >= 130, 0, m), (1, 1, 60), lambda b, i: 8 * i)
    yield case("int8", "position-wrap period=256 type=int8", lambda b, h, i, m: (m + 128) % 256 - 128)
    # a float32 2π shifts the angle of a pair by 1e-5: the report must not name two mistakes that cancel; errors
    # of a few pairs show no growth with the angle
    turn = float.fromhex("0x1.921fb6p2")
    for step in 1, 8:
        yield Case(f"coarsely reduced, {step}", dump(as_it_is, ids=lambda b, i: step * i, angle=lambda a: a - turn * np.round(a / turn)),
                   SPEC, [] if step == 1 else ["angle-precision roundings=0.46"], 1)
    entry = lambda pair, value, theta=THETA: np.where(np.arange(16) == pair, value, theta)
    for theta, place, angle, want in (
            (entry(7, -0.25), as_it_is, None, ["inv-freq-entry pair=7 inv_freq=-0.25"]),
            (entry(15, 0.6, exact(32, 5e5)), as_it_is, None, ["base rope_theta=500000", "inv-freq-entry pair=15 inv_freq=0.6"]),
            (entry(7, 3), lambda b, h, i, m: m % 24, None, ["inv-freq-entry pair=7 inv_freq=3", "position-wrap period=24"]),
            (entry(5, 0), as_it_is, narrow, ["angle-precision format=bfloat16", "inv-freq-entry pair=5 inv_freq=0"])):
        yield case(f"an odd entry: {want}", want, place, theta=theta, angle=angle or (lambda a: a))
    # one dimension is stored before the other reads it, in either order and layout, and there is an offset
    c, s = turns(THETA, np.arange(60) + 3)
    for first in 0, 1:
        for layout in "half", "interleaved":
            x = normal(1, 4, 60, 32)
            at = [slice(0, 16), slice(16, 32)] if layout == "half" else [slice(0, 32, 2), slice(1, 32, 2)]
            y, sign = x.copy(), 1 - 2 * first
            y[..., at[first]] = np.float32(x[..., at[first]] * c - sign * x[..., at[1 - first]] * s)
            y[..., at[1 - first]] = np.float32(x[..., at[1 - first]] * c + sign * y[..., at[first]] * s)
            yield Case(f"in place, {first}, {layout}", {"q": x, "q_rot": y}, SPEC,
                       ["position-offset offset=3", f"rotated-in-place written_first={('first', 'second')[first]} dimension",
                        *(["pair-layout layout=interleaved"] if layout == "interleaved" else [])])
    # the dimensions that must rotate equal q exactly: no other exponent explains that
    yield Case("a part in 16 bits", vectors("bfloat16", turns(-exact(16), np.arange(60)), "interleaved", head_dim=32, heads=4), SPEC,
               ["direction", "pair-layout layout=interleaved", "rotary-dim rotary_dim=16 dimensions=prefix"])


# --- operations on dimensions, vectors and tables in addition to the rotation ---

def dimensions():
    weights = rng.uniform(0.5, 1.5, 64)
    weights[7:9] = 0.4, 2
    same, weighted = (lambda x: x), (lambda x: x * weights)
    normed = lambda x: weights * x / np.sqrt((x * x).mean(-1, keepdims=True) + 1e-6)
    minus = lambda x: weighted(x) * np.where(np.isin(np.arange(64), (3, 8)), -1, 1)
    transform = lambda x: transformed(x, 64)
    by_weights = "every dimension is multiplied by its own number, {} {} the rotation"
    by_transform = "a Hadamard transform of {} dimensions {} the rotation"
    one = "every row is for position m + 1, not m"

    for fmt in "float32", "bfloat16", "float16":
        def made(before, after, later=0, rotary=64):
            q = ROUND[fmt](normal(1, 3, 40, 64) * rng.uniform(0.1, 3, (1, 3, 40, 1))).astype(float)
            y = after(rotate(before(q), *turns(exact(rotary), np.arange(40) + later)))
            return {"q": np.float32(q), "q_rot": ROUND[fmt](y)}

        flags = ["--dim", "64", "--axes", "bhsd"]
        for name, arrays, want in (
                ("weights before", made(weighted, same), [by_weights.format("0.4 to 2,", "before")]),
                ("weights after", made(same, weighted), [by_weights.format("0.4 to 2,", "after")]),
                ("a norm", made(normed, same), [("dimension-scale", "vectors are normalised and every dimension is ")]),
                ("negative weights", made(minus, same), [by_weights.format("-2 to 1.5,", "before")]),
                ("weights, late", made(weighted, same, 1), [by_weights.format("0.4 to 2,", "before"), one]),
                ("a transform, late", made(same, transform, 1), [by_transform.format("all 64", "follows"), one]),
                ("a transform after", made(same, transform), [by_transform.format("all 64", "follows")]),
                ("a transform before", made(transform, same), [by_transform.format("all 64", "precedes")]),
                ("a transform of parts", made(same, lambda y: transformed(y, 32)), [by_transform.format("each 32", "follows")]),
                ("a factor", made(same, lambda y: 1.25 * y), [("attention-factor", {})])):
            yield Case(f"{fmt}: {name}", arrays, flags, want)
        for name, arrays, want in (
                ("weights", made(weighted, same, rotary=32), [by_weights.format("0.4 to 2,", "before")]),
                ("a transform", made(same, transform, rotary=32), [by_transform.format("all 64", "follows")])):
            yield Case(f"{fmt}: {name} of a partial head", arrays, [*flags, "--rotary-dim", "32"], want)
        for name, change in (("random weights", lambda y: y * rng.uniform(0.9, 1.1, y.shape)), ("noise", lambda y: normal(*y.shape)),
                             ("a transform of moved dimensions", lambda y: transform(np.roll(y, 5, -1)))):
            yield Case(f"{fmt}: {name}", made(same, change), flags, [], 1)
        # q_rot is the rotation of k, completely or in one dimension of each pair
        q, k = (normal(1, 1, 60, 32, fmt=fmt) for _ in range(2))
        right, y = (rotate(x, *turns(THETA, np.arange(60))) for x in (q, k))
        both = {"q": q, "k": k, "k_rot": ROUND[fmt](y)}
        yield Case(f"{fmt}: k for q", both | {"q_rot": ROUND[fmt](y)}, SPEC, {"q": ["the rotated vectors are those of k"], "k": []})
        crossed = ROUND[fmt](np.concatenate([right[..., :16], y[..., 16:]], -1))
        yield Case(f"{fmt}: k for q's second dimensions", both | {"q_rot": crossed}, SPEC, {"q": [], "k": []}, 1,
                   expects="the first dimension of every pair is right, the second is that of the rotation of k")
        yield Case(f"{fmt}: something for q's second dimensions", {"q": q, "q_rot": crossed}, SPEC, [], 1,
                   expects="the first dimension of every pair is right, the second is not")
        yield Case(f"{fmt}: noise for q", both | {"q_rot": normal(1, 1, 60, 32)}, SPEC, {"q": [], "k": []}, 1,
                   excludes="dimension of every pair")
        yield Case(f"{fmt}: q for q", both | {"q_rot": ROUND[fmt](right)}, SPEC, {"q": [], "k": []})


def scaled_vectors():
    m, flags = 9 * np.arange(400), ["--dim", "64", "--axes", "bhsd"]
    one = "every row is for position m + 1, not m"
    logarithm = np.where(m + 1 > 1000, np.log(m + 1) / np.log(1000), 1)
    steps = 1 + 0.1 * np.log(1 + m // 1024)
    of_log = "vectors are multiplied by the logarithm of m + 1 to the base 1000 from position 1000 on"
    of_steps = "vectors are multiplied by 1 + 0.1·ln(1 + ⌊m/1024⌋)"
    of_norm = "each vector is normalised to a root mean square of 1 before or after the rotation"
    for fmt, name, scale, later, want in (
            ("float32", "log n", logarithm, 0, [of_log]), ("float32", "temperature", steps, 0, [of_steps]),
            ("float32", "from one", 1 + 0.25 * np.log(1 + (m + 1) // 604), 0, ["vectors are multiplied by 1 + 0.25·ln(1 + ⌊(m + 1)/604⌋)"]),
            ("float32", "norm", None, 0, [of_norm]), ("bfloat16", "temperature", steps, 0, [of_steps]),
            ("float16", "temperature", steps, 0, [of_steps]), ("bfloat16", "norm", None, 0, [of_norm]),
            ("float16", "norm", None, 0, [of_norm]), ("float32", "log n, late", logarithm, 1, [of_log, one]),
            ("float32", "norm, late", None, 1, [of_norm, one]), ("float32", "a factor", 0 * m + 1.25, 0, [("attention-factor", {})]),
            ("float32", "a factor from a row on", np.where(m < 1024, 1, 1.25), 0, [("attention-factor", "rows 114–399: cos and sin are scaled by 1.25")]), ("float32", "linear", 1 + m / 4096, 0, []),
            ("float32", "periodic", 1.0 + m % 7, 0, [])):
        q = ROUND[fmt](rng.uniform(-1, 1, (1, 2, 400, 64)) * rng.uniform(0.3, 3, (1, 2, 400, 1)))
        factor = 1 / np.sqrt((q.astype(float) ** 2).mean(-1, keepdims=True) + 1e-6) if scale is None else scale[:, None]
        y = ROUND[fmt](rotate(q, *turns(exact(64), m + later)))
        yield Case(f"{fmt}: {name}", {"q": q, "q_rot": ROUND[fmt](y * ROUND[fmt](factor)), "position_ids": m}, flags, want, 1)


def scaled_tables():
    fixed = lambda n: lambda x: np.rint(x * n) / n
    between = lambda n: lambda x: np.rint((x + 1) / 2 * n) * 2 / n - 1
    any_whole = lambda x: rng.integers(-1, 2, x.shape).astype(float)
    same, times = (lambda x: x), (lambda k: lambda x: k * x)
    one = "every row is for position m + 1, not m"
    step = "cos and sin were rounded to whole multiples of 1/{}"
    unequal = "cos is scaled by {} and sin by {}, not both by 1"
    noise = lambda x: x + rng.uniform(-1e-4, 1e-4, x.shape)
    other = lambda x: fixed(32767)(rng.uniform(-1, 1, x.shape))
    for name, of_cos, of_sin, later, want in (
            ("cos by 1.25", times(1.25), same, 0, [unequal.format("1.25", "1")]),
            ("sin by 0.5", same, times(0.5), 0, [unequal.format("1", "0.5")]),
            ("cos by 1.25, late", times(1.25), same, 1, [unequal.format("1.25", "1"), one]),
            *((f"steps of 1/{n}", fixed(n), fixed(n), 0, [step.format(n)]) for n in (127, 128, 16384, 32767, 32768)),
            *((f"{n} steps from -1 to 1", between(n), between(n), 0, [step.format(n)]) for n in (255, 65535)),
            ("whole numbers", np.rint, np.trunc, 0, ["cos and sin were rounded to whole numbers"]), ("other whole numbers", any_whole, any_whole, 0, []),
            ("steps, late", fixed(32767), fixed(32767), 1, [step.format(32767), one]),
            ("both by 1.25", times(1.25), times(1.25), 0, ["cos and sin are scaled by 1.25, not by 1"]),
            ("bfloat16", ROUND["bfloat16"], ROUND["bfloat16"], 0, ["cos and sin were rounded to bfloat16 and stored as float32"]),
            ("noise", noise, noise, 0, []), ("steps of something else", other, other, 0, [])):
        c, s = turns(exact(64), np.arange(300) + later)
        yield Case(f"a table: {name}", {"cos": np.float32(of_cos(c)), "sin": np.float32(of_sin(s))}, ["--dim", "64"], want, 1)


def memory_orders():
    """A row's position follows from its place in memory for another order of the axes."""
    source = "position-source source="
    for shape, place, want in (((1, 8, 64), lambda b, h, i, m: (h * 64 + i) // 8, source + "[S, H, head_dim]"),
                               ((1, 8, 64), lambda b, h, i, m: (i * 8 + h) % 64, source + "[H, S, head_dim]"),
                               ((2, 3, 50), lambda b, h, i, m: (h * 50 + i) // 3, source + "[S, H, head_dim]")):
        yield case(f"the order of {want} for {shape}", want, place, shape)


def later_rows():
    """Mistakes of a kernel in the rows from one on, in all heads or in one, and in rows between others."""
    x1, x2 = slice(0, 16), slice(16, 32)
    layouts = {"direction": ("every pair rotates in the opposite direction", lambda x, c, s: (x[..., x1] * c + x[..., x2] * s, x[..., x2] * c - x[..., x1] * s)),
               "swapped": ("cos and sin are swapped", lambda x, c, s: (x[..., x1] * s - x[..., x2] * c, x[..., x2] * s + x[..., x1] * c)),
               "sign": ("rotate_half returns cat(x2, x1)", lambda x, c, s: (x[..., x1] * c + x[..., x2] * s, x[..., x2] * c + x[..., x1] * s)),
               "in place": ("the second dimension of a pair is computed from", lambda x, c, s: (y := x[..., x1] * c - x[..., x2] * s, x[..., x2] * c + y * s)),
               "right": (None, lambda x, c, s: (x[..., x1] * c - x[..., x2] * s, x[..., x2] * c + x[..., x1] * s))}
    for (name, (sentence, turn)), (first, end), heads in itertools.product(layouts.items(), ((15, 24), (8, 14)), (slice(0, 4), slice(1, 2))):
        m = np.arange(24) + 7
        c, s = (f(m[:, None] * THETA) for f in (np.cos, np.sin))
        q = normal(2, 4, 24, 32)
        y = np.concatenate(layouts["right"][1](q, c, s), -1)
        y[:, heads, first:end] = np.concatenate(turn(q, c, s), -1)[:, heads, first:end]
        yield Case(f"{name}, rows {first} to {end - 1} of {heads}", {"q": q, "q_rot": np.float32(y), "position_ids": m}, SPEC,
                   code=int(sentence is not None), expects=[f"rows {first}–{end - 1}: ", sentence] if sentence else "")


def own_pairs():
    """Wrong signs, and dimensions that are overwritten too early, in pairs that are written elsewhere or of several axes."""
    turn = {"sign": ("the first dimension of a pair lacks its minus sign", lambda a, b, c, s: (a * c + b * s, b * c + a * s)),
            "in place": ("the second dimension of a pair is computed from what the first one became", lambda a, b, c, s: (y := a * c - b * s, b * c + y * s)),
            "right": (None, lambda a, b, c, s: (a * c - b * s, b * c + a * s))}
    q, m = normal(1, 3, 30, 32), np.arange(30)
    ids = np.stack([m // 15, m % 15 // 5 + 1, m % 5 + 2], -1)
    axes = np.repeat([0, 1, 2], [4, 6, 6])
    theta = np.concatenate([1e4 ** (-np.arange(n) / n) for n in (4, 6, 6)])
    for name, (sentence, of) in turn.items():
        for form, angle in ("interleaved_to_half_split", m[:, None] * THETA), ("blocks", ids[:, axes] * theta):
            y1, y2 = of(q[..., 0::2], q[..., 1::2], np.cos(angle), np.sin(angle))
            y = np.concatenate((y1, y2), -1) if form != "blocks" else np.stack((y1, y2), -1).reshape(q.shape)
            flags = ["--layout", form] if form != "blocks" else ["--layout", "interleaved", "--rope", "axes=blocks,mrope_section=4,6,6"]
            yield Case(f"{name}, {form}", {"q": q, "q_rot": np.float32(y), "position_ids": m if form != "blocks" else ids}, [*SPEC, *flags], [sentence] if sentence else [])


def cases():
    for kind in heads_and_entries, counted_through, shards, rows_and_angles, dimensions, scaled_vectors, scaled_tables, memory_orders, later_rows, own_pairs:
        yield from kind()
