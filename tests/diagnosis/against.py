"""compare --against: one rotation in different dtypes, axis orders and lengths must pass, and faults must be found and
named, with and without a config."""
import numpy as np

from compared import Case
from rotary import ROUND, cos_sin, inv_freq, rng, rotate, table

DIM, BASE, ROWS = 64, 500000.0, 120
THETA, AT = inv_freq(DIM, BASE), np.arange(ROWS)


def bf(x):
    return np.float32(ROUND["bfloat16"](np.float32(x)))


def turned(x, at=AT, theta=THETA, layout="half"):
    return np.float32([[rotate(head, *table(theta, at), layout) for head in entry] for entry in x])


def tables(at=AT, theta=THETA, kind=np.float32):
    return cos_sin(table(theta, at), kind)


def noted(text):
    """Whether a finding of the report has a note with this text."""
    return lambda report: "" if any(text in one.get("note", "") for one in report["findings"]) else f"no note: {text}"


def made():
    """name, arrays, arrays of the reference, flags, exit code, expected text"""
    x = bf(rng.standard_normal((2, 4, ROWS, DIM)).astype(np.float32))
    right = {"q": x, "q_rot": turned(x)}
    other_axes = {name: a.transpose(0, 2, 1, 3) for name, a in right.items()}
    fine = {"q": x, "q_rot": turned(x.astype(np.float64))}
    cast = {"q": x, "q_rot": bf(right["q_rot"])}
    rotated = {"q_rot": right["q_rot"]}
    axes, late = ["--axes", "bhsd"], turned(x, AT + 3)
    for flags in axes, [*axes, "--dim", "64", "--base", "500000"]:
        known = "with a config" if flags != axes else "without a config"
        yield f"the same, {known}", fine, right, flags, 0, ""
        yield f"bfloat16 against float32, {known}", cast, right, flags, 0, ""
        yield f"float32 against bfloat16, {known}", right, cast, flags, 0, ""
        yield f"no q, {known}", rotated, right, flags, 0, ""
        yield f"no q in the reference, {known}", right, rotated, flags, 0, ""
        yield f"an offset, {known}", {"q": x, "q_rot": late}, right, flags, 1, "m + 3"
        yield f"an offset without q, {known}", {"q_rot": late}, right, flags, 1, "m + 3"
        yield f"an offset in bfloat16, {known}", {"q": x, "q_rot": bf(late)}, right, flags, 1, "m + 3"
        yield (f"another base, {known}", {"q": x, "q_rot": turned(x, theta=inv_freq(DIM))}, right, flags, 1,
               "rope_theta is 10000 instead of 500000")
        yield f"another layout, {known}", {"q": x, "q_rot": turned(x, layout="interleaved")}, right, flags, 1, "interleaved"
        one = {"q": x, "q_rot": right["q_rot"].copy()}
        one["q_rot"][1, 2, 77, 5] += 0.01
        yield f"one value, {known}", one, right, flags, 1, noted("1 of 61,440 values exceed their tolerance; the worst is in batch entry 1, head 2, row 77, dimension 5")
        one["q_rot"][1, 2, 77, 5] = np.nan
        yield f"NaN, {known}", one, right, flags, 1, "batch entry 1, head 2, row 77, dimension 5"
    yield "other axes", other_axes, right, [], 0, ""
    yield "neither has q", rotated, {"q_rot": fine["q_rot"]}, axes, 0, ""
    yield "neither has q, and an offset", {"q_rot": late}, rotated, axes, 1, "no mistake is named"
    moved = turned(turned(x, AT + 100), np.full(ROWS, -100))
    yield "moved in bfloat16", {"q": x, "q_rot": bf(turned(bf(turned(x, AT + 100)), np.full(ROWS, -100)))}, right, axes, 0, ""
    yield "moved", {"q": x, "q_rot": moved}, right, axes, 0, ""
    normed = {"q": x, "q_rot": turned(x / np.sqrt(np.mean(x**2, -1, keepdims=True)))}
    yield "a norm in both", normed, normed, axes, 0, ""
    yield "a norm in the reference alone", right, normed, axes, 1, "no mistake is named"
    yield "positions of the reference", {"q": x, "q_rot": late, "position_ids": AT + 3}, {**right, "position_ids": AT}, axes, 1, "m + 3"
    yield "positions in one file", right, {"q_rot": right["q_rot"], "position_ids": AT}, axes, 0, ""
    yield "both late", {"q": x, "q_rot": late}, {"q": x, "q_rot": late}, [*axes, "--dim", "64", "--base", "500000"], 0, ""
    yield "other inputs", {"q": x + 1, "q_rot": turned(x + 1)}, right, axes, 2, "other vectors before the rotation"
    yield "other shapes", {"q": x[:1], "q_rot": right["q_rot"][:1]}, right, axes, 2, "2 batch entries"
    yield "tables", tables(), tables(kind=np.float64), [], 0, ""
    yield "a longer table", tables(), tables(np.arange(300)), [], 0, ""
    yield "a shorter table", tables(np.arange(300)), tables(), ["--dim", "64", "--base", "500000"], 2, "no row for position 120"
    yield "a table by another base", tables(theta=inv_freq(DIM)), tables(), [], 1, "rope_theta is 10000 instead of 500000"
    yield "a table in bfloat16", tables(kind=bf), tables(), [], 1, "bfloat16"
    yield "a table and vectors", tables(), right, axes, 2, "no array in common"
    yield "with --table", right, right, ["--table"], 2, "--against"


def cases():
    for name, mine, reference, flags, code, expected in made():
        words = ["--against", reference, *flags]
        yield Case(name, mine, words, None, code, check=expected) if callable(expected) else Case(name, mine, words, None, code, expected)
