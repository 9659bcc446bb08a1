"""Dumps as models and libraries make them, each kind with faults and correct twins: padded and packed batches,
steps with a cache, images and videos, values that are rounded twice, quantised or printed."""
import itertools
import json
import math
from pathlib import Path

import numpy as np

from compared import Case
from rotary import ROUND, blend_yarn, cos_sin, exact, inv_freq, llama3, normal, rng, rotate, table, turns, yarn

DIM, BASE = 128, 500000.0
FLAGS = ["--dim", str(DIM), "--base", "500000"]
BHSD = [*FLAGS, "--axes", "bhsd"]
THETA, THETA_64 = inv_freq(DIM, BASE), inv_freq(64)
bf, f32 = ROUND["bfloat16"], np.float32


def llama(heads, keys, dim=64, base=10000, length=4096, **more):
    """The option for the config of a Llama."""
    return ["--config", {"model_type": "llama", "head_dim": dim, "num_attention_heads": heads, "num_key_value_heads": keys,
                         "rope_theta": base, "max_position_embeddings": length, **more}]


def turned(x, at, theta=THETA, layout="half"):
    """x [batch, heads, rows, dimensions] at positions [rows] or [batch, rows]."""
    c, s = table(theta, at)
    return rotate(x, *((c[:, None], s[:, None]) if c.ndim == 3 else (c, s)), layout)


def single(x, at, theta):
    """As turned(), with angles, cos and sin in float32."""
    angles = np.multiply.outer(np.float32(at), np.float32(theta))
    c, s, half = np.cos(angles), np.sin(angles), len(theta)
    a, b = x[..., :half], x[..., half:]
    return np.concatenate([a * c - b * s, b * c + a * s], -1)


def vectors(at, batch=1, heads=4, name="q"):
    at = np.asarray(at)
    x = bf(normal(batch, heads, at.shape[-1], DIM))
    return {name: x, f"{name}_rot": bf(turned(x, at))}


# --- each kind yields (name, arrays, flags, exit code, expected text or None) ---

def padding():
    starts = np.array([0, 7, 31, 64])
    mask = (np.arange(100)[None] >= starts[:, None]).astype(np.int64)
    for fill in 0, 1:
        ids = np.where(mask > 0, np.cumsum(mask, 1) - 1, fill)
        arrays = vectors(ids, 4)
        yield f"left padding at {fill}", {**arrays, "attention_mask": mask}, FLAGS, 0, None
        yield f"left padding at {fill}, bool", {**arrays, "attention_mask": mask.astype(bool)}, FLAGS, 0, None
        yield f"right padding at {fill}", {**vectors(np.where(mask[:, ::-1] > 0, np.arange(100), fill), 4),
                                           "attention_mask": mask[:, ::-1]}, FLAGS, 0, None
        lost = {name: x.copy() for name, x in arrays.items()}
        lost["q_rot"][mask[:, None].repeat(4, 1) == 0] = math.nan
        yield f"NaN at padding, {fill}", {**lost, "attention_mask": mask}, FLAGS, 0, None
        lost["q_rot"][1, 0, 50] = math.nan
        yield f"NaN behind padding, {fill}", {**lost, "attention_mask": mask}, FLAGS, 1, ""
        for name, kept in ("key_padding_mask", mask > 0), ("key_padding_mask", mask == 0), ("padding_mask", mask == 0):
            yield f"left padding at {fill}, {name} {kept[1, 0]}", {**arrays, name: kept}, FLAGS, 0, None
            yield f"left padding at {fill}, {name} {kept[1, 0]}, with ids", {**arrays, name: kept, "position_ids": ids}, FLAGS, 0, None
            yield f"one late row, {name} {kept[1, 0]}", {**vectors(np.where(np.arange(100) == 80, ids + 1, ids), 4), name: kept}, FLAGS, 1, "80"
    yield "late rows, the mask's ones and zeros are one block", {**vectors(np.r_[0:40, 41:101], 1), "key_padding_mask": np.arange(100)[None] < 40, "position_ids": np.arange(100)[None]}, FLAGS, 1, "from position 40 on, every row is for position m + 1"
    yield "row numbers with a mask", {**vectors(np.arange(100), 4), "attention_mask": mask}, FLAGS, 0, None
    shifted = np.where(mask > 0, np.cumsum(mask, 1) - 1, 1)
    shifted[2, 60:] += 3
    yield "a shift behind padding", {**vectors(shifted, 4), "attention_mask": mask}, FLAGS, 1, "position"
    yield "padding without a mask", vectors(np.r_[[1] * 5, 0:40]), FLAGS, 1, "rows 0–4 are for position 1, rows 5–44 for 0–39"
    yield "padding behind without a mask", vectors(np.r_[0:40, [1] * 5]), FLAGS, 1, "rows 40–44 are for position 1"
    yield ("padded entries without a mask", vectors(shifted[[1, 3]], 2), BHSD, 1,
           "batch entry 0")
    gap = np.r_[[1] * 15, [0] * 9, [1] * 3]
    two = np.stack([np.ones(27, np.int64), gap])
    counted = np.maximum(np.cumsum(two, 1) - 1, 0)
    yield "generated tokens behind padding", {**vectors(counted, 2), "attention_mask": two}, FLAGS, 0, None
    yield "row numbers behind padding", {**vectors(np.arange(27), 2), "attention_mask": two}, FLAGS, 1, "batch entry 1 of 2"
    additive = np.where(np.tril(np.ones((100, 100))) * mask[:, None, None] > 0, 0, -1e9).astype(np.float32)
    left = np.where(mask > 0, np.cumsum(mask, 1) - 1, 1)
    yield "left padding by a mask of scores", {**vectors(left, 4), "attention_mask": additive}, FLAGS, 0, None
    yield ("another base by a mask of scores", {"q": (x := bf(normal(4, 4, 100, DIM))), "q_rot": bf(turned(x, left, inv_freq(DIM))),
                                                "attention_mask": additive}, FLAGS, 1, "rope_theta is 10000 instead of")
    c, s = table(THETA, np.r_[[1] * 5, 0:40])
    yield ("a padded table", {"cos": c[None], "sin": s[None], "attention_mask": np.r_[[0] * 5, [1] * 40][None]}, FLAGS,
           0, None)


def packing():
    lengths = [37, 100, 5, 64]
    ids = np.concatenate([np.arange(n) for n in lengths])
    ends = np.cumsum([0, *lengths]).astype(np.int32)
    flat = {name: x[0].transpose(1, 0, 2) for name, x in vectors(ids).items()}
    on = {name: x[0].transpose(1, 0, 2) for name, x in vectors(np.arange(len(ids))).items()}
    yield "cu_seqlens", {**flat, "cu_seqlens": ends}, FLAGS, 0, None
    yield "cu_seqlens that nothing reads", {**on, "cu_seqlens": ends}, FLAGS, 1, "row number"
    behind = lambda rows: {name: np.concatenate([x, np.zeros((10, *x.shape[1:]))]) for name, x in rows.items()}
    yield "cu_seqlens that end before padding", {**behind(flat), "cu_seqlens": ends}, FLAGS, 0, None
    yield "run-on rows and padding", {**behind(on), "cu_seqlens": ends}, FLAGS, 1, "row number"
    segments = np.repeat(np.arange(4) + 1, lengths)
    yield "segment_ids", {**vectors(ids), "segment_ids": segments[None]}, FLAGS, 0, None
    yield "document_ids", {**vectors(ids), "document_ids": segments[None]}, FLAGS, 0, None
    later = {"query_start_loc": ends, "seq_lens": np.array(lengths) + 9}
    moved = {name: x[0].transpose(1, 0, 2) for name, x in vectors(ids + 9).items()}
    yield "the last rows of sequences", {**moved, **later}, FLAGS, 0, None
    yield "the first positions for the last rows", {**flat, **later}, FLAGS, 1, "position m − 9"
    padded = np.r_[segments, [0] * 10]
    yield ("segment_ids and padding", {**vectors(np.r_[ids, [3] * 10]), "segment_ids": padded[None]}, FLAGS, 0, None)
    yield ("ids that cu_seqlens contradicts", {**on, "cu_seqlens": ends, "position_ids": np.arange(len(ids))}, FLAGS, 0,
           "position_ids holds other positions than")
    yield ("ids that cu_seqlens contradicts, and late rows",
           {**flat, "cu_seqlens": ends, "position_ids": np.arange(len(ids))}, [*FLAGS, "--format", "text"], 1, ("note: ", "position_ids holds other"))
    yield "equal lengths without cu_seqlens", vectors(np.tile(np.arange(50), 4)), BHSD, 1, "start over every 50"
    own = np.array([0, 1, 2, 0])
    square = {name: x.transpose(2, 0, 1, 3) for name, x in vectors(own, 4, 2).items()}
    for ids in own, own[[0, 1, 2, 2]] + [0, 0, 0, 1]:  # these ids fit the batch entries and the rows
        is_right = ids[3] == 0
        yield (f"ids {ids} of a square", {**square, "position_ids": ids}, [*FLAGS, "--axes", "sbhd"], 0 if is_right else 1,
               None if is_right else "position")
    at = np.arange(1, 5)
    square = {name: x.transpose(2, 0, 1, 3) for name, x in vectors(np.stack([at] * 4), 4, 3).items()}
    yield "equal ids of a square", {**square, "position_ids": np.stack([at] * 4)}, FLAGS, 2, "(--axes sbhd), and wrong as"
    yield "equal ids of a square, named", {**square, "position_ids": np.stack([at] * 4)}, [*FLAGS, "--axes", "sbhd"], 0, None
    yield "later ids of a square", {**square, "position_ids": np.stack([at + 1] * 4)}, FLAGS, 1, "position"


def starts():
    for name in "start_pos", "offset", "index_pos", "seqlen_offsets", "cache_seqlens", "past_key_values_length":
        yield name, {**vectors(np.arange(24) + 17), name: np.array(17)}, FLAGS, 0, None
        yield f"{name}, not added", {**vectors(np.arange(24)), name: np.array(17)}, FLAGS, 1, "m − 17"
    each = np.array([3, 17, 90])
    at = np.arange(24) + each[:, None]
    yield "a start for each entry", {**vectors(at, 3), "seqlen_offsets": each}, BHSD, 0, None
    cache = vectors(np.arange(24 + 30), 3, name="k")
    for x in cache.values():
        for entry, start in enumerate(each):
            x[entry, :, int(start) + 24:] = 0
    late = {**cache, "k_rot": bf(turned(cache["k"], np.arange(54) + np.array([[5]])))}
    yield "rows of a step and the whole cache", {**vectors(at, 3), **cache, "cache_seqlens": each}, BHSD, 0, None
    yield "a cache that starts late", {**vectors(at, 3), **late, "cache_seqlens": each}, BHSD, 1, "every row is for position m + 5"
    for first, code, expected in (100, 0, None), (97, 1, "position m"):
        yield f"one id of the first row, {first}", {**vectors(np.arange(6) + first), "position_ids": np.array([100])}, BHSD, code, expected
    yield "the first start for all", {**vectors(np.arange(24) + 3, 3), "seqlen_offsets": each}, BHSD, 1, "batch entr"
    each = np.array([3, 17, 200, 64, 901])
    four_heads = ["--config", {"model_type": "llama", "head_dim": DIM, "num_attention_heads": 4, "rope_theta": BASE,
                               "max_position_embeddings": 8192}]
    decode = {name: x[0].swapaxes(0, 1) for name, x in vectors(each).items()}
    for name in "seqlen_offsets", "q_rope_offset", "decoder_positions", "rope_pos_ids", "inputs_position":
        yield f"{name} of a decode batch", {**decode, name: each}, four_heads, 0, None
        yield f"other {name} of a decode batch", {**decode, name: each + [0, 1, 0, 0, 0]}, four_heads, 1, "row 1 is for position 17"
    for name in "start_index", "cache_update_index", "rope_offset", "cache_len", "cur_len":
        yield name, {**vectors(np.arange(24) + 17), name: np.array(17)}, FLAGS, 0, None
    yield "an unknown name", {**decode, "where": each}, FLAGS, 2, "if where is what position_ids is"
    yield "an unknown name, named", {**decode, "where": each}, [*FLAGS, "--positions", "where"], 0, None
    for name in "segment_positions", "input_positions", "cache_position":
        yield name, {**vectors(np.arange(24) + 17), name: np.arange(24) + 17}, FLAGS, 0, None
    yield "the rows of a step", cos_sin(table(THETA, np.arange(24) + 17), np.float64, start_pos=np.array(17)), FLAGS, 0, None
    yield "a whole table with a start", cos_sin(table(THETA, np.arange(64)), np.float64, start_pos=np.array(17)), FLAGS, 0, None


def heads_of_one_token():
    """[heads, d] of one decode step, whose dump has one position, and rows of a sequence with the same shape."""
    big = {"model_type": "llama", "head_dim": DIM, "num_attention_heads": 64, "rope_theta": BASE, "max_position_embeddings": 8192}
    for heads in 8, 32:
        x = bf(normal(heads, DIM))
        step = lambda m: {"q": x, "q_rot": bf(turned(x, m if np.ndim(m) else np.full(heads, m)))}
        ids, start, text = {"position_ids": np.array([4711])}, {"start_pos": np.array(4711)}, ["--format", "text"]
        one_wrong = step(4711 + (np.arange(heads) == 5))
        for flags in [], FLAGS, ["--config", big]:
            yield f"{heads} heads at one id", {**step(4711), **ids}, flags, 0, None
        for flags in FLAGS, ["--config", big]:
            yield f"{heads} heads at one id, two late", {**step(4713), **ids}, flags, 1, "every row is for position m + 2"
            yield f"{heads} heads at one id, not rotated", {**step(0), **ids}, flags, 1, "no row is rotated"
            yield f"{heads} heads at one id, one late", {**one_wrong, **ids}, flags, 1, "head 5"
            yield f"{heads} rows with a start", {**step(4711 + np.arange(heads)), **start}, flags, 0, None
            yield f"{heads} rows with a start, one late", {**step(4712 + np.arange(heads)), **start}, flags, 1, "m + 1"
            yield f"{heads} heads with a start", {**step(4711), **start}, [*flags, *text], 2, None
            yield f"{heads} heads with a start, named", {**step(4711), **start}, [*flags, "--axes", "hd"], 0, None
            yield f"{heads} heads with a start, named rows", {**step(4711), **start}, [*flags, "--axes", "sd"], 1, "every row is for position 4711"
            yield f"{heads} rows at one position, with an id each", {**step(4711), "position_ids": np.arange(heads) + 4711}, flags, 1, "every row is for position 4711"
            yield f"{heads} heads, --positions", step(4711), [*flags, "--positions", "4711"], 0, None
            yield f"{heads} heads, --positions too early", step(4711), [*flags, "--positions", "4709", "--axes", "hd"], 1, "every row is for position m + 2"
            yield f"{heads} rows, --positions", step(17 + np.arange(heads)), [*flags, "--positions", f"17:{17 + heads}"], 0, None
            yield f"{heads} rows, --positions too early", step(17 + np.arange(heads)), [*flags, "--positions", f"16:{16 + heads}"], 1, "m + 1"


def orders():
    """Axes in each order, with a config and without ids; the batch is not always the first axis."""
    config = llama(16, 4, DIM, BASE, 8192)
    other = inv_freq(DIM, 10000)
    for order in "bhsd", "bshd", "sbhd", "hbsd", "shbd":
        axes = ["bhsd".index(letter) for letter in order]
        for theta, code, what in (THETA, 0, None), (other, 1, "rope_theta is 10000 instead of 500000"):
            arrays = {}
            for name, heads in ("q", 16), ("k", 4):
                x = bf(normal(2, heads, 40, DIM))
                arrays.update({name: x, f"{name}_rot": bf(turned(x, np.arange(40), theta))})
            yield f"{order}, {code}", {name: x.transpose(axes) for name, x in arrays.items()}, config, code, what
            if order == "sbhd":
                flat = {name: x.transpose(axes).reshape(40, 2, -1) for name, x in arrays.items()}
                yield f"[s, b, h·d], {code}", flat, config, code, what
    no_sign = {name: x.swapaxes(1, 2) for name, x in vectors(np.arange(40), 2, 16).items()}
    no_sign["q_rot"] = no_sign["q_rot"] * np.repeat([1, -1], DIM // 2)
    for shape_of in (lambda rows, heads: (rows, heads, DIM)), (lambda rows, heads: (1, heads, rows, DIM)):
        for move, code, what in (0, 0, None), (6904, 1, "every row is for position m + 6904"):
            arrays = {"inp_pos": np.arange(1040)}
            for name, rows, heads in ("q", np.arange(1024, 1040), 16), ("k", np.arange(1040), 4):
                x = normal(*shape_of(len(rows), heads))
                places = rows + move if x.ndim == 4 else rows[:, None] + move
                arrays |= {name: x, f"{name}_rot": np.float32(rotate(x, *table(THETA, places)))}
            yield f"q of k's last rows by k's positions, {arrays['q'].ndim} axes, {move}", arrays, config, code, what
    x = normal(2, 300, 16, 64)
    by = lambda m: {"q": x, "q_rot": np.float32(rotate(x, *table(inv_freq(64), m)))}
    by_heads, by_rows = by(np.arange(16)), by(np.arange(300)[:, None])
    for flags in [], ["--dim", "64"]:
        yield f"more heads than any model has, {flags}", by_heads, flags, 2, "300 positions of 16 heads (--axes bshd)"
        yield f"as many rows of 16 heads, {flags}", by_rows, flags, 0, None
        yield f"positions that are heads, {flags}", by_heads, [*flags, "--dim", "64", "--axes", "bshd"][-4:], 1, "positions are head numbers"
    yield "no rotation, next to q that is one", {**vectors(np.arange(40), 2, 16), "k": no_sign["q"], "k_rot": no_sign["q_rot"]}, config, (1, 2), ""
    token = {}
    for name, heads in ("q", 16), ("k", 4):
        token.update({f"{name}{end}": x[0, :, 0] for end, x in zip(("", "_rot"), vectors([37], 1, heads, name).values())})
    for shape in (-1, DIM), (1, -1, DIM), (1, 1, -1, DIM), (1, -1, 1, DIM), (-1, 1, DIM):
        arrays = {name: x.reshape(shape) for name, x in token.items()}
        for name in "position_ids", "start_pos":
            yield f"heads of one token, {shape}, {name}", {**arrays, name: np.array([37])}, config, 0, None
            yield f"heads of another token, {shape}, {name}", {**arrays, name: np.array([36])}, config, 1, "every row is for position m + 1"


def steps():
    for batch in 1, 2:
        q = vectors(np.array([23]), batch, 32)
        k = vectors(np.arange(24), batch, 8, "k")
        ids = np.full((batch, 1), 23)
        axes = ["--axes", "bhsd"]
        yield f"one token and all keys, {batch}", {**q, **k, "position_ids": ids}, [*FLAGS, *axes], 0, None
        late = vectors(np.arange(24) + 1, batch, 8, "k")
        yield (f"one token and late keys, {batch}", {**q, **late, "position_ids": ids}, [*FLAGS, *axes], 1,
               "every row is for position m + 1")
    q, k = vectors(np.array([23]), 1, 32), vectors(np.arange(24), 1, 8, "k")
    yield "one token and all keys without ids", {**q, **k}, BHSD, 0, None
    for batch, heads in (6, 6), (5, 32), (8, 8):
        k = vectors(np.arange(90), batch, min(heads, 8), "k")
        for at, expected in (89, None), (0, "no row is rotated"), (86, "every row is for position m − 3"):
            q = vectors(np.array([at]), batch, heads)
            for order, axes in ("bhsd", (0, 1, 2, 3)), ("bshd", (0, 2, 1, 3)), ("sbhd", (2, 0, 1, 3)):
                yield (f"one token for each of {batch} entries at {at}, {heads} heads, {order}",
                       {name: x.transpose(axes) for name, x in {**q, **k}.items()}, FLAGS, 1 if expected else 0, expected)
        yield f"one token for each of {batch} entries without keys, {heads} heads", q, FLAGS, 2, "pass one of them, or the positions with --positions"
    x = bf(normal(1, 8, 40, DIM))
    y = bf(turned(x, np.arange(40)))
    yield "other axes before", {"q": x.transpose(0, 2, 1, 3), "q_rot": y}, FLAGS, 0, None
    yield "fused before", {"q": x.transpose(0, 2, 1, 3).reshape(1, 40, -1), "q_rot": y}, FLAGS, 0, None
    yield "repeated heads behind", {"k": x[:, ::4], "k_rot": y[:, ::4].repeat(4, 1)}, BHSD, 0, None
    wrong = bf(turned(x, np.arange(40), inv_freq(DIM)))
    yield ("repeated heads by another base", {"k": x[:, ::4], "k_rot": wrong[:, ::4].repeat(4, 1)},
           BHSD, 1, "rope_theta")


def caches():
    """Steps with a cache. The lengths determine no order of axes, so the report names none."""
    n, ends = 31, np.array([30, 25])
    mask = (np.arange(n) >= n - 1 - ends[:, None]).astype(np.int64)
    counted = np.maximum(np.cumsum(mask, 1) - 1, 0)
    q, k = vectors(ends[:, None], 2, 8), vectors(counted, 2, 2, "k")
    fill = (np.arange(128) <= 37)[:, None]
    static = {name: x * fill for name, x in vectors(np.arange(128), 1, 4, "k").items()}
    one_head = vectors(np.arange(50), 2, 1, "k")
    last = np.full((2, 1), 49)
    offsets = np.array([3, 17, 90])
    chunk = vectors(np.arange(4) + offsets[:, None], 3, 4)
    for order in "bhsd", "bshd":
        lies = lambda *parts: {name: x.swapaxes(1, 2) if order == "bshd" else x for part in parts for name, x in part.items()}
        yield f"{order}, lengths of a step", {**lies(q), "cache_seqlens": ends}, FLAGS, 0, None
        yield f"{order}, mask of a step", {**lies(q, k), "attention_mask": mask}, FLAGS, 0, None
        yield f"{order}, mask and ids of a step", {**lies(q, k), "attention_mask": mask, "position_ids": ends[:, None]}, FLAGS, 0, None
        yield (f"{order}, keys by row numbers", {**lies(q, vectors(np.arange(n), 2, 2, "k")), "attention_mask": mask,
                                                 "position_ids": ends[:, None]}, FLAGS, 1, "position")
        yield (f"{order}, keys by row numbers, queries counted",
               {**lies(q, vectors(np.arange(n), 2, 2, "k")), "attention_mask": mask}, FLAGS, 1, "position")
        yield f"{order}, a cache that is a third full", {**lies(static), "position_ids": np.array([[37]])}, FLAGS, 0, None
        yield f"{order}, one head's cache", {**lies(one_head), "position_ids": last}, FLAGS, 0, None
        late = vectors(np.arange(50) + 1, 2, 1, "k")
        yield f"{order}, one head's cache, late", {**lies(late), "position_ids": last}, [*FLAGS, "--axes", order], 1, "m + 1, not m"
        yield f"{order}, a chunk of each entry", {**lies(chunk), "seqlen_offsets": offsets}, FLAGS, 0, None
        same = vectors(np.arange(4) + 3, 3, 4)
        yield f"{order}, a chunk by the first offset", {**lies(same), "seqlen_offsets": offsets}, [*FLAGS, "--axes", order], 1, "batch entr"
        wide = normal(2, 3, 40, DIM)  # attention_factor scales only the rotating dimensions
        part = np.concatenate([1.5 * turned(wide[..., :64], np.arange(40), inv_freq(64)), wide[..., 64:]], -1)
        flags = ["--dim", "128", "--rotary-dim", "64", "--rope", "yarn,factor=1,attention_factor=1.5,original_max_position_embeddings=64"]
        yield f"{order}, a part that is scaled", lies({"q": wide, "q_rot": np.float32(part)}), flags, 0, None
    heads = normal(1, 1, 9, DIM)
    along = np.float32([[[turned(heads[0, 0, h], np.array(57 + h))[None] for h in range(9)]]]).reshape(heads.shape)
    yield "a step along the heads", {"q": heads, "q_rot": along, "position_ids": np.array([[57]])}, FLAGS, 1, "head number"


def on_axes(grid, widths, at=lambda n, i: i, base=1e4):
    """Angles of a grid, one block of pairs for each axis."""
    places = np.stack(np.meshgrid(*map(np.arange, grid), indexing="ij")).reshape(len(grid), -1)
    return np.concatenate([at(n, own)[:, None] * base ** (-np.arange(0, d, 2) / d)
                           for n, own, d in zip(grid, places, widths)], 1), places.T


def images():
    grid, widths = (5, 6, 8), (44, 42, 42)
    a, places = on_axes(grid, widths)
    flags = ["--dim", "128", "--layout", "interleaved", "--rope", "axes=blocks,mrope_section=22,21,21"]
    two = lambda x: np.repeat(np.float32(x), 2, -1)
    own = {"cos": two(np.cos(a)), "sin": two(np.sin(a))}
    yield "a video without ids", own, flags, 0, None
    yield "a video's sizes", {**own, "grid_sizes": np.array([grid])}, flags, 0, None
    yield "a video's ids", {**own, "ids": places.astype(np.float32)}, flags, 0, None
    yield ("text and image ids", {**own, "txt_ids": places[:20], "img_ids": places[20:]}, flags, 0, None)
    blocks = np.arange(4 * 6 * 8).reshape(4, 3, 2, 4, 2).transpose(0, 1, 3, 2, 4).ravel()  # blocks of 2 × 2 tokens, as in Qwen2-VL
    a, places = on_axes((4, 6, 8), widths)
    for name, order, code in ("row by row", slice(None), 0), ("in blocks", blocks, 0), ("backwards", slice(None, None, -1), 1):
        yield (f"tokens {name}", {"cos": two(np.cos(a[order])), "sin": two(np.sin(a[order])), "grid_thw": np.array([[4, 6, 8]])},
               flags, code, None)
    a, places = on_axes(grid, widths)
    yield ("other sizes", {**own, "grid_sizes": np.array([[6, 5, 8]])}, flags, 1, "")
    b = on_axes(grid, widths, base=2e4)[0]
    yield "another base without ids", {"cos": two(np.cos(b)), "sin": two(np.sin(b))}, flags, 2, "position_ids"
    yield ("another base with ids", {"cos": two(np.cos(b)), "sin": two(np.sin(b)), "position_ids": places}, flags, 1,
           "rope_theta")
    x = normal(1, 3, len(places), 128)
    y = np.float32([[rotate(head, np.float32(np.cos(a)), np.float32(np.sin(a)), "interleaved") for head in x[0]]])
    mrope = ["--dim", "128", "--rope", "axes=sectioned,mrope_section=16,24,24"]
    theta, axis = inv_freq(128), np.repeat([0, 1, 2], [16, 24, 24])
    ids = np.concatenate([np.tile(np.arange(5), (3, 1)), 5 + places.T, 13 + np.tile(np.arange(9), (3, 1))], 1)
    of_images = {"cos": np.cos(ids[axis].T * theta), "sin": np.sin(ids[axis].T * theta), "image_grid_thw": np.array([grid])}
    yield "text and an image without ids", of_images, mrope, 2, "position_ids"
    yield "text and an image", {**of_images, "position_ids": ids}, mrope, 0, None
    plain = np.arange(40)[:, None] * theta
    yield "text with an image's sizes", {"cos": np.cos(plain), "sin": np.sin(plain), "image_grid_thw": np.array([grid])}, mrope, 0, None
    yield "vectors of a video", {"q": x, "q_rot": y}, flags, 0, None
    rest = normal(1, 3, 12, 128)
    yield "a video before padding", {"q": np.concatenate([x, rest], 2), "q_rot": np.concatenate([y, rest], 2)}, flags, 0, None
    centres = lambda n, i: 2 * np.pi * ((2 * i + 1) / n - 1)
    a, places = on_axes((14, 10), (32, 32), centres, 100.0)
    own = {"cos": np.float32(np.cos(np.tile(a, 2))), "sin": np.float32(np.sin(np.tile(a, 2)))}
    flags = ["--dim", "64", "--base", "100", "--rope", "axes=axial"]
    yield "DINOv3 without positions", own, flags, 0, None
    yield "DINOv3 by rows and columns", {**own, "position_ids": places.T}, flags, 0, None
    coordinates = np.stack([(2 * places[:, 0] + 1) / 14 - 1, (2 * places[:, 1] + 1) / 10 - 1])
    yield "DINOv3 by coordinates", {**own, "position_ids": coordinates}, flags, 0, None
    with_prefix = {"q": (x := normal(1, 2, 145, 64)), "q_rot": (y := x.copy())}
    y[:, :, 5:] = np.float32(rotate(x[:, :, 5:], np.cos(a), np.sin(a)))
    yield "DINOv3 behind tokens that do not rotate", with_prefix, flags, 0, None
    yield ("a row of DINOv3 that does not rotate", {"q": x, "q_rot": np.concatenate([y[:, :, :70], x[:, :, 70:71], y[:, :, 71:]], 2)},
           flags, 2, "position_ids")
    yield "DINOv3 by angles", {**own, "position_ids": 2 * np.pi * coordinates}, flags, 0, None
    yield ("DINOv3 by another base", own, ["--dim", "64", "--base", "200", "--rope", "axes=axial"], 2, "position_ids")
    dinov3 = {"model_type": "dinov3_vit", "hidden_size": 384, "num_attention_heads": 6, "rope_theta": 100.0}
    by_columns = {key: np.roll(value, 16, 1) for key, value in own.items()}
    yield "DINOv3 by its config", own, ["--config", dinov3], 0, None
    tokens_last = {key: np.roll(value, -5, 2) for key, value in with_prefix.items()}
    yield "DINOv3 by its config, behind tokens", with_prefix, ["--config", dinov3], 0, None
    yield "DINOv3 by its config, before tokens", tokens_last, ["--config", dinov3], 1, "the class token or registers are last, not first"
    yield "DINOv3 by its config, with rows and columns", {**own, "position_ids": places.T}, ["--config", dinov3], 0, None
    yield "DINOv3 by a config of another base", own, ["--config", {**dinov3, "rope_theta": 200.0}], 2, "position_ids"
    cells = np.concatenate([np.multiply.outer(places[:, axis], 100.0 ** (-np.arange(16) / 16)) for axis in (0, 1)], 1)
    of_cells = {"cos": np.cos(np.tile(cells, 2)), "sin": np.sin(np.tile(cells, 2))}
    yield "DINOv3 at rows and columns as they are", of_cells, ["--config", dinov3], 2, "position_ids"
    yield "DINOv3 at rows and columns as they are, with ids", {**of_cells, "position_ids": places.T}, ["--config", dinov3], 1, None
    yield "rows and columns as they are, by another config", of_cells, flags, 0, None
    yield "columns first, without a config", by_columns, flags, 0, None
    yield "DINOv3 with columns first", by_columns, ["--config", dinov3], 2, "position_ids"
    a = on_axes((14, 10), (32, 32))[0]
    tower = {"q": (x := normal(1, 2, 140, 64)), "q_rot": np.float32(rotate(x, np.cos(a), np.sin(a)))}
    qwen = {"model_type": "qwen3_vl", "text_config": {"model_type": "qwen3_vl_text", "head_dim": 128, "rope_theta": 5e6},
            "vision_config": {"model_type": "qwen3_vl", "hidden_size": 1024, "num_heads": 16}}
    yield "a vision tower by its model's config", tower, ["--config", qwen], 2, "--dim 64 --rope axes=axial, without the config"
    yield "a vision tower by that advice", tower, ["--dim", "64", "--rope", "axes=axial"], 0, None
    ids = np.stack(np.unravel_index(np.arange(140), (14, 10)), -1)
    as_wide = {**qwen, "text_config": {**qwen["text_config"], "head_dim": 64}}
    yield "a vision tower of the text's width", {**tower, "pos_ids": ids}, ["--config", as_wide], 2, "positions have 2 axes, those of the config's text 3; check heads of the vision tower with --dim 64"
    other = {**qwen, "vision_config": {**qwen["vision_config"], "num_heads": 8}}
    yield "heads that are not of the vision tower", tower, ["--config", other], 2, "if a part of each head rotates"


def halves():
    """ChatGLM-6B: each half of the head has one axis, and position_ids are [B, 2, S]."""
    ids = np.stack([np.r_[0:30, [29] * 10], np.r_[[0] * 30, 1:11]])
    x, theta = normal(40, 1, 8, 128), inv_freq(64)
    a = ids.T[:, :, None] * theta
    y = np.concatenate([rotate(x[..., 64 * axis:64 * axis + 64], np.cos(a[:, axis])[:, None, None], np.sin(a[:, axis])[:, None, None])
                        for axis in (0, 1)], -1)
    for name, given in ("[2, S]", ids), ("[1, 2, S]", ids[None]), ("[2, 1, S]", ids[:, None]):
        flags = ["--dim", "128", "--rope", "axes=halves"]
        yield name, {"q": x, "q_rot": np.float32(y), "position_ids": given}, flags, 0, None
        late = np.array([0, 1]).reshape([2 if n == 2 else 1 for n in given.shape])
        yield f"{name}, one axis late", {"q": x, "q_rot": np.float32(y), "position_ids": given + late}, flags, 1, "axis 1"


def pairings():
    """2-D RoPE of a vision tower, height in the first half of the head, with pairs or table columns in another layout."""
    h, w = np.stack(np.meshgrid(np.arange(10), np.arange(14), indexing="ij")).reshape(2, -1)
    angles = np.concatenate([np.outer(h, exact(36)), np.outer(w, exact(36))], 1)
    dimension = np.arange(72)
    pair = {"half_split": dimension % 36, "interleaved": dimension // 2, "half_split within each axis": dimension // 36 * 18 + dimension % 18}
    flags = {"half_split": ["--rope", "axes=axial"], "interleaved": ["--layout", "interleaved", "--rope", "axes=axial"], "half_split within each axis": ["--rope", "axes=halves"]}
    for kind in np.float32, bf:
        x = kind(normal(1, 4, 140, 72))
        for of, columns in pair.items():
            first = np.array([np.flatnonzero(columns == k) for k in range(36)])
            other = np.empty(72, int)
            other[first] = first[:, ::-1]
            signs = np.where(np.isin(dimension, first[:, 0]), -1, 1)
            for table, of_table in pair.items():
                y = kind(x * np.cos(angles)[:, of_table] + signs * x[..., other] * np.sin(angles)[:, of_table])
                for asked, words in flags.items():
                    if table not in (of, asked) or (of != asked and table != of):
                        continue
                    expected = None if of == asked == table else f"pairs are {of} instead of {'half_split' if of == 'interleaved' else asked}" if of == table else \
                        '"mistake": "pair-layout", "parameters": {"pairs": '
                    yield f"{kind.__name__}, {of} by {table}, {asked} asked", {"q": x, "q_rot": y, "position_ids": np.stack([h, w])}, ["--dim", "72", *words, "--axes", "bhsd"], 1 if expected else 0, expected
                if of != table:
                    yield (f"{kind.__name__}, {of} by {table}", {"q": x, "q_rot": y, "position_ids": np.stack([h, w])}, ["--dim", "72", *flags[of], "--axes", "bhsd"], 1,
                           '"mistake": "pair-layout", "parameters": {"pairs": ')


def orders_without_positions():
    """Vectors whose shape leaves a choice of axes. Mistakes that are no rotation of the pairs decide it."""
    first, second = np.arange(0, DIM, 2), np.arange(1, DIM, 2)
    for batch, rows, heads in (1, 40, 12), (2, 7, 32), (1, 24, 24):
        x = normal(batch, rows, heads, DIM)
        angles = np.arange(rows)[:, None] * inv_freq(DIM, BASE)
        once = lambda of: of(angles)[None, :, None]
        cat, each = (lambda f: np.concatenate((once(f), once(f)), -1)), lambda f: np.repeat(once(f), 2, -1)
        half = np.concatenate((-x[..., DIM // 2:], x[..., :DIM // 2]), -1)
        pairs = np.empty_like(x)
        pairs[..., first], pairs[..., second] = -x[..., second], x[..., first]
        right = x * cat(np.cos) + half * cat(np.sin)
        made = {"right": (right, 0, None),
                "table of pairs": (x * each(np.cos) + half * each(np.sin), 1, "the table is f0 f0 f1 f1"),
                "pairs of dimensions": (x * cat(np.cos) + pairs * cat(np.sin), 1, "the table is cat(f, f)"),
                "one sign": (x * cat(np.cos) - np.roll(x, DIM // 2, -1) * cat(np.sin), 1, "both halves have a minus sign"),
                "normalised": (right / np.sqrt((right ** 2).mean(-1, keepdims=True)), 1, "normalised"),
                "noise": (normal(batch, rows, heads, DIM), 2, "it follows the config as none of them")}
        for name, (y, code, expected) in made.items():
            for order, axes in ("bshd", (0, 1, 2, 3)), ("bhsd", (0, 2, 1, 3)):
                arrays = {"q": x.transpose(axes), "q_rot": y.astype("float32").transpose(axes)}
                yield f"{name}, {rows} rows of {heads} heads, {order}", arrays, FLAGS, code, expected


def alternating():
    """MoonViT: pairs follow x and y alternately, x first; grid_thw holds rows and columns."""
    places = np.stack(np.meshgrid(np.arange(14), np.arange(18), indexing="ij")).reshape(2, -1)
    theta, flags = inv_freq(36), ["--dim", "72", "--layout", "interleaved", "--rope", "axes=alternating"]
    for name, order, code, expected in ("x first", [1, 0], 0, None), ("y first", [0, 1], 1, "axes are taken in the order 1, 0"):
        a = (places[order].T[:, None, :] * theta[:, None]).reshape(252, -1)
        x = normal(1, 4, 252, 72)
        yield (name, {"q": x, "q_rot": np.float32(rotate(x, np.cos(a), np.sin(a), "interleaved")),
                      "grid_thw": np.array([[1, 14, 18]])}, flags, code, expected)
    a = (places[::-1].T[:, None, :] * theta[:, None]).reshape(252, -1)
    for layout, other, table_of_half in ("interleaved", "half", lambda t: np.concatenate([t, t], -1)), ("half", "interleaved", lambda t: np.repeat(t, 2, -1)):
        c, s = (table_of_half(f(a)) for f in (np.cos, np.sin))
        for kind in np.float32, bf:
            y = kind(x)
            turned_by = np.concatenate([-y[..., 36:], y[..., :36]], -1) if layout == "half" else np.stack([-y[..., 1::2], y[..., ::2]], -1).reshape(y.shape)
            for name, rotated, expected in (("right", rotate(y, np.cos(a), np.sin(a), layout), None), ("other pairs", rotate(y, np.cos(a), np.sin(a), other), f"pairs are {other}"),
                                            ("the other layout's table", y * c + turned_by * s, "and the table is")):
                yield (f"{kind.__name__}, {layout}: {name}", {"q": y, "q_rot": kind(np.float32(rotated)), "grid_thw": np.array([[1, 14, 18]])},
                       ["--dim", "72", "--layout", layout, "--rope", "axes=alternating"], 1 if expected else 0, expected)


def parts_of_heads():
    """Only the dimensions or pairs that rotate, as in the arrays of kernels and caches."""
    m = np.arange(64)
    flags = ["--dim", "512", "--rotary-dim", "64"]
    for base, code, expected in (1e4, 0, None), (5e5, 1, "rope_theta is 500000 instead of 10000"):
        x = normal(64, 8, 64)
        c, s = table(inv_freq(64, base), m)
        yield (f"64 of 512 dimensions by {base:g}", {"q_pe": x, "q_pe_rot": np.float32(rotate(x.transpose(1, 0, 2), c, s)).transpose(1, 0, 2)},
               flags, code, expected)
    flags = ["--dim", "512", "--base", "1e6", "--rope", "rope_type=proportional,partial_rotary_factor=0.25"]
    for divisor, code, expected in (512, 0, None), (128, 1, "the exponent is −2i/128"):
        theta = 1e6 ** (-np.arange(0, 128, 2) / divisor)
        yield f"64 of 256 pairs by d = {divisor}", cos_sin(turns(theta, m)), flags, code, expected
        yield f"64 of 256 frequencies by d = {divisor}", {"inv_freq": np.float32(theta)}, flags, code, expected
    for base, code in (1e4, 0), (5e5, 1):
        yield (f"mlx's _freqs by {base:g}", {"_freqs": np.float32(base ** (np.arange(0, 64, 2) / 64))}, ["--dim", "64"], code,
               "rope_theta is 500000" if code else None)
    x = normal(1, 4, 64, 64)
    c, s = table(inv_freq(64), m)
    yield ("written in the order that was read", {"q": x, "q_rot": np.float32(rotate(x, c, s, "interleaved"))},
           ["--dim", "64", "--layout", "interleaved-to-half"], 1, "pairs are interleaved instead of interleaved_to_half_split")
    yield ("written in the order that was read, as declared", {"q": x, "q_rot": np.float32(rotate(x, c, s, "interleaved"))},
           ["--dim", "64", "--layout", "interleaved"], 0, None)


def roundings():
    for heads, rows in (8, 64), (4, 200), (32, 100):
        axes = BHSD
        x, at = normal(1, heads, rows, DIM), np.arange(rows)
        yield f"rounded behind, {heads} × {rows}", {"q": bf(x), "q_rot": bf(turned(x, at))}, axes, 0, None
        once = bf(turned(bf(x), at + 100))
        yield f"moved by 100, {heads} × {rows}", {"k": bf(x), "k_rot": bf(turned(once, np.full(rows, -100)))}, axes, 0, None
        back = bf(turned(bf(turned(bf(x), -at - 100)), np.full(rows, 100)))
        for name, arrays in ("moved by 100", {"k": bf(x), "k_rot": back}), ("rounded behind", {"q": bf(x), "q_rot": bf(turned(x, -at))}):
            yield f"{name}, in reverse, {heads} × {rows}", arrays, [*axes, "--rope", "direction=reverse"], 0, None
        yield (f"moved by 99, {heads} × {rows}", {"k": bf(x), "k_rot": bf(turned(once, np.full(rows, -99)))}, axes, 1,
               "every row is for position m + 1")
        still = THETA.copy()
        still[40:] = 0
        yield (f"slow pairs that do not rotate, {heads} × {rows}", {"q": bf(x), "q_rot": bf(turned(x, at, still))}, axes,
               1, "")
        yield (f"slow pairs, moved, that do not rotate, {heads} × {rows}",
               {"k": bf(x), "k_rot": bf(turned(bf(turned(bf(x), at + 100, still)), np.full(rows, -100), still))}, axes, 1, "")
    x = np.float32(normal(1, 4, 50, 64))
    theta = inv_freq(64)
    once = np.float32(turned(x, np.arange(50) + 9, theta))
    flags = ["--dim", "64", "--axes", "bhsd"]
    yield ("moved in float32", {"k": x, "k_rot": np.float32(turned(once, np.full(50, -9), theta))}, flags, 0, None)
    for far, first in (64, 0), (100, 1), (1000, 0), (4096, 7):
        at = np.arange(50) + first
        once, own, other = single(x, at + far, theta), {"k": x, "position_ids": at}, inv_freq(64, 10010)
        y = single(once, np.full(50, -far), theta)
        yield f"moved by {far} in float32", {**own, "k_rot": y}, flags, 0, "rotated twice in float32"
        yield f"moved by {far} and scaled", {**own, "k_rot": y * np.float32(1.003)}, flags, 1, ""
        yield f"moved by {far} and 0.01 less", {**own, "k_rot": single(once, np.full(50, 0.01 - far), theta)}, flags, 1, ""
        yield (f"moved by {far} by a base that is 0.1 % larger",
               {**own, "k_rot": single(single(x, at + far, other), np.full(50, -far), other)}, flags, 1, "")
    for name, other in ("inv_freq in float16", np.float16(theta)), ("a base that is 0.01 % larger", inv_freq(64, 10001)):
        yield name, {"k": x, "k_rot": single(x, np.arange(50), other)}, flags, 1, ""


def scales():
    x, theta, flags = normal(1, 20, 100, 64), inv_freq(64), ["--dim", "64", "--axes", "bhsd"]
    y = np.float32(turned(x, np.arange(100), theta))
    for scale, formula in (0.125, "1/√64"), (64**-0.5 * math.log2(math.e), "log₂e/√64"), (64**-0.25, "64^(−1/4)"):
        arrays = {"q": x, "q_rot": y * np.float32(scale)}
        yield f"{formula} behind", arrays, flags, 1, formula
        yield f"{formula} before", {"q": x, "q_rot": np.float32(turned(x * np.float32(scale), np.arange(100), theta))}, flags, 1, formula
        yield f"{formula} undone", arrays, [*flags, "--after", f"scale={scale}"], 0, None
    yield "another factor", {"q": x, "q_rot": y * np.float32(1.2)}, flags, 1, "cos and sin are scaled by 1.2"
    yield "a table's factor", {"cos": np.cos(np.arange(50)[:, None] * theta) * 0.125,
                               "sin": np.sin(np.arange(50)[:, None] * theta) * 0.125}, flags[:2], 1, "cos and sin are scaled"


def lost():
    """Rotated vectors or tables that hold one value, which need not be finite."""
    x = normal(1, 2, 64, 64)
    flags = ["--dim", "64", "--axes", "bhsd"]
    for value, expected in (math.nan, "every pair has a value that is not finite"), (math.inf, "every pair has a value that is not finite"), \
                       (0, "every value is 0"), (1, ""):
        for fmt in "float16", "float32":
            q = x.astype(fmt)
            yield f"{value} in {fmt}", {"q": q, "q_rot": np.full_like(q, value)}, flags, 1, expected
    yield "a table of an image", {"freqs_cis": np.zeros((256, 32, 2))}, ["--dim", "64", "--rope", "axes=axial"], 1, "every value is 0"


def quantised():
    k = bf(normal(1, 8, 64, DIM))
    y = np.float32(turned(k, np.arange(64)))
    flags = BHSD
    blocks = y.reshape(-1, 32)
    scale = np.float32(np.float16(np.abs(blocks).max(1, keepdims=True) / 127))
    yield "q8_0", {"k": k, "k_rot": (np.round(blocks / scale) * scale).reshape(y.shape)}, flags, 2, "8-bit steps in blocks of 32"
    most = np.take_along_axis(blocks, np.abs(blocks).argmax(1)[:, None], 1)
    scale = np.float32(np.float16(most / -8))
    yield ("q4_0", {"k": k, "k_rot": np.float32((np.clip(np.floor(blocks / scale + 8.5), 0, 15) - 8) * scale).reshape(y.shape)},
           flags, 2, "4-bit steps in blocks of 32")
    for name, axes, bits in (("a head", (2, 3), 8), ("a row", (3,), 8), ("a dimension", (2,), 4)):
        scale = np.abs(y).max(axes, keepdims=True) / (2**(bits - 1) - 1)
        yield f"{bits} bits by {name}", {"k": k, "k_rot": np.round(y / scale) * scale}, flags, 2, "whole multiple"
    least = y.min(2, keepdims=True)
    scale = (y.max(2, keepdims=True) - least) / 15
    yield "KIVI", {"k": k, "k_rot": np.round((y - least) / scale) * scale + least}, flags, 2, "4-bit steps in each dimension"
    yield "not quantised", {"k": k, "k_rot": y}, flags, 0, None
    x = np.float32(rng.integers(-3, 4, (1, 2, 64, DIM)))
    yield "small whole numbers", {"q": x, "q_rot": np.float32(turned(x, np.arange(64)))}, flags, 0, None


def runs():
    at = np.arange(40)
    moved = {"ring": (np.roll(at, 11), "rows 0–10 are for positions 29–39, rows 11–39 for 0–28"),
             "zigzag": (np.r_[0:10, 30:40, 10:20, 20:30], "rows 10–19 are for positions 30–39, rows 20–39 for 10–29"),
             "middle": (np.r_[0:10, 13:23, 20:40], "rows 10–19 are for positions 13–22"),
             "one row": (np.r_[0:5, 9, 6:40], "row 5 is for position 9"),
             "even, odd": (np.r_[0:40:2, 1:40:2], "rows 1–19 are for positions 2–38, rows 20–38 for 1–37"),
             "any order": (rng.permutation(40), "for position")}
    for name, (place, expected) in moved.items():
        yield name, vectors(place, heads=8), BHSD, 1, expected
        yield f"{name}, with ids", {**vectors(place), "position_ids": place}, FLAGS, 0, None
    asked = np.r_[0:50, 17, 93, 0:20]
    own = asked.copy()
    own[50:52] -= 1
    yield "two rows of a mixed batch", {**vectors(own), "positions": asked}, FLAGS, 1, "row 50 is for position 16, row 51 for 92"
    each = np.arange(60) + np.array([4, 9, 30])[:, None]
    yield "an offset for each entry", vectors(each, 3), BHSD, 1, "batch entry 2: every row is for position m + 30"


def rows_on_axes():
    """Rows of text and an image that were rotated to other rows' positions."""
    flags = ["--dim", "128", "--base", "500000", "--rope", "axes=sectioned,mrope_section=16,24,24"]
    axis = np.repeat([0, 1, 2], [16, 24, 24])
    text = lambda start, n: np.tile(start + np.arange(n), (3, 1))
    ids = np.concatenate([text(0, 16), 16 + np.stack([np.zeros(48), *np.divmod(np.arange(48), 8)]), text(24, 32)], 1)

    def rotated(at, of=ids):
        """`at` and `of` are [axis, row], or [axis, entry, row] for several entries."""
        at, own = at if isinstance(at, tuple) else (at, axis)
        at, of = (p if p.ndim == 3 else p[:, None] for p in (at, of))
        x = normal(at.shape[1], 4, at.shape[2], 128)
        a = np.moveaxis(at[own], 0, -1)[:, None] * THETA
        return {"q": x, "q_rot": np.float32(rotate(x, np.cos(a), np.sin(a))), "position_ids": of}

    image = rotated((ids, np.repeat([0, 1, 2], [24, 20, 20])), ids)
    yield ("other sections in bfloat16", {name: bf(x) if name.startswith("q") else x for name, x in image.items()}, flags, 1,
           "the sections are 24, 20, 20 (other sizes fit the values, too)")
    two = np.concatenate([ids, ids], 1)
    for fmt in bf, np.float32:
        late = rotated(two + 56 * (np.arange(192) >= 96), two)
        late = {name: fmt(x) if name.startswith("q") else x for name, x in late.items()}
        yield f"a second sequence behind the first, {fmt.__name__}", late, flags, 1, "rows 96–191 are for positions 56 later on each axis"
    chunk, steps = ids[:, 48:], np.stack([[[310], [318], [64], [300]]] * 3)
    other = steps + np.array([[900], [512], [0], [2100]])
    for name, at, of, expected in (("as asked", ids, ids, None),
                               ("a chunk at the first rows' ids", ids[:, :48], chunk, "rows 0–16 are for positions (0, 0, 0)–(16, 16, 16), rows 17–23 for (16, 16, 17)–(16, 16, 23)"),
                               ("packed text", np.concatenate([text(0, 60), text(0, 36)], 1), ids, "positions start over from 0 at row 60"),
                               ("steps", steps, steps, None),
                               ("a lost offset for each step", other, steps, "batch entry 0: every row is for position m + 900; batch entry 1: every row is for position m + 512"),
                               ("other sections", (ids, np.repeat([0, 1, 2], [24, 20, 20])), ids, "the sections are 24, 20, 20"),
                               ("one row at 0", ids * (np.arange(96) != 40), ids, "row 40 is not rotated")):
        yield name, rotated(at, of), flags, 1 if expected else 0, expected
    flux = ["--dim", "128", "--base", "2000", "--layout", "interleaved", "--rope", "axes=blocks,mrope_section=16,16,16,16"]
    places = np.stack(np.meshgrid([0], np.arange(5), np.arange(7), [0], indexing="ij")).reshape(4, -1)
    a = np.concatenate([n[:, None] * inv_freq(32, 2000.0) for n in places], 1)
    for name, sizes in ("sizes", np.array([[1, 5, 7]])), ("no sizes", None), ("two numbers", np.array([1, 3])):
        x = normal(1, 2, 35, 128)
        dump = {"q": x, "q_rot": np.float32(rotate(x, np.cos(a), np.sin(a), "interleaved"))}
        yield f"four axes, {name}", dump | ({} if sizes is None else {"grid_sizes": sizes}), flux, 0, None


def other_vectors():
    """Rotated vectors from another head or entry, missing rotations, and changed dimensions outside rotary_dim."""
    for name, entries, heads, expected in (("exchanged entries", [1, 0], [0, 1, 2, 3], "the rotated vectors are those of batch entries 1, 0"),
                                       ("one entry twice", [0, 0], [0, 1, 2, 3], "batch entry 1 of 2: the rotated vectors are those of batch entry 0"),
                                       ("one head twice", [0, 1], [0, 0, 2, 3], "head 1 of 4: the rotated vectors are those of head 0")):
        for at in np.arange(60), np.array([[37], [37]]):
            own = vectors(at, 2)
            own["q_rot"] = own["q_rot"][entries][:, heads]
            yield f"{name}, {at.size}", own | ({"position_ids": at} if at.ndim == 2 else {}), BHSD, 1, expected
    yarn = [*FLAGS, "--rope", "rope_type=yarn,factor=4,original_max_position_embeddings=4096,attention_factor=1.25", "--axes", "bhsd"]
    x, at = normal(1, 4, 60, 128), np.arange(60)
    y = 1.25 * turned(x, at, blend_yarn(exact(DIM, BASE), DIM, BASE, 4, 4096))
    for name, rows, code, expected in (("none", [], 0, None), ("the last row", [59], 1, "the rows at position 59 are not rotated"),
                                   ("three rows", [7, 30, 59], 1, "rows at positions 7, 30, 59 are not rotated")):
        own = np.float32(y)
        own[:, :, rows] = x[:, :, rows]
        yield f"not rotated with an attention factor, {name}", {"q": np.float32(x), "q_rot": own}, yarn, code, expected
    x = normal(1, 90, 8, 128)
    for order, moved in ("bshd", x), ("bhsd", x.swapaxes(1, 2)):
        yield f"q itself, {order}", {"q": moved, "q_rot": moved}, FLAGS, 1, "no row is rotated"
    yield "zeros", {"q": 0 * x, "q_rot": 0 * x}, FLAGS, 2, "zero in every pair"
    yield "a number", {"q": np.float32(1), "q_rot": x}, FLAGS, 2, "the same shape"
    one = np.zeros((1, 32, 40, DIM), np.float32)
    one[..., 50] = 1
    yield "one dimension of q", {"q": one, "q_rot": np.float32(turned(one, np.arange(40)))}, FLAGS, 0, None
    half, m = [*FLAGS, "--rotary-dim", "64", "--axes", "bhsd"], np.arange(60)
    x = normal(1, 4, 60, DIM)
    right = np.concatenate([np.float32(rotate(x[..., :64], *table(inv_freq(64, BASE), m))), x[..., 64:]], -1)
    for name, rest, expected in (("zero", 0, "dimensions 64–127, which do not rotate, are 0 after the rotation"),
                             ("copies of the first", x[..., :64], "are other values after the rotation than before")):
        y = right.copy()
        y[..., 64:] = rest
        yield f"dimensions that do not rotate are {name}", {"q": x, "q_rot": y}, half, 1, expected
    for name, where, expected in (("one value", [(0, 1, 20, 80)], "dimension 80, which does not rotate, is not finite in 1 of 60 rows after the rotation"),
                              ("two rows", [(0, 1, 20, 80), (0, 2, 7, 90)], "dimensions 80, 90, which do not rotate, are not finite in 2 of 120 rows after")):
        y = right.copy()
        for at in where:
            y[at] = np.nan
        yield f"not finite outside rotary_dim, {name}", {"q": x, "q_rot": y}, half, 1, expected
    y = right.copy()
    y[:, :, 40:] = np.nan
    yield "not finite from a row on", {"q": x, "q_rot": y}, half, 1, "rows are correct at first, and not finite from position 40 on"
    theta = inv_freq(DIM, BASE)
    theta[1::4] = 0
    yield "an inv_freq with zeros", {"inv_freq": np.float32(theta)}, FLAGS, 1, "the rates follow no known rule (pair 1: 0 instead of 0.815)"
    for scale, expected in (1.125, "scaled by 1.125"), (128**-0.5, "1/√128, the softmax scale"):
        y = right * np.float32(scale)
        yield f"all dimensions times {scale:.3g}", {"q": x, "q_rot": y}, half, 1, expected
        yield f"a declared scale {scale:.3g}", {"q": x, "q_rot": y}, [*half, "--after", f"scale={scale!r}"], 0, None


def contradictions():
    """Arrays in one file that contradict each other about positions, and arrays that do not."""
    lengths, n = np.array([40, 33, 27]), 40
    mask = (np.arange(n) >= n - lengths[:, None]).astype(np.int64)
    counted = np.maximum(np.cumsum(mask, 1) - 1, 0)
    k = vectors(counted, 3, 2, "k")
    for name, at, code, expected in (("counted", lengths[:, None] - 1, 0, None), ("by row numbers", np.full((3, 1), n - 1), 1, "position 39")):
        yield f"q of a step {name}, k counted", {**vectors(at, 3, 8), **k, "attention_mask": mask}, BHSD, code, expected
    at = np.concatenate([np.arange(40) + 10, np.arange(80)])
    packed = {name: x[0].swapaxes(0, 1) for name, x in vectors(at).items()}
    yield "indptr and offsets", {**packed, "indptr": np.array([0, 40, 120]), "offsets": np.array([10, 0])}, FLAGS, 0, None
    ends, steps = np.array([0, 40, 110]), {**packed, "positions": at}
    yield "rows behind the last sequence", {**steps, "q_rot": np.r_[packed["q_rot"][:110], np.full((10, 4, DIM), np.nan)],
                                            "query_start_loc": ends}, FLAGS, 0, None
    for order in "bhsd", "bshd":
        for batch in 1, 2:
            one = {**vectors(np.array([89]), batch, 16), **vectors(np.arange(90) + 1, batch, 1, "k"), "position_ids": np.full((batch, 1), 89)}
            one = {name: x.swapaxes(1, 2) if order == "bshd" and x.ndim == 4 else x for name, x in one.items()}
            yield f"late keys of one head, {order}, {batch}", one, FLAGS, 1, "every row is for position m + 1"
    yield ("a late step by one start for each entry", {**vectors(lengths[:, None] + 1, 3, 8), "offset": lengths}, FLAGS, 1, "every row is for position m + 1")
    pads = np.where(mask > 0, np.cumsum(mask, 1) - 1, 0)
    for what, change in ("m + 1", lambda m: m + 1), ("multiplied by 4", lambda m: 4 * m):
        yield (f"padding, {what}", {**vectors(np.where(mask > 0, change(pads), pads), 3), "attention_mask": mask}, BHSD, 1, what)
    between = np.linspace(-0.95, 0.95, 24)
    yield "positions between −1 and 1", {**vectors(between), "position_ids": between}, FLAGS, 0, None
    mrope = [*FLAGS, "--rope", "axes=sectioned,mrope_section=16,24,24", "--axes", "bhsd"]
    for ids in counted, lengths[:, None] - 1:  # three entries of text, not three axes
        yield f"text of three entries, {ids.shape[1]} rows", {**vectors(ids, 3), "position_ids": ids}, mrope, 0, None
    image = np.stack([np.zeros(48), *np.divmod(np.arange(48), 8)])[np.repeat([0, 1, 2], [16, 24, 24])].T * THETA
    x = normal(1, 4, 48, DIM)
    yield "an image without ids", {"q": x, "q_rot": np.float32(rotate(x, np.cos(image), np.sin(image)))}, mrope, 2, "pass the positions"
    flat, places = ["--dim", "64", "--rope", "axes=even_odd"], np.stack(np.meshgrid(np.arange(9), np.arange(14), indexing="ij")).reshape(2, -1)
    theta, x = inv_freq(64), normal(1, 4, 126, 64)
    a = np.concatenate([np.outer(places[0], theta[::2]), np.outer(places[1], theta[1::2])], 1)
    y = np.float32(rotate(x, np.cos(a), np.sin(a)))
    yield "Pixtral's ids 64·h + w", {"q": x, "q_rot": y, "position_ids": 64 * places[0] + places[1]}, flat, 0, None
    two = np.concatenate([np.stack(np.meshgrid(np.arange(h), np.arange(w), indexing="ij")).reshape(2, -1) for h, w in ((4, 6), (5, 2))], 1)
    rows = normal(1, 4, two.shape[1], 64)
    for base, code in (10000, 0), (500000, 1):
        theta = inv_freq(64, base)
        angles = np.concatenate([np.multiply.outer(two[0], theta[::2]), np.multiply.outer(two[1], theta[1::2])], 1)
        yield (f"Pixtral's ids of two images, base {base}", {"q": rows, "q_rot": f32(rotate(rows, np.cos(angles), np.sin(angles))), "position_ids": 64 * two[0] + two[1]},
               flat, code, "rope_theta is 500000" if code else None)
    yield "Pixtral's ids, columns first", {"q": x, "q_rot": y, "position_ids": 64 * places[1] + places[0]}, flat, 1, ""
    wrong = np.array([6369, 18134, 2345, 777])
    rounded = bf(wrong).astype(int)
    yield ("rounded positions of a step", {**vectors(rounded[:, None], 4, 8), "position_ids": wrong[:, None]}, BHSD, 1,
           "positions were rounded to bfloat16")


def growing_caches():
    """Under dynamic NTK scaling, cached keys keep the base of the sequence's length at their step."""
    flags, m, first = ["--dim", "64", "--max-position", "200", "--rope", "rope_type=dynamic,factor=2", "--axes", "bhsd"], np.arange(260), 200
    base = lambda n: 1e4 * (2 * np.maximum(n, first) / first - 1) ** (64 / 62)
    x = normal(1, 2, 260, 64)
    for name, lengths, expected in (("one length", np.full(260, 260), None), ("the length of each step", m + 1, "rows keep the base of the sequence's length"),
                                ("a long prefill, then steps", np.maximum(m + 1, 230), "the first 230 rows that of length 230"),
                                ("prefills of two turns", np.where(m < 220, np.maximum(m + 1, 210), np.where(m < 250, 250, m + 1)), "in which they were cached; dynamic"),
                                ("prefill in parts of 64", np.minimum((m // 64 + 1) * 64, 260), "in which they were cached; dynamic"),
                                ("half the length", np.maximum((m + 1) // 2, 100), ""), ("a length in no part", np.where(m < 230, 240, 260), "")):
        a = m[:, None] * base(lengths)[:, None] ** (-np.arange(0, 64, 2) / 64)
        for kind in np.float32, bf:
            yield (f"{kind.__name__}, {name}", {"k": kind(x), "k_rot": kind(np.float32(rotate(kind(x), np.cos(a), np.sin(a))))}, flags,
                   0 if expected is None else 1, expected)
    short = x[:, :, :180]
    for n, expected in (10**9, None), (180, "dynamic's formula was applied to sequences of 180 positions: up to 200 the base is rope_theta"):
        theta = inv_freq(64, 1e4 * (2 * n / first - 1) ** (64 / 62) if expected else 1e4)
        yield f"180 of 200 positions, {n}", {"q": short, "q_rot": np.float32(turned(short, m[:180], theta))}, flags, 1 if expected else 0, expected


def windows():
    """Qwen2.5-VL's vision tower: patches in windows of 8 × 8, which consist of blocks of 2 × 2."""
    cells = [(r + a, c + b) for top in range(0, 16, 8) for left in range(0, 24, 8) for r in range(top, top + 8, 2)
             for c in range(left, left + 8, 2) for a in (0, 1) for b in (0, 1)]
    rows = [(r, c) for r in range(16) for c in range(24)]
    theta, x = inv_freq(40), normal(384, 4, 80)
    for name, places, code in ("in windows", cells, 0), ("row by row", rows, 0), ("column by column", [(c, r) for r in range(24) for c in range(16)], 1):
        a = np.concatenate([np.outer(axis, theta) for axis in np.array(places).T], 1)[:, None]
        yield (f"patches {name}", {"q": x, "q_rot": np.float32(rotate(x, np.cos(a), np.sin(a))), "grid_thw": np.array([[1, 16, 24]])},
               ["--dim", "80", "--rope", "axes=axial"], code, None)


def tables():
    m, theta = np.arange(128), inv_freq(64)
    a = m[:, None] * theta
    c, s, x = np.cos(a), np.sin(a), normal(1, 4, 128, 64)
    flags = ["--dim", "64", "--axes", "bhsd"]
    stored = {"s0 c0 s1 c1": np.stack([s, c], -1).reshape(128, 64), "s0 s1 … c0 c1": np.hstack([s, c])}
    read = {"halves": lambda t: (t[:, 32:], t[:, :32]), "other halves": lambda t: (t[:, :32], t[:, 32:]),
            "pairs": lambda t: (t[:, 1::2], t[:, 0::2]), "other pairs": lambda t: (t[:, 0::2], t[:, 1::2])}
    right = {("s0 c0 s1 c1", "pairs"), ("s0 s1 … c0 c1", "halves")}
    swapped = {("s0 c0 s1 c1", "other pairs"), ("s0 s1 … c0 c1", "other halves")}
    for order, rows in stored.items():
        for how, take in read.items():
            y = np.float32([[rotate(head, *(np.float32(t) for t in take(rows))) for head in x[0]]])
            is_right = (order, how) in right
            yield (f"{order} read as {how}", {"q": x, "q_rot": y}, flags, 0 if is_right else 1,
                   None if is_right else "swapped" if (order, how) in swapped else order)
    at = np.arange(40)
    a = at[:, None] * THETA
    cos, sin = np.float32(np.cos(np.hstack([a, a]))), np.float32(np.sin(np.hstack([a, a])))
    for name, ids in {"of a prompt": [[7, 8, 9, 10]], "of a step": [5], "of a batch": [[0, 0, 1], [0, 1, 2]], "on axes": [[[1, 2]]] * 3}.items():
        for wrong in False, True:
            cache = {"cos": cos[None, None], "sin": (-sin if wrong else sin)[None, None], "position_ids": np.array(ids)}
            yield f"a cache and position_ids {name}, {wrong}", cache, FLAGS, int(wrong), "opposite direction" if wrong else None
    yield "position_ids without a row", {"cos": cos, "sin": sin, "position_ids": [38, 39, 40]}, FLAGS, 2, "has rows for positions 0 to 39"
    for name, ids in {"equal sequences": np.stack([at] * 3), "padded sequences": np.stack([at, np.maximum(at - 7, 0)])}.items():
        batch = {**vectors(ids, len(ids)), "position_ids": ids}
        yield f"one table for {name}", {**batch, "cos": cos, "sin": sin}, FLAGS, 0, None
        yield f"a wrong table for {name}", {**batch, "cos": cos, "sin": -sin}, FLAGS, 1, "opposite direction"
    q, cos, sin = normal(64, 64), normal(64, 64), normal(64, 64)
    yield ("a table without a rotation", {"q": q, "cos": cos, "sin": sin, "q_rot": q * cos + np.hstack([-q[:, 32:], q[:, :32]]) * sin},
           ["--table"], 2, "columns i and i + 32 differ")


def tables_of_garbage():
    """A cache whose sines are no sines."""
    t = np.float32(np.concatenate(table(inv_freq(32, 1e4), np.arange(300)), -1))
    wrong = t.copy()
    wrong[:, 16:] = np.float32(np.exp(np.linspace(0, 80, 16))) * (1 + wrong[:, 16:])
    flags = ["--dim", "32", "--base", "10000"]
    yield "right", {"cos_sin_cache": t}, flags, 0, None
    yield "garbage", {"cos_sin_cache": wrong}, flags, 2, "pass --cache-layout cos-sin"
    yield "garbage, with a layout", {"cos_sin_cache": wrong}, [*flags, "--cache-layout", "cos-sin"], 1, "not a rotation"


def permuted():
    """k_proj permuted between Hugging Face's and GGUF's order, or with q_proj's number of heads."""
    def gguf(heads, n):
        i, d = np.arange(n), n // heads
        return i // d * d + i % d // 2 + i % 2 * (d // 2)
    at, heads, n = np.arange(48), 4, 4 * DIM
    x = normal(1, 48, n)
    shuffled = rng.permutation(DIM)
    orders = {"for 16 heads": (np.argsort(gguf(4, n))[gguf(16, n)], "as for 16 heads, not 4"),
              "for 2 heads": (gguf(2, n), "as for 2 heads, not 4"),
              "for 16 heads, from GGUF": (gguf(4, n)[np.argsort(gguf(16, n))], "as for 16 heads, not 4"),
              "shuffled": (np.concatenate([h * DIM + shuffled for h in range(heads)]), "in another order")}
    split = lambda y: y.reshape(1, 48, heads, DIM).transpose(0, 2, 1, 3)
    for name, (order, expected) in orders.items():
        for kind, kept in ("float32", np.float32), ("bfloat16", bf), ("float16", np.float16):
            k = np.asarray(kept(x))
            of = lambda y, theta=THETA, kept=kept: kept(turned(np.float64(split(y)), at, theta))
            after = split(kept(turned(np.float64(split(k)), at)).transpose(0, 2, 1, 3).reshape(1, 48, n)[..., order])
            for when, y in ("before", of(k[..., order])), ("after", after):
                yield f"{name}, {when} the rotation, {kind}", {"k": split(k), "k_rot": y}, BHSD, 1, f"{expected}{' ' + when if 'another' in expected else ''}"
        yield f"{name} and another base", {"k": split(x), "k_rot": of(x[..., order], inv_freq(DIM), np.float32)}, BHSD, 1, "rope_theta is 10000"
        yield f"{name} in both", {"k": split(x[..., order]), "k_rot": of(x[..., order], kept=np.float32)}, BHSD, 0, None


def unwritten_parts():
    """Kernels that do not store some dimensions, frequencies that are not finite, and inaccurate fast pairs."""
    at, axes = np.arange(30, 94), BHSD
    for kind, kept in ("float32", np.float32), ("bfloat16", bf), ("float16", np.float16):
        x = np.asarray(kept(normal(1, 4, 64, DIM)))
        y = np.asarray(kept(turned(np.float64(x), at)))
        for name, dims in ("64–127", slice(64, None)), ("0–63", slice(0, 64)), ("96–127", slice(96, None)):
            for expected, value in (f"dimensions {name} keep their values", x), (f"dimensions {name} are 0 in every row", 0 * x), \
                    (f"dimensions {name} are not finite in every row", np.nan * x):
                lost = y.copy()
                lost[..., dims] = value[..., dims]
                yield f"{expected}, {kind}", {"q": x, "q_rot": lost, "position_ids": at}, axes, 1, expected
        if kind == "float32":  # other values do not correspond to a known mistake
            lost = y.copy()
            lost[..., 64:] = y[..., :64]
            yield "half of each pair twice", {"q": x, "q_rot": lost, "position_ids": at}, axes, 1, ""
        lost = y.copy()
        lost[..., 1:64], lost[..., 65:] = np.nan, np.nan
        yield f"no inv_freq but the first is finite, {kind}", {"q": x, "q_rot": lost, "position_ids": at}, axes, 1, "pairs 1–63 are not finite at any position"
    rows = np.hstack([np.cos(at[:, None] * THETA), np.sin(at[:, None] * THETA)]).astype(np.float32)
    lost = rows.copy()
    lost[:, 1:64], lost[:, 65:] = np.nan, np.nan
    ids = {"position_ids": at}
    yield "a table without a fault", {"cos_sin_cache": rows} | ids, FLAGS, 0, None
    yield "a table of frequencies that are not finite", {"cos_sin_cache": lost} | ids, FLAGS, 1, "pairs 1–63 are not finite at any position"
    garbage = np.float32(np.exp(rng.normal(0, 20, 64)))
    garbage[33] = np.nan
    for seed in range(4):
        tiny = np.float32(10.0 ** np.random.default_rng(seed).uniform(-41, -8, 32))
        tiny[[3, 7, 20]] = 0
        yield f"a tiny inv_freq of unwritten memory, {seed}", {"inv_freq": tiny}, FLAGS, 1, "a buffer that was never written"
    yield "an inv_freq of unwritten memory", {"inv_freq": garbage}, FLAGS, 1, "inv_freq follows no known rule, and its values of pairs 33 are not finite"


def unwritten_rows():
    """Memory that was never written: zeros, values that are not finite, and numbers of any size."""
    at, axes = np.arange(64), BHSD
    for kind in np.float32, bf:
        x = kind(normal(1, 4, 64, DIM))
        y = kind(np.float32(turned(x, at)))
        numbers = np.float32(np.exp(rng.normal(0, 20, y.shape)) * rng.choice([-1, 1], y.shape))
        whole = np.stack([numbers, 0 * numbers, numbers * np.nan])[np.arange(256).reshape(4, 64) % 3, np.arange(4)[:, None] * 0, *np.indices((4, 64))][None]
        single = np.where(rng.random(y.shape) < 0.2, 0, np.where(rng.random(y.shape) < 0.1, np.nan, numbers))
        for what, memory in ("each row of one kind", whole), ("each row of all kinds", single):
            for name, rows, expected in (("none", [], None), ("a block", range(20, 30), "rows at positions 20–29 are no rotations; all others match"),
                                     ("one row", [17], "the rows at position 17 are no rotations"), ("all", range(64), "no row was written"),
                                     ("the end", range(40, 64), "rows are correct at first, and not")):
                yield (f"{kind.__name__}, {what}: {name}", {"q": x, "q_rot": np.where(np.isin(at, rows)[:, None], kind(memory), y)}, axes, 1 if expected else 0, expected)
        large = np.clip(np.float32(turned(x, at)) * np.float32(3e4), -65504, 65504)
        large[np.abs(large) == 65504] = np.inf
        yield f"{kind.__name__}, overflow of a factor", {"q": np.float16(x), "q_rot": np.float16(large)}, axes, 1, ""


def fast_pairs():
    """Inaccurate sines of large angles: the report must name nothing else."""
    for first in 5000, 30000, 100000, 600000:
        for rows in 4, 32, 64:
            for kind, kept in ("float32", np.float32), ("float16", np.float16):
                at = np.arange(first, first + rows)
                a = at[:, None] * THETA
                for name, noise in ("one pair", 0.05 * (np.arange(64) == 0)), ("large angles", np.minimum(0.05, 4e-7 * a)):
                    off = a + noise * rng.standard_normal(a.shape)
                    x = np.asarray(kept(normal(1, 4, rows, DIM)))
                    y = kept(rotate(np.float64(x), np.cos(off), np.sin(off)))
                    yield (f"{name}, {kind}, {rows} rows from {first}", {"q": x, "q_rot": y, "position_ids": at},
                           [*FLAGS, "--max-position", "1048576", "--axes", "bhsd"], (0, 1) if name != "one pair" else 1, ...)


def names():
    """Names of arrays that combine usual words."""
    at = np.arange(24) + 17
    arrays = vectors(at)
    wrong = vectors(np.arange(24))
    for before, after in (("queries", "queries_rope"), ("blocks.0.attn.hook_q", "blocks.0.attn.hook_rot_q"), ("q", "q_rope"), ("Q", "Q_rot"),
                          ("query_states", "q_embed"), ("q_proj_out", "q_rotary"), ("q_pre_rope", "q_post_rope"), ("q_norm", "q_roped")):
        for start in "seqlen_offset", "num_past", "q_start_index", "kv_offset":
            for code, dump in (0, arrays), (1, wrong):
                yield f"{before}, {after} and {start}, {code}", {before: dump["q"], after: dump["q_rot"], start: np.array(17)}, FLAGS, code, "m − 17" if code else None
    late = {**arrays, "offset": np.array(17)}
    yield "a projection is no result", {"q_proj_out": late["q"], "q_norm_out": late["q"], "offset": late["offset"]}, FLAGS, 2, "holds no"
    yield "the part of MLA that will rotate", {"q": np.repeat(late["q"], 2, -1), "q_rope": late["q"], "q_rope_rot": late["q_rot"], "offset": late["offset"]}, FLAGS, 0, None
    # two arrays that differ by cos and sin
    for base, code in (BASE, 0), (10000, 1):
        c, s = (f32(x) for x in table(inv_freq(DIM, base), at))
        for cos, sin in ("rope_cos", "rope_sin"), ("image_rotary_emb_cos", "image_rotary_emb_sin"), ("attn.cosEmb", "attn.sinEmb"), ("COS_0", "SIN_0"):
            yield f"{cos}, base {base}", {cos: c, sin: s, "position_ids": at}, FLAGS, code, "rope_theta is 10000" if code else None
    yield "two arrays called cos and sin", {"a_cos": c, "a_sin": s, "b_cos": c, "b_sin": s}, FLAGS, 2, "holds no"
    yield "cos and sin of two shapes", {"a_cos": c, "a_sin": s[:3]}, FLAGS, 2, "holds no"


def of_attention():
    """q of one step with the whole cache of k, grouped and fused heads, and the rotating part of DeepSeek's heads."""
    config, at = llama(16, 4, DIM, BASE, 8192), np.arange(40)
    both = lambda q, k, suffix: {f"q{suffix}": q, f"k{suffix}": k}
    for theta, code, expected in (THETA, 0, None), (inv_freq(DIM, 10000), 1, "rope_theta is 10000 instead of 500000"):
        for batch in 1, 2, 16:
            q, k = bf(normal(batch, 16, 40, DIM)), bf(normal(batch, 4, 40, DIM))
            y, z = bf(turned(q, at, theta)), bf(turned(k, at, theta))
            for order, lies in ("bhsd", (0, 1, 2, 3)), ("bshd", (0, 2, 1, 3)):
                of = lambda *arrays: [a.transpose(lies) for a in arrays]
                q1, k1, y1, z1 = of(q[:, :, -1:], k, y[:, :, -1:], z)
                yield f"a step of {batch} and the cache, {order}, {code}", {**both(q1, k1, ""), **both(y1, z1, "_rot")}, config, code, expected
            rows = [a.transpose(0, 2, 1, 3) for a in (q, k, y, z)]
            grouped = [rows[i].reshape(batch, 40, 4, 4, DIM) for i in (0, 2)]
            yield f"groups of heads of {batch}, {code}", {**both(grouped[0], rows[1], ""), **both(grouped[1], rows[3], "_rot")}, config, code, expected
            if batch < 16:
                fused = [np.concatenate([a.reshape(batch, 40, -1) for a in (rows[i], rows[i + 1], rows[1])], -1) for i in (0, 2)]
                yield f"fused qkv of {batch}, {code}", {"qkv": fused[0], "qkv_rot": fused[1]}, config, code, expected
                stacked = [np.stack([a, a, rows[0]], 2) for a in (rows[0], rows[2])]
                yield f"stacked qkv of {batch}, {code}", {"qkv": stacked[0], "qkv_out": stacked[1]}, [*FLAGS, "--axes", "bshd"], code, expected
    deepseek = {"model_type": "deepseek_v3", "hidden_size": 1024, "num_attention_heads": 6, "num_key_value_heads": 6, "qk_nope_head_dim": 128,
                "qk_rope_head_dim": 64, "v_head_dim": 128, "kv_lora_rank": 512, "rope_theta": 10000, "max_position_embeddings": 4096}
    for base, code, expected in (10000, 0, None), (500000, 1, "rope_theta is 500000 instead of 10000"):
        def rotated(x):
            pairs = x.reshape(*x.shape[:-1], 32, 2)
            return rotate(np.concatenate([pairs[..., 0], pairs[..., 1]], -1), *table(inv_freq(64, base), at))
        q, k = np.float32(normal(1, 6, 40, 192)), np.float32(normal(1, 1, 40, 64))
        y = np.concatenate([q[..., :128], np.float32(rotated(np.float64(q[..., 128:])))], -1)
        pe = {"k_pe": k, "k_pe_rot": np.float32(rotated(np.float64(k)))}
        for name, lies in ("[1, 6, 40, 192]", lambda a: a), ("[40, 1152]", lambda a: a[0].transpose(1, 0, 2).reshape(40, -1)):
            yield f"q {name} and k_pe, {code}", {"q": lies(q), "q_rot": lies(y), **pe}, ["--config", deepseek], code, expected
            yield f"q {name}, {code}", {"q": lies(q), "q_rot": lies(y)}, ["--config", deepseek], code, expected
        lost = y.copy()
        lost[..., 100] = 0
        yield f"a changed dimension before those that rotate, {code}", {"q": q, "q_rot": lost}, ["--config", deepseek], 1, ""
        yield f"a changed dimension before those that rotate, next to k_pe, {code}", {"q": q, "q_rot": lost, **pe}, ["--config", deepseek], 2, "must not change"


def masked_steps():
    """Steps after left padding: the keys that the file lacks are in a cache, at positions that follow from the mask."""
    mask = (np.arange(30) >= np.array([[11], [4], [0]])).astype(np.int64)
    counted = np.maximum(np.cumsum(mask, 1) - 1, 0)
    config = llama(8, 2, DIM, BASE, 8192)
    for rows in 1, 4:
        last, numbers = counted[:, -rows:], np.tile(np.arange(30 - rows, 30), (3, 1))
        for order in "bhsd", "bshd":
            lies = lambda *parts: {name: x.swapaxes(1, 2) if order == "bshd" else x for part in parts for name, x in part.items()}
            for kind, q, k, code in (("q", last, None, 0), ("q by row numbers", numbers, None, 1), ("q and k", last, last, 0),
                                     ("q and k by row numbers", numbers, numbers, 1), ("k by row numbers", last, numbers, 1),
                                     ("all keys by row numbers", numbers, np.tile(np.arange(30), (3, 1)), 0), ("all keys", last, counted, 0),
                                     ("q by row numbers and all keys", numbers, counted, 1)):
                dump = lies(vectors(q, 3, 8), {} if k is None else vectors(k, 3, 2, "k"))
                expected = None if code == 0 else "for position 29" if rows == 1 else "batch entr"
                yield f"{rows} of {kind}, {order}", {**dump, "attention_mask": mask}, config, code, expected
    yield "the whole sequence by row numbers", {**vectors(np.arange(30), 3, 8), "attention_mask": mask}, config, 0, None


def other_names():
    """Vectors with unusual names, in pairs X and X_rot."""
    at, text = np.array([5, 90, 33, 33, 0, 1200]), ["--format", "text", "-q"]
    config = llama(8, 2, DIM, BASE, 8192)
    lies = lambda *parts: {name: x.swapaxes(1, 2) for part in parts for name, x in part.items()}
    q, k = vectors(at[:, None], 6, 8), vectors(at[:, None], 6, 2, "k")
    still = {"k": k["k"], "k_rot": k["k"]}
    called = lambda dump, *names: dict(zip(names, dump.values()))
    for before, after in ("k_new", "k_new_rot"), ("key_cache", "key_cache_rotated"), ("new_k_in", "new_k_out"), ("layer.k_step", "layer.k_step_roped"):
        for own, code, expected in (k, 0, None), (still, 1, "no row is rotated"):
            yield f"{before} and {after}, {code}", {**lies(q, called(own, before, after)), "cache_seqlens": at}, config, code, expected
            yield f"only {before} and {after}, {code}", {**lies(called(own, before, after)), "cache_seqlens": at}, config, code, expected
    yield "two pairs of k", {**lies(q, k, called(still, "k_new", "k_new_rot")), "cache_seqlens": at}, config + text, 0, "note: k_new and k_new_rot are not checked"
    two = {**lies(q, called(k, "k_new", "k_new_rot"), called(still, "k_old", "k_old_rot")), "cache_seqlens": at}
    yield "two pairs of k of other names", two, config + text, 0, "k_new_rot are not checked"
    yield "two pairs of k of other names, one named", two, [*config, "k=k_old", "k_rot=k_old_rot"], 1, "no row is rotated"
    yield "no shape of q", {**lies(q), "k_scale": np.ones((4, 6)), "k_scale_rot": np.ones((4, 6)), "cache_seqlens": at}, config + text, 0, "k_scale_rot are not checked"
    latent = llama(8, 1, DIM, BASE, 8192)
    one = vectors(np.arange(40), 1, 1, "k")
    late = {"k": one["k"], "k_rot": bf(turned(one["k"], np.arange(40) + 3))}
    for own, code, expected in (one, 0, None), (late, 1, "every row is for position m + 3"):
        both = {**vectors(np.arange(40), 1, 8), **called(own, "kv", "kv_rot")}
        yield f"kv of one head, {code}", both, latent, code, expected
        yield f"kv of a config with two heads, {code}", both, config + text, 0, "kv_rot are not checked"


def fused_heads():
    """q, k and v in one array: with one key head, and in groups of the heads that share a key head."""
    falcon = {"model_type": "falcon", "hidden_size": 8 * DIM, "num_attention_heads": 8, "alibi": False, "rope_theta": BASE}
    for theta, code, expected in (THETA, 0, None), (inv_freq(DIM, 10000), 1, "rope_theta is 10000 instead of 500000"):
        def rows(heads):
            x = bf(normal(2, heads, 40, DIM))
            return [a.transpose(0, 2, 1, 3) for a in (x, bf(turned(x, np.arange(40), theta)))]
        q, k, v = rows(8), rows(1), rows(1)[0]
        fused = [np.concatenate([q[i], k[i], v], 2).reshape(2, 40, -1) for i in (0, 1)]
        for name, more in ("multi_query", {"multi_query": True}), ("the class's multi_query", {}), ("num_kv_heads of no use", {"multi_query": True, "num_kv_heads": 8}):
            yield f"one head of keys by {name}, {code}", {"qkv": fused[0], "qkv_rot": fused[1]}, ["--config", {**falcon, **more}], code, expected
        k, v = rows(2), rows(2)[0]
        groups = [np.concatenate([q[i].reshape(2, 40, 2, 4, DIM), k[i][:, :, :, None], v[:, :, :, None]], 3) for i in (0, 1)]
        for name, lies in ("[B, S, 2, 6, d]", lambda a: a), ("[B, S, 2, 6·d]", lambda a: a.reshape(2, 40, 2, -1)), ("[S, B, 2, 6·d]", lambda a: a.swapaxes(0, 1).reshape(40, 2, 2, -1)):
            dump = {"mixed_qkv": lies(groups[0]), "mixed_qkv_rot": lies(groups[1])}
            yield f"groups {name}, {code}", dump, llama(8, 2, DIM, BASE, 8192), code, expected
            shown = "·" in name  # by the heads of one axis that change
            yield f"groups {name} without heads, {code}", dump, FLAGS, code if shown else 2, expected if shown else "neither a config nor the values show its heads"
        dbrx = {"model_type": "dbrx", "d_model": 8 * DIM, "n_heads": 8, "attn_config": {"kv_n_heads": 2, "rope_theta": BASE}}
        fused = [np.concatenate([q[i], k[i], v], 2).reshape(2, 40, -1) for i in (0, 1)]
        yield f"key heads in a section of the config, {code}", {"qkv": fused[0], "qkv_rot": fused[1]}, ["--config", dbrx], code, expected
    yield "other heads", dump, llama(8, 4, DIM, BASE, 8192), 2, "[…, (8 + 2·4)·128] or […, 4, (2 + 2)·128] by the config"


def indexers():
    """Heads of DeepSeek-V3.2's indexer, which are wider than its attention heads and rotate in part."""
    at = np.arange(40)
    config = ["--config", {"model_type": "deepseek_v32", "hidden_size": 7168, "num_attention_heads": 128, "qk_nope_head_dim": 128,
                           "qk_rope_head_dim": 64, "index_head_dim": 128, "index_n_heads": 64, "rope_theta": 10000}]
    x = normal(40, 64, 128)
    turned_part = np.float32(rotate(x[..., :64], *(part[:, None] for part in table(inv_freq(64), at))))
    dump = {"q": x, "q_rot": np.concatenate([turned_part, x[..., 64:]], -1)}
    yield "an indexer's heads", dump, config, 2, "check them with --dim 128 --rotary-dim 64 and --layout half_split or interleaved"
    yield "by that advice", dump, [*config, "--dim", "128", "--rotary-dim", "64", "--layout", "half_split"], 0, None


def right_padding():
    """Sequences with stated lengths: the rows after these are padding and are ignored."""
    for name in "seq_lens", "lengths":
        for what, rest in ("zero", 0.0), ("not finite", np.nan), ("rotated", None):
            dump = vectors(np.arange(24), 3, 4)
            behind = np.arange(24) >= np.array([24, 9, 15])[:, None]
            if rest is not None:
                dump["q_rot"] = np.where(behind[:, None, :, None], np.float32(rest), dump["q_rot"])
            given = {**dump, name: np.array([24, 9, 15])}
            yield f"{name}, {what}", given, BHSD, 0, None
            lost = {**given, "q_rot": given["q_rot"].copy()}
            lost["q_rot"][2, :, 7] = 0
            yield f"{name}, {what}, and a row lost", lost, BHSD, 1, "position 7"
    dump = vectors(np.arange(24), 3, 4)
    yield "rows of no padding", {**dump, "q_rot": np.where(np.arange(24)[:, None] < 9, dump["q_rot"], 0)}, BHSD, 1, "zero"


def other_names_of(report):
    return [one["what"] for one in report["diagnosis"] if one["mistake"] != "angle-precision" or "pairs" not in one["parameters"]]


def transposed():
    """k with positions after dimensions, [B, H, D, S], as caches store transposed k; with and without q."""
    config = llama(8, 2, DIM, BASE, 8192)
    behind = lambda dump: {name: x.swapaxes(-1, -2) for name, x in dump.items()}
    for rows in 37, 64, DIM, 2 * DIM:
        at = np.arange(rows)
        q, k = vectors(at, 1, 8), vectors(at, 1, 2, "k")
        other = {"k": k["k"], "k_rot": bf(turned(k["k"], at, inv_freq(DIM)))}
        for own, code, expected in (k, 0, None), (other, 1, "rope_theta is 10000 instead of 500000"):
            for axes in [], ["--axes", "bhds"], ["--axes", "bhsd"]:
                if rows != DIM or "bhsd" not in axes:
                    yield f"k of {rows} rows next to q, {axes[1:]}, {code}", {**q, **behind(own)}, config + axes, code, expected
            yield f"k of {rows} rows, {code}", behind(own), config, code, expected
            yield f"k of {rows} rows, not transposed, {code}", {**q, **own}, config, code, expected
            yield f"k of {rows} rows of one sequence, {code}", {name: x[0] for name, x in behind(own).items()}, config, code, expected
            yield f"k of {rows} rows with {rows} ids, {code}", {**behind(own), "position_ids": at}, config, code, expected
        yield f"q and k of {rows} rows by flags", {**behind(q), **behind(k)}, [*FLAGS, "--axes", "bhds"], 0, None
    q, k = vectors(np.arange(40), 1, 8), vectors(np.arange(40), 1, 2, "k")
    yield "k next to q without a config", {**q, **behind(k)}, ["--axes", "bhsd"], 0, None
    yield "k without a config", behind(k), ["--axes", "bhds"], 0, None
    step = vectors(np.array([39]), 1, 8)
    yield "a transposed cache next to a step", {**step, **behind(k), "position_ids": np.array([39])}, config, 0, None
    lost = {"k": k["k"], "k_rot": k["k_rot"] * (np.arange(40) != 7)[:, None]}
    yield "a lost row of a transposed k", {**q, **behind(lost)}, config, 1, "position 7 "
    part = {"k": (x := normal(1, 2, DIM, 64)), "k_rot": np.float32(rotate(x, *table(inv_freq(64, BASE), np.arange(DIM))))}
    half = [*FLAGS, "--rotary-dim", "64", "--axes", "bhsd"]
    yield "as many rows as dimensions, of a part", part, half, 0, None
    yield "a part, transposed", behind({name: x[:, :, :50] for name, x in part.items()}), half, 0, None


def cross_attention():
    """q with fewer rows than k and no positions: the last rows of k, or rows of another sequence."""
    config = llama(8, 8, DIM, BASE, 8192)
    k = vectors(np.arange(50), 2, 8, "k")
    at = {"the last rows": np.arange(40, 50), "from 0 on": np.arange(10), "from 7 on": np.arange(7, 17), "one at 0": np.array([0]), "one at 49": np.array([49])}
    for name, own, code, expected in (("the last rows", k, 0, None), ("from 0 on", k, 2, "q: its rows follow the config at positions 0–9, and the file does not"),
                                  ("from 7 on", k, 1, "every row is for position m − 33"), ("one at 49", k, 0, None), ("one at 0", k, 1, "no row is rotated"),
                                  ("from 0 on", {**k, "k_rot": bf(turned(k["k"], np.arange(50) + 1))}, 1, "every row is for position m + 1")):
        q = vectors(at[name], 2, 8)
        for flags in config, BHSD, ["--axes", "bhsd"]:
            if code != 1 or flags[0] != "--axes":
                yield f"{name}, {flags[0]}, {expected}", {**q, **own}, flags, code, expected
    q = vectors(at["from 0 on"], 2, 8)
    yield "from 0 on, where cache_position says so", {**q, **k, "cache_position": at["the last rows"]}, config, 1, "every row is for position m − 40"
    yield "the last rows, where cache_position says so", {**vectors(at["the last rows"], 2, 8), **k, "cache_position": at["the last rows"]}, config, 0, None
    yield "q of cross attention", {**q, **k}, [*config, "q=q", "q_rot=q_rot"], 0, None
    yield "k of cross attention", {**q, **k}, [*config, "k=k", "k_rot=k_rot"], 0, None
    for first, code in (0, 0), (3, 1):
        dump = {f"decoder.cross_attn.{name}": x for name, x in {**vectors(at["from 0 on"] + first, 2, 8), **k}.items()}
        yield f"cross attention by its names, from {first} on", dump, config, code, "every row is for position m + 3" if code else None


def layers():
    """Configs with layers that rotate differently or not at all; --layers or the arrays' names give the layer."""
    at, text = np.arange(40), ["--format", "text", "-q"]
    smol = {"model_type": "smollm3", "hidden_size": 4 * DIM, "num_attention_heads": 4, "num_key_value_heads": 4, "num_hidden_layers": 8,
            "rope_theta": BASE, "no_rope_layers": [1, 1, 1, 0, 1, 1, 1, 0], "max_position_embeddings": 8192}
    cohere = {"model_type": "cohere2", "hidden_size": 4 * DIM, "num_attention_heads": 4, "num_key_value_heads": 4, "num_hidden_layers": 8,
              "rope_theta": BASE, "layer_types": (["sliding_attention"] * 3 + ["full_attention"]) * 2, "max_position_embeddings": 8192}
    for config, layout in (smol, "half"), (cohere, "interleaved"):
        x = {name: bf(normal(1, 4, 40, DIM)) for name in "qk"}
        rotated = {name: y for key, v in x.items() for name, y in ((key, v), (f"{key}_rot", bf(turned(v, at, layout=layout))))}
        still = {name: y for key, v in x.items() for name, y in ((key, v), (f"{key}_rot", v))}
        kind, flags = config["model_type"], ["--config", config, "--axes", "bhsd"]
        named = lambda dump, layer: {f"model.layers.{layer}.self_attn.{name}": y for name, y in dump.items()}
        yield f"{kind}: rotated", rotated, flags + text, 0, "note: by the config layers 3, 7 must not rotate; --layers N"
        yield f"{kind}: not rotated", still, flags, 2, "no row is rotated, which is right in layers 3, 7 of the config and wrong in the others; name the layer of the dump with --layers N"
        yield f"{kind}: only q is rotated", {**rotated, "k_rot": rotated["k"]}, flags, 1, "no row is rotated"
        yield f"{kind}: rotated layer 2", rotated, [*flags, "--layers", "2"], 0, None
        yield f"{kind}: layer 2 is not rotated", still, [*flags, "--layers", "2"], 1, "no row is rotated"
        yield f"{kind}: layer 3", still, [*flags, "--layers", "3"], 0, None
        yield f"{kind}: layer 2 by its names", named(rotated, 2), flags + text, 0, "read as of layer 2 by the name of model.layers.2.self_attn."
        yield f"{kind}: layer 2 by its names is not rotated", named(still, 2), flags, 1, "no row is rotated"
        yield f"{kind}: layer 3 by its names", named(rotated, 3), flags + text, 1, "none should"
        yield f"{kind}: a layer that the model lacks", named(rotated, 30), flags, 0, None
        yield f"{kind}: names of two layers", {**named({"q": rotated["q"], "q_rot": rotated["q_rot"]}, 2), **named({"k": rotated["k"], "k_rot": rotated["k_rot"]}, 1)}, flags + text, 0, "layers 3, 7 must not rotate"
        for other, code, words in (still, 0, None), (rotated, 1, "none should"):
            yield f"{kind}: layers 2 and 3 in one file, {code}", {**named(rotated, 2), **named(other, 3)}, flags, code, words
            yield f"{kind}: layer 3 of two in one file, {code}", {**named(still, 2), **named(other, 3)}, [*flags, "--layers", "3"], code, words
        yield f"{kind}: at position 0", {**{name: y[:, :, :1] for name, y in still.items()}, "position_ids": np.array([0])}, flags + text, 0, "layers 3, 7 must not rotate"
    gemma = {"model_type": "gemma3_text", "head_dim": DIM, "hidden_size": 4 * DIM, "num_attention_heads": 4, "num_key_value_heads": 4,
             "num_hidden_layers": 12, "rope_theta": 1e6, "rope_local_base_freq": 10000.0, "sliding_window_pattern": 6, "max_position_embeddings": 8192}
    for layer, base in (4, 1e4), (5, 1e6), (11, 1e6):
        x = bf(normal(1, 4, 40, DIM))
        dump = {"q": x, "q_rot": bf(turned(x, at, inv_freq(DIM, base)))}
        flags = ["--config", gemma, "--axes", "bhsd"]
        for name in f"model.layers.{layer}.self_attn.", f"blk.{layer}.", f"transformer.h.{layer}.attn.":
            yield f"{name}: gemma 3", {name + key: y for key, y in dump.items()}, flags, 0, None
        other = {f"model.layers.{layer + 1 if layer == 4 else layer - 1}.{key}": y for key, y in dump.items()}
        yield f"gemma 3's other layer, {layer}", other, flags, 1, "the rotation is that of the config's other layers"
        yield f"gemma 3's other layer, {layer}, named", other, [*flags, "--layers", str(layer)], 0, None
        yield f"gemma 3 without a layer, {layer}", dump, flags, 2, "--layers NAME picks one"
    # inv_freq and tables of both kinds of layers
    kinds = [f32(inv_freq(DIM, base)) for base in (1e6, 1e4)]
    flags = ["--config", gemma]
    for names in (("rotary_emb.inv_freq", "rotary_emb_local.inv_freq"), ("full_attention_inv_freq", "sliding_attention_inv_freq"),
                  ("model.rotary_emb_global.inv_freq", "model.rotary_emb.inv_freq")):
        yield f"{names}", dict(zip(names, kinds)), flags, 0, None
        yield f"{names}, exchanged", dict(zip(names, kinds[::-1])), flags, 1, "the rotation is that of the config's other layers"
        yield f"{names}, of one layer", dict(zip(names, kinds)), [*flags, "--layers", "sliding_attention"], 0, None
        yield f"{names} next to q", {**dump, **dict(zip(names, kinds))}, [*flags, "--layers", "11"], 0, None
    yield "inv_freq of two kinds for one kind of layers", dict(zip(("inv_freq_global", "inv_freq_local"), kinds)), ["--dim", str(DIM), "--base", "1000000"], 2, "holds no"
    yield "cos and cos_local", {"cos": np.cos(np.outer(np.arange(20), kinds[0])), "sin": np.sin(np.outer(np.arange(20), kinds[0])), "cos_local": np.ones((5, 9)), "sin_local": np.ones((5, 9))}, ["--dim", str(DIM), "--base", "1000000"], 0, None
    for (base, code), (name, full, sliding) in itertools.product(((1e4, 0), (1e6, 1)), (
            ("{part}_{kind}", "global", "local"), ("rope_{kind}_{part}", "global", "local"), ("rope_{part}_{kind}", "full_attn", "swa"))):
        both = {name.format(part=part, kind=kind): f32(x) for kind, own in ((full, 1e6), (sliding, base)) for part, x in zip(("cos", "sin"), table(inv_freq(DIM, own), np.arange(20)))}
        yield f"{name} of {full} and {sliding}, {base}", both, flags, code, "the rotation is that of the config's other layers" if code else None

def batches_as_positions():
    """Rotations to the number of the batch entry, and decode steps that share one start."""
    flags, expected = llama(8, 2, DIM, BASE, 8192), "the rotation runs along the batch axis"
    for entries, rows in (2, 40), (4, 24), (16, 16), (12, 30):
        q, k = bf(normal(entries, 8, rows, DIM)), bf(normal(entries, 2, rows, DIM))
        at, by_entry = np.arange(rows), np.arange(entries)[:, None]
        turn = lambda x, positions: bf(rotate(x, *table(inv_freq(DIM, BASE), positions)))
        wrong = {"q": q, "q_rot": turn(q, by_entry[:, None]), "k": k, "k_rot": turn(k, by_entry[:, None])}
        right = {"q": q, "q_rot": turn(q, at), "k": k, "k_rot": turn(k, at)}
        swapped = lambda dump: {name: np.swapaxes(x, 1, 2).copy() for name, x in dump.items()}
        for name, own in ("bhsd", lambda dump: dump), ("bshd", swapped):
            yield f"{name} {entries} × {rows}", own(right), flags, 0, None
            is_open = name == "bshd" and 4 * entries >= rows  # may be [S, B, heads, d]
            yield f"{name} {entries} × {rows}, by entries", own(wrong), flags, *((2, "--axes sbhd") if is_open else (1, expected))
            if is_open:
                yield f"{name} {entries} × {rows}, by entries, named", own(wrong), [*flags, "--axes", name], 1, expected
        part = {name: x[:, :, :4] if name[0] == "q" else x for name, x in swapped(wrong).items()}
        if entries < rows:
            yield f"a shard of {entries} × {rows}, by entries", part, flags, *((2, "--axes sbhd") if 4 * entries >= rows else (1, expected))
        rows_first = {name: np.swapaxes(x, 0, 1).copy() for name, x in swapped(right).items()}
        if entries < rows:
            yield f"sbhd {rows} × {entries}", rows_first, flags, 0, None
    advice = flags + ["--format", "text", "-q"]  # text output, which wraps the note
    for rows, entries in (12, 40), (24, 24):
        x = bf(normal(rows, entries, 8, DIM))
        turned_rows = lambda late: bf(rotate(x, *table(inv_freq(DIM, BASE), late + np.arange(rows)[:, None, None])))
        yield f"sbhd {rows} × {entries}", {"q": x, "q_rot": turned_rows(0)}, flags, 2, "--axes sbhd"
        yield f"sbhd {rows} × {entries}, named", {"q": x, "q_rot": turned_rows(0)}, [*advice, "--axes", "sbhd"], 0, None
        yield f"sbhd {rows} × {entries}, one late", {"q": x, "q_rot": turned_rows(1)}, [*flags, "--axes", "sbhd"], 1, "every row is for position m + 1"
    x = bf(normal(1, 6, 8, DIM))
    step = {"q": x, "q_rot": bf(turned(x, np.array([901]))), "start_pos": np.array(901)}
    yield "a step of sbhd", step, flags, 2, "--axes sbhd"
    yield "a step of sbhd, named", step, [*advice, "--axes", "sbhd"], 0, None
    x = bf(normal(6, 8, 1, DIM))
    step = lambda m, base=BASE: {"q": x, "q_rot": bf(turned(x, np.array([m]), inv_freq(DIM, base))), "offset": np.array(137)}
    still = step(137)
    still["q_rot"] = np.where(np.arange(6)[:, None, None, None] > 0, x, still["q_rot"])
    for name, dump, code, fault in ("right", step(137), 0, None), ("one late", step(138), 1, "every row is for position m + 1"),\
                                   ("another base", step(137, 1e6), 1, "rope_theta is 1000000"), ("not rotated", still, 1, "batch entries 1–5 of 6: no row is rotated"):
        yield f"a step with one start: {name}", dump, flags, code, fault
        for other, axes in ("h1d", lambda y: y[0]), ("1h1d", lambda y: y[:1]):
            if name in ("right", "one late"):
                yield f"a step with one start, {other}: {name}", {key: axes(y) if y.ndim == 4 else y for key, y in dump.items()}, flags, code, fault
        yield f"a step with one start, bshd: {name}", {key: np.swapaxes(y, 1, 2).copy() if y.ndim == 4 else y for key, y in dump.items()}, flags, code, fault
    by_heads = bf(rotate(x[0], *table(inv_freq(DIM, BASE), 137 + np.arange(8)[:, None])))
    yield "a step with one start, h1d, by heads", {"q": x[0], "q_rot": by_heads, "offset": np.array(137)}, flags, 2, "8 positions of 1 head (--axes shd)"


def unrotated_layers():
    """--rotary-dim 0: vectors of unrotated layers, and vectors with the rotation of the config's other layers."""
    x = normal(40, 8, DIM)
    plain, still = np.float32(rotate(x, *table(inv_freq(DIM, 1e6), np.arange(40)[:, None]))), {"q": x, "q_rot": x}
    for name, own in ("heads", lambda y: y), ("fused heads", lambda y: y.reshape(40, 8 * DIM)):
        flags = ["--rotary-dim", "0", "--dim", str(DIM)]
        yield f"{name}: right", {key: own(y) for key, y in still.items()}, flags, 0, None
        yield f"{name}: rotated", {"q": own(x), "q_rot": own(plain)}, flags, 1, f"all {DIM} dimensions rotate, by rope_theta 1000000; none should"
        yield f"{name}: rotated otherwise", {"q": own(x), "q_rot": own(np.flip(plain, -1))}, flags, 1, "vectors change, by no rotation of known parameters"
    nope = {"model_type": "smollm3", "head_dim": DIM, "num_attention_heads": 8, "num_hidden_layers": 4, "rope_theta": 1e6, "no_rope_layers": [1, 1, 1, 0]}
    for key, words in ("q", ["--layers", "3"]), ("layers.3.attention.q", []):
        for name, y, code, expected in ("right", x, 0, None), ("rotated", plain, 1, f"all {DIM} dimensions rotate, by rope_theta 1000000; none should"):
            yield f"layer 3 of {key}: {name}", {key: x, f"{key}_rot": y}, ["--config", nope, *words], code, expected
    yield "layer 3: a scale", still, ["--config", nope, "--layers", "3", "--after", "scale=2"], 2, "--after does nothing with a layer that does not rotate"
    yield "layer 3: a table", {"cos": np.ones((4, DIM)), "sin": np.zeros((4, DIM))}, ["--config", nope, "--layers", "3"], 2, "layer 3 does not rotate"


def per_entry_positions():
    """Batch entries at other starts or at their first row's position, packed entries, M-RoPE text with zero height and width."""
    flags = [*llama(4, 4, DIM, BASE, 8192), "--format", "text"]
    starts, step = np.array([35, 60, 11, 90, 42]), np.arange(6)
    at = starts[:, None] + step
    x = bf(normal(5, 4, 6, DIM))
    turn = lambda positions: {"q": x, "q_rot": bf(rotate(x, *table(inv_freq(DIM, BASE), positions[:, None]))), "position_ids": at}
    yield "right", turn(at), flags, 0, None
    yield "starts of other entries", turn(at + np.array([[3], [-4], [9], [-2], [5]])), flags, 1, "each batch entry was given the start"
    yield "the first row's position", turn(np.repeat(starts[:, None], 6, 1)), flags, 1, "every row of a batch entry is for the position of its first row"
    yield "exchanged", turn(at[[1, 0, 2, 3, 4]]), flags, 1, "batch entries are exchanged"
    vl = {"model_type": "qwen2_vl", "hidden_size": 4 * 128, "num_attention_heads": 4, "num_key_value_heads": 4, "rope_theta": 1e6,
          "max_position_embeddings": 32768, "rope_scaling": {"type": "mrope", "mrope_section": [16, 24, 24]}}
    y, ids = normal(1, 4, 40, 128), np.tile(np.arange(5, 45), (3, 1, 1))
    theta = inv_freq(128, 1e6)
    angles = np.arange(5, 45)[:, None] * theta
    for name, used, code in ("text", angles, 0), ("text without height and width", np.where(np.arange(64) < 16, angles, 0), 1):
        dump = {"q": y, "q_rot": np.float32(rotate(y, np.cos(angles := used), np.sin(angles))), "position_ids": ids}
        yield name, dump, ["--config", vl, "--axes", "bhsd"], code, "axes 1 (height) and 2 (width): every row is for position 0" if code else None


def merged_patches():
    """Ids (t, h, w) of an image in units of patches instead of merged patches, or merged twice."""
    h, w = (x.ravel() for x in np.mgrid[:6, :9])
    right = np.concatenate([np.tile(np.arange(7), (3, 1)), 7 + np.array([0 * h, h, w]), np.tile(16 + np.arange(9), (3, 1))], 1)
    vl = {"model_type": "qwen2_vl", "hidden_size": 4 * 128, "num_attention_heads": 4, "num_key_value_heads": 4, "rope_theta": 1e6,
          "max_position_embeddings": 32768, "rope_scaling": {"type": "mrope", "mrope_section": [16, 24, 24]}}
    axis, is_image = np.repeat([0, 1, 2], [16, 24, 24]), (right != right[0]).any(0)
    x = normal(1, 4, right.shape[1], 128)
    doubled = lambda cell: 2 * cell
    for name, of_cell, axes, expected in (("right", lambda cell: cell, (1, 2), None), ("patches", doubled, (1, 2), "2 apart instead of 1"),
                                      ("patches in height", doubled, (1,), "2 apart instead of 1"),
                                      ("merged twice", lambda cell: cell // 2, (1, 2), "an image's ids are divided by 2")):
        ids = right.copy()
        for one in axes:
            ids[one, is_image] = 7 + of_cell(right[one, is_image] - 7)
        angles = ids[axis].T * inv_freq(128, 1e6)
        for kind, stored in ("float32", np.float32), ("bfloat16", bf):
            dump = {"q": stored(x), "q_rot": stored(rotate(stored(x), np.cos(angles), np.sin(angles))), "position_ids": right[:, None]}
            yield f"{kind}: {name}", dump, ["--config", vl, "--axes", "bhsd"], 1 if expected else 0, expected


def single_images():
    """Wrong ids in one of two images, in the same or in separate sequences, and in a vision tower."""
    flags = ["--dim", "128", "--base", "1e6", "--rope", "axes=sectioned,mrope_section=16,24,24", "--axes", "bhsd"]
    axis, theta = np.repeat([0, 1, 2], [16, 24, 24]), inv_freq(128, 1e6)
    text = lambda start, n: np.tile(start + np.arange(n), (3, 1))
    cells = lambda *sizes: np.stack(np.meshgrid(*map(np.arange, sizes), indexing="ij")).reshape(len(sizes), -1)

    def rotated(at, of, kind):
        x = kind(normal(at.shape[1], 4, at.shape[2], 128))
        angles = np.moveaxis(at[axis], 0, -1)[:, None] * np.float64(theta)
        return {"q": x, "q_rot": kind(rotate(x, np.cos(angles), np.sin(angles))), "position_ids": of}

    one, two = (np.concatenate([text(0, 5), 5 + cells(1, h, w), text(5 + max(h, w), n)], 1) for h, w, n in ((4, 6, 14), (8, 3, 14)))
    exchanged, cell = two[[0, 2, 1]], two.copy()
    halved = np.where(np.arange(43) < 29, np.minimum(two, 5 + np.maximum(two - 5, 0) // 2), two)
    cell[1:, 20] = 6, 8
    behind = lambda rows: np.concatenate([one[:, :29], 11 + rows], 1)[:, None]
    in_batch = lambda rows: np.stack([one, rows], 1)
    in_text = np.array(two)
    in_text[0, 10] += 2
    for kind in np.float32, bf:
        for name, of in ("two sequences", in_batch), ("one sequence", behind):
            for what, rows, expected in (("right", two, None), ("height and width exchanged", exchanged, "axes are taken in the order 0, 2, 1"),
                                     ("divided by 2", halved, "an image's ids are divided by 2"), ("one row", in_text, "row 10 is for position")):
                expected = expected and (expected if of is in_batch else expected.replace("row 10", "row 39"))
                yield f"{kind.__name__}, {name}: {what}", rotated(of(rows), of(two), kind), flags, 1 if expected else 0, expected
        yield (f"{kind.__name__}: one row in height and width", rotated(in_batch(cell), in_batch(two), kind), flags, 1,
               "(other positions fit the values, too)" if kind is bf else "row 20 is for position (5, 6, 8)")
        tower, sizes = np.concatenate([cells(6, 8), cells(10, 6)], 1), np.array([[1, 6, 8], [1, 10, 6]])
        x = kind(normal(1, 4, 108, 72))
        for what, places, expected in ("right", tower, None), ("exchanged", np.where(np.arange(108) < 48, tower, tower[::-1]), "rows 49–107: axes are taken in the order 1, 0"):
            angles = np.concatenate([np.outer(ids, inv_freq(36)) for ids in places], 1)
            yield (f"{kind.__name__}, a vision tower: {what}", {"q": x, "q_rot": kind(rotate(x, np.cos(angles), np.sin(angles))), "grid_thw": sizes},
                   ["--dim", "72", "--rope", "axes=axial"], 1 if expected else 0, expected)
        for what, order, expected in (("exchanged axes", [0, 2, 1], "axes are taken in the order 0, 2, 1"), ("ids of the height for the width", [0, 1, 1], "axis 2 (width): the ids are those of axis 1"),
                                  ("ids of the width for the height", [0, 2, 2], "axis 1 (height): the ids are those of axis 2")):
            for name, ids in ("small", two), ("large", np.concatenate([text(0, 5), 5 + cells(1, 24, 32), text(37, 9)], 1)):
                yield f"{kind.__name__}, {what}, {name}", rotated(ids[order][:, None], ids[:, None], kind), flags, 1, [expected, '"also_fits": []']
        for step in 2, 4:
            video, end = np.array([[step], [1], [1]]) * cells(5, 4, 6), max(4 * step, 5) + 1
            ids = np.concatenate([text(0, 5), 5 + video, text(5 + end, 9)], 1)
            still = np.concatenate([text(0, 5), 5 + video * [[0], [1], [1]], text(11, 9)], 1)
            for what, at, expected in ("right", ids, None), ("frames 0 apart, and text behind", still, "all frames of a video have the time of the first one, and the ids behind"):
                yield f"{kind.__name__}, {step}: {what}", rotated(at[:, None], ids[:, None], kind), flags, 1 if expected else 0, expected


def moved_keys():
    """Keys in a float32 cache that were rotated, and rotated again by the shift of the cache."""
    theta, at = np.float32(inv_freq(128, 5e5)), np.arange(64)
    before = np.where(at < 4, at, at + 237)
    x = normal(1, 8, 64, 128)

    def turned32(y, positions):
        angles = np.float32(positions)[:, None] * theta
        c, s = np.cos(angles), np.sin(angles)
        return np.concatenate([y[..., :64] * c - y[..., 64:] * s, y[..., 64:] * c + y[..., :64] * s], -1)
    old, flags = turned32(x, before), [*llama(8, 8, 128, 5e5, 131072), "--axes", "bhsd"]
    moved = turned32(old, at - before)
    with_old = lambda *rows: {"k": x, "k_rot": np.where(np.isin(at, rows)[:, None], old, moved), "position_ids": at[None]}
    yield "right", with_old(), flags, 0, None
    yield "the last row is not moved", with_old(63), flags, 1, ["from position 63 on, every row is for position m + 237, not m", '"together": []']
    yield "the last rows are not moved", with_old(*range(56, 64)), flags, 1, "from position 56 on, every row is for position m + 237, not m"
    yield "one row is not moved", with_old(10), flags, 1, "row 10 is for position 247"
    yield "one late", {"k": x, "k_rot": turned32(old, at - before + 1), "position_ids": at[None]}, flags, 1, ["every row is for position m + 1, not m", '"together": []']


def nearest_names():
    """yarn with max_position_embeddings as original length, in a few bfloat16 rows that llama3 almost fits."""
    config = {"model_type": "qwen2", "head_dim": 128, "num_attention_heads": 4, "num_key_value_heads": 4, "rope_theta": 1e6, "max_position_embeddings": 131072,
              "rope_scaling": {"type": "yarn", "factor": 4.0, "original_max_position_embeddings": 32768}}
    at, scale = np.arange(300, 380), 0.1 * np.log(4) + 1
    x = bf(normal(80, 4, 128))
    for length, expected in (32768, None), (131072, "original_max_position_embeddings is max_position_embeddings, 131072"):
        theta = unasked_yarn(4, length)
        c, s = (bf(scale * f(at[:, None, None] * theta)) for f in (np.cos, np.sin))
        yield f"{length}", {"k": x, "k_rot": bf(rotate(x, c, s)), "position_ids": at}, ["--config", config], 1 if expected else 0, expected


def rounded_exponents():
    """inv_freq of exponents, or of their powers, in 16 bits."""
    at = np.arange(0, 4000, 37)
    for d, base in (128, 1e4), (96, 5e5):
        e = np.arange(0, d, 2) / d
        flags = ["--dim", str(d), "--base", repr(base)]
        for fmt in "bfloat16", "float16":
            to = lambda x: np.float64(ROUND[fmt](np.float32(x)))
            for what, theta in ("2i/d", base**-to(e)), ("base^(2i/d)", 1 / to(base**e)), (None, base**-e):
                if np.all(theta > 0):
                    what = what if np.any(theta != base**-e) else None  # 2i/128 has few digits
                    expected, x = what and f"{what} was rounded to {fmt} before inv_freq was computed", normal(1, 2, len(at), d)
                    yield f"{what}, {fmt}, {d}: inv_freq", {"inv_freq": np.float32(theta)}, flags, 1 if what else 0, expected
                    for kind in np.float32, bf:
                        y = kind(rotate(kind(x), *turns(np.float32(theta), at)))
                        yield f"{what}, {fmt}, {d}: {kind.__name__}", {"q": kind(x), "q_rot": y, "position_ids": at}, [*flags, "--axes", "bhsd"], 1 if what else 0, expected


def far_narrow_bases():
    """16-bit tables far from position 0, whose base has more digits than their rates from row to row show, without a config."""
    for dim, base, start, rows in ((32, 513553, 262144, 16), (64, 23957, 262144, 40), (128, 7461876, 262144, 120)):
        at = start + np.arange(rows)
        one = {name: np.float16(np.tile(half, 2)) for name, half in cos_sin(table(inv_freq(dim, base), at)).items()}
        words = ["--dim", str(dim), "--max-position", "300000", "--base"]
        yield f"base {base} from {start}", {**one, "position_ids": at}, [], 2, "by no known parameters at these positions"
        yield f"base {base} from {start}, asked for", {**one, "position_ids": at}, [*words, str(base)], 0, None
        yield f"base {base} from {start}, another is asked for", {**one, "position_ids": at}, [*words, "10000"], 1, None


def ntk_bases():
    """ntk's base with and without the exponent d/(d − 2)."""
    at = np.arange(0, 3000, 29)
    for d, base, factor in (128, 1e4, 4.0), (64, 5e5, 8.0):
        flags = ["--dim", str(d), "--base", repr(base), "--rope", f"rope_type=ntk,factor={factor}", "--axes", "bhsd"]
        for name, power in ("right", d / (d - 2)), ("no exponent", 1):
            said, x = f"the base is multiplied by {factor:g}, not {factor:g}^(d/(d − 2))" if power == 1 else None, normal(1, 2, len(at), d)
            y = np.float32(rotate(x, *turns(np.float32(exact(d, base * factor**power)), at)))
            yield f"{name}, {d}", {"q": x, "q_rot": y, "position_ids": at}, flags, 1 if said else 0, said
    for alpha in 1, 3, 7, 15:  # Qwen-7B's
        c, s = (f32(x) for x in table(inv_freq(128, 1e4 * alpha ** (128 / 126)), np.arange(20)))
        yield f"alpha {alpha}", {"cos": c, "sin": s}, ["--dim", "128", "--max-position", "2048", "--rope", "rope_type=qwen_ntk"], int(alpha > 1), f"sequences of {1024 * (alpha + 1)} positions" if alpha > 1 else None
    # bases of many digits: between far positions, only slow pairs turn less than once
    for base, first, rows in itertools.product((128512.525, 523456.7), (5000, 17000, 70000, 130000), (24, 200)):
        c, s = (f32(x) for x in table(inv_freq(128, base), first + np.arange(rows)))
        yield f"{base} from {first}, {rows} rows", {"cos": c, "sin": s, "position_ids": first + np.arange(rows)}, ["--dim", "128"], 1, f"rope_theta is {str(base)[:5]}"


def factors_of_tables():
    """Tables of 16 bits times a factor, whose slow pairs all round alike."""
    for kind, factor in itertools.product(("bfloat16", "float16"), (1, 0.9, 1.05, 1.19, 1.7378, 3.3)):
        for length in 24, 300:
            c, s = (ROUND[kind](factor * x).astype(np.float16 if kind == "float16" else f32) for x in table(THETA, np.arange(length)))
            yield f"{kind} × {factor}, {length} rows", {"cos": c, "sin": s}, FLAGS, int(factor != 1 or kind == "bfloat16"), f"cos and sin are scaled by {factor}" if factor != 1 else None


def shuffled_rows():
    """More rows in another order than are sampled."""
    x, order = normal(1, 2, 400, 64), np.random.default_rng(3).permutation(400)
    for name, at in ("right", np.arange(400)), ("shuffled", order):
        y = np.float32(rotate(x, *turns(exact(64), at)))
        yield name, {"q": x, "q_rot": y}, ["--dim", "64", "--axes", "bhsd"], 0 if name == "right" else 1, None if name == "right" else f"for position {order[0]}"


def unasked_yarn(factor, length):
    """inv_freq of yarn with a base of 1e6 and 128 dimensions."""
    theta = inv_freq(128, 1e6)
    low, high = (128 * np.log(length / (turns * 2 * np.pi)) / (2 * np.log(1e6)) for turns in (32, 1))
    ramp = np.clip((np.arange(64) - max(np.floor(low), 0)) / (min(np.ceil(high), 127) - max(np.floor(low), 0)), 0, 1)
    return theta * (1 - ramp) + theta / factor * ramp


def unasked_yarns():
    """yarn of published models, with a config without scaling; tables and inv_freq."""
    for factor, length in (64, 4096), (16, 16384), (128, 8192), (32, 4096):
        yarn = unasked_yarn(factor, length)
        flags = ["--dim", "128", "--base", "1e6", "--max-position", "262144"]
        expected = f"the scaling is yarn with factor {factor} and original_max_position_embeddings {length}, where no scaling was expected"
        yield f"{factor} of {length}", {"inv_freq": np.float32(yarn)}, flags, 1, expected
        at = np.arange(0, 4000, 101)
        yield f"{factor} of {length}, a table", cos_sin(turns(yarn, at), position_ids=at), flags, 1, expected


def yarn_factors():
    """Another factor of YaRN in bfloat16: cos, sin and products are rounded, as in transformers. The first 200 positions
    show it mainly in the attention factor."""
    for factor, asked, original, length in (1.25, 4, 32768, 40960), (2, 4, 32768, 131072), (16, 32, 4096, 131072), (4, 4, 32768, 131072):
        theta, scale = yarn(DIM, 1e6, factor, original), 0.1 * np.log(factor) + 1
        for start in (3000,) if factor == 2 else (0, 3000):  # at 0 an attention factor of 1.07 fits, too
            angles = (np.arange(200) + start)[:, None] * theta
            c, s = (bf(scale * np.concatenate((of(angles), of(angles)), -1)) for of in (np.cos, np.sin))
            for draw in range(3):
                x = bf(normal(1, 8, 200, DIM))
                half = np.concatenate((-x[..., DIM // 2:], x[..., :DIM // 2]), -1)
                flags = ["--dim", str(DIM), "--base", "1000000", "--max-position", str(length),
                         "--rope", f"yarn,factor={asked},original_max_position_embeddings={original}"]
                yield (f"{factor} of {asked} from {start}, {draw}", {"q": x, "q_rot": bf(bf(x * c) + bf(half * s)), "position_ids": np.arange(200) + start},
                       flags, int(factor != asked), f"yarn's factor is {factor} instead of {asked}" if factor != asked else None)


def overflowing_pairs():
    """cos and sin of angles above 100,000 are garbage, as by a short range reduction (tenstorrent/tt-metal#33971)."""
    at = np.concatenate((np.arange(64), 500000 + np.arange(64)))
    angles = at[:, None] * inv_freq(DIM, BASE)
    for worst in np.inf, 3.0:
        c, s = np.cos(angles), np.sin(angles)
        c[angles > 1e5], s[angles > 1e5] = 2e4, -3e4
        s[64:, 0] = -worst
        yield f"sin {worst}", {"cos": np.float32(c), "sin": np.float32(s), "position_ids": at}, [*FLAGS, "--max-position", "1048576"], 1, "pairs 8–63 match the config, pairs 0–7 do not"
    for least, code, name in (1e5, 1, "not finite, those at angles of"), (np.inf, 0, None):
        c, s = np.cos(angles), np.sin(angles)
        c[angles > least] = s[angles > least] = np.nan
        yield f"values that are not finite from {least} rad on", {"cos": np.float32(c), "sin": np.float32(s), "position_ids": at}, [*FLAGS, "--max-position", "1048576"], code, name
    c, s = np.cos(angles), np.sin(angles)
    c[70, 3] = c[100, 9] = np.nan
    yield "two entries that are not finite", {"cos": np.float32(c), "sin": np.float32(s), "position_ids": at}, [*FLAGS, "--max-position", "1048576"], 1, "2 of 8,192 pairs have values that are not finite"


def first_heads():
    """q of shape [tokens, heads, head_dim] whose last heads are not rotated, as by a kernel with the head count of k."""
    for tokens, heads, turned in (40, 16, 6), (24, 16, 6), (64, 16, 5), (40, 32, 11), (40, 8, 3), (40, 16, 16):
        x = normal(tokens, heads, DIM)
        angles = np.arange(tokens)[:, None, None] * inv_freq(DIM, BASE)
        c, s = (np.concatenate((of(angles), of(angles)), -1) for of in (np.cos, np.sin))
        y = x * c + np.concatenate((-x[..., DIM // 2:], x[..., :DIM // 2]), -1) * s
        y[:, turned:] = x[:, turned:]
        yield (f"{turned} of {heads}, {tokens} tokens", {"q": np.float32(x), "q_rot": np.float32(y)}, FLAGS, int(turned != heads),
               f"heads {turned}–{heads - 1} of {heads}: no row is rotated" if turned != heads else None)


def reads(text):
    """Whether a report has this text in what the dump was identified or read as."""
    def check(report):
        read = str([(one.get("identity"), one.get("subject", {}).get("read_as")) for one in report.get("reports", [report])])
        return "" if text in read else f"{text} is not in {read}"
    return check


def unasked_images():
    """Vision towers and video models without a config, whose files have no ids of their rows."""
    kinds = (("Qwen2-VL", (8, 12), (40, 40), "half", 1e4, 0), ("DINOv3", (9, 6), (32, 32), "half", 100.0, 0),
             ("Llama 4", (7, 10), (44, 44), "interleaved", 1e4, 1), ("Wan", (3, 6, 10), (44, 42, 42), "interleaved", 1e4, 0),
             ("HunyuanVideo", (3, 4, 9), (16, 56, 56), "interleaved", 256.0, 0),
             ("blocks", (8, 12), (40, 40), "half", 1e4, 0), ("windows", (10, 12), (40, 40), "half", 1e4, 0), ("Qwen-Image", (1, 6, 9), (16, 56, 56), "interleaved", 1e4, 0))
    centres, around_0 = lambda n, i: 2 * np.pi * ((2 * i + 1) / n - 1), lambda n, i: i - (n - n // 2) * (n > 1)
    for name, grid, widths, layout, base, at_rest in kinds:
        at = {"DINOv3": centres, "Qwen-Image": around_0}.get(name, lambda n, i: i + at_rest)
        angles = np.concatenate([on_axes(grid, widths, at, base)[0], np.zeros((at_rest, sum(widths) // 2))])
        if name == "blocks":
            angles = angles.reshape(4, 2, 6, 2, -1).swapaxes(1, 2).reshape(96, -1)
        if name == "windows":  # of 8 × 8 cells, whose rest is narrower, in blocks of 2 × 2
            angles = angles[sorted(range(120), key=lambda k: (k // 96, k % 12 // 8, k // 24, k % 12 // 2))]
        x = normal(1, 3, len(angles), sum(widths))
        for fault in "", "one patch", "one axis":
            wrong = angles.copy()
            if fault == "one patch":
                wrong[20] = wrong[21]
            if fault == "one axis":
                wrong[:, -widths[-1] // 2:] *= 0.7
            dump = {"q": np.float32(x), "q_rot": np.float32(rotate(x, np.cos(wrong), np.sin(wrong), layout))}
            yield f"{name} {fault}", dump, [], 2 * bool(fault), "by no known parameters" if fault else reads("--dim")
            if not fault:
                fused = {key: value.swapaxes(1, 2).reshape(1, len(angles), -1) for key, value in dump.items()}
                yield f"{name} with fused heads", fused, [], 0, reads(f"--dim {sum(widths)}")
            if name == "Qwen-Image" and not fault:
                classes = {kind: {"_class_name": kind, "attention_head_dim": 128} for kind in ("QwenImageTransformer2DModel", "FluxTransformer2DModel")}
                yield "counted around 0 by its config", dump, ["--config", classes["QwenImageTransformer2DModel"]], 0, reads("counted around 0")
                plain, _ = on_axes(grid, widths)
                from_0 = {"q": np.float32(x), "q_rot": np.float32(rotate(x, np.cos(plain), np.sin(plain), layout))}
                for kind, code in ("QwenImageTransformer2DModel", 2), ("FluxTransformer2DModel", 0):
                    yield f"counted from 0, {kind}", from_0, ["--config", classes[kind]], code, None
                yield "counted around 0 by another config", dump, ["--config", classes["FluxTransformer2DModel"]], 2, "no grid of its 54 rows"
            if not fault and name not in ("Llama 4", "Qwen-Image"):
                both = np.concatenate([np.zeros((12, angles.shape[1])), angles])
                columns = np.repeat(both, 2, 1) if layout == "interleaved" else np.tile(both, 2)
                yield f"{name}, a table behind text", {"cos": np.cos(columns), "sin": np.sin(columns)}, [], 0, reads("--dim")
            if name == "Llama 4" and not fault:
                flags = ["--dim", "88", "--layout", "interleaved", "--rope", "axes=axial"]
                yield "counted from 1 before a class token", dump, flags, 0, reads("counted from 1")
                yield "counted from 1", {key: value[:, :, :-1] for key, value in dump.items()}, flags, 2, "no grid of its 70 rows"


def two_grids():
    """q, k and a table of one image whose tokens are in different orders; each follows the config at some grid."""
    flags = ["--dim", "80", "--rope", "axes=axial"]
    order = "an image's ids count blocks of 2 × 2, as patches are merged, but its tokens are in another order"
    by_height = "it is divided by the height, not the width"
    rows, columns = (on_axes(grid, (40, 40))[0] for grid in ((8, 10), (10, 8)))
    blocks = rows.reshape(4, 2, 5, 2, -1).swapaxes(1, 2).reshape(80, -1)
    text = np.outer(np.arange(80), inv_freq(80))
    behind = lambda a: np.concatenate([np.zeros((1, 40)), a])
    before = lambda a: np.concatenate([a, np.zeros((1, 40))])
    x = normal(1, 4, 81, 80)
    vectors_at = lambda name, a: {name: np.float32(x[:, :, :len(a)]), name + "_rot": np.float32(rotate(x[:, :, :len(a)], np.cos(a), np.sin(a)))}
    for name, q, k, expected in (("the same", rows, rows, None), ("blocks in both", blocks, blocks, None), ("blocks in k", rows, blocks, order), ("another width in k", rows, columns, by_height),
                                 ("axes of k", rows, np.roll(rows, 20, 1), "axes are taken in the order 1, 0"),
                                 ("text in k", rows, text, "rotated by their row numbers"), ("text in q", text, rows, "rotated by their row numbers"), ("a class token", behind(rows), behind(rows), None),
                                 ("a class token last in k", behind(rows), before(rows), "the class token or registers are last, not first")):
        for given in [], flags:
            yield f"{name}, {len(given)} options", {**vectors_at("q", q), **vectors_at("k", k)}, given, int(expected is not None), expected
        if "token" not in name:
            a = np.tile(q, 2)
            yield f"{name}, a table", {"cos": np.cos(a), "sin": np.sin(a), **vectors_at("k", k)}, [], int(expected is not None), expected
            if name not in ("another width in k", "text in q", "text in k"):
                dump = {**vectors_at("q", q), **vectors_at("k", k), "grid_thw": np.array([[1, 8, 10]])}
                yield f"{name}, sizes", dump, flags, int(expected is not None), expected


def unasked_lists():
    """Phi-3.5's two lists of factors, and YaRN with Mistral's beta_fast of 4, without a config."""
    rows = (json.loads(line) for line in (Path(__file__).parents[2] / "data/models.jsonl").read_text().splitlines())
    config = next(row["config"] for row in rows if row["model"] == "phi-3.5-mini")
    for name, at in ("short_factor", np.arange(96)), ("long_factor", np.arange(6000, 6096)):
        scale = np.sqrt(1 + np.log(32) / np.log(4096))
        c, s = table(np.float32(exact(96) / config["rope_scaling"][name]), at)
        x = normal(1, 4, 96, 96)
        for width, code in ("right", 0), ("wrong", 1):
            turned_by = c[:, ::-1] if code else c, s[:, ::-1] if code else s
            yield f"{name} {width}", {"q": np.float32(x), "q_rot": np.float32(scale * rotate(x, *turned_by)), "position_ids": at}, [], 2 * code, "by no known parameters" if code else reads("--model phi-3.5-mini")
    x, at = normal(1, 4, 60, DIM), np.arange(500, 560)
    for fast, code in (4, 0), (4.7, 1):
        scale = 0.1 * np.log(64) + 1
        y = scale * rotate(x, *table(yarn(DIM, 1e6, 64, 4096, fast, 1, code == 0), at), "interleaved")
        yield f"beta_fast {fast}", {"q": np.float32(x), "q_rot": np.float32(y), "position_ids": at}, [], 2 * code, "by no known parameters" if code else reads("beta_fast=4")
    theta = exact(DIM) / np.sort(rng.uniform(1, 30, DIM // 2))  # of a config that nobody published
    c, s = table(theta, np.arange(300))
    for name, arrays in ("table", {"cos": c, "sin": s}), ("inv_freq", {"inv_freq": theta}):
        arrays = {key: np.float32(value) for key, value in arrays.items()}
        yield f"{name} of unknown factors", arrays, [], 2, "no known parameters"
        if name == "table":
            arrays["sin"][40:50] = np.float32(np.random.default_rng(5).normal(0, 1, arrays["sin"][40:50].shape))
        else:
            arrays["inv_freq"] = arrays["inv_freq"][::-1]
        yield f"{name} of unknown factors, wrong", arrays, [], 1, None


def unasked_files():
    """Files of several arrays, or of few rows, without a config; each wrong one has a right twin."""
    x, at = normal(1, 3, 130, 192), np.arange(130)
    c, s = table(exact(64), at)
    of_q = np.concatenate([x[..., :128], rotate(x[..., 128:], c, s, "interleaved")], -1)
    for layout, code in ("interleaved", 0), ("half", 1):
        k = x[:, :1, :, :64]
        yield f"whole heads and k_pe {layout}", {"q": f32(x), "q_rot": f32(of_q), "k": f32(k), "k_rot": f32(rotate(k, c, s, layout))}, [], code, None
    a = on_axes((9, 12), (32, 32), base=100.0)[0]
    both = np.concatenate([np.zeros((5, 32)), a])
    x = normal(1, 2, 113, 64)
    for order, code in (np.arange(108), 0), (np.arange(108).reshape(12, 9).T.ravel(), 1):
        columns = np.tile(a[order], 2)
        yield f"registers in q, a table of the patches alone, {code}", {"q": f32(x), "q_rot": f32(rotate(x, np.cos(both), np.sin(both))), "cos": f32(np.cos(columns)), "sin": f32(np.sin(columns))}, [], code, None
    x = normal(2, 72, 2, 128)
    of_each = [on_axes(grid, (44, 42, 42))[0] for grid in ((3, 4, 6), (3, 4, 6))]
    y = np.stack([rotate(one.swapaxes(0, 1), np.cos(a), np.sin(a), "interleaved").swapaxes(0, 1) for one, a in zip(x, of_each)])
    for grids, code in ([[3, 4, 6], [3, 4, 6]], 0), ([[3, 4, 6], [2, 5, 7]], 2):
        yield f"a grid for each batch entry, {code}", {"q": f32(x), "q_rot": f32(y), "grid_sizes": np.array(grids)}, [], code, None
    c, s = (np.tile(one, 2) for one in table(exact(DIM, 1e9), np.arange(300)))
    for wrong in False, True:
        sin = s.copy()
        sin[:, DIM // 2:] *= -1 if wrong else 1
        yield f"copies of sin, {wrong}", {"cos": f32(c), "sin": f32(sin)}, [], int(wrong), None
    x = normal(1, 1, 6, DIM)
    yield "one row of six heads or six rows of one", {"q": f32(x), "q_rot": f32(rotate(x, *table(THETA, np.full(6, 517)))), "start_pos": np.array(517)}, [], 2, "may be 6 positions of 1 head (--axes bhsd) or 1 position of 6 heads (--axes bshd)"
    yield "six rows of one head", {"q": f32(x), "q_rot": f32(rotate(x, *table(THETA, np.arange(517, 523)))), "start_pos": np.array(517)}, [], 0, None
    x = normal(1, 4, 90, DIM)
    part = np.concatenate([1.19023807 * rotate(x[..., :96], *table(exact(96), np.arange(90))), x[..., 96:]], -1)
    c, s = table(exact(DIM, 1e6), np.arange(90))
    for base, strict in (1e6, 0), (1e4, 1):
        one = {"cos": f32(c), "sin": f32(s), "inv_freq": f32(exact(DIM, base))}
        yield f"inv_freq of base {base:g} next to cos and sin", one, [], 0, None
        warns = lambda report, strict=strict: "" if ("inv_freq-differs" in str(report)) == strict else "the warning"
        yield f"inv_freq of base {base:g}, strictly", one, ["--strict"], strict, warns
    yield "inv_freq without the linear scaling of cos and sin", cos_sin(table(exact(DIM, 1e6) / 4, np.arange(90)), inv_freq=f32(exact(DIM, 1e6))), ["--strict"], 0, None
    yield "Phi-4-mini within its original length", {"q": f32(x), "q_rot": f32(part)}, [], 0, reads("phi-4-mini")


def tables_in_other_shapes():
    """Tables whose shape is not [rows, columns], each with a wrong twin."""
    c, s = table(exact(DIM, 5e5), np.arange(60))
    for wrong in False, True:
        flat = np.stack([c, s], -1)
        flat[30] = flat[29 if wrong else 30]
        for axis, (one, other) in itertools.product((0, 1), ((c, s), (s, c))):
            both = np.stack([np.tile(one, 2), np.tile(other, 2)], axis)
            both.swapaxes(0, axis)[:, 30] = both.swapaxes(0, axis)[:, 29 if wrong else 30]
            yield (f"cos and sin on axis {axis}, {one is s}, {wrong}", {"cos_sin": f32(np.expand_dims(both, 2))}, ["--dim", "128", "--base", "5e5"],
                   int(wrong or one is s), "cos and sin are swapped" if one is s and not wrong else None)
        for form in np.tile, lambda x, n: np.repeat(x, n, -1):
            both = np.stack([form(one, (1, 2) if form is np.tile else 2) for one in ((s, c) if wrong else (c, s))], -1)
            yield f"[L, d, 2], {form is np.tile}, {wrong}", {"freqs_cis": f32(both)}, ["--dim", "128", "--base", "5e5"], int(wrong), "cos and sin are swapped" if wrong else None
        yield f"(cos, sin) of all rows in one row, {wrong}", {"rotary_cos_sin": f32(flat.reshape(1, -1))}, [], int(wrong), None
    for base, words in (1e14, "or it is 10000000 and the exponent is −2i/64, not −2i/128"), (1e10, "rope_theta is 1e+10 instead of 500000"):
        yield f"a table of base {base:g}", cos_sin(table(base ** (-np.arange(0, 128, 2) / 128), np.arange(60))), ["--dim", "128", "--base", "5e5"], 1, words
    grid, ids = (8, 11), np.stack(np.indices((8, 11)), -1)
    a = on_axes(grid, (32, 32), base=100.0)[0].reshape(8, 11, 32)
    for wrong in False, True:
        cis = np.exp(1j * a)
        cis[3, 4] = cis[3, 5 if wrong else 4]
        one = {"freqs_cis": np.complex64(cis)}
        axes = ["--dim", "64", "--rope", "axes=axial", "--base", "100"]
        halves = {name: np.concatenate([np.tile(half(cis), 2) for half in (lambda x: part(x)[..., :16], lambda x: part(x)[..., 16:])], -1).reshape(88, 64)
                  for name, part in (("cos", np.real), ("sin", np.imag))}
        yield f"each half twice, {wrong}", {**{name: f32(x) for name, x in halves.items()}, "position_ids": ids.reshape(-1, 2)}, ["--dim", "64", "--rope", "axes=halves", "--base", "100"], int(wrong), None
        yield f"a row for each cell, {wrong}", one, [], 2 * wrong, None
        for place, of_rows in ("cell", ids), ("row", ids.reshape(-1, 2)):
            yield f"ids of each {place}, {wrong}", {**one, "position_ids": of_rows}, axes, int(wrong), None


def grids_of_entries():
    """A batch of videos of different sizes, with padding behind the shorter ones, as Wan has it; and Kimi's name of sizes."""
    grids, flags = [(4, 5, 6), (2, 8, 7)], ["--dim", "128", "--layout", "interleaved", "--rope", "axes=blocks,mrope_section=22,21,21"]
    for length, layout in (120, "bshd"), (128, "bhsd"):
        x = normal(2, 2, length, 128)
        for wrong in False, True:
            y = x.copy()
            for entry, grid in enumerate(grids):
                a, rows = on_axes(grids[0] if wrong else grid, (44, 42, 42))[0], np.prod(grid)
                y[entry, :, :rows] = rotate(x[entry, :, :rows], np.cos(a[:rows]), np.sin(a[:rows]), "interleaved")
            one = {name: f32(v if layout == "bhsd" else v.swapaxes(1, 2)) for name, v in (("q", x), ("q_rot", y))}
            yield f"{layout}, {length} rows, {wrong}", {**one, "grid_sizes": np.array(grids)}, flags, int(wrong), "has the position_ids of sequence 0" if wrong else None
    x, a = normal(80, 3, 72), on_axes((8, 10), (36, 36))[0]
    columns = np.stack([a[:, 18:], a[:, :18]], -1).reshape(80, 36)  # x before y in turn
    y = rotate(x.swapaxes(0, 1), np.cos(columns), np.sin(columns), "interleaved").swapaxes(0, 1)
    for sizes, code in ((1, 8, 10), 0), ((1, 10, 8), 1):
        yield f"grid_thws {sizes}", {"q": f32(x), "q_rot": f32(y), "grid_thws": np.array([sizes])}, ["--dim", "72", "--layout", "interleaved", "--rope", "axes=alternating"], code, None


def unasked_readings():
    """Files without a config whose shapes allow several readings, or whose rotation nobody published; each right one has a wrong twin."""
    right_and_wrong = (0, False), (1, True)
    ends = np.array([40, 52, 31, 12])
    for batch, order, (code, wrong) in ((b, o, w) for b in (3, 4) for o in ("bhsd", "bshd") for w in right_and_wrong):
        at, rows = np.maximum(np.arange(52) - 52 + ends[:batch, None], 0), ends[:batch] - 1
        q, k = normal(batch, 8, 1, 64), normal(batch, 1, 52, 64)
        one = {"q": q, "q_rot": turned(q, (np.roll(rows, 1) if wrong else rows)[:, None], inv_freq(64)), "k": k, "k_rot": turned(k, at, inv_freq(64))}
        one = {name: f32(x if order == "bhsd" else x.swapaxes(1, 2)) for name, x in one.items()}
        yield f"a step of {batch} sequences, {order}, {wrong}", {**one, "attention_mask": (np.arange(52) >= 52 - ends[:batch, None]) * 1}, [], code, "batch entries are exchanged" if wrong else reads("--dim 64")
    angles = (np.arange(4) + 1023)[:, None] * yarn(128, 1e6, 3, 20000)
    c, s = (bf((0.1 * math.log(3) + 1) * np.concatenate((of(angles), of(angles)), -1)) for of in (np.cos, np.sin))
    for draw in range(4):
        x = bf(normal(1, 4, 4, 128))
        half = np.concatenate((-x[..., 64:], x[..., :64]), -1)
        yield f"four rows of yarn in bfloat16, {draw}", {"q": x, "q_rot": bf(bf(x * c) + bf(half * s)), "cache_position": np.arange(4) + 1023}, [], 2, None
    x, theta = normal(1, 4, 310, 192), exact(64, 5e4)
    for code, wrong in right_and_wrong:
        q, k = x[:, :, -1:], x[:, :1, :, :64]
        q_rot = np.concatenate([q[..., :128], turned(q[..., 128:], np.array([309 - wrong]), theta, "interleaved")], -1)
        yield f"a step of whole heads and k_pe, {wrong}", {"q": f32(q), "q_rot": f32(q_rot), "k": f32(k), "k_rot": f32(turned(k, np.arange(310), theta, "interleaved")), "position_ids": np.array([[309]])}, [], code, "m − 1" if wrong else reads("rotary_offset=128")
    x = bf(normal(1, 4, 190, DIM))
    for name, theta, code, text in ("unpublished", llama3(DIM, 66666, 7, 1.3, 6, 3000), 2, "by no known parameters"), ("published", llama3(DIM, 5e5, 8), 0, None), ("published", llama3(DIM, 5e5, 8), 1, "inv_freq of pair 26"):
        theta[26] *= 0.9 if code == 1 else 1
        yield f"a {name} llama3 scaling, {code}", {"q": x, "q_rot": bf(turned(x, np.arange(190), theta))}, [], code, text
    for width in 40, 56, 100, 104, 136, 144, 160, 176, 224:
        x = normal(2, 3, 90, width)
        for code, wrong in right_and_wrong:
            y = turned(x, np.arange(90) + wrong * (np.arange(90) >= 60), exact(width))
            yield f"fused heads of {width}, {wrong}", {name: f32(v.swapaxes(1, 2).reshape(2, 90, -1)) for name, v in (("q", x), ("q_rot", y))}, [], code, None if wrong else reads(f"--dim {width}")
    x, at = normal(2, 4, 38, DIM), np.arange(38) + np.array([[29], [96]])
    for layout, (code, wrong) in (("half", right_and_wrong[0]), ("interleaved", right_and_wrong[0]), ("half", right_and_wrong[1])):
        y = turned(x, at[[0, 0]] if wrong else at, THETA, layout)
        yield f"an offset for each entry, {layout}, {wrong}", {"q": f32(x), "q_rot": f32(y), "offset": np.array([29, 96])}, [], code, "batch entry 1 of 2" if wrong else reads("--base 500000")
    x = normal(1, 4, 67, DIM)
    ids = np.concatenate([np.tile(np.arange(9), (3, 1)), 9 + np.stack(np.meshgrid([0], np.arange(6), np.arange(8), indexing="ij")).reshape(3, -1), np.tile(np.arange(17, 27), (3, 1))], 1)
    for code, wrong in right_and_wrong:
        a = ids[np.repeat([0, 1, 2], (16, 24, 24))].T * exact(DIM, 1e6)
        a[40:] = np.roll(a, wrong, 0)[40:]
        with_text = np.concatenate([np.arange(67)[None], ids])[:, None]
        q = {"q": f32(x), "q_rot": f32(rotate(x, np.cos(a), np.sin(a))), "position_ids": with_text}
        yield f"ids of text, time, height and width, {wrong}", q, [], code, None if wrong else reads("mrope_section=16,24,24")
        if wrong:
            continue
        for axes, mistake in ((0, 1, 2), None), ((0, 2, 1), "axes are taken in the order 0, 2, 1"):
            b = ids[np.repeat(axes, (16, 24, 24))].T * exact(DIM, 1e6)
            yield f"these ids for q, for k {axes}", {**q, "k": f32(x[:, :2]), "k_rot": f32(rotate(x[:, :2], np.cos(b), np.sin(b)))}, [], int(mistake is not None), mistake
    all_four = np.concatenate([np.arange(67)[None], ids])
    a = all_four[np.repeat([0, 1, 2, 3], 16)].T * exact(DIM, 11200000)
    for code, wrong in right_and_wrong:
        q, k = bf(normal(1, 4, 67, DIM)), bf(normal(1, 2, 67, DIM))
        b = np.concatenate([a[:40], np.roll(a, wrong, 0)[40:]])
        one = {"q": q, "q_rot": bf(rotate(q, np.cos(a), np.sin(a))), "k": k, "k_rot": bf(rotate(k, np.cos(b), np.sin(b)))}
        yield f"four axes of HunyuanOCR, {wrong}", {**one, "position_ids": all_four[:, None]}, [], code, None
    ids = rng.integers(0, 40, (110, 4))
    a = np.concatenate([np.outer(ids[:, axis], exact(32, 2345)) for axis in range(4)], 1)
    flux = {"cos": f32(np.repeat(np.cos(a), 2, 1)), "sin": f32(np.repeat(np.sin(a), 2, 1)), "ids": ids}
    yield "four axes of an unusual base", flux, [], 2, "--dim 128 --base 10000 --rope axes=sectioned,mrope_section=16,16,16,16"
    yield "four axes of that base", flux, ["--dim", "128", "--rope", "axes=blocks,mrope_section=16,16,16,16", "--base", "2345"], 0, None
    x = normal(1, 3, 180, 64)
    for base, shift, code in (100.0, 0, 0), (100.0, 1, 2), (777.0, 0, 2):
        a = on_axes((12, 15), (32, 32), base=base)[0]
        a = np.concatenate([a[:, 16:], a[:, :16]], 1)  # x before y
        a[90:] = np.roll(a, shift, 0)[90:]
        half = lambda y, first: rotate(y[..., first:first + 32], np.cos(a[:, first // 2:first // 2 + 16]), np.sin(a[:, first // 2:first // 2 + 16]))
        yield f"Gemma 4's patches, base {base:g}, {shift}", {"q": f32(x), "q_rot": f32(np.concatenate([half(x, 0), half(x, 32)], -1))}, [], code, None


def misread_axes():
    """Ids and shapes that permit several axes: one id of several rows, as many axes as batch entries, grouped heads."""
    config = llama(8, 2)
    q, k, at = normal(1, 8, 29, 64), normal(1, 2, 29, 64), np.arange(29)
    turn = lambda x, m: f32(turned(x, m, inv_freq(64, 1e4)))
    for first, code, words in (37, 0, None), (9, 1, "every row is for position m − 28, not m"):
        both = {"q": f32(q), "q_rot": turn(q, at + 37), "k": f32(k), "k_rot": turn(k, at + first)}
        yield f"[37] is the first of 29 rows, k from {first}", {**both, "position_ids": np.array([37])}, config, code, words
    ends, of_keys = np.array([0, 3, 7]), np.array([0, 9, 24])  # a chunk of each sequence, and all of its keys
    step, keys = np.r_[6:9, 11:15], np.r_[0:9, 0:15]
    for late, code, words in (0, 0, None), (1, 1, "every row is for position m + 1, not m"):
        rows = [normal(n, heads, 64) for n, heads in ((7, 8), (24, 2))]
        vectors = {name: f32(x) for name, x in zip("qk", rows)}
        vectors |= {f"{name}_rot": turn(x.swapaxes(0, 1), m).swapaxes(0, 1) for name, x, m in zip("qk", rows, (step + late, keys))}
        yield f"cu_seqlens_q and cu_seqlens_k, {code}", {**vectors, "cu_seqlens_q": ends, "cu_seqlens_k": of_keys}, config, code, words
    x, a = normal(2, 3, 63, 64), on_axes((7, 9), (32, 32), base=100.0)
    for entry, code, words in (a[0], 0, None), (a[0][::-1], 1, None):
        y = np.stack([rotate(one, np.cos(angle), np.sin(angle)) for one, angle in zip(x, (a[0], entry))])
        yield f"ids [2, 63, 2] of two axes, {code}", {"q": f32(x), "q_rot": f32(y), "position_ids": np.stack([a[1]] * 2)}, ["--dim", "64", "--rope", "axes=axial", "--base", "100"], code, words
    x = q.reshape(1, 2, 4, 29, 64)
    groups = x.swapaxes(2, 3)
    for name, y, code, words in (("positions", turned(x, at, inv_freq(64, 1e4)), 0, None),
                                 ("groups", turned(groups, np.arange(4), inv_freq(64, 1e4)).swapaxes(2, 3), 2, "--axes bhhsd")):
        yield f"heads in groups, rotated by {name}", {"q": f32(x), "q_rot": f32(y), "k": f32(k), "k_rot": turn(k, at)}, ["--dim", "64"], code, words


def undetermined():
    """Right dumps that only a config or ids determine, and wrong ones that need none."""
    q, k, at = normal(1, 4, 40, 64), normal(1, 2, 40, 64), np.arange(40)
    turn = lambda x, m=at, base=1e4: f32(turned(x, m, inv_freq(64, base)))

    def layers(**rotated):
        return {f"layers.{name[1]}.q{end}": f32(x) for name, y in rotated.items() for end, x in (("", q), ("_rot", y))}

    def warns(count):
        return lambda report: "" if sum(one["id"] == "layers-differ" for one in report.get("lint", [])) == count else f"lint {report['lint']}"
    yield "one of two layers does not rotate", layers(l0=turn(q), l1=q), [], 2, "layer 1: q does not rotate, unlike that of layer 0"
    yield "no layer rotates", layers(l0=q, l1=q), [], 1, None
    yield "layers of two bases", layers(l0=turn(q), l1=turn(q), l2=turn(q, base=1e6)), [], 0, warns(1)
    yield "layers of one base", layers(l0=turn(q), l1=turn(q, base=1e4)), [], 0, warns(0)
    for first in 37, 49:
        both = {"q": f32(q), "q_rot": turn(q, at + first), "k": f32(k), "position_ids": np.array([first])}
        yield f"[{first}] is the first of 40 rows", {**both, "k_rot": turn(k, at + first)}, [], 0, None
    yield "[49] is the first of q's rows", {**both, "k_rot": turn(k, at + 9)}, [], 1, "every row is for position m − 40, not m"
    two, mask = normal(2, 4, 64, 64), np.arange(64)[None] >= np.array([[0], [10]])
    for late, code, words in (0, 0, None), (5, 1, "batch entry 1 of 2"):
        rows = np.stack([np.arange(64), np.arange(64) + late * (np.arange(64) > 40)])
        yield f"row numbers with a mask, {late}", {"q": f32(two), "q_rot": f32(turned(two, rows, inv_freq(64, 1e4))), "attention_mask": mask}, [], code, words
    theta = yarn(128, 44000.0, 7, 6000, 20, 2)
    angle = np.arange(250)[:, None] * theta
    rows = {name: np.float16(1.15 * x) for name, x in (("cos", np.cos(angle)), ("sin", np.sin(angle)))}
    yield "own yarn with attention factor 1.15 in float16", rows, [], 2, "give the config"
    yield "its rows 0 to 9 twice as long", {name: np.r_[2 * x[:10], x[10:]] for name, x in rows.items()}, [], 1, None
    fitted = f32(0.937 * inv_freq(64, 160000))
    yield "inv_freq, multiplied by 0.937", {"inv_freq": fitted}, [], 2, "no known parameters have these frequencies"
    yield "inv_freq in degrees", {"inv_freq": f32(180 / np.pi * inv_freq(64, 1e4))}, [], 1, "positions are multiplied by 180/π"
    x, y, a = normal(1, 2, 90, 64), normal(1, 2, 180, 64), on_axes((6, 5, 6), (24, 20, 20))[0]
    for late, code, words in (90, 2, "q: its rows are rotated"), (0, 0, None):
        at_rows = slice(late, late + 90)
        yield f"frames of a video from row {late} on", {"q": f32(x), "q_rot": f32(rotate(x, np.cos(a[at_rows]), np.sin(a[at_rows]), "interleaved")), "k": f32(y), "k_rot": f32(rotate(y, np.cos(a), np.sin(a), "interleaved"))}, [], code, words


def steps_and_batches():
    """A step next to a cache whose heads or rows are one, fused heads, one table for a batch, and ids of one number for each
    row of patches."""
    at = np.arange(41)
    turn = lambda x, m: f32(turned(x, m, inv_freq(64, 1e4)))
    config = llama(8, 8)
    for late, code, words in (0, 0, None), (1, 1, "every row is for position m + 1, not m"):
        for batch, heads, names in (2, 4, ("cache_position", "position_ids")), (1, 1, ("cache_seqlens", "start_pos")):
            q, k = normal(batch, heads, 1, 64), normal(batch, 1, 41, 64)
            for name, order in itertools.product(names, ((0, 1, 2, 3), (0, 2, 1, 3))):
                both = {"q": q, "q_rot": turn(q, at[-1:]), "k": k, "k_rot": turn(k, at + late)}
                yield (f"one kv head of {batch} entries, {name}, {order}, {late}", {role: f32(x).transpose(order) for role, x in both.items()} | {name: np.array([40])},
                       config, code, words)
        q, k = normal(1, 4, 1, 64), normal(1, 2, 41, 64)
        flat = lambda x: f32(x)[0].swapaxes(0, 1).reshape(x.shape[2], -1)
        yield f"fused q of one row, {late}", {"q": flat(q), "q_rot": flat(turn(q, at[-1:] + late)), "k": flat(k), "k_rot": flat(turn(k, at))}, config, code, None
    x = normal(1, 2, 35, 64)
    h, w = np.divmod(np.arange(35), 5)
    theta = inv_freq(64, 1e4)
    for wrong in False, True:
        a = np.hstack([h[:, None] * theta[::2], (w + wrong * (w == 3))[:, None] * theta[1::2]])
        y = rotate(x, np.cos(a), np.sin(a))
        for order in (0, 1, 2, 3), (0, 2, 1, 3):
            yield (f"flat ids, {order}, {wrong}", {"q": f32(x).transpose(order), "q_rot": f32(y).transpose(order), "position_ids": 64 * h + w},
                   ["--dim", "64", "--rope", "axes=even_odd"], int(wrong), None)
    mask = np.arange(37)[None] < np.array([[37], [30]])
    c, s = table(inv_freq(128, 1e6), np.arange(37))
    for wrong in False, True:
        rows = np.r_[:20, 21 if wrong else 20, 21:37]
        one = {"cos": f32(np.tile(c[rows], 2)), "sin": f32(np.tile(s[rows], 2))}
        yield f"one table and a mask of two entries, {wrong}", {**one, "attention_mask": mask}, [], int(wrong), None
        yield f"one table and equal ids of two entries, {wrong}", {**one, "position_ids": np.stack([np.arange(37)] * 2)}, [], int(wrong), lambda report: "" if "axes" not in report["identity"] else report["identity"]
    h, w = np.stack(np.meshgrid(np.arange(8), np.arange(8), indexing="ij")).reshape(2, 4, 2, 4, 2).swapaxes(2, 3).reshape(2, -1)
    only = lambda words: lambda report: "" if [one["what"] for one in report["diagnosis"]] == words else f"{report['diagnosis']}"
    x = normal(1, 2, 64, 80)
    for base, code, words in (1e4, 0, []), (5e5, 1, ["rope_theta is 500000 instead of 10000"]):
        a = np.hstack([np.outer(h, inv_freq(40, base)), np.outer(w, inv_freq(40, base))])
        yield (f"patches in blocks of 2 × 2, base {base:g}", {"q": f32(x), "q_rot": f32(rotate(x, np.cos(a), np.sin(a))), "grid_thw": np.array([[1, 8, 8]])},
               ["--dim", "80", "--rope", "axes=axial"], code, only(words))
    for dim in 192, 768:  # no longrope has as many factors for a ladder of them
        for batch in 2, 3:
            q, ids = normal(batch, 24, dim), np.stack([np.arange(24)] * batch)
            heads = lambda x: x.reshape(batch, 24, -1, 64).swapaxes(1, 2)
            y = heads(f32(q))
            y = f32(turned(y, np.arange(24), inv_freq(64, 5e5))).swapaxes(1, 2).reshape(batch, 24, dim)
            yield f"fused heads of {dim} dimensions and {batch} entries", {"q": f32(q), "q_rot": y, "position_ids": ids}, [], 0, None
            yield f"noise of {dim} dimensions and {batch} entries", {"q": f32(q), "q_rot": f32(normal(batch, 24, dim)), "position_ids": ids}, [], (1, 2), None
    for late, code in (0, 0), (1, 1):
        ids = np.array([[18250], [18292]])
        step = {}
        for name, count in ("q", 8), ("k", 2):
            x = normal(2, count, 1, 64)
            y = f32(turned(x, ids + late * (name == "k"), inv_freq(64, 1e4)))
            step |= {name: f32(x).reshape(2, 1, -1), f"{name}_rot": y.reshape(2, 1, -1)}
        yield f"a decode batch of fused heads, {late}", {**step, "position_ids": ids}, ["--dim", "64"], code, None


def lengths_of_frameworks():
    """Rows, cached rows and lengths of packed or batched sequences, by the names that frameworks give them."""
    rows, cached = np.array([7, 5, 9]), np.array([12, 0, 30])
    lies = lambda first: {name: x[0].transpose(1, 0, 2) for name, x in vectors(np.concatenate([np.arange(n) + m for n, m in zip(rows, first)])).items()}
    packed = (("SGLang", {"extend_prefix_lens": cached, "extend_seq_lens": rows}),
              ("SGLang, lengths", {"extend_seq_lens": rows, "seq_lens": rows + cached, "extend_start_loc": np.array([0, 7, 12])}),
              ("LMDeploy", {"q_start_loc": np.array([0, 7, 12]), "q_seqlens": rows, "kv_seqlens": rows + cached}),
              ("LMDeploy, history", {"q_seq_length": rows, "history_lengths": cached}),
              ("TensorRT-LLM", {"context_lengths": rows, "host_past_key_value_lengths": cached}),
              ("FlashInfer", {"qo_indptr": np.array([0, 7, 12, 21]), "kv_lens": rows + cached}))
    for name, arrays in packed:
        for first, code in (cached, 0), (0 * cached, 1), (cached + 1, 1):
            yield f"{name}, first rows at {first}", lies(first) | arrays, FLAGS, code, None
    batch = lambda ids: vectors(ids, 3)
    for late in 0, 1, -1:
        step, chunk = np.array([[12], [33], [5]]), np.arange(6) + np.array([[12], [33], [5]])
        for name, arrays, ids in (("seqlens_k", {"seqlens_k": step[:, 0], "total_sequence_length": np.array([34])}, step),
                                  ("seq_lens of a step", {"seq_lens": step[:, 0] + 1}, step), ("kv_lens of a chunk", {"kv_lens": chunk[:, -1] + 1}, chunk),
                                  ("num_computed_tokens", {"num_computed_tokens": chunk[:, 0]}, chunk),
                                  ("past_sequence_length", {"past_sequence_length": np.array(12)}, np.tile(chunk[0], (3, 1))),
                                  ("left_padding", {"left_padding": np.array([2, 0, 3])}, np.arange(6) - np.array([[2], [0], [3]]))):
            yield f"{name}, {late} late", batch(ids + late) | arrays, BHSD, int(late != 0), None
        padding = np.array([2, 0, 3])
        keys = vectors(np.arange(30) - padding[:, None], 3)
        for arrays in {"left_padding": padding}, {"left_padding": padding, "offset": 29 - padding}:
            step = vectors(29 + late - padding[:, None], 3) | {"k": keys["q"], "k_rot": keys["q_rot"]}
            yield f"{' and '.join(arrays)} of a step, {late} late", step | arrays, BHSD, int(late != 0), None
    padded, own = np.array([0, 16, 36, 52]), np.array([0, 13, 30, 45])
    for pad, start in (padded, "padded"), (own, "own"):
        ids = np.concatenate([np.arange(n) for n in np.diff(np.r_[pad[:-1], 52])])
        flat = {name: x[0].transpose(1, 0, 2) for name, x in vectors(ids).items()}
        names = {"cu_seqlens": own, "cu_seqlens_padded": padded}, {"cu_seqlens_q": own, "cu_seqlens_kv": own, "cu_seqlens_q_padded": padded, "cu_seqlens_kv_padded": padded}
        for arrays in names + ({"cu_seqlens_padded": padded},):
            yield f"{' and '.join(arrays)}, {start} starts", flat | arrays, FLAGS, int(pad is own), None


def unknown_names():
    """Rows that follow the config only at the positions that an array of an unknown name may give ask for them."""
    each = np.array([[12], [33], [5]])
    for ids, extra in ((np.arange(6) + 12, 12), (np.arange(6) + each, each[:, 0]), (each, each[:, 0]), (np.arange(6) + each, each[:, 0] + 6),
                       (np.arange(6) + each, each[:, 0] + 5), (np.arange(40, 46), np.tile(np.arange(40, 46), (3, 1))), (np.arange(6) - each, each[:, 0])):
        arrays = {"blah": np.array(extra)}
        yield f"{ids.ravel()[:2]} by {arrays['blah'].ravel()[:2]}", vectors(ids, 3) | arrays, BHSD, 2, None
        wrong = {"q": (x := bf(normal(3, 4, ids.shape[-1], DIM))), "q_rot": bf(turned(x, ids[:, None] if ids.ndim > 1 else ids, 2 * inv_freq(DIM)))}
        yield f"{ids.ravel()[:2]} by {arrays['blah'].ravel()[:2]} and twice the frequencies", wrong | arrays, BHSD, 1, None
    late = vectors(np.arange(6) + 1, 3)
    for name, number in ("layer_idx", 7), ("num_heads", 7), ("use_cache", 1):
        yield f"one row late next to {name}", late | {name: np.array(number)}, BHSD, 1, "every row is for position m + 1"
    yield "tokens", vectors(np.arange(6), 3) | {"input_ids": np.arange(18).reshape(3, 6) * 7}, BHSD, 0, None


def text_before_axes():
    """position_ids [4, B, L] of transformers: those of the text, then time, height and width. No config."""
    places = np.array([[n] * 3 for n in range(4)] + [[4, 4 + row, 4 + column] for row in range(4) for column in range(6)] + [[10 + n] * 3 for n in range(5)]).T
    ids = np.concatenate([np.arange(33)[None], places])[:, None]
    glm, qwen = [0] * 8 + [1] * 12 + [2] * 12, ([0, 1, 2] * 20 + [0] * 4)
    for name, axis, base, layout, width in ("GLM-4.1V", glm, 1e4, "interleaved", 64), ("Qwen3-VL", qwen, 5e6, "half", 128):
        theta = inv_freq(width, base)
        for heads, wrong in itertools.product((4, 2), (None, "q", "table")):
            rows = lambda swapped: [f(places[[0, 2, 1] if swapped else [0, 1, 2]][axis].T * theta) for f in (np.cos, np.sin)]
            q, k = normal(1, heads, 33, 128), normal(1, 1, 33, 128)
            both = lambda x: np.repeat(x, 2, -1) if layout == "interleaved" else np.tile(x, 2)
            table = dict(zip(("cos", "sin"), (f32(both(x))[None] for x in rows(wrong == "table"))))
            for order in (0, 1, 2, 3), (2, 0, 1, 3):
                vectors = {key: f32(x).transpose(order) for key, x in (("q", q), ("q_rot", rotate(q, *rows(wrong == "q"), layout)), ("k", k), ("k_rot", rotate(k, *rows(False), layout)))}
                yield f"{name}, {heads} heads, {order}, wrong {wrong}", vectors | table | {"position_ids": ids}, [], int(wrong is not None), None


def printed_tables():
    """cos and sin, or q and q_rot, with few decimals, as in tests, with a config and without one. Long tables, too."""
    for places, rows in itertools.product((4, 6), (20, 1100)):
        for name, base, late, code, words in ("right", 5e5, 0, 0, None), ("base", 1e4, 0, 1, "rope_theta is 10000 instead of 500000"), ("late", 5e5, 1, 1, "every row is for position m + 1, not m"):
            c, s = (np.round(x, places).astype(f32) for x in table(inv_freq(DIM, base), np.arange(rows) + late))
            yield f"{places} decimals, {rows} rows, {name}", {"cos": c, "sin": s}, FLAGS, code, words
            if not late:
                yield f"{places} decimals, {rows} rows, {name}, no config", {"cos": c, "sin": s}, [], 0, None
        yield f"{places} decimals, {rows} rows, sin negated", {"cos": c, "sin": -s}, FLAGS, 1, "sin is negated"
    q, (c, s) = normal(1, 4, 30, 64), table(THETA_64, np.arange(30))
    for name, printed in ("vectors", {"q": f32(q), "q_rot": np.round(rotate(q, c, s), 4).astype(f32)}), ("a table", {"cos": np.round(c, 4).astype(f32), "sin": np.round(s, 4).astype(f32)}):
        for pipeline, code in ([], 0), (["--pipeline", "hf-fp32"], 1):
            yield f"{name} of 4 decimals, {pipeline}", printed, ["--dim", "64", *pipeline], code, None
    for places, rows, is_q_printed in itertools.product((3, 4, 6), (6, 30), (True, False)):
        q, at = normal(1, 4, rows, 64), np.arange(rows)
        q = np.round(q, places) if is_q_printed else q
        for name, y, words in (("right", turned(q, at, THETA_64), None), ("late", turned(q, at + 1, THETA_64), "m + 1"),
                               ("negated", turned(q, -at, THETA_64), "the opposite direction"), ("base", turned(q, at, inv_freq(64, 20000)), "rope_theta is 20000"),
                               ("three units too large", turned(q, at, THETA_64) * (1 + 3 * 0.1 ** places), "")):
            vectors_of = {"q": f32(q), "q_rot": np.round(y, places).astype(f32)}
            yield f"q and q_rot, {places} decimals, {rows} rows, {is_q_printed}, {name}", vectors_of, ["--dim", "64", "--axes", "bhsd"], int(name != "right"), words
    q = f32(np.random.default_rng(5).standard_normal((1, 2, 600, 64)))
    for name, y in ("right", turned(q, np.arange(600), THETA_64)), ("late", turned(q, np.arange(600) + 1, THETA_64)):
        yield f"q_rot of 4 decimals, 600 rows, {name}", {"q": q, "q_rot": np.round(y, 4).astype(f32)}, ["--dim", "64", "--axes", "bhsd"], int(name != "right"), "m + 1" if name == "late" else None
    for wrong, form in itertools.product((0, 1e-3), (".4g", ".5g")):  # float32(0.01) is below 0.01
        c, s = (np.array([float(format(v, form)) for v in f32(x).ravel()]).reshape(x.shape) for x in table(THETA_64, np.arange(100)))
        s[75, 31] += wrong
        yield f"digits by %{form}, {wrong}", {"cos": f32(c), "sin": f32(s)}, ["--dim", "64"], int(wrong > 0), None
    for start, wrong in itertools.product((5000, 20000), (0, 2e-3)):  # less than a float32 angle explains
        c, s = (np.round(x, 4) for x in table(THETA_64, start + np.arange(100)))
        c[50, 1] -= wrong * np.sign(c[50, 1])
        far = {"cos": f32(c), "sin": f32(s), "position_ids": start + np.arange(100)}
        yield f"4 decimals from position {start}, {wrong}", far, ["--dim", "64", "--max-position", "200000"], int(wrong > 0), None


def frequencies_of_an_axis():
    """inv_freq that every axis has, as in vision towers; one array with a name of something else; names of starts."""
    for scheme, base in ("axial", 1e4), ("halves", 100):
        flags = ["--dim", "80", "--base", str(base), "--rope", f"axes={scheme}"]
        for own, code, words in (base, 0, None), (2 * base, 1, None):
            yield f"{scheme}, {own}", {"inv_freq": f32(inv_freq(40, own))}, flags, code, words
    text, cells = np.arange(8), np.arange(35)
    ids = np.array([np.r_[text, np.full(35, 8)], np.r_[0 * text, cells // 7], np.r_[0 * text, cells % 7]])
    angles = np.concatenate([np.outer(one, inv_freq(32)) for one in ids], 1)
    yield "text and an image without ids are one table", {"cos": np.cos(angles), "sin": np.sin(angles)}, ["--dim", "96", "--rope", "axes=blocks,mrope_section=16,16,16"], 2, "no grid of its 43 rows"
    expanded = np.tile(f32(inv_freq(DIM, BASE))[None, :, None], (4, 1, 1))  # as transformers' inv_freq_expanded
    yield "inv_freq for a batch", {"inv_freq": expanded}, FLAGS, 0, None
    yield "inv_freq of another base for a batch", {"inv_freq": np.tile(f32(inv_freq(DIM))[None, :, None], (4, 1, 1))}, FLAGS, 1, "rope_theta is 10000"
    yield "two inv_freq", {"inv_freq": np.stack([f32(inv_freq(DIM)), f32(inv_freq(DIM, BASE))])}, FLAGS, 2, "is not one row of frequencies"
    for name in "freq_factors", "periods", "wavelengths", "norm.weight":
        yield f"one array called {name}", {name: f32(1 / inv_freq(DIM))}, FLAGS, 2, f"pass it as inv_freq={name}"
    for base, first in itertools.product((5e5, 1e4), (0, 7)):
        code, words = int(base != 5e5), "rope_theta is 10000" if base != 5e5 else None
        c, s = (f32(x) for x in table(inv_freq(DIM, base), first + np.arange(40)))
        for double in (lambda x: np.tile(x, 2)), (lambda x: np.repeat(x, 2, -1)):
            for two in (c, s), (s, c):
                yield f"[L, 2·d], base {base} from {first}", {"rope_cache": np.concatenate([double(x) for x in two], 1)}, [*FLAGS, "--positions", f"{first}:{first + 40}"], code, words
        stacked = [double(x) for double in (lambda x: np.tile(x, 2), lambda x: np.repeat(x, 2, -1)) for x in (c, s)]
        for cos, sin in stacked[:2], stacked[2:]:
            yield f"[L, d, 2], base {base} from {first}, {cos[0, 1] == cos[0, 0]}", {"rope_cache": np.stack([cos, sin], -1)}, [*FLAGS, "--positions", f"{first}:{first + 40}"], code, words
        once = f32(np.outer(first + np.arange(40), np.ones(DIM // 2)))
        yield f"[L, d], one rate from {first}, base {base}", {"cos_sin_cache": np.concatenate([np.cos(once), np.sin(once)], 1)}, FLAGS, 1, None
        alone = {"cos": np.repeat(c, 2, -1)}  # two halves with copies, but no sines
        yield f"cos alone from {first}, base {base}", alone, FLAGS, 2, None
    x = normal(1, 4, 3, DIM)
    for name, late in itertools.product(("layer_past_len", "kv_cache_len", "chunk_start_idx", "query_offset"), (0, 1)):
        yield f"{name}, {late}", {"q": f32(x), "q_rot": f32(turned(x, np.arange(31, 34) + late)), name: np.array(31)}, BHSD, late, "m + 1" if late else None


def limits_and_totals():
    """Numbers next to q that limit or count rows are no positions; q and k may have positions each, and start far behind position 0."""
    ends, packed, plain = np.array([0, 5, 13, 18]), np.concatenate([np.arange(5), np.arange(8), np.arange(5)]), np.arange(18)
    for name, value in (("max_position", 4096), ("n_positions", 2048), ("original_max_position", 8192), ("max_cache_position", 64), ("mask_position", 9),
                        ("end_pos", 18), ("image_positions", [3, 4, 5])):
        for late in 0, 1:
            dump, extra = vectors(plain + late, 1, 8) | {name: np.array(value)}, {"start_pos": np.array(40)}
            if name != "end_pos" or not late: yield f"{name}, {late}", dump, FLAGS, late, "m + 1, not m" if late else None
            yield f"{name} next to a start, {late}", dump | vectors(plain + 40 + late, 1, 8) | extra, FLAGS, late, None
        yield f"{name} next to ends", vectors(packed, 1, 8) | {name: np.array(value), "cu_seqlens": ends}, FLAGS, 0, None
    for name, value in ("sequence_length", 18), ("input_lengths", [18]), ("max_seqlen", 8), ("seq_len", 18), ("width", 6), ("step", 5), ("num_frames", 2):
        given = {name: np.array(value), "cu_seqlens": ends}
        yield f"packed, {name}", vectors(packed, 1, 8) | given, FLAGS, 0, None
        yield f"packed, {name}, ignored", vectors(plain, 1, 8) | given, FLAGS, 1, "row numbers"
    for name in "seq_len", "kv_seq_len", "num_tokens", "total_length":
        yield f"one row late next to {name}", vectors(plain + 1, 1, 8) | {name: np.array(18)}, FLAGS, 1, "m + 1, not m"
    steps, cached = np.arange(24, 32), np.r_[8:16, 40:48]
    for q, k in ("q_position_ids", "k_position_ids"), ("query_positions", "key_positions"), ("position_ids", "kv_position_ids"):
        for late in 0, 1:
            both = vectors(steps, 1, 8) | vectors(cached + late, 1, 2, "k") | {q: steps[None], k: cached[None]}
            yield f"{q} and {k}, {late}", both, FLAGS, late, "m + 1, not m" if late else None
    for first in 16385, 33000, 100000:
        far = vectors(np.arange(first, first + 64), 1, 8)
        yield f"from {first} on", far, [*FLAGS, "--max-position", "131072"], 1, f"m + {first}, not m"
        yield f"position_ids of the row numbers, from {first} on", far | {"position_ids": np.arange(64)}, [*FLAGS, "--max-position", "131072"], 1, f"m + {first}, not m"
    for name in "past_sequence_length", "cache_seqlens", "start_pos":
        x, y = np.float32(normal(1, 4, 1, DIM)), np.float32(normal(1, 2, 1, DIM))
        yield f"a step that is not rotated, {name}", {"q": x, "q_rot": x, "k": y, "k_rot": y, name: np.array(30)}, llama(4, 2, DIM, BASE, 8192), 1, "no row is rotated"


def parts_of_devices():
    """q, k and v of one device in one array, in any order of its heads, and what a table next to them hides."""
    for heads, keys, devices in (32, 8, 1), (32, 8, 4), (32, 8, 16), (12, 12, 4), (20, 20, 2), (48, 8, 2):
        of_q, of_k = heads // devices, max(1, keys // devices)
        x = normal(6, 2, of_q + 2 * of_k, 64)
        turn = lambda x, late: turned(x.transpose(1, 2, 0, 3), np.arange(6) + late, THETA_64).transpose(2, 0, 1, 3)
        for late in 0, 1:
            q, k, v = x[:, :, :of_q], x[:, :, of_q:of_q + of_k], x[:, :, of_q + of_k:]
            parts, after = (q, k, v), (turn(q, late), turn(k, late), v)
            blocks = lambda all: f32(np.concatenate(all, 2).reshape(6, 2, -1))
            ids = {"position_ids": np.arange(6)[None]}
            yield f"blocks of {devices} devices with {heads} and {keys} heads, {late}", {"qkv": blocks(parts), "qkv_rot": blocks(after)} | ids, llama(heads, keys), late, None
            if keys % devices: continue
            groups = lambda all: f32(np.concatenate([all[0].reshape(6, 2, of_k, -1), all[1], all[2]], -1))
            flat = lambda all: groups(all).reshape(6, 2, -1)
            split = lambda all: groups(all).reshape(6, 2, of_k, -1, 64)
            for name, form in ("on an axis", groups), ("flat", flat), ("split", split):
                if name == "split" and of_k == 3: continue
                yield f"groups {name} of {devices} devices with {heads} and {keys} heads, {late}", {"qkv": form(parts), "qkv_rot": form(after)} | ids, llama(heads, keys), late, None
    table = {"rotary_pos_emb": f32(np.tile(np.outer(np.arange(6), THETA_64), 2))[:, None, None]}
    x = normal(6, 2, 5, 64)
    yield "a table hides no qkv", {"qkv": f32(x), "qkv_rot": f32(x)} | table, llama(32, 8), 2, None


def slots_of_a_cache():
    """cache_position numbers slots: masks, packed sequences, deltas of images and position_ids on several axes give the positions."""
    entries, length = 3, 30
    padding = np.array([0, 4, 9])
    slots, numbers = np.arange(length), np.arange(length + 4)
    mask = (numbers >= padding[:, None]).astype(int)
    counted = np.maximum(numbers - padding[:, None], 0)
    chunk, step = numbers[length:], numbers[length:length + 1]
    for order in "bhsd", "bshd":
        both = lambda at, late=0: {name: x.swapaxes(1, 2) if order == "bshd" else x for who, heads in (("q", 8), ("k", 2))
                                   for name, x in vectors(at + late, len(at), heads, who).items()}
        for late in 0, 1:
            words = "m + 1, not m" if late else None
            yield f"{order}, a prompt with padding, {late}", both(counted[:, :length], late) | {"attention_mask": mask[:, :length], "cache_position": slots}, FLAGS, late, words
            yield f"{order}, a chunk behind padding, {late}", both(counted[:, length:], late) | {"attention_mask": mask, "cache_position": chunk}, FLAGS, late, words
            yield f"{order}, a step behind padding, {late}", both(counted[:, length:length + 1], late) | {"attention_mask": mask[:, :length + 1], "cache_position": step}, [*FLAGS, "--axes", order], late, words
        yield f"{order}, a step by its slot", both(np.repeat(step[None], entries, 0)) | {"attention_mask": mask[:, :length + 1], "cache_position": step}, [*FLAGS, "--axes", order], 1, None
    ends, packed = np.array([0, 12, 19, 30]), np.concatenate([np.arange(12), np.arange(7), np.arange(11)])
    for name, value in (("cu_seqlens", ends), ("cu_seq_lens_q", ends), ("segment_ids", np.repeat([[1, 2, 3]], [12, 7, 11], 1)), ("doc_lens", np.array([[12, 7, 11]]))):
        yield f"packed, {name}", vectors(packed, 1, 8) | {name: value, "cache_position": slots}, FLAGS, 0, None
        yield f"packed, {name}, ignored", vectors(slots, 1, 8) | {name: value, "cache_position": slots}, FLAGS, 1, None
    for start in np.array([0, -5, -9]), np.array([8, 4, -1]), np.array(-7):
        moved = slots + np.reshape(start, (-1, 1))
        for late in 0, 1:
            yield f"starts {start}, {late}", vectors(moved + late, len(moved), 8) | {"offset": start}, FLAGS, late, "m + 1, not m" if late else None
    images = [*FLAGS, "--rope", "axes=sectioned,mrope_section=16,24,24"]
    deltas = np.array([[-40], [-12]])
    for batch in 1, 2:
        behind, slot = 68 + deltas[:batch], np.full((batch, 1), 68)
        for name, value in (("cache_position", np.array([68])), ("past_key_values_length", np.array(68))):
            given = {name: value, "rope_deltas": deltas[:batch]}
            yield f"a step of {batch} behind images, {name}", vectors(behind, batch, 8) | given, [*images, "--axes", "bhsd"], 0, None
            yield f"a step of {batch} behind images by {name}", vectors(slot, batch, 8) | given, [*images, "--axes", "bhsd"], 1, None
    yield "a step behind images whose deltas are unknown", vectors(np.array([[28]]), 1, 8) | {"cache_position": np.array([68])}, [*images, "--axes", "bhsd"], 2, "position_ids"
    time, rows, columns = (grid.ravel() for grid in np.meshgrid([0], np.arange(6), np.arange(8), indexing="ij"))
    places = np.concatenate([np.repeat(np.arange(10)[None], 3, 0), 10 + np.stack([time, rows, columns]), 18 + np.repeat(np.arange(10)[None], 3, 0)], 1)
    axis = np.repeat([0, 1, 2], [16, 24, 24])
    x = bf(normal(1, 8, places.shape[1], DIM))
    angles = np.stack([places[axis[pair]] * inv_freq(DIM, BASE)[pair] for pair in range(64)], -1)
    of_image = {"q": x, "q_rot": bf(rotate(x, np.cos(angles), np.sin(angles)))}
    as_text = vectors(np.arange(places.shape[1]), 1, 8)
    for name, value in (("cache_position", np.arange(places.shape[1])), ("attention_mask", np.ones((1, places.shape[1]), int))):
        yield f"an image next to {name}", of_image | {name: value}, images, 2, "position_ids"
        yield f"text next to {name}", as_text | {name: value}, images, 0, None
    both = {"positions": np.arange(places.shape[1]), "mrope_positions": places}
    yield "positions of text and on axes", of_image | both, images, 0, None
    yield "positions of text and on axes, the latter ignored", as_text | both, images, 1, None


def several_arrays():
    """Arrays that state no position stand next to those that do; padded metadata and rows of a CUDA graph; deltas of images."""
    config = llama(8, 2, DIM, BASE)
    rows, starts = np.arange(8), np.array([30, 41])
    ones, causal = np.ones((2, 8), int), np.tril(np.ones((8, 8), int))[None, None]
    for name, value in ("cache_position", 30 + rows), ("start_pos", np.array(30)), ("offset", np.full(2, 30)), ("cache_seqlens", starts):
        at = rows + (starts if value is starts else np.array([30, 30]))[:, None]
        for other, plain in (("attention_mask", ones), ("attention_mask", causal), ("segment_ids", ones), ("lengths", np.full(2, 8))):
            given = {name: value, other: plain}
            case = f"{name} and {other} {list(plain.shape)}"
            yield case, vectors(at, 2, 8) | given, BHSD, 0, None
            yield case + ", ignored", vectors(np.repeat(rows[None], 2, 0), 2, 8) | given, BHSD, 1, None
    cu, packed = np.array([0, 6, 9, 14]), np.r_[10:16, 0:3, 22:27]
    tokens = lambda at, heads=8: {"q": (x := bf(normal(len(at), heads, 128))), "q_rot": bf(turned(x.swapaxes(0, 1)[None], at)[0].swapaxes(0, 1))}
    for name, value in (("num_computed_tokens", np.array([10, 0, 22])), ("past_key_values_length", np.array(0)), ("start_pos", np.array(0))):
        yield f"offsets and {name}", tokens(packed) | {"cu_seqlens": cu, "offsets": np.array([10, 0, 22]), name: value}, config, 0, None
    for ends in np.r_[cu, -1, -1], np.r_[cu, 0, 0]:
        restarted = np.r_[0:6, 0:3, 0:5]
        yield f"packed, {ends}", tokens(restarted) | {"cu_seqlens": ends}, config, 0, None
        yield f"packed, {ends}, ignored", tokens(np.arange(14)) | {"cu_seqlens": ends}, config, 1, None
    for graph in 16, 64:  # four tokens of a decode step, and padding
        at = np.zeros(graph, int)
        at[:4] = 19, 26, 33, 40
        given = {"query_start_loc": np.arange(5), "seq_lens": np.array([20, 27, 34, 41])}
        yield f"a graph of {graph} rows", tokens(at) | given, config, 0, None
        yield f"a graph of {graph} rows, late", tokens(at + 1) | given, config, 1, None
    images = [*FLAGS, "--rope", "axes=sectioned,mrope_section=16,24,24"]
    deltas = np.array([[-18], [-24]])
    padding = (np.arange(31) >= np.array([[0], [6]])).astype(int)
    for name, value in (("past_key_values_length", np.array([60, 44])), ("seq_lens", np.array([61, 45])), ("seqlens_k", np.array([60, 44]))):
        given = {name: value, "rope_deltas": deltas}
        yield f"deltas and {name}", vectors(np.array([[42], [20]]), 2, 8) | given, [*images, "--axes", "bhsd"], 0, None
        yield f"deltas and {name}, ignored", vectors(np.array([[60], [44]]), 2, 8) | given, [*images, "--axes", "bhsd"], 1, None
    given = {"num_computed_tokens": np.array([0, 44]), "rope_deltas": np.array([[0], [-24]])}
    yield "deltas and a start of 0", vectors(np.array([[0], [20]]), 2, 8) | given, [*images, "--axes", "bhsd"], 0, None
    yield "a prompt of text and deltas of 0", vectors(np.arange(9), 2, 8) | {"start_pos": np.array(0), "rope_deltas": 0 * deltas}, [*images, "--axes", "bhsd"], 0, None
    given = {"attention_mask": padding, "cache_position": np.array([30]), "rope_deltas": deltas}
    yield "deltas that count the padding", vectors(30 + deltas, 2, 8) | given, [*images, "--axes", "bhsd"], 0, None


def masks_of_scores():
    """Masks of scores with a window, of packed sequences and of a chunk; arrays of packed sequences by other names; ids of more rows."""
    config = llama(8, 2, DIM, BASE)
    rows, padding = np.arange(24), np.array([0, 6])
    apart = rows[:, None] - rows
    causal, window = apart >= 0, (apart >= 0) & (apart < 8)
    packs = np.repeat([0, 9, 14], [9, 5, 10])
    additive = lambda mask: np.where(mask, 0, -3.4e38).astype(np.float32)
    for form, made in ("of bool", lambda mask: mask), ("added", additive):
        for what, mask in ("a triangle", causal), ("a window", window):
            for shape in (1, 1, 24, 24), (2, 24, 24), (24, 24):
                for name in "attention_mask", "mask":
                    given, case = {name: made(np.broadcast_to(mask, shape))}, f"{what} {form} {list(shape)}, {name}"
                    yield case, vectors(np.tile(rows, (2, 1)), 2, 4) | given, BHSD, 0, None
                    yield case + ", late", vectors(np.tile(rows + 1, (2, 1)), 2, 4) | given, BHSD, 1, "m + 1"
            kept = mask & (rows >= padding[:, None])[:, None]
            for filled in kept, kept | ~kept.any(-1, keepdims=True):
                given = {"attention_mask": made(filled[:, None])}
                ids = np.maximum(rows - padding[:, None], 0)
                yield f"{what} {form} behind padding", vectors(ids, 2, 4) | given, BHSD, 0, None
                yield f"{what} {form} behind padding, late", vectors(ids + 1, 2, 4) | given, BHSD, 1, None
            chunk = {"attention_mask": made(mask[None, None, 20:])}
            for more in {}, {"cache_position": rows[20:]}, {"start_pos": np.array(20)}:
                yield f"a chunk in {what} {form}, {list(more)}", vectors(np.tile(rows[20:], (2, 1)), 2, 4) | chunk | more, BHSD, 0, None
                yield f"a chunk in {what} {form}, {list(more)}, ignored", vectors(np.tile(rows[:4], (2, 1)), 2, 4) | chunk | more, BHSD, 1, "m − 20"
        for shape in (1, 1, 24, 24), (2, 24, 24), (24, 24):
            given = {"attention_mask": made(np.broadcast_to(causal & (packs[:, None] == packs), shape))}
            yield f"packs {form} {list(shape)}", vectors(np.tile(rows - packs, (2, 1)), 2, 4) | given, BHSD, 0, None
            yield f"packs {form} {list(shape)}, not restarted", vectors(np.tile(rows, (2, 1)), 2, 4) | given, BHSD, 1, None
    tree = np.eye(4, dtype=bool)[None, None] | (np.arange(4) == 0)
    yield "a tree of tokens", vectors(np.array([[40, 41, 41, 41]]), 1, 8) | {"attention_mask": np.concatenate([np.ones((1, 1, 4, 40), bool), tree], -1)}, BHSD, 0, None
    tokens = lambda at: {"q": (x := bf(normal(len(at), 8, 128))), "q_rot": bf(turned(x.swapaxes(0, 1)[None], at)[0].swapaxes(0, 1))}
    lengths, starts, ends = np.array([6, 3, 5]), np.array([10, 0, 22]), np.array([0, 6, 9, 14])
    at, restarted, totals = np.r_[10:16, 0:3, 22:27], np.r_[0:6, 0:3, 0:5], np.array([16, 3, 27])
    for given, right in (({"seq_lens": lengths}, restarted), ({"seq_lens": lengths, "num_cached_tokens_per_seq": starts}, at), ({"b_seq_len": totals, "b_ready_cache_len": starts}, at),
                         ({"cu_q_lens": ends, "cu_kv_lens": np.r_[0, totals.cumsum()]}, at), ({"seq_lens_q": lengths, "seq_lens_kv": totals}, at), ({"cu_seqlens": ends, "seqused_k": totals}, at),
                         ({"actual_seq_lengths": ends[1:]}, restarted), ({"cu_seqlens": ends, "offsets": starts, "lengths": lengths}, at), ({"document_id": np.repeat([4, 7, 9], lengths)}, restarted),
                         ({"query_start_loc": np.r_[ends, -1, -1], "seq_lens": np.r_[totals, -1, -1]}, at)):
        yield f"packed by {list(given)}", tokens(right) | given, config, 0, None
        yield f"packed by {list(given)}, ignored", tokens(np.arange(14)) | given, config, 1, None
    for given, right, words in (({"query_start_loc": ends, "context_lens": starts}, at, "context_lens is what start_pos is"), ({"where_sequences_end": ends}, restarted, "is what cu_seqlens is"),
                                ({"tokens_of_each": lengths}, restarted, "is what q_seqlens is")):
        yield f"asks for the meaning of {list(given)}", tokens(right) | given, config, 2, words
        yield f"asks for the meaning of {list(given)} without a config", tokens(right) | given, [], 2, None
    mask = rows[:12] >= np.array([3, 0, 6])[:, None]
    ids = np.maximum(rows[:12] - np.array([3, 0, 6])[:, None], 0)
    unpadded = {"attention_mask": mask, "cu_seqlens_q": np.array([0, 9, 21, 27]), "cu_seqlens_k": np.array([0, 9, 21, 27])}
    yield "sequences of the attention without padding", vectors(ids, 3, 8) | unpadded, BHSD, 0, None
    yield "sequences of the attention without padding, late", vectors(ids + 1, 3, 8) | unpadded, BHSD, 1, None
    for count in 60, 65, 128:
        yield f"{count} ids for 64 rows", vectors(np.arange(64)[None], 1, 32) | {"position_ids": np.arange(count)[None]}, config[:2], 2, "no axis as long as"


def complex_vectors():
    """Complex vectors are interleaved pairs; an order of axes that the shape contradicts is refused; a note names the other order of equal lengths."""
    flags = ["--dim", "64", "--base", "10000", "--max-position", "4096"]
    x, at = np.complex64(normal(1, 20, 4, 32) + 1j * normal(1, 20, 4, 32)), np.arange(20)[:, None, None]
    for late, expected in (0, None), (1, "every row is for position m + 1"):
        both = {"q": x, "q_rot": np.complex64(x * np.exp(1j * (at + late) * inv_freq(64, 1e4)))}
        yield f"complex q, {late}", both, [*flags, "--layout", "interleaved"], late, expected
        yield f"complex q without a config, {late}", both, [], late, expected
    yield "complex q next to half_split", {"q": x, "q_rot": np.complex64(x * np.exp(1j * at * inv_freq(64, 1e4)))}, flags, 1, "interleaved instead of half_split"
    x = normal(1, 8, 16, 64)
    yield "dimensions before positions", {"q": np.float32(x), "q_rot": np.float32(turned(x, np.arange(16), inv_freq(64, 1e4)))}, [*flags, "--axes", "bhds"], 2, "does not fit the axes 'bhds'"


def flat_arrays():
    """Flat ids of three axes, row by row or axis by axis; channels of one image; as many decode requests as axes."""
    qwen, theta = ["--dim", "64", "--rope", "axes=sectioned,mrope_section=8,12,12"], inv_freq(64, 1e4)
    config = llama(8, 2)
    image = np.stack([np.r_[0:4, [4] * 6, 7:9], np.r_[0:4, 4, 4, 5, 5, 6, 6, 7:9], np.r_[0:4, 4, 5, 4, 5, 4, 5, 7:9]])
    requests = np.tile(np.r_[40:44, 97:101, 12:16], (3, 1))
    for late, (of, ids) in itertools.product((0, 1), (("an image", image), ("three requests", requests))):
        x, angle = normal(12, 8, 64), (ids[np.repeat(np.arange(3), (8, 12, 12))].T + late) * theta
        both = {"q": np.float32(x), "q_rot": np.float32(rotate(x, np.cos(angle)[:, None], np.sin(angle)[:, None]))}
        for how, flat in ("axis by axis", ids.ravel()), ("row by row", ids.T.ravel()):
            yield f"flat ids of {of}, {how}, {late}", both | {"position_ids": flat}, qwen, late, None
    for late in 0, 1:
        x = normal(1, 8, 32, 64)
        flat = lambda x: np.float32(x).swapaxes(1, 2).reshape(1, 1, 32, 512)
        both = {"q": flat(x), "q_rot": flat(turned(x, np.arange(32) + 64 * (1 - late), theta))}
        yield f"one channel of rows from 64 on, {late}", both | {"from": np.array(64), "to": np.array(96)}, config, late, "m − 64" if late else None
        lengths, deltas = np.array([230, 88, 154]), np.array([-2, -20, -34])
        x, at = normal(3, 8, 1, 64), (lengths - 1 + (deltas[0] if late else deltas))[:, None]
        both = {"q": np.float32(x), "q_rot": np.float32(turned(x, at, theta))}
        yield f"as many requests as axes, {late}", both | {"seq_lens": lengths, "mrope_position_deltas": deltas}, [*qwen, "--axes", "bhsd"], late, "batch entry 1" if late else None


def one_slot_of_entries():
    """Entries of a decode step that all rotate at the slot of the longest: each has its own distance."""
    config = {"model_type": "qwen2", "hidden_size": 14 * 64, "num_attention_heads": 14, "num_key_value_heads": 2, "rope_theta": 1000000, "max_position_embeddings": 32768}
    mask = np.arange(20) >= np.array([7, 0, 3])[:, None]
    for fmt in "float16", "float32":
        x = ROUND[fmt](np.float32(normal(3, 14, 1, 64)))
        at = (mask.sum(1) - 1)[:, None]
        for wrong, words in (0, None), (1, lambda report: "" if "m + 7" not in str(report["diagnosis"]) or "m + 3" in str(report["diagnosis"]) else str(report["diagnosis"])):
            y = ROUND[fmt](np.float32(turned(x, np.full((3, 1), 19) if wrong else at, inv_freq(64, 1e6))))
            yield f"the slot of three entries, {fmt}, {wrong}", {"q": x, "q_rot": y, "attention_mask": mask.astype(int), "cache_position": np.array([19])}, ["--config", config], wrong, words


def one_position_of_rows():
    """One position for many rows is the first of them. It is the last only if it leaves a position for each row before it."""
    for name in "position_ids", "positions", "cache_position", "start_pos":
        for start, shape in itertools.product((10, 300), ((), (1,), (1, 1))):
            given = {name: np.full(shape, start)}
            for who, heads, rows in ("q", 32, 64), ("q", 8, 7), ("k", 32, 64):
                at = np.arange(rows)
                flags = BHSD
                case = f"{name} {list(shape)} is {start}, {who}, {heads} × {rows}"
                yield case, vectors(start + at, 1, heads, who) | given, flags, 0, None
                yield case + ", ignored", vectors(at, 1, heads, who) | given, flags, 1, "every row is for position m"
                yield case + ", late", vectors(start + at + 1, 1, heads, who) | given, flags, 1, "every row is for position m"


def first_tokens():
    """One token at position 0, where nothing rotates; caches with unused rows; ids and starts of shards."""
    x, k = f32(normal(1, 1, 4, 64)), f32(normal(1, 1, 1, 64))
    yield "four heads of a token or four rows", {"q": x, "q_rot": x}, llama(32, 8), 2, None
    yield "four heads of a token, whose k is one row", {"q": x, "q_rot": x, "k": k, "k_rot": k}, llama(32, 8), 0, None
    yield "four heads of a token at start 0", {"q": x, "q_rot": x, "start_pos": np.array(0)}, llama(32, 8), 2, None
    x = f32(normal(1, 4, 40, 64))
    yield "forty rows that are not rotated", {"q": x, "q_rot": x}, llama(32, 8), 1, "no row is rotated"
    for late in 0, 1:
        x, k = normal(1, 4, 5, 64), normal(1, 1, 8, 64) * (np.arange(8) < 5)[:, None]
        q = {"q": f32(x), "q_rot": f32(turned(x, np.arange(5), THETA_64))}
        yield f"a cache with unused rows, {late}", q | {"k": f32(k), "k_rot": f32(turned(k, np.arange(8) + late, THETA_64)), "cache_position": np.arange(5)}, llama(32, 8), late, None
        k, starts = normal(4, 2, 5, 64), np.array([32, 35, 49, 3])
        ids = starts[:, None] + np.arange(5)
        cs = [np.tile(f(np.multiply.outer(ids + late, THETA_64)), 2) for f in (np.cos, np.sin)]
        yield f"a table of each entry at its start, {late}", {"k": f32(k), "k_rot": f32(turned(k, ids, THETA_64)), "cos": f32(cs[0]), "sin": f32(cs[1]), "offset": starts}, llama(32, 8), late, None
        x = normal(4, 8, 1, 64)
        yield f"heads of a device at starts, {late}", {"q": f32(x), "q_rot": f32(turned(x, starts[:, None], THETA_64[::-1] if late else THETA_64)), "offset": starts}, llama(32, 8), late, "reverse order" if late else None
        k = normal(8, 1, 12, 64)
        yield f"keys by row numbers next to a start, {late}", {"q": f32(normal(8, 3, 12, 64)), "k": f32(k), "k_rot": f32(turned(k, np.arange(12) + 40 * (1 - late), THETA_64)), "offset": np.array([40])}, llama(32, 8), late, None
        k = f32(normal(3, 2, 1, 64))
        yield f"one token of three entries at the number {late}", {"q": k, "q_rot": k, "position_ids": np.array(late)}, llama(32, 8), late, None
        yield f"q and k of one token at the number {late}", {"q": k, "q_rot": k, "k": k[:, :1], "k_rot": k[:, :1], "position_ids": np.array(late)}, llama(32, 8), late, None
        yield f"one token of three entries at id {late}", {"q": k, "q_rot": k, "cache_position": np.array([late])}, llama(32, 8), late, None
        x = normal(1, 2, 5, 64)
        yield f"the first position of ONNX, {late}", {"q": f32(x), "q_rot": f32(turned(x, np.arange(5) + 12, inv_freq(64, 5e5) if late else THETA_64)), "position_ids": np.array([12])}, llama(32, 8), late, "rope_theta is" if late else None
        x = normal(1, 2, 24, 64)
        h, w = (np.repeat(np.arange(4), 6), np.tile(np.arange(6), 4))
        yield f"patches next to ends of frames, {late}", {"q": f32(x), "q_rot": f32(rotate(x, *(np.tile(f(np.hstack([np.outer(h + late * w, THETA_64[::2]), np.outer(w, THETA_64[::2])])), 1) for f in (np.cos, np.sin)))), "cu_seqlens": np.array([0, 12, 24])}, ["--dim", "64", "--rope", "axes=axial", "--axes", "bhsd"], 2 if late else 0, None
        c, s = (f32(np.tile(f(np.multiply.outer(np.arange(5) + late, THETA_64)), 2)) for f in (np.cos, np.sin))
        yield f"layer_5_cos, {late}", {"layer_5_cos": c, "layer_5_sin": s}, llama(32, 8), late, None


def counts_that_coincide():
    """Axes as long as others, or as the config's heads: ids, starts, lengths and masks tell them apart."""
    bshd = lambda x: f32(x).swapaxes(1, 2)
    for entries, rows in (3, 2), (5, 3), (8, 4):
        first = 7 * np.arange(entries)[:, None] + 6
        q = normal(entries, 4, rows, 64)
        for late, name in itertools.product((0, 1, -1, 1 - rows), ("start_pos", "cache_seqlens")):
            both = {"q": bshd(q), "q_rot": bshd(turned(q, first + np.arange(rows) + late, THETA_64))}
            code, words = int(late != 0), f"m {'−+'[late > 0]} {abs(late)}" if late else None
            yield f"starts of {entries} entries of {rows} rows, {late}, {name}", both | {name: first[:, 0]}, llama(8, 8), code, words
        sbhd = {"q": f32(q).transpose(2, 0, 1, 3), "q_rot": f32(turned(q, first + np.arange(rows), THETA_64)).transpose(2, 0, 1, 3)}
        yield f"starts of {entries} entries on axis 1 of {rows} rows", sbhd | {"start_pos": first[:, 0]}, llama(8, 8), 0, None
    for late, words in (0, None), (1, "every row is for position m + 1, not m"):
        q, k, lengths = normal(3, 2, 1, 64), normal(3, 1, 3, 64), np.array([2, 1, 2])
        step = {"q": bshd(q), "q_rot": bshd(turned(q, lengths[:, None], THETA_64)), "k": bshd(k), "k_rot": bshd(turned(k, np.arange(3) + late, THETA_64))}
        yield f"a cache of as many rows as entries, {late}", step | {"cache_seqlens": lengths}, llama(8, 8), int(late), words
        k, mask = normal(8, 2, 8, 64), np.arange(8) >= np.array([3, 0, 1, 2, 0, 5, 0, 0])[:, None]
        ids = np.maximum(np.cumsum(mask, 1) - 1, 0)
        yield f"rows as many as the config's heads, {late}", {"k": bshd(k), "k_rot": bshd(turned(k, ids + late, THETA_64)), "attention_mask": mask}, llama(8, 8), int(late), None
        qkv = normal(16, 3, 8, 3 * 64)
        turn = lambda x: turned(x.transpose(1, 2, 0, 3), np.arange(16) + late, THETA_64).transpose(2, 0, 1, 3)
        after = np.concatenate([turn(qkv[..., :64]), turn(qkv[..., 64:128]), qkv[..., 128:]], -1)
        yield f"three entries of fused groups, {late}", {"qkv": f32(qkv), "qkv_rot": f32(after), "position_ids": np.arange(16)}, llama(8, 8), int(late), words
        q, lengths = normal(5, 4, 32, 64), np.array([3, 32, 17, 9, 24])
        kept = (np.arange(32) < lengths[:, None])[:, None, :, None]
        yield f"zeros behind seqlens, {late}", {"q": f32(q * kept), "q_rot": f32(turned(q, np.arange(32) + late, THETA_64) * kept), "seqlens": lengths}, llama(8, 8), int(late), words
        yield f"one token at start 0 of two entries, {late}", {"k": f32(k[:2, :1, :1]), "k_rot": f32(turned(k[:2, :1, :1], np.array([late]), THETA_64)), "start_pos": np.array([0])}, llama(8, 8), 1 if late else 2, None
        for order in (0, 1, 2, 3), (0, 2, 1, 3):
            x = normal(2, 1, 8, 64).transpose(order)
            for at, means, right in (np.arange(8), "rows of one head", 2), (np.zeros(8), "heads", 0):
                y = turned(x.transpose(order), at + 7 + late, THETA_64).transpose(order)
                yield f"as many {means} as the config has heads, {order}, {late}", {"k": f32(x), "k_rot": f32(y), "start_pos": np.array(7)}, llama(8, 8), 1 if late else right, None
    q, mask = normal(2, 4, 40, 64), np.arange(40) < np.array([[40], [16]])
    for wrong in False, True:
        y = f32(turned(q, np.arange(40), THETA_64))
        y[0] += wrong * f32(normal(4, 40, 64))
        yield f"a padding mask of ones for rows, entry 0 wrong {wrong}", {"q": f32(q), "q_rot": y, "key_padding_mask": mask}, llama(8, 8), int(wrong), None
    x = normal(1, 2, 17, 128)
    for fmt in "float16", "float32":
        y = ROUND[fmt](f32(rotate(ROUND[fmt](f32(x)), *table(THETA_64, np.arange(17)), "interleaved")))
        yield f"half of the head on three axes of text, {fmt}", {"q": ROUND[fmt](f32(x)), "q_rot": y, "position_ids": np.tile(np.arange(17), (4, 1, 1))}, [], 0, lambda report: "" if "--rotary-dim 64" in report["identity"] else report["identity"]
    neox = ["--config", {"model_type": "gpt_neox", "hidden_size": 8 * 64, "num_attention_heads": 8, "rotary_pct": 1.0, "max_position_embeddings": 2048}]
    x = normal(2, 20, 8, 3 * 64)
    for late, words in (0, None), (1, "every row is for position m + 1, not m"):
        turn = lambda x: turned(x.swapaxes(1, 2), np.arange(20) + late, THETA_64).swapaxes(1, 2)
        parts = x[..., :64], x[..., 64:128], x[..., 128:]
        after = turn(parts[0]), turn(parts[1]), parts[2]
        in_groups, in_blocks = (lambda all: np.concatenate(all, -1).reshape(2, 20, -1)), (lambda all: np.concatenate([one.reshape(2, 20, -1) for one in all], -1))
        for order, flat in ("q, k and v of each head", in_groups), ("q, k and v of all heads", in_blocks):
            yield f"{order}, {late}", {"qkv": f32(flat(parts)), "qkv_rot": f32(flat(after))}, neox, int(late), words if flat is in_blocks else None
    for late, words in (0, None), (1, "every row is for position m + 1, not m"):
        q, k, v = normal(1, 4, 30, 64), normal(1, 1, 30, 64), normal(1, 1, 30, 64)
        turn = lambda x: turned(x, np.arange(30) + late, THETA_64)
        flat = lambda *parts: f32(np.concatenate([part[0].swapaxes(0, 1).reshape(30, -1) for part in parts], -1))
        yield f"qkv of half of the heads, {late}", {"qkv": flat(q, k, v), "qkv_rot": flat(turn(q), turn(k), v)}, llama(8, 2), int(late), words
        for before, after in ("layer_2_query_states", "layer_2_q_embed"), ("q_rot", "q_embed"), ("layer_2_q", "layer_2_q_rot"):
            yield f"{before} and {after}, {late}", {before: f32(q), after: f32(turn(q))}, llama(8, 8), int(late), words
        # q is as many entries as rows, and k has its rows on the last of these axes
        first, q, k = 20, normal(4, 2, 4, 64), normal(4, 1, 24, 64)
        step = {"q": f32(q), "q_rot": f32(turned(q, np.arange(4) + first + late, THETA_64)), "k": f32(k), "k_rot": f32(turned(k, np.arange(24), THETA_64))}
        yield f"four entries of four rows next to a cache, {late}", step | {"cache_position": np.arange(4) + first}, llama(8, 4), int(late), None
        layers = {f"layer_{i}_q{end}": f32(x) for i in (2, 35) for end, x in (("", q), ("_rot", turned(q, np.arange(4) + late * (i == 35), THETA_64)))}
        yield f"layer_2_q and layer_35_q, {late}", layers, ["--dim", "64", "--axes", "bhsd"], int(late), words
    x = normal(1, 2, 17, 128)
    for late, words in (0, None), (1, "every row is for position m + 1, not m"):
        q, k = normal(2, 2, 8, 64), normal(2, 1, 8, 64)
        both = {"q": f32(q), "q_rot": f32(turned(q, np.arange(8), THETA_64)), "k": f32(k), "k_rot": f32(np.repeat(turned(k, np.arange(8) + late, THETA_64), 2, 1))}
        for order in (0, 1, 2, 3), (0, 2, 1, 3):
            yield f"one key head, repeated for as many heads as entries, {order}, {late}", {name: x.transpose(order) for name, x in both.items()}, llama(8, 1), int(late), words
        q, k, last = normal(4, 2, 1, 64), normal(4, 2, 35, 64), np.full((4, 1), 34)
        sbhd = {"q": q, "q_rot": turned(q, last, THETA_64), "k": k, "k_rot": turned(k, np.arange(35) + late, THETA_64)}
        yield f"a step of sbhd with ids of the entries, {late}", {name: f32(x).transpose(2, 0, 1, 3) for name, x in sbhd.items()} | {"position_ids": last}, llama(8, 8), int(late), None
    x, (h, w) = normal(1, 4, 35, 64), np.divmod(np.arange(35), 5)
    grid = lambda first, second: f32(rotate(x, *(f(np.hstack([np.outer(first, THETA_64[::2]), np.outer(second, THETA_64[1::2])])) for f in (np.cos, np.sin))))
    swapped = np.where(np.arange(4)[:, None, None] < 2, grid(h, w), grid(w, h))
    for name, y, code, words in ("right", grid(h, w), 0, None), ("axes exchanged in two heads", swapped, 1, "heads 2–3 of 4: axes are taken in the order 1, 0"):
        yield f"flat ids, {name}", {"q": f32(x), "q_rot": y, "position_ids": 64 * h + w}, ["--dim", "64", "--rope", "axes=even_odd"], code, words
    for axes in ["--rope", "axes=axial"], []:
        for name in "q", "qkv":
            yield f"a number for {name}, {axes}", {name: f32(1), f"{name}_rot": f32(1), "position_ids": np.arange(3)}, ["--dim", "64", *axes], 2, "shape []"
    yield "one layer that does not rotate", {"q": f32(x), "q_rot": f32(x)}, [], 2, "right in a layer without RoPE"
    ids, x = np.stack([np.zeros(24), *np.divmod(np.arange(24), 6)]), normal(2, 24, 64)
    angles = np.concatenate([np.outer(m, THETA_64[i]) for m, i in zip(ids, (slice(8), slice(8, 20), slice(20, 32)))], 1)
    sectioned = ["--dim", "64", "--base", str(round(1 / THETA_64[1] ** 32)), "--rope", "axes=sectioned,mrope_section=8,12,12"]
    for name, (c, s), code, words in ("right", (np.cos, np.sin), 0, None), ("swapped", (np.sin, np.cos), 1, "cos and sin are swapped"):
        yield f"an image at time 0, {name}", {"q": f32(x), "q_rot": f32(rotate(x, c(angles), s(angles))), "position_ids": ids[:, None]}, sectioned, code, words


def static_caches():
    """Lengths of a cache with unused rows, masks next to shared ids, grids in a part of the rows, and llama.cpp's ids."""
    config = llama(8, 2)
    for late, words in (0, None), (1, "every row is for position m + 1, not m"):
        for lengths, heads in (np.array([8]), 2), (np.array([8]), 8), (np.array([1]), 2), (np.array([5, 9, 1]), 2):
            k = normal(len(lengths), heads, 12, 64)
            y = turned(k, np.arange(12) + late, THETA_64)
            unused = (np.arange(12) >= lengths[:, None])[:, None, :, None]
            for rest, of in ("not finite", np.nan), ("zero", 0), ("stale", normal(*y.shape)):
                yield f"{rest} rows behind {lengths} of {heads} heads, {late}", {"k": f32(k), "k_rot": f32(np.where(unused, of, y)), "seq_lens": lengths}, config, int(late), words if heads == 2 and lengths[0] > 1 else None
        ids = np.arange(12) + 5
        q, k = normal(2, 8, 12, 64), normal(2, 2, 12, 64)
        for shape in (1, 12), (12,):
            both = {"q": f32(q), "q_rot": f32(turned(q, ids, THETA_64)), "k": f32(k), "k_rot": f32(turned(k, ids - 5 * late, THETA_64)), "position_ids": ids.reshape(shape)}
            for name, mask in ("[B, S]", np.ones((2, 12), int)), ("[B, 1, S, S]", np.tril(np.ones((2, 1, 12, 12), int))):
                yield f"keys at shared ids {shape} next to a mask {name}, {late}", both | {"attention_mask": mask}, config, int(late), "m − 5" if late else None
    first = {"q": normal(1, 4, 64), "k": normal(1, 1, 64)}
    token = {name: f32(x) for name, x in first.items()} | {f"{name}_rot": f32(x) for name, x in first.items()}
    for array in {"positions": np.array([0])}, {"cu_seqlens": np.array([0, 1])}:
        yield f"one token of heads of a device at 0, {list(array)}", token | array, config, 0, None
        late = {name: f32(turned(x[None], np.array([3]), THETA_64)[0]) if name.endswith("_rot") else x for name, x in token.items()}
        yield f"one token of heads of a device at 3, {list(array)}", late | array, config, 1, "m + 3"
    yield "one token of heads of a device", {name: token[name].swapaxes(0, 1) for name in ("q", "q_rot")}, config, 2, "at position 0, where nothing rotates"
    # float64, with a zero row
    x = normal(1, 8, 20, 64)
    x[:, :, -1] = 0
    for base, code, expected in (1e4, 0, None), (5e5, 1, "rope_theta is 500000 instead of 10000"):
        yield f"a zero row in float64, {base}", {"q": x, "q_rot": turned(x, np.arange(20), inv_freq(64, base))}, config, code, expected
    # an image of fewer patches than rows, and ids of M-RoPE
    wan = ["--config", {"_class_name": "WanTransformer3DModel", "attention_head_dim": 128, "num_attention_heads": 2}]
    t, h, w = (part.ravel() for part in np.indices((3, 4, 2)))
    x, angles = normal(1, 32, 2, 128), np.concatenate([np.outer(m, inv_freq(2 * n, 1e4)) for m, n in zip((t, h, w), (22, 21, 21))], 1)
    for name, sign in ("right", 1), ("reversed", -1):
        y = x.copy()
        y[:, :24] = rotate(x[:, :24], np.cos(angles)[:, None], sign * np.sin(angles)[:, None], "interleaved")
        yield f"patches and padding, {name}", {"q": f32(x), "q_rot": f32(y), "grid_sizes": np.array([[3, 4, 2]]), "seq_lens": np.array([24])}, wan, int(sign < 0), "opposite direction" if sign < 0 else None
    qwen = ["--dim", "64", "--rope", "axes=sectioned,mrope_section=8,12,12"]
    ids = np.stack([np.r_[0:4, [4] * 6, 7:9], np.r_[0:4, 4, 4, 5, 5, 6, 6, 7:9], np.r_[0:4, 4, 5, 4, 5, 4, 5, 7:9], np.zeros(12, int)])
    for late, expected in (0, None), (1, "every row is for position m + 1"):
        q, angle = normal(12, 8, 64), (ids[np.repeat(np.arange(3), (8, 12, 12))].T + late) * THETA_64
        both = {"Qcur": f32(q), "Qcur_rope": f32(rotate(q, np.cos(angle)[:, None], np.sin(angle)[:, None]))}
        for name, inp_pos in ("flat", ids.ravel()), ("on four axes", ids):
            yield f"llama.cpp's ids, {name}, {late}", both | {"inp_pos": inp_pos}, qwen, int(late), expected
        both = {name: x[:, :4] for name, x in both.items()}
        yield f"llama.cpp's ids on four axes and four heads, {late}", both | {"inp_pos": ids}, qwen, int(late), expected
        k, padded, lengths = normal(3, 1, 9, 64), np.zeros((3, 3, 9), int), np.array([9, 4, 7])
        for entry, length in enumerate(lengths):
            padded[:, entry, 9 - length:] = np.arange(length) * np.array([[1], [2], [1]])
        angle = (padded[np.repeat(np.arange(3), (8, 12, 12))].transpose(1, 2, 0) + late)[:, None] * THETA_64
        yield f"three entries with padding on three axes, {late}", {"k": f32(k), "k_rot": f32(rotate(k, np.cos(angle), np.sin(angle))), "position_ids": padded, "attention_mask": (np.arange(9) >= 9 - lengths[:, None]).astype(int)}, qwen, int(late), expected
        q, k = normal(1, 7, 3, 64), normal(1, 1, 3, 64)
        text = {"q": f32(q), "q_rot": f32(turned(q, np.arange(3) + late, THETA_64)), "k": f32(k), "k_rot": f32(turned(k, np.arange(3) + late, THETA_64))}
        yield f"three tokens of text, {late}", text | {"position_ids": np.arange(3)[None]}, qwen, int(late), None
    # rows, entries and heads are as many
    x = normal(3, 3, 3, 64)
    cube = {"q": f32(x).transpose(2, 0, 1, 3), "q_rot": f32(turned(x, np.arange(3), THETA_64)).transpose(2, 0, 1, 3), "position_ids": np.tile(np.arange(3), (3, 1))}
    yield "three rows, entries and heads", cube, ["--dim", "64"], 2, "(--axes sbhd), and wrong as"
    yield "three rows, entries and heads by that advice", cube, ["--dim", "64", "--axes", "sbhd"], 0, None
    # bfloat16 numbers that are saved as float16
    for base, code, expected in (5e5, 0, None), (1e4, 1, "rope_theta is 10000 instead of 500000"):
        x = bf(normal(1, 4, 40, DIM))
        yield f"bfloat16 in float16, {base}", {"q": np.float16(x), "q_rot": np.float16(bf(turned(x, np.arange(40), inv_freq(DIM, base))))}, FLAGS, code, expected
    # fused heads as wide as the table of the file, without a config
    x, (c, sine) = normal(1, 4, 6, 64), table(inv_freq(64, 5e5), np.arange(40))
    for at, code, expected in (3, 0, None), (5, 1, ""):
        fused = [f32(part).swapaxes(1, 2).reshape(1, 6, -1) for part in (x, turned(x, np.arange(6) + at, inv_freq(64, 5e5)))]
        yield f"fused heads next to a table, from {at} on", {"q": fused[0], "q_rot": fused[1], "position_ids": np.array([3]), "cos_cache": f32(c[..., :32]), "sin_cache": f32(sine[..., :32])}, [], code, expected
    # the softmax scale of q, with dimensions that do not rotate
    for fmt in "float64", "float32", "bfloat16":
        q = normal(1, 8, 24, 64, fmt="float32" if fmt == "float64" else fmt)
        y = np.concatenate([turned(q[..., :32], np.arange(24), inv_freq(32, 1e4)), q[..., 32:]], -1)
        to = ROUND.get(fmt, np.float64)
        partial = ["--dim", "64", "--rotary-dim", "32"]
        yield f"q scaled, {fmt}", {"q": q if fmt != "float64" else np.float64(q), "q_rot": to(np.float32(y / 8)) if fmt != "float64" else y / 8}, partial, 1, "multiplied by 0.125 = 1/√64, the softmax scale"


def steps_of_a_file():
    """Several steps in one file, each with its positions."""
    plain = ["--dim", "64", "--base", "10000"]
    for late in 0, 1:
        arrays = {}
        for name, ids in ("prefill", np.arange(16)), ("step_9", np.array([16])), ("step_10", np.array([17])):
            q = normal(1, 8, len(ids), 64)
            arrays |= {f"{name}.q": f32(q), f"{name}.q_rot": f32(turned(q, ids + late * (name == "step_10"), THETA_64)), f"{name}.position_ids": ids[None]}
        yield f"with a config, {late}", arrays, plain, late, "m + 1" if late else None
        yield f"without, {late}", arrays, [], late, "m + 1" if late else None
        shared = {"rotary.cos": f32(np.cos(np.outer(np.arange(32), THETA_64))), "rotary.sin": f32(np.sin(np.outer(np.arange(32), THETA_64)))}
        yield f"with a table, {late}", arrays | shared, plain, late, "m + 1" if late else None
    without = {name: x for name, x in arrays.items() if name != "step_9.position_ids"}
    yield "without the positions of a step", without, plain, 2, "holds 3 arrays called q"
    # without a config: entries at other positions, in as many entries as rows and heads; llama.cpp's ids on three axes
    ids = np.array([[0, 1, 2], [40, 41, 42], [511, 512, 513]])
    q = normal(3, 3, 3, 64)
    for late, code, words in (0, 0, None), (1, (1, 2), None):
        y = np.stack([turned(q[b], ids[b] + late * b, THETA_64) for b in range(3)])
        for axes, order in ("bhsd", (0, 1, 2, 3)), ("bshd", (0, 2, 1, 3)):
            yield f"{axes} of equal lengths, {late}", {"q": f32(q.transpose(order)), "q_rot": f32(y.transpose(order)), "position_ids": ids}, [], code, words
    ids = np.stack([np.r_[0:4, [4] * 6, 7:9], np.r_[0:4, 4, 4, 5, 5, 6, 6, 7:9], np.r_[0:4, 4, 5, 4, 5, 4, 5, 7:9], np.zeros(12, int)])
    for heads in 8, 4:
        q, angle = normal(12, heads, 128), ids[np.repeat(np.arange(3), (16, 24, 24))].T * inv_freq(128, 1e6)
        yield f"llama.cpp's ids, {heads} heads", {"Qcur": f32(q), "Qcur_rope": f32(rotate(q, np.cos(angle)[:, None], np.sin(angle)[:, None])), "inp_pos": ids.ravel()}, [], 0, None


def fused_arrays():
    """q, k and v in one array, as groups or one behind the other: v shows which, since nothing rotates it."""
    for heads, groups, rows in (16, 2, 16), (16, 2, 24), (16, 2, 32), (30, 2, 32), (12, 4, 20):
        flags = ["--config", {"model_type": "qwen2", "hidden_size": heads * 64, "num_attention_heads": heads, "num_key_value_heads": groups, "rope_theta": 10000, "max_position_embeddings": 4096}]
        each, theta = heads // groups, inv_freq(64, 1e4)
        q, k, v = (normal(n, rows, 64) for n in (heads, groups, groups))
        for late, words in (0, None), (1, "every row is for position m + 1"):
            q_rot, k_rot = (turned(x, np.arange(rows) + late, theta) for x in (q, k))
            side = lambda q, k, v: {"grouped": np.concatenate([np.concatenate([q[g * each:(g + 1) * each], k[g:g + 1], v[g:g + 1]]) for g in range(groups)]),
                                    "one behind the other": np.concatenate([q, k, v])}
            before, after, moved = side(q, k, v), side(q_rot, k_rot, v), side(q_rot, k_rot, turned(v, np.arange(rows), theta))
            fused = lambda x: f32(x.swapaxes(0, 1).reshape(rows, 1, -1))
            for name, x in before.items():
                yield f"{name}, {heads} heads, {rows} rows, {late}, without a config", {"qkv": fused(x), "qkv_rot": fused(after[name])}, [], late, None
                yield f"{name}, {heads} heads, {rows} rows, {late}", {"qkv": fused(x), "qkv_rot": fused(after[name])}, flags, late, words
            yield f"v is rotated, {heads} heads, {rows} rows, {late}", {"qkv": fused(before["grouped"]), "qkv_rot": fused(moved["grouped"])}, flags, 2, "v is rotated, too"


def single_values():
    """Without a config, one wrong value of many is wrong, and a base that nobody uses is not."""
    rows = np.arange(32) + 900
    q = normal(1, 16, 32, 128)
    for base in 1e6, 1000100:
        y = turned(q, rows, inv_freq(128, base))
        for head, row in (0, 0), (3, 31), (8, 16), (15, 5):
            for wrong in 0, 0.01:
                z = f32(y)
                z[0, head, row, 70] += wrong
                yield f"base {base:.0f}, head {head}, row {row}, {wrong}", {"q": f32(q), "q_rot": z, "position_ids": rows}, [], int(wrong > 0), None

    # one token at position 0, whose values only an attention factor changes
    yarn = llama(8, 8, length=8192, rope_scaling={"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 2048})
    q = normal(2, 1, 8, 64)
    factor = 0.1 * np.log(4) + 1
    for name, y, code, words in ("factor", factor * q, 2, "at position 0, where nothing rotates"), ("twice the factor", 2 * factor * q, 1, None):
        yield f"two sequences of a token, {name}", {"q": f32(q), "q_rot": f32(y)}, yarn, code, words
        yield f"two sequences of a token, {name}, at 0", {"q": f32(q), "q_rot": f32(y), "position_ids": np.zeros((2, 1), int)}, yarn, int(code == 1), None


def forms_that_meet():
    """Two unusual things in one file, each right and wrong."""
    plain = ["--dim", "64", "--base", "10000"]
    q, k = normal(2, 4, 2, 4, 64), normal(2, 4, 2, 64)
    for late in 0, 50:
        # heads of q on two axes, a batch, and one start
        grouped = {"q": f32(q), "q_rot": f32(turned(q.transpose(0, 2, 3, 1, 4), np.arange(4) + 50, THETA_64).transpose(0, 3, 1, 2, 4)),
                   "k": f32(k), "k_rot": f32(turned(k.transpose(0, 2, 1, 3), np.arange(4) + 50 - late, THETA_64).transpose(0, 2, 1, 3)), "start_pos": np.array(50)}
        yield f"grouped heads and a start, {late}", grouped, plain, int(late > 0), "m − 50" if late else None
    angles = np.outer(np.arange(5) + 100, THETA_64)
    for late in 0, 3:
        rows = np.outer(np.arange(5) + 100 + late, THETA_64)
        yield f"a cache that begins at a start, {late}", {"cos_sin_cache": f32(np.concatenate([np.cos(rows), np.sin(rows)], 1)), "start_pos": np.array([100])}, plain, int(late > 0), None
        yield f"angles of one row, {late}", {"angles": f32(angles[4:] + late * THETA_64), "cache_position": np.array([104])}, plain, int(late > 0), None
    start = np.outer(np.arange(5), THETA_64)
    first = {"freqs_cis": f32(np.stack([np.cos(start), np.sin(start)], 2)), "start_pos": np.array([5000])}
    yield "a table of position 0 next to a start", first, plain, 0, "row 0 is that of position 0"
    yarn = llama(2, 2, length=64, rope_scaling={"rope_type": "yarn", "factor": 1.0, "original_max_position_embeddings": 64, "attention_factor": 1.1})
    x = normal(1, 2, 64, 64)
    for late in 0, 1:
        y = 1.1 * turned(x, np.arange(64) + late, THETA_64)
        yield f"transposed keys with an attention factor, {late}", {"k": f32(x.swapaxes(2, 3)), "k_rot": f32(y.swapaxes(2, 3))}, yarn, late, None
    token = normal(2, 6, 1, 64)
    order = np.r_[0:64:2, 1:64:2]
    latent = ["--config", {"model_type": "deepseek_v3", "hidden_size": 384, "num_attention_heads": 6, "qk_rope_head_dim": 64, "qk_nope_head_dim": 128, "max_position_embeddings": 4096, "rope_theta": 10000}]
    yield "one token at 0 in another order", {"q": f32(token), "q_rot": f32(token[..., order])}, latent, 0, None
    # images: two frames on two axes; k by row numbers next to q on the grid
    axial = ["--dim", "80", "--rope", "axes=axial", "--axes", "bshd"]
    half = inv_freq(40, 1e4)
    h, w = (np.tile(part.ravel(), 2) for part in np.indices((4, 6)))
    on_axes = lambda a, b: np.concatenate([np.outer(a, half), np.outer(b, half)], 1)
    q, k = normal(1, 48, 4, 80), normal(1, 48, 4, 80)
    turn = lambda x, angle: f32(rotate(x, np.cos(angle)[:, None], np.sin(angle)[:, None]))
    grid, numbers = on_axes(h, w), on_axes(np.arange(48), np.arange(48))
    for name, of_k, code, words in ("the grid", grid, 0, None), ("row numbers", numbers, 1, "by their row numbers"):
        both = {"q": f32(q), "q_rot": turn(q, grid), "k": f32(k), "k_rot": turn(k, of_k)}
        yield f"two frames, k by {name}", both, axial, code, words
        yield f"two frames, q by {name}", {"q": both["k"], "q_rot": both["k_rot"], "k": both["q"], "k_rot": both["q_rot"]}, axial, code, words


def orders_and_counts():
    """Arrays whose shapes allow several readings. Norms, the shapes of q and k, or the config's number of heads show the right one."""
    plain = ["--dim", "64", "--base", "10000"]
    # [S, heads, d] of a built-in model, whose number of heads is known
    x, at = normal(1, 32, 64, 128), np.arange(64)
    numbered = (32 * at + np.arange(32)[:, None]) % 64
    y = np.stack([turned(x[:, h:h + 1], numbered[h], inv_freq(128, 1e4))[0, 0] for h in range(32)])
    yield "a built-in model's heads", {"q": f32(x[0].swapaxes(0, 1)), "q_rot": f32(y.swapaxes(0, 1))}, ["llama-2-7b"], 1, "rows are numbered as in the order"
    for late, words in (0, None), (1, "every row is for position m + 1, not m"):
        # before and after in other orders of axes of equal lengths
        for entries, rows in (3, 2), (5, 8), (8, 8):
            q, k = normal(entries, rows, rows, 64), normal(entries, 1, rows, 64)
            both = {"q": f32(q.swapaxes(1, 2)), "q_rot": f32(turned(q, np.arange(rows) + late, THETA_64)), "k": f32(k.swapaxes(1, 2)), "k_rot": f32(turned(k, np.arange(rows) + late, THETA_64))}
            yield f"q of {entries} × {rows} × {rows} in another order before, {late}", both, llama(rows, 1), late, words
        # the last positions of one sequence, whose rows are on the first axis
        for name, value in ("seq_lens", 22), ("seqlens_k", 21):
            q, k = normal(1, 12, 5, 64), normal(1, 4, 5, 64)
            flat = lambda x: f32(x[0].swapaxes(0, 1).reshape(5, 1, -1))
            yield f"{name} of five rows, {late}", {"q": flat(q), "q_rot": flat(turned(q, np.arange(17, 22) + late, THETA_64)), "k": flat(k), "k_rot": flat(turned(k, np.arange(17, 22) + late, THETA_64)), name: np.array([value])}, llama(12, 4), late, words
        # a cache that is padded on the left, next to the last position of each entry
        last = np.array([8, 5, 6])
        at = np.maximum(np.arange(9) - 8 + last[:, None], 0)
        q, k = normal(3, 4, 1, 64), normal(3, 2, 9, 64)
        step = {"q": f32(q), "q_rot": f32(turned(q, last[:, None], THETA_64)), "k": f32(k), "k_rot": f32(turned(k, at + late, THETA_64)), "position_ids": last[:, None]}
        for order, axes in ("bhsd", (0, 1, 2, 3)), ("bshd", (0, 2, 1, 3)):
            yield f"{order} of a cache with padding, {late}", {name: x.transpose(axes) if x.ndim == 4 else x for name, x in step.items()}, plain, late, None
        # heads of a decode batch at one position, or rows that do not advance
        q, k = normal(6, 12, 64), normal(6, 4, 64)
        batch = {"q": f32(q), "q_rot": f32(turned(q, np.full(12, 158 + late), THETA_64)), "k": f32(k), "k_rot": f32(turned(k, np.full(4, 158 + late), THETA_64))}
        for name in "position_ids", "offset":
            yield f"a batch at one {name}, {late}", batch | {name: np.array([158])}, llama(12, 4), 2, "(--axes bhd)"
            yield f"a batch at one {name}, named, {late}", batch | {name: np.array([158])}, [*llama(12, 4), "--axes", "bhd"], late, words
        # lengths of packed q, k and v with rows of padding
        x = normal(1, 33, 6, 64) * (np.arange(33) < 17)[:, None, None]
        turn = lambda x: turned(x.swapaxes(1, 2), np.arange(33) + late, THETA_64).swapaxes(1, 2)
        y = np.concatenate([turn(x[:, :, :5]), x[:, :, 5:]], 2) * (np.arange(33) < 17)[:, None, None]
        yield f"a length of packed q, k and v, {late}", {"qkv": f32(x).reshape(1, 33, -1), "qkv_rot": f32(y).reshape(1, 33, -1), "seqlens": np.array([17])}, llama(4, 1), late, words
        # one head on a device, whose rows are as many as the config's heads; shards that rotate along the batch
        q = normal(2, 4, 1, 64)
        yield f"rows as many as heads next to lengths, {late}", {"q": f32(q), "q_rot": f32(turned(q.swapaxes(1, 2), np.array([[30], [7]]) + np.arange(4) + late, THETA_64).swapaxes(1, 2)), "cache_seqlens": np.array([30, 7])}, llama(4, 4), 1 if late else 2, None
    # k by row numbers next to the ends of its sequences
    ends, of_keys = np.array([0, 2, 4, 6]), np.array([0, 3, 5, 10])
    rows = np.concatenate([np.arange(n - m, n) for m, n in zip(np.diff(ends), np.diff(of_keys))])
    for name, keys, code, words in (("positions", np.concatenate([np.arange(n) for n in np.diff(of_keys)]), 0, None), ("row numbers", np.arange(10), 1, "row numbers")):
        q, k = normal(2, 6, 64), normal(2, 10, 64)
        packed = {"q": q, "q_rot": turned(q, rows, THETA_64), "k": k, "k_rot": turned(k, keys, THETA_64)}
        yield f"k by {name} next to cu_seqlens_k", {part: f32(x.swapaxes(0, 1)) for part, x in packed.items()} | {"cu_seqlens_q": ends, "cu_seqlens_k": of_keys}, llama(4, 4), code, words
    # more entries than rows, rotated by the number of the entry
    q = normal(9, 27, 8, 64)
    yield "27 heads rotated by the entry", {"q": f32(q), "q_rot": f32(turned(q.transpose(1, 2, 0, 3), np.arange(9), THETA_64).transpose(2, 0, 1, 3))}, llama(54, 54), 2, "(--axes shbd)"
    # a step of sbhd and its cache, by the number of the entry; q and k would have other batches
    for along, code, words in (0, 0, None), (1, 2, "(--axes sbhd)"):
        step = {}
        for name, length, heads in ("q", 1, 8), ("k", 9, 8):
            x = normal(length, 8, heads, 64)
            at = np.arange(8)[:, None] if along else np.arange(9 - length, 9)[:, None, None] if name == "q" else np.arange(9)[:, None, None]
            step |= {name: f32(x), f"{name}_rot": f32(rotate(x, *table(THETA_64, at)))}
        yield f"a step of sbhd next to its cache, {along}", step, llama(8, 8), code, words
    # one row of each entry, whose other heads are no rows of padding
    q = normal(4, 1, 4, 64)
    y = np.concatenate([q[:, :, :1], normal(4, 1, 3, 64)], 2)
    for name, rotated, code in ("right", q, 0), ("other heads are random", y, 2):
        yield f"lengths of one row, {name}", {"q": f32(q), "q_rot": f32(rotated), "seq_lens": np.ones(4, int)}, llama(4, 4), code, None
    # without a config: q determines the rotation, and k has another order of axes
    q, starts = normal(3, 32, 1, 64), np.array([[3], [3], [2]])
    mask = (np.arange(4) < starts + 1)[:, ::-1]
    for heads, code, words in (2, 0, None), (4, 2, "(--axes bhsd)"):
        k = normal(3, heads, 1, 64)
        yield f"a step of {heads} key heads next to a mask of 4", {"q": f32(q), "q_rot": f32(turned(q, starts, THETA_64)), "k": f32(k), "k_rot": f32(turned(k, starts, THETA_64)), "position_ids": starts, "attention_mask": mask.astype(int)}, [], code, words
    q, k = normal(2, 4, 5, 64), normal(2, 1, 5, 64)
    for late in 0, 1:
        yield f"q as bshd, k as bhsd and a start, {late}", {"q": f32(q.swapaxes(1, 2)), "q_rot": f32(turned(q, np.arange(50, 55), THETA_64).swapaxes(1, 2)), "k": f32(k), "k_rot": f32(turned(k, np.arange(50, 55) + late, THETA_64)), "start_pos": np.array([50])}, [], late, None
    # k of as many rows as heads, next to q of one possible order
    for first in 0, 23:
        for rows, axes in (8, (0, 1, 2, 3)), (8, (0, 2, 1, 3)), (6, (0, 1, 2, 3)):
            at = np.arange(first, first + rows)
            q, k = normal(2, 32, rows, 64), normal(2, 8, rows, 64)
            y, step = turned(k, at, THETA_64), {"position_ids": at[None]}
            step |= {"q": f32(q.transpose(axes)), "q_rot": f32(turned(q, at, THETA_64).transpose(axes)), "k": f32(k.transpose(axes))}
            for name, k_rot, code, words in (("right", y, 0, None), ("unrotated", k, 1, "no row is rotated"), ("at one position", turned(k, np.full(rows, 5), THETA_64), 1, "every row is for position 5")):
                yield f"k of {rows} rows, {axes[1]}, from {first}, {name}", step | {"k_rot": f32(k_rot.transpose(axes))}, llama(32, 8), code, words
            along = turned(k.swapaxes(1, 2), np.arange(first, first + 8), THETA_64).swapaxes(1, 2)
            yield f"k of {rows} rows, {axes[1]}, from {first}, along its heads", step | {"k_rot": f32(along.transpose(axes))}, llama(32, 8), 2 if rows == 8 else 1, "the order of q" if rows == 8 else "along the heads axis"
    k, rows = normal(24, 64), np.arange(24)
    for width, name, other in (48, "q", "k"), (80, "k", "q"):
        q = normal(24, width)
        q_rot = turned(q, rows, inv_freq(width, 10000)) if name == "k" else normal(24, width)
        yield f"q of {width} dimensions next to k of 64", {"q": f32(q), "q_rot": f32(q_rot), "k": f32(k), "k_rot": f32(turned(k, rows, inv_freq(64, 10000)))}, [], 2, f"has no heads as those of {other}"
    q = normal(4, 1, 4, 64)
    yield "positions of no row", {"q": f32(q), "q_rot": f32(q), "k": f32(q), "k_rot": f32(q), "cache_position": np.zeros(0, int)}, llama(4, 4), 2, None


def steps_of_serving():
    """Masks of one step, masks that are 1 where attention is forbidden, tables of the call's rows by the name of a cache, tables [S, B, …],
    starts whose names end in a place, and rows of a latent cache."""
    config = llama(8, 2, DIM, BASE)
    for late in 0, 1:
        step = lambda ids: {**vectors(np.asarray(ids) + late, len(ids), 8), **vectors(np.asarray(ids) + late, len(ids), 2, "k")}
        for name, mask in (("zeros that are added", np.zeros((2, 1, 1, 37), np.float32)), ("zeros in float16", np.zeros((2, 1, 1, 37), np.float16)),
                           ("False everywhere", np.zeros((2, 1, 1, 37), bool)), ("True everywhere", np.ones((2, 1, 1, 37), bool))):
            yield f"a step at 36 with a mask of {name}, {late} late", step([[36], [36]]) | {"attention_mask": mask}, config, late, "m + 1" if late else None
        columns = np.arange(40)
        window = ((columns <= 36) & (columns > 28))[None, None, None]
        for mask in window, np.where(window, 0, -3.4e38).astype(np.float32):
            yield f"a step at 36 in a window of a static cache, {mask.dtype}, {late} late", step([[36]]) | {"attention_mask": mask}, config, late, "position-offset" if late else None
        rows, padding = np.arange(20), np.array([[0], [7]])
        causal, packs = rows[:, None] >= rows, np.repeat([0, 6, 15], [6, 9, 5])
        of_entries = causal & (rows >= padding)[:, None]
        for name, ids, allowed in (("a triangle [S, S]", np.tile(rows, (2, 1)), causal), ("a triangle", np.tile(rows, (2, 1)), causal[None, None]),
                                   ("packs", (rows - packs)[None], (causal & (packs[:, None] == packs))[None, None]),
                                   ("padding", np.maximum(rows - padding, 0), of_entries[:, None]), ("a chunk", 20 + rows[None, :9], (np.arange(29) <= 20 + rows[:9, None])[None, None])):
            yield f"{name} of a mask that is True where attention is forbidden, {late} late", step(ids) | {"attn_mask": ~allowed}, config, late, "position" if late else None
        for first, last in (0, 4), (1, 5), (8, 12):  # rows of an image attend each other
            block = causal[:12, :12].copy()
            block[first:last, first:last] = True
            for name, mask in (("[1, 1, S, S]", block[None, None]), ("[S, S]", block), ("[S, S] that is True where attention is forbidden", ~block)):
                yield f"rows {first} to {last} of a mask {name} attend each other, {late} late", step(np.arange(12)[None]) | {"attention_mask": mask}, config, late, "m + 1" if late else None
        for key in 0, 8:  # the keys before a window are padding, or are not
            keys = vectors(np.arange(16) - key, 1, 2, "k")
            mask = ((np.arange(16) > 7) & (np.arange(16) < 12))[None, None, None]
            q = vectors(np.array([[11 - (key if late == 0 else 8 - key)]]), 1, 8)
            yield f"a window next to keys from {-key}, {late}", {**q, **keys, "attention_mask": mask}, config, late, None
        for at, ids in ("40", 40 + np.arange(12)), ("0", np.arange(12)):
            c, s = table(THETA, ids)
            both = np.float32(np.stack([c, s], -1))
            for name, arrays in (("rope_cache [B, S, 1, d/2, 2]", {"rope_cache": both[None, :, None]}), ("cos_cache", {"cos_cache": np.float32(c), "sin_cache": np.float32(s)}),
                                 ("a derived start", {"rope_cache": both[None, :, None], "start_pos": ids[0]})):
                given = step(ids[None]) | ({} if "start_pos" in arrays else {"position_ids": ids[None]})
                yield f"{name} of rows from {at}, {late} late", given | arrays, config, late, "m + 1" if late else None
    ids = np.tile(np.arange(12), (2, 1))
    for theta, code in (THETA, 0), (inv_freq(DIM, 10000), 1):
        c, s = (np.float32(x) for x in table(theta, ids.T))
        sbhd = {name: x.transpose(2, 0, 1, 3) for name, x in vectors(ids, 2, 8).items()}
        for name, arrays in ("rope_cache", {"rope_cache": np.stack([c, s], -1)}), ("cos and sin", {"cos": np.concatenate([c, c], -1), "sin": np.concatenate([s, s], -1)}):
            for more in {}, {"position_ids": ids}:
                yield f"{name} [S, B, …], {code}, {list(more)}", sbhd | arrays | more, config, code, "rope_theta is 10000" if code else None
    counts, past = np.array([9, 1, 16, 5]), np.array([30, 0, 64, 7])
    packed = np.concatenate([np.arange(n) + m for n, m in zip(counts, past)])
    for name in "num_computed_tokens_cpu", "start_pos_gpu", "offset_tensor":
        for late in 0, 1:
            flat = {key: x[0].transpose(1, 0, 2) for key, x in vectors((packed + late)[None], 1, 8).items()}
            yield f"{name} of packed rows, {late} late", flat | {"query_start_loc": np.r_[0, np.cumsum(counts)], name: past}, config, late, "m + 1" if late else None
    # the reading of another library has fewer axes
    ideogram = {"_class_name": "Ideogram4Transformer2DModel", "attention_head_dim": 256, "num_attention_heads": 18, "rope_theta": 5000000, "mrope_section": [24, 20, 20]}
    ids = np.stack(np.meshgrid([0], np.arange(12), np.arange(16), indexing="ij"), -1).reshape(-1, 3)
    axis = np.zeros(128, int)
    axis[1:60:3], axis[2:60:3] = 1, 2
    for base, code in (5000000, 0), (10000, 1):
        angles = ids[:, axis] * inv_freq(256, base)
        both = {"cos": np.tile(np.cos(angles), 2), "sin": np.tile(np.sin(angles), 2), "position_ids": ids}
        yield f"Ideogram 4, base {base}", both, ["--config", ideogram], code, "rope_theta is 10000" if code else None
    deepseek = {"model_type": "deepseek_v3", "hidden_size": 1024, "num_attention_heads": 6, "num_key_value_heads": 6, "qk_nope_head_dim": 128,
                "qk_rope_head_dim": 64, "kv_lora_rank": 512, "rope_theta": 10000, "max_position_embeddings": 4096}
    for base, code in (10000, 0), (500000, 1):
        for name, heads in ("k", ()), ("q", (6,)):
            x = normal(30, *heads, 576)
            c, s = table(inv_freq(64, base), np.arange(30))
            part = rotate(x[..., 512:], *((c[:, None], s[:, None]) if heads else (c, s)), "interleaved")
            rows = {name: f32(x), f"{name}_rot": f32(np.concatenate([x[..., :512], part], -1)), "positions": np.arange(30)}
            if heads and not code:
                whole = np.arange(30)[:, None]
                yield "heads as wide as a latent row that rotate as a whole", {"q": f32(x), "q_rot": f32(turned(x.swapaxes(0, 1)[None], whole[:, 0], inv_freq(576))[0].swapaxes(0, 1))}, ["--config", {**deepseek, "num_attention_heads": 8}], 1, None
            yield f"latent {name}, base {base}", rows, ["--config", deepseek, "--layout", "interleaved"], code, "rope_theta is 500000" if code else None


def cases():
    for kind in padding, packing, starts, orders, steps, caches, images, halves, pairings, orders_without_positions, alternating, parts_of_heads, roundings, scales, lost, quantised, runs, rows_on_axes, other_vectors,\
                contradictions, growing_caches, windows, tables, tables_of_garbage, permuted,\
                unwritten_parts, unwritten_rows, fast_pairs, names, of_attention, masked_steps, other_names,\
                fused_heads, transposed, indexers, right_padding, cross_attention, layers, batches_as_positions, unrotated_layers, per_entry_positions,\
                merged_patches, single_images, moved_keys, nearest_names, unasked_yarns, rounded_exponents, far_narrow_bases, ntk_bases, factors_of_tables,\
                shuffled_rows, heads_of_one_token, yarn_factors, overflowing_pairs, first_heads,\
                unasked_images, unasked_lists, two_grids, unasked_files, tables_in_other_shapes, grids_of_entries, unasked_readings, misread_axes, undetermined, steps_and_batches, lengths_of_frameworks, unknown_names, limits_and_totals, frequencies_of_an_axis, printed_tables, text_before_axes, parts_of_devices, slots_of_a_cache, one_position_of_rows, first_tokens, counts_that_coincide, static_caches, steps_of_a_file, fused_arrays, single_values, forms_that_meet, orders_and_counts, several_arrays, masks_of_scores, complex_vectors, flat_arrays, one_slot_of_entries, steps_of_serving:
        for name, arrays, flags, code, expected in kind():
            # ... accepts only inaccurate angles as name
            yield Case(f"{kind.__name__}: {name}", arrays, flags, None, code, expects="" if expected in (None, ...) or callable(expected) else expected,
                       check=other_names_of if expected is ... else expected if callable(expected) else None)
