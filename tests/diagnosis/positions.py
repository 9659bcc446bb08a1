"""Vectors and tables rotated to the positions of other chunks, packed sequences, images, videos or heads."""
import itertools

import numpy as np

from compared import Case
from rotary import ROUND, cos_sin, image, interleaved, inv_freq, rng, rotate, sectioned, several_axes, table, vectors

THETA = inv_freq(128)
FLAGS = ["--dim", "128", "--axes", "bhsd"]
ROWS = "rows are rotated by their row numbers in the sequence, not by their positions"


def at(fmt, positions, layout="half"):
    return vectors(fmt, table(THETA, positions), layout)


def as_table(positions):
    return cos_sin(table(THETA, positions))


def chunks():
    """A prefill in chunks with growing position errors (mlx-node/mlx-node#33)."""
    def off(rows, step, gain):
        return np.arange(rows) + gain * (np.arange(rows) // step)

    def twice(step):
        return f"the start of each chunk of {step} positions is added twice: {step} becomes {2 * step}, {2 * step} becomes {4 * step}"

    for fmt in "float32", "bfloat16", "float16":
        for rows, step in (256, 64), (700, 32):
            yield Case(f"{fmt}: {step} twice, {rows}", at(fmt, off(rows, step, step)), FLAGS, [twice(step)])
        for step, gain, word in (128, 1, "gains 1"), (100, -2, "loses 2"):
            yield Case(f"{fmt}: {step} by {gain}", at(fmt, off(600, step, gain)), FLAGS, [
                f"each chunk of {step} positions {word} more than the one before it: {step} becomes {step + gain}, "
                f"{2 * step} becomes {2 * (step + gain)}"])
        yield Case(f"{fmt}: in order", at(fmt, off(400, 64, 0)), FLAGS, [])
        any_gain = np.arange(512) + np.repeat(np.cumsum([0, 5, 1, 9, 2, 30, 4, 11]), 64)
        yield Case(f"{fmt}: any gains", at(fmt, any_gain), FLAGS, excludes="chunk")
    yield Case("a table", as_table(off(400, 64, 64)), FLAGS[:2], [twice(64)])
    yield Case("interleaved", at("bfloat16", off(400, 64, 64), "interleaved"), [*FLAGS, "--layout", "interleaved"], [twice(64)])
    yield Case("two chunks", at("bfloat16", off(120, 64, 64)), FLAGS, ["from position 64 on, every row is for position m + 64, not m"])


def offsets():
    """All positions are off by one number, which may make every one negative (huggingface/transformers#36013)."""
    sections = sectioned((16, 24, 24))
    for fmt in "float32", "bfloat16":
        for start, move in itertools.product((0, 1000), (-179, -180, -532, -1500, -9000, 532, 9000)):
            rows = np.arange(start, start + 180)
            want = [f"position-offset offset={move}"]
            yield Case(f"{fmt}: from {start} on, {move:+}", {**at(fmt, rows + move), "position_ids": rows}, FLAGS, want)
            on_axes = vectors(fmt, several_axes(inv_freq(128, 1e6), sections, np.stack([rows + move] * 3)))
            yield Case(f"{fmt}: on 3 axes, from {start} on, {move:+}", {**on_axes, "position_ids": np.stack([rows] * 3)[:, None]},
                       TEXT, want)
        yield Case(f"{fmt}: one position, wrong direction", {**at(fmt, np.full(8, -40)), "position_ids": np.full(8, 40)}, FLAGS,
                   ["direction"])
        yield Case(f"{fmt}: negative positions", {**at(fmt, np.arange(180) - 532), "position_ids": np.arange(180) - 532}, FLAGS, [])


def integer_types():
    """Ids of one axis, whose pairs are all fast, are stored in 8 or 16 bits."""
    sections = sectioned((16, 24, 24))
    for bits, most in (8, 400), (16, 40000):
        size = 2**bits
        ids = rng.integers(0, most, (3, 128))
        for axis, name in enumerate(("time", "height", "width")):
            used = ids.copy()
            used[axis] = (ids[axis] + size // 2) % size - size // 2
            rows = several_axes(inv_freq(128, 1e6), sections, used)
            yield Case(f"int{bits} of axis {axis}", {**vectors("float32", rows), "position_ids": ids[:, None]}, TEXT,
                       [f"axis {axis} ({name}): positions wrap around as int{bits}: from {size // 2} on they are negative"])
        rows = several_axes(inv_freq(128, 1e6), sections, ids)
        yield Case(f"ids up to {most}", {**vectors("float32", rows), "position_ids": ids[:, None]}, TEXT, [])


def read_as_32_bits():
    """position_ids of 64 bits are read as 32-bit numbers (flashinfer-ai/flashinfer#1129)."""
    for fmt, batch in itertools.product(("float32", "bfloat16"), (1, 3)):
        ids = np.sort(rng.integers(0, 3000, (batch, 90)), 1)
        used = np.ascontiguousarray(ids.astype("<i8")).view("<i4").ravel()[:ids.size].reshape(ids.shape)
        of = lambda at: {"q": (q := ROUND[fmt](rng.standard_normal((batch, 4, 90, 128)))), "q_rot": ROUND[fmt](np.stack(
            [rotate(q[entry], *table(THETA, at[entry])) for entry in range(batch)]))}
        yield Case(f"{fmt}, {batch}: 64 bits as 32", {**of(used), "position_ids": ids}, FLAGS, ["position-source source=half width"])
        yield Case(f"{fmt}, {batch}: 64 bits", {**of(ids), "position_ids": ids}, FLAGS, [])


def packed():
    """Several sequences packed into one, while the dump numbers the rows of one."""
    def restarted(starts, length=240):
        own = np.arange(length)
        for start in starts:
            own[start:] = np.arange(length - start)
        return own

    def expected(starts, of=""):
        return of + "positions start over from 0 at rows " + ", ".join(map(str, starts))

    many = list(range(12, 240, 19))
    for fmt in "float32", "bfloat16":
        for starts in (100, 230), (7, 50, 53, 90, 200), (10, 20, 30, 33):
            yield Case(f"{fmt}: {starts}", at(fmt, restarted(starts)), FLAGS, [("position-source", expected(starts))])
        yield Case(f"{fmt}: {len(many)} of them", at(fmt, restarted(many)), FLAGS, [expected(many[:8]) + ", …"])
        yield Case(f"{fmt}: behind padding", at(fmt, restarted((1, 2, 3, 4))), FLAGS,
                   ["rows 1–4 are for position 0, rows 5–239 for 1–235"])
        yield Case(f"{fmt}: one row late", at(fmt, restarted((1,))), FLAGS, ["rows 1–239 are for positions 0–238"])
        both = np.stack([restarted((100, 230)), restarted((33, 90, 101))])
        yield Case(f"{fmt}: each entry its own", vectors(fmt, table(THETA, both[:, None]), batch=2), FLAGS,
                   [expected((100, 230), "batch entry 0: ") + "; " + expected((33, 90, 101), "batch entry 1: ")])
        yield Case(f"{fmt}: as numbered", at(fmt, restarted(())), FLAGS, [])
        other = restarted((100, 200))
        other[200:] += 50
        yield Case(f"{fmt}: not from 0", at(fmt, other), FLAGS, excludes="start over")
        yield Case(f"{fmt}: anywhere", at(fmt, rng.permutation(240)), FLAGS, excludes="start over")
    yield Case("a table of sequences", as_table(restarted((7, 50, 53, 90))), FLAGS[:2], [expected((7, 50, 53, 90))])
    yield Case("interleaved sequences", at("bfloat16", restarted((20, 90)), "interleaved"), [*FLAGS, "--layout", "interleaved"],
               [expected((20, 90))])


# --- images: ids of tokens in another order ---

VISION = ["--dim", "80", "--rope", "axes=axial", "--axes", "bhsd"]
TEXT = ["--dim", "128", "--base", "1000000", "--rope", "axes=sectioned,mrope_section=16,24,24", "--axes", "bhsd"]
TURNS = ["--dim", "128", "--base", "5000000", "--rope", "axes=interleaved,mrope_section=24,20,20", "--axes", "bhsd"]
MODELS = {"Qwen2.5-VL": (1e6, sectioned((16, 24, 24)), TEXT), "Qwen3-VL": (5e6, interleaved((24, 20, 20), 64), TURNS)}
WORDS = {
    "rows": "an image's ids count row by row, but its tokens are in another order",
    "columns": "an image's ids count down its columns, but its tokens are in another order",
    "blocks": "an image's ids count blocks of 2 × 2, as patches are merged, but its tokens are in another order",
    "height": "an image's token t has the ids (t div height, t mod height): it is divided by the height, not the width",
}


def orders(height, width):
    """Height and width of each token."""
    t = np.arange(height * width)
    rows = np.stack(np.divmod(t, width))
    merged = t.reshape(height // 2, 2, width // 2, 2).transpose(0, 2, 1, 3).ravel()
    return {"rows": rows, "columns": np.stack(np.divmod(t, height))[::-1], "blocks": rows[:, merged],
            "height": np.stack(np.divmod(t, height))}


def halves(dims, places, base=10000.0):
    """Each axis has half of the pairs, with separate frequencies."""
    theta = inv_freq(dims // 2, base)
    return several_axes(np.tile(theta, 2), np.repeat((0, 1), len(theta)), places)


def in_text(ids):
    """Time, height and width of 20 tokens of text, the image and 30 of text."""
    image = np.stack([np.zeros(ids.shape[1], int), *ids]) + 20
    after = image.max() + 1 + np.arange(30)
    return np.concatenate([np.tile(np.arange(20), (3, 1)), image, np.tile(after, (3, 1))], 1)


def two_images(first, second):
    ids = in_text(first)
    return np.concatenate([ids, ids.max() + 1 + in_text(second)], 1)


def images():
    for fmt in "float32", "bfloat16", "float16":
        for height, width in (12, 16), (16, 8):
            ids = orders(height, width)
            for given, used in (("rows", "rows"), ("rows", "columns"), ("rows", "blocks"), ("rows", "height"),
                                ("blocks", "rows"), ("blocks", "columns"), ("blocks", "blocks")):
                expected = [] if given == used else [WORDS[used]]
                name = f"{fmt}, {height} × {width}: {used} for {given}"
                yield Case(name, vectors(fmt, halves(80, ids[used])) | {"position_ids": ids[given]}, VISION, expected)
                if given == "rows" and height < width:
                    for model, (base, axis, flags) in MODELS.items():
                        rows = several_axes(inv_freq(128, base), axis, in_text(ids[used]))
                        yield Case(f"{name}, {model}", vectors(fmt, rows) | {"position_ids": in_text(ids["rows"])}, flags, expected)
        small, large = orders(6, 10), orders(8, 8)
        rows = several_axes(inv_freq(128, 1e6), sectioned((16, 24, 24)), two_images(small["columns"], large["columns"]))
        yield Case(f"{fmt}: two images", vectors(fmt, rows) | {"position_ids": two_images(small["rows"], large["rows"])},
                   TEXT, [WORDS["columns"]])
        merged, rows = {"position_ids": orders(12, 16)["blocks"]}, orders(12, 16)["rows"]
        yield Case(f"{fmt}: other layout", vectors(fmt, halves(80, rows), "interleaved") | merged, VISION,
                   ["pairs are interleaved instead of half_split", WORDS["rows"]])
        one = "every row is for position m + 1, not m, where m is that id"
        swapped, other_base = "axes are taken in the order 1, 0", "rope_theta is 100000 instead of 10000"
        for places, base, expected in ((rows, 1e5, [other_base]), (rows + 1, 1e4, [one]), (rows[::-1], 1e4, [swapped]),
                                   (rows[::-1], 1e5, [swapped, other_base]), (rows[::-1] + 1, 1e4, [swapped, one])):
            yield Case(f"{fmt}: rows for blocks, {expected}", vectors(fmt, halves(80, places, base)) | merged, VISION,
                       [WORDS["rows"], *expected])
        square = orders(12, 12)
        yield Case(f"{fmt}: square", vectors(fmt, halves(80, square["height"])) | {"position_ids": square["rows"]}, VISION, [])
    yield Case("a table of an image", cos_sin(halves(80, rows)) | merged, VISION[:-2], [WORDS["rows"]])


# --- videos between text with ids by Qwen2.5-VL's rule, whose frames have other times ---

ONE_BY_ONE = "a video's frames are numbered one by one, not by their time"
ON = ", and the ids behind it go on from there"


def video(steps, text=20, frames=6, height=6, width=8):
    """Time, height and width of text and one video for each step (the distance between frames), then text."""
    parts, first = [], 0
    for step in steps:
        parts.append(np.tile(first + np.arange(text), (3, 1)))
        frame, down, across = np.indices((frames, height, width)).reshape(3, -1)
        parts.append(first + text + np.stack([np.int64(frame * step), down, across]))
        first = parts[-1].max() + 1
    return np.concatenate([*parts, np.tile(first + np.arange(text), (3, 1))], 1)


def with_times(given, image):
    """The ids `given` with other times in the first image."""
    rows = np.arange(given.shape[1]) - 20
    return np.stack([np.where((rows >= 0) & (rows < len(rows) - 40), image, given[0]), *given[1:]])


def other_times():
    """The expected sentence, the ids in the file, and the ids that the rows were rotated to."""
    for step, used in (2, 3), (50, 25), (2.5, 2), (2, 2.5):
        expected, given, other = f"a video's frames are {used} apart instead of {step}", video([step]), video([used])
        yield expected + ON, given, other
        yield expected, given, with_times(given, other[0])
    yield f"a video's frames are 3 apart instead of as far as their ids{ON}", video([2, 4]), video([3, 3])
    start = "an image's time is 4 times its first id, not that id"  # huggingface/transformers#45325, #45381
    given = video([0], frames=1)
    yield start, given, with_times(given, 80)
    given = video([2])
    yield start + ", in every frame", given, with_times(given, 80)
    yield start, given, with_times(given, given[0] + 60)
    yield ONE_BY_ONE, given, with_times(given, video([1])[0])
    yield "all frames of a video have the time of the first one", given, with_times(given, 20)
    yield ONE_BY_ONE + ON, video([5]), video([1])
    yield ONE_BY_ONE + ON, video([2, 4]), video([1, 1])
    yield "a video's frames are 2.5 apart instead of 2", video([2], text=0), video([2.5], text=0)


def videos():
    for model, (base, axis, flags) in MODELS.items():
        theta = inv_freq(128, base)
        for n, fmt in enumerate(("float32", "bfloat16", "float16")):
            for steps in [2], [2, 4]:
                right = video(steps)
                yield Case(f"{model}, {fmt}, {steps}: right", vectors(fmt, several_axes(theta, axis, right)) |
                           {"position_ids": right}, flags, [])
            for expected, given, used in list(other_times())[n::3 if fmt == "float16" else 1]:
                yield Case(f"{model}, {fmt}: {expected}", vectors(fmt, several_axes(theta, axis, used), heads=1) |
                           {"position_ids": given}, flags, [expected])
        for expected, given, used in list(other_times())[::3]:  # with a second fault
            if ON not in expected:  # otherwise no axis determines the base
                rows = several_axes(inv_freq(128, 29000.0), axis, used)
                yield Case(f"{model}, base: {expected}", vectors("float32", rows) | {"position_ids": given}, flags,
                           [expected, f"rope_theta is 29000 instead of {int(base)}"])
            yield Case(f"{model}, layout: {expected}", vectors("float32", several_axes(theta, axis, used), "interleaved") |
                       {"position_ids": given}, flags, [expected, "pairs are interleaved instead of half_split"])
    rows = several_axes(inv_freq(128, 1e4), axis, video([1]))
    yield Case("one by one, of another base", vectors("float32", rows) | {"position_ids": video([2])}, flags,
               [ONE_BY_ONE + ON, f"rope_theta is 10000 instead of {int(base)}"])
    expected, given, used = next(other_times())
    rows = [np.float32(np.float16(part)) for part in several_axes(theta, axis, used)]
    yield Case("a table of float16", dict(zip(("cos", "sin"), rows), position_ids=given), flags[:-2],
               [expected, "cos and sin were rounded to float16 and stored as float32"])


# --- heads: an unrotated head, and k whose heads were repeated in another order ---

def in_order(order, *arrays):
    return {name: x if order == "bhsd" else x.swapaxes(1, 2) for name, x in zip(("q", "q_rot", "k", "k_rot"), arrays)}


def head_left_out():
    """Without --axes or ids: a correct dump in each order of the axes, and one with a head that is not rotated."""
    def made(heads, left_out=None, fmt="float32", rows=48, dims=64):
        own = list(vectors(fmt, table(inv_freq(dims), np.arange(rows)), heads=heads).values())
        if left_out is not None:
            own[1][:, left_out] = own[0][:, left_out]
        return own

    for order in "bhsd", "bshd":
        for heads in 1, 2, 3, 4, 8:
            for fmt in "float32", "bfloat16":
                yield Case(f"sound {order}, {heads} heads, {fmt}", in_order(order, *made(heads, fmt=fmt)), ["--dim", "64"], [],
                           expects=f'"{order}"')
            for head in {0, 1, heads - 1} if heads > 1 else ():
                name, k = f"{order}, head {head} of {heads}", made(heads // 2) if head else ()
                yield Case(name, in_order(order, *made(heads, head), *k), ["--dim", "64"],
                           {"q": [("not-rotated", f"head {head} of {heads}:")], "k": []} if head else
                           [("not-rotated", f"head {head} of {heads}:")])
        for heads, head, dims, fmt in (32, 0, 128, "bfloat16"), (24, 7, 512, "float32"), (3, 0, 8, "bfloat16"):
            yield Case(f"{order}, head {head} of {heads}, {fmt}", in_order(order, *made(heads, head, fmt, 256, dims)),
                       ["--dim", str(dims)], [("not-rotated", f"head {head} of {heads}:")])


def repeated_heads():
    """Heads repeated in a row before the rotation and in turn after it, or the reverse."""
    def in_a_row(k, times):
        return k.repeat(times, axis=1)

    def in_turn(k, times):
        return np.tile(k, (1, times, 1, 1))

    flags = ["--dim", "64", "--axes", "bhsd"]
    for fmt in "float32", "bfloat16", "float16":
        for batch, heads, times in (1, 2, 4), (2, 3, 3), (1, 1, 4):
            k, y = vectors(fmt, table(inv_freq(64), np.arange(40)), heads=heads, batch=batch).values()
            numbers = np.arange(heads * times)
            turns, rows = numbers.reshape(heads, times).T.ravel(), numbers.reshape(times, heads).T.ravel()
            expected = lambda order: [] if heads == 1 else ["head-order heads=" + ", ".join(map(str, order))]
            name = f"{fmt}, {batch} x {heads} heads {times} times"
            for before, after, want in ((in_a_row, in_a_row, []), (in_turn, in_turn, []),
                                        (in_a_row, in_turn, expected(turns)), (in_turn, in_a_row, expected(rows))):
                yield Case(f"{name}, {before.__name__}, {after.__name__}", {"k": before(k, times), "k_rot": after(y, times)},
                           flags, want)
            if heads > 1:
                base = in_turn(rotate(k, *table(inv_freq(64, 500000), np.arange(40))), times).astype(np.float32)
                yield Case(f"{name}, base", {"k": in_a_row(k, times), "k_rot": base}, flags, [*expected(turns), "base rope_theta=500000"])
                lost = in_turn(y, times)
                lost[:, 1] = y[:, 0]  # two copies of head 0, which no order of the heads gives
                yield Case(f"{name}, lost", {"k": in_a_row(k, times), "k_rot": lost}, flags, code=1,
                           expects="the rotated vectors are those of heads")


def tokens():
    """Class tokens and registers do not rotate, first or last in the sequence (huggingface/pytorch-image-models#2478)."""
    grid = np.stack(np.meshgrid(np.arange(9.0), np.arange(12.0), indexing="ij")).reshape(2, -1)
    theta = inv_freq(32)
    flags = ["--dim", "64", "--rope", "axes=axial", "--axes", "bhsd"]
    for fmt, count in itertools.product(("float32", "bfloat16"), (1, 5)):
        still = np.zeros((2, count))
        first, last = np.hstack([still, grid]), np.hstack([grid, still])
        of = lambda ids: vectors(fmt, several_axes(np.tile(theta, 2), np.repeat([0, 1], 16), ids))
        name = f"{fmt}: {count} tokens"
        yield Case(f"{name} first", of(first), [*flags, "--strict"], [], excludes="tokens-last")
        yield Case(f"{name} last", of(last), flags, [], expects="tokens-last")
        yield Case(f"{name} last, strict", of(last), [*flags, "--strict"], [], code=1)
        yield Case(f"{name} last, not first", {**of(last), "position_ids": first.T}, flags, ["position-source source=tokens last"])
        yield Case(f"{name} last by their ids", {**of(last), "position_ids": last.T}, [*flags, "--strict"], [])
    yield Case("no tokens", vectors("float32", several_axes(np.tile(theta, 2), np.repeat([0, 1], 16), grid)), [*flags, "--strict"], [])


def shifted_tokens():
    """Tokens of a draft model are shifted by one row, their positions of text and an image are not (vllm-project/vllm#43820)."""
    ids = image(9, 1, 6, 7, 12)
    sections = np.repeat([0, 1, 2], [16, 24, 24])
    for fmt, heads in itertools.product(("float32", "bfloat16"), (1, 4)):
        of = lambda at: vectors(fmt, several_axes(inv_freq(128, 1e6), sections, ids[:, at].astype(float)), heads=heads)
        own = {"position_ids": ids[:, 1:-1]}
        rows = np.arange(ids.shape[1])
        for name, at, source in ("before", rows[:-2], "row before"), ("after", rows[2:], "row after"), ("own", rows[1:-1], None):
            yield Case(f"{fmt}, {heads} heads: ids of the row {name}", {**of(at), **own}, TEXT, [f"position-source source={source}"] if source else [])


def cases():
    for kind in chunks, offsets, integer_types, read_as_32_bits, packed, tokens, images, videos, head_left_out, repeated_heads, shifted_tokens:
        yield from kind()
