"""Rows that are zero, not finite, not rotated or no rotation, with and without another mistake of the other rows, and rows
that are each at another position. Each dump has a right twin that passes."""
import itertools

import numpy as np

from compared import Case
from rotary import ROUND, exact, normal, rng, rotate

D, S = 64, 48
THETA = exact(D)
MROPE = ["--rope", "axes=sectioned,mrope_section=8,12,12"]
AXIS = np.repeat(np.arange(3), (8, 12, 12))
KINDS = list(itertools.product(("float32", "bfloat16", "float16"), ("half", "interleaved"), (1, 3), (1, 4)))


def rotated(q, ids, theta=THETA, layout="half", axes=1, fmt="float32"):
    angle = (ids[..., None] if axes == 1 else np.stack([ids] * 3, -1)[..., AXIS]) * theta
    return ROUND[fmt](np.float32(rotate(q, np.cos(angle)[:, None], np.sin(angle)[:, None], layout)))


def dumps(fmt, layout, axes, batch, place, ids=None, change=lambda q, y: None, of=None, theta=THETA):
    """The wrong and the right arrays: place(ids, entry numbers), then `change` of the vectors. `of`: arrays that say the ids."""
    ids = np.broadcast_to(np.arange(S) if ids is None else ids, (batch, np.shape(ids)[-1] if ids is not None else S))
    q = normal(batch, 2, ids.shape[1], D, fmt=fmt)
    given = of if of is not None else {"position_ids": ids if axes == 1 else np.stack([ids] * 3)}
    wrong = rotated(q, place(ids + 0, np.arange(batch)[:, None]), theta, layout, axes, fmt)
    change(q, wrong)
    return {"q": q, "q_rot": wrong, **given}, {"q": q, "q_rot": rotated(q, ids, THETA, layout, axes, fmt), **given}


def words(layout, axes):
    return ["--dim", str(D), "--layout", "half_split" if layout == "half" else layout, *(MROPE if axes > 1 else []), "--axes", "bhsd"]


def both(name, kind, want, *how, **more):
    fmt, layout, axes, batch = kind
    wrong, right = dumps(*kind, *how, **more)
    yield Case(f"{name}, {kind}", wrong, words(layout, axes), want)
    yield Case(f"right, {name}, {kind}", right, words(layout, axes), [])


def zeroed(first, last, value=0.0):
    def change(_, y):
        y[-1, :, first:last + 1] = value
    return change


def lost():
    """Rows of the last batch entry."""
    def unrotated(q, y):
        y[-1, :, 20:24] = q[-1, :, 20:24]

    def mixed(q, y):
        y[-1, :, 30] = np.nan
        unrotated(q, y)
        zeroed(3, 9)(q, y)
    one = lambda batch: "batch entry 3 of 4: " if batch > 1 else ""
    for kind in KINDS:
        of = one(kind[3])
        late = lambda m, b: np.where(b == b.max(), m + 5, m)
        shift = ("position-offset", {"offset": 5.0})
        for name, change, text in (("zero rows", zeroed(3, 9), ("uninitialised", of + "rows 3–9 are zero")),
                                   ("rows that are not finite", zeroed(3, 9, np.nan), ("uninitialised", of + "rows 3–9 are not finite"))):
            yield from both(f"{name} and an offset", kind, [text, shift], late, change=change)
        yield from both("rows of three kinds", kind,
                        [("uninitialised", of + "rows 3–9 are zero, row 30 is not finite, rows 20–23 are not rotated"), shift],
                        late, change=mixed)
    for fmt, layout in itertools.product(("float32", "bfloat16"), ("half", "interleaved")):
        wrong, _ = dumps(fmt, layout, 1, 2, lambda m, b: m, change=zeroed(0, 9), theta=exact(D, 50000))
        yield Case(f"zero rows and a base, {fmt}, {layout}", wrong, words(layout, 1),
                   [("uninitialised", "batch entry 1 of 2: rows 0–9 are zero"), ("base", {"rope_theta": 50000.0})])
        wrong, _ = dumps(fmt, layout, 1, 2, lambda m, b: m, change=unrotated, theta=exact(D, 50000))
        yield Case(f"unrotated rows and a base, {fmt}, {layout}", wrong, words(layout, 1),
                   [("not-rotated", "batch entry 1 of 2: rows 20–23 are not rotated"), ("base", {"rope_theta": 50000.0})])
        wrong, _ = dumps(fmt, layout, 1, 1, lambda m, b: m, change=zeroed(30, 39))
        yield Case(f"zero rows and a layout, {fmt}, {layout}", wrong, words("interleaved" if layout == "half" else "half", 1),
                   [("uninitialised", "rows 30–39 are zero"), ("pair-layout", "")])
    # values of the usual size that no rotation produces
    for fmt in "float32", "bfloat16", "float16":
        for size in 0.02, 1:
            def noise(q, y):
                y[-1, :, 20:] = ROUND[fmt](np.float32(size * rng.standard_normal(y[-1, :, 20:].shape)))
            wrong, _ = dumps(fmt, "half", 1, 1, lambda m, b: m, ids=1000 + np.arange(S), change=noise)
            yield Case(f"no rotations of size {size}, {fmt}", wrong, words("half", 1), [("uninitialised", "rows 20–47 are not rotations")])


def half_stored():
    """A few rows keep half of their pairs; such rows with another base are not explained by it."""
    for fmt, layout in itertools.product(("float32", "bfloat16", "float16"), ("half", "interleaved")):
        pairs = np.arange(D) % 32 if layout == "half" else np.arange(D) // 2

        def kept(q, y):
            y[-1, :, [9, 20, 21, 40]] = np.where(pairs >= 4, y, q)[-1, :, [9, 20, 21, 40]]
        for base, want in (10000, [("not-rotated", "rows 9, 20–21, 40 are not rotated in pairs 0–3")]), (500, None):
            wrong, right = dumps(fmt, layout, 1, 1, lambda m, b: m, change=kept, theta=exact(D, base))
            yield Case(f"half rows, base {base}, {fmt}, {layout}", wrong, words(layout, 1), want, code=1)
        yield Case(f"right, half rows, {fmt}, {layout}", right, words(layout, 1), [])


def ended_tables():
    """From a row on cos is the sin that follows in memory and sin is a weight, the same for all heads; or each head has its own."""
    for fmt, layout, partial, same in itertools.product(("float32", "bfloat16", "float16"), ("half", "interleaved"), (False, True), (True, False)):
        width = 2 * D if partial else D

        def padded(x):
            return np.concatenate([x, rest], -1) if partial else x

        def read_beyond(q, y):
            c = np.sin(np.arange(28)[:, None] * THETA)
            s = 0.02 * rng.standard_normal((28, 32) if same else (2, 28, 32))
            y[-1, :, 20:] = ROUND[fmt](np.float32(rotate(q[-1, :, 20:], ROUND[fmt](c), ROUND[fmt](s), layout)))
        wrong, right = dumps(fmt, layout, 1, 1, lambda m, b: m, ids=4076 + np.arange(S), change=read_beyond)
        rest = normal(1, 2, S, D, fmt=fmt)
        flags = ["--dim", str(width), "--rotary-dim", str(D), *words(layout, 1)[2:]]
        for title, arrays, want in (("wrong", wrong, [("uninitialised", f"rows 20–47 are not rotations{': every head' if same else ''}")]),
                                    ("right", right, [])):
            arrays = {**arrays, "q": padded(arrays["q"]), "q_rot": padded(arrays["q_rot"])}
            yield Case(f"{title}, beyond a table of {'all heads' if same else 'each head'}, {fmt}, {layout}, {width}", arrays, flags, want)


def placed():
    """Rows at positions that are not theirs."""
    for kind in KINDS:
        axes, batch = kind[2:]
        far = lambda m, b: np.where(m == m.min(), 0, m + 5588)
        if batch == 1:
            yield from both("the first at 0, the others far", kind, None, far, ids=145 + np.arange(S))
        # rows read the position of the row 16 before
        late = rng.random(S) < 0.4
        late[:16] = False
        ids = np.where(np.arange(S) < 30, np.arange(S), np.arange(S) - 30)
        before = np.where(late, np.roll(ids, 16), ids)
        yield from both("a race", kind, [("position-source", {})], lambda m, b: before + 0 * m, ids=ids)


def padded():
    """Rows of padding are in no sentence."""
    for fmt, layout in itertools.product(("float32", "bfloat16", "float16"), ("half", "interleaved")):
        mask = np.zeros((3, S), int)
        for b, (first, last) in enumerate(((0, 48), (10, 40), (16, 30))):
            mask[b, first:last] = 1
        ids = np.maximum(np.cumsum(mask, 1) - 1, 0) * mask
        late = ids.copy()
        late[1, 24:] = np.maximum(ids[1, 24:] - 8, 0)
        late[2, 24:] = 0
        wrong, right = dumps(fmt, layout, 1, 3, lambda m, b: late, ids=ids, of={"attention_mask": mask})
        yield Case(f"behind padding, {fmt}, {layout}", wrong, words(layout, 1), ["position-source"],
                   expects=["batch entry 1: rows 24–39 are for positions 8 earlier", "batch entry 2: rows 24–29 are for position 0"],
                   excludes="start over")
        yield Case(f"right, behind padding, {fmt}, {layout}", right, words(layout, 1), [])


def each():
    """A step of several sequences, each with another start."""
    ids, late = np.array([300, 340, 77, 433, 315, 180, 407, 519]), np.array([512, 300, 0, 1000, 640, 120, 1803, 0])
    for fmt, layout, axes in itertools.product(("float32", "bfloat16", "float16"), ("half", "interleaved"), (1, 3)):
        kind = fmt, layout, axes, 1
        text = "row 0 is for position 812, 512 later; row 1 for 640, 300 later; row 3 for 1433, 1000 later" if axes == 1 else \
            "row 0 is for position (812, 812, 812), 512 later on each axis; row 1 for"
        yield from both("each its start", kind, [("position-source", text)], lambda m, b: m + late, ids=ids)


def steps():
    """A decode step has one row, whose position may be wrong by 1 because of an offset or of a rounding."""
    for kind in KINDS:
        for own, given, want in (309, 310, -1), (312, 311, 1), (308, 311, -3):
            offset = [("position-offset", {"offset": want})]
            yield from both(f"position {own}, not {given}", kind, offset, lambda ids, entry, own=own: ids * 0 + own, ids=np.array([given]))


def unwritten():
    """Rows and batch entries that keep other vectors' values, as memory that is used again does."""
    for kind in KINDS:
        fmt, batch = kind[0], kind[3]
        for name, rows, text in ("a row", slice(30, 31), "row 30 is not a rotation"), ("a batch entry", slice(S), "rows 0–47 are not rotations"):
            if rows.stop == S and batch == 1:
                continue

            def stale(q, y):
                y[-1, :, rows] = normal(*y[-1, :, rows].shape, fmt=fmt)
            want = ("batch entry 3 of 4: " if batch > 1 else "") + text
            yield from both(f"{name} of other values", kind, [("uninitialised", want)], lambda m, b: m + 0 * b, change=stale)


def three():
    """Three rows with a mistake that is not of their positions."""
    for kind in KINDS:
        fmt, layout, axes, batch = kind

        def reversed_rows(q, y):
            y[-1, :, 20:23] = rotated(q[-1:], -np.arange(S)[None], THETA, layout, axes, fmt)[0, :, 20:23]
        part = "batch entry 3 of 4" if batch > 1 else ""
        want = f"rows 20–22: {part + ': ' if part else ''}every pair rotates in the opposite direction"
        yield from both("three rows reversed", kind, [("direction", want)], lambda m, b: m + 0 * b, change=reversed_rows)


def cases():
    return itertools.chain(lost(), half_stored(), ended_tables(), placed(), padded(), each(), steps(), unwritten(), three())
