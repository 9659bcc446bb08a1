#!/usr/bin/env python3
"""What compare says that a dump is, without a SPEC: dumps made by NumPy alone.

usage: identities.py ROPE_CHECK    prints each that is not identified; exit 1 if any
"""
import json
import re

import numpy as np

from axes import interleaved
from compared import run
from dumps import rng
from rotary import ROUND, inv_freq, llama3, rotate, table, yarn

TEXT = np.arange(60)
GRID = np.stack([np.arange(48) % 8, np.arange(48) // 8])
CHATGLM = np.stack([np.minimum(TEXT, 40), np.maximum(TEXT - 40, 0)])
IMAGE = 10 + np.stack([0 * np.arange(30), np.arange(30) // 6, np.arange(30) % 6])
TIME_H_W = np.hstack([np.tile(np.arange(10), (3, 1)), IMAGE, np.tile(16 + np.arange(20), (3, 1))])
FOUR = np.vstack([TIME_H_W, (7 * np.arange(60)) % 31])


def cos_sin(places, theta, axis):
    angle = places[axis].T * theta
    return np.cos(angle), np.sin(angle)


def interleaved4(pairs, height, width):
    j = np.arange(pairs)
    return np.where((j % 3 == 1) & (j < 3 * height), 1,
                    np.where((j % 3 == 2) & (j < 3 * width), 2, np.where(j % 3 == 0, 0, 3)))


def vectors(c, s, head=None, layout="half"):
    q = rng.standard_normal((len(c), head or 2 * c.shape[1])).astype(np.float32)
    return {"q": q, "q_rot": rotate(q, c, s, layout, 0).astype(np.float32)}


def deepseek(c, s):
    q = rng.standard_normal((len(c), 2 * c.shape[1])).astype(np.float32)
    return {"q": q, "q_rot": rotate(np.hstack([q[:, ::2], q[:, 1::2]]), c, s, "half", 0).astype(np.float32)}


def two_axes(base, layout):
    half = inv_freq(32, base)
    return cos_sin(GRID, np.concatenate([half, half]), np.repeat([0, 1], 16)), layout


def chatglm(base):
    q = rng.standard_normal((60, 64)).astype(np.float32)
    parts = [rotate(q[:, 32 * a:32 * a + 32], *cos_sin(CHATGLM, inv_freq(32, base), np.full(16, a)), "half", 0)
             for a in (0, 1)]
    return {"q": q, "q_rot": np.hstack(parts).astype(np.float32)}


def cases():
    for base, words in (10000, ""), (500000, " --base 500000"):
        for layout, more in ("half", ""), ("interleaved", " --layout interleaved"):
            (c, s), _ = two_axes(base, layout)
            for ids in GRID, GRID.T:
                yield f"--dim 64{more}{words} --rope axes=axial", {**vectors(c, s, layout=layout), "position_ids": ids}
        yield (f"--dim 64{words} --rope axes=axial",
               {"cos": c.astype(np.float32), "sin": s.astype(np.float32), "position_ids": GRID})
        yield f"--dim 64{words} --rope axes=halves", {**chatglm(base), "position_ids": CHATGLM}
    theta = inv_freq(128, 3000000)
    for places, axis, words in (
            (TIME_H_W, np.repeat([0, 1, 2], [16, 24, 24]), "sectioned,mrope_section=16,24,24"),
            (FOUR, np.repeat([0, 1, 2, 3], [16, 20, 20, 8]), "sectioned,mrope_section=16,20,20,8"),
            (FOUR, interleaved4(64, 20, 20), "interleaved4,mrope_section=24,20,20,0")):
        for ids in places, places.T:
            yield (f"--dim 128 --base 3000000 --rope axes={words}",
                   {**vectors(*cos_sin(places, theta, axis)), "position_ids": ids})
    for width in 2, 6, 20, 24, 40, 62:
        c, s = cos_sin(TEXT[None], inv_freq(width, 10000), np.zeros(width // 2, int))
        yield f"--dim 64 --rotary-dim {width}", vectors(c, s, 64)
        if width > 2:
            yield f"--dim 64 --rotary-dim {width} --layout interleaved", vectors(c, s, 64, "interleaved")
    for base, words in (10000, ""), (32000000, " --base 32000000"):
        yield (f"--dim 64 --layout interleaved_to_half_split{words}",
               deepseek(*cos_sin(TEXT[None], inv_freq(64, base), np.zeros(32, int))))
    for theta, words in (inv_freq(64, 10000), ""), (inv_freq(64, 500000), " --base 500000"):
        for start in 0, 128:
            q = rng.standard_normal((60, 192)).astype(np.float32)
            y, part = q.copy(), q[:, start:start + 64]
            y[:, start:start + 64] = rotate(np.hstack([part[:, ::2], part[:, 1::2]]), *table(theta, TEXT), "half", 0)
            where = f" --rope rotary_offset={start}" if start else ""
            yield (f"--dim 192 --rotary-dim 64 --layout interleaved_to_half_split{words}{where}", {"q": q, "q_rot": y})
    for base, words in (10000, ""), (500000, " --base 500000"), (123456, " --base 123456"):
        for factor in 2, 2.5, 8:
            c, s = cos_sin(TEXT[None] / factor, inv_freq(64, base), np.zeros(32, int))
            yield f"--dim 64{words} --rope rope_type=linear,factor={factor}", vectors(c, s)


def of_video():
    """Blocks that start over, and axes that take turns; with no axis of its own, nothing tells the map."""
    ids = np.stack([np.repeat(np.arange(3), 20), np.tile(np.repeat(np.arange(4), 5), 3), np.tile(np.arange(5), 12)])
    blocks = " --rope axes=blocks,mrope_section="
    for base, words in (10000, ""), (256, " --base 256"):
        for widths in (44, 42, 42), (16, 56, 56):
            theta = np.concatenate([inv_freq(width, base) for width in widths])
            c, s = cos_sin(ids, theta, np.repeat([0, 1, 2], np.array(widths) // 2))
            want = words + blocks + ",".join(str(width // 2) for width in widths)
            yield "--dim 128" + want, {"cos": c.astype(np.float32), "sin": s.astype(np.float32), "position_ids": ids}
            yield "--dim 128 --layout interleaved" + want, {**vectors(c, s, layout="interleaved"), "position_ids": ids}
    pairs, theta = np.arange(64), inv_freq(128, 500000)
    turns = cos_sin(ids, theta, np.where(pairs < 44, 1 + pairs % 2, 0))
    yield "--dim 128 --base 500000 --rope axes=height_width_time,mrope_section=22,22,20", {
        **vectors(*turns), "position_ids": ids}
    yield "", {**vectors(*cos_sin(ids, theta, 0 * pairs)), "position_ids": ids}


def of_16_bits():
    """Tables whose few rows of float16 hardly tell one number from the next."""
    scaled = " --max-position {1} --base {0} --rope rope_type={2},factor={3}{4},original_max_position_embeddings={5}"
    for rows in 12, 20, 64, 512:
        for d, base, factor in (80, 100000, 2), (64, 5000000, 2), (64, 40000, 16), (32, 100000, 32):
            yield ("--dim " + str(d) + scaled.format(base, factor * 8192, "llama3", factor,
                                                     ",low_freq_factor=1,high_freq_factor=4", 8192),
                   halves(rows, llama3(d, base, factor)))
        for d, base, factor in (64, 100000, 8), (128, 1000000, 16), (32, 40000, 32), (64, 500000, 4):
            yield (f"--dim {d} --base {base} --rope rope_type=linear,factor={factor}",
                   halves(rows, inv_freq(d, base) / factor))
            yield (f"--dim {d}" + scaled.format(base, factor * 32768, "yarn", factor, "", 32768),
                   halves(rows, yarn(d, base, factor, 32768), 0.1 * np.log(factor) + 1))
    for d, base, factor in (128, 5000000, 4), (64, 1000000, 8), (128, 1000000, 2), (128, 1000000, 8):
        for first, rows in (0, 40), (1000, 40), (17, 16), (0, 512):
            yield (f"--dim {d} --base {base} --rope rope_type=ntk,factor={factor}",
                   {**halves(rows, inv_freq(d, base * factor ** (d / (d - 2))), first=first),
                    "position_ids": np.arange(first, first + rows)})


def halves(rows, theta, amplitude=1, first=0):
    angle = np.outer(np.arange(first, first + rows), theta.astype(np.float64))
    return {"cos": np.float16(amplitude * np.cos(angle)), "sin": np.float16(amplitude * np.sin(angle))}


def of_no_rule():
    """Frequencies that a longrope of a number a pair would fit, whatever they are, and factors of linear that no
    config has: of a second rotation, and of pairs that are counted from 1."""
    theta, i = inv_freq(64).astype(np.float64), np.arange(32)
    divided = theta.copy()
    divided[5] /= 1.3
    noise = theta / 4 * (1 + 1e-3 * rng.standard_normal(32))
    growing = theta / (1 + 0.02 * i + 0.08 * np.maximum(i - 10, 0) ** 1.6)
    drifting = np.where(i < 16, theta, inv_freq(64, 50000))
    for scale in 0.4495, 0.78987, 0.59133:
        for rows in 16, 64:
            q = np.float32(ROUND["bfloat16"](rng.standard_normal((4, rows, 128))))
            c, s = table(inv_freq(128), scale * np.arange(rows))
            y = np.stack([ROUND["bfloat16"](rotate(head, c, s, "half", 0)) for head in q])
            yield "", {"q": q, "q_rot": np.float32(y)}
    for one in (divided, noise, np.where(i < 12, theta / 8, theta), growing, drifting, theta / np.linspace(1, 3, 32),
                np.where(i < 20, theta, theta / 7), 2 * theta, inv_freq(64, start=1)):
        yield "", {"inv_freq": one.astype(np.float32)}
        angle = np.outer(np.arange(600), one)
        yield "", {"cos": np.cos(angle).astype(np.float32), "sin": np.sin(angle).astype(np.float32)}


def rounded():
    """Numbers of 16 bits in float32, which no Spec allows: the base is the model's all the same."""
    for dim, rows in (128, 16), (128, 128), (128, 512), (256, 64):
        angle = np.outer(np.arange(rows), inv_freq(dim, 1000000).astype(np.float64))
        for narrow in ROUND["bfloat16"], ROUND["float16"]:
            yield (f"--dim {dim} --max-position 16384 --base 1000000" if dim == 128 else f"--dim {dim} --base 1000000",
                   {"cos": np.float32(narrow(np.cos(angle))), "sin": np.float32(narrow(np.sin(angle)))}, 1)


def of_kimi_k2():
    """Betas of 1, between which nothing is blended, and mscale as mscale_all_dim, which is an attention factor of 1."""
    for rows in 64, 300:
        angle = np.outer(np.arange(rows), yarn(64, 50000, 32, 4096, fast=1).astype(np.float64))
        for amplitude, words in (1, ",attention_factor=1"), (0.1 * np.log(32) + 1, ""):
            yield (f"--dim 64 --max-position 131072 --base 50000 --rope rope_type=yarn,factor=32,original_max_position_embeddings="
                   f"4096,beta_fast=1{words}",
                   {"cos": np.float32(amplitude * np.cos(angle)), "sin": np.float32(amplitude * np.sin(angle))})


def of_vision_in_16_bits():
    """Axes of slow pairs, which single values leave open: of a published map, or of one that nobody has."""
    interleave = " --rope axes=interleaved,mrope_section=24,20,20"
    for base, words, axis in (
            (5000000, " --max-position 262144 --base 5000000" + interleave, interleaved((24, 20, 20), 64)),
            (1000000, " --max-position 16384 --base 1000000" + interleave, interleaved((24, 20, 20), 64)),
            (10000, None, np.repeat([0, 1, 2], [30, 17, 17]))):
        for heads in 1, 2, 3:
            c, s = cos_sin(TIME_H_W, inv_freq(128, base), axis)
            q = np.float32(ROUND["bfloat16"](rng.standard_normal((heads, 60, 128))))
            rotated = np.stack([ROUND["bfloat16"](rotate(head, c, s, "half", 0)) for head in q])
            yield (None if words is None else "--dim 128" + words,
                   {"q": q, "q_rot": np.float32(rotated), "position_ids": TIME_H_W})


def of_a_number_and_still_pairs():
    """bf16 vectors times a softmax scale are no YaRN of an odd attention factor, and a head of which a few last pairs
    stand still is no partial one: nobody writes those numbers."""
    whole = inv_freq(128, 500000)
    for scale in 128 ** -0.5, 0.5, 1.25:
        c, s = table(whole, np.arange(200))
        q = np.float32(ROUND["bfloat16"](rng.standard_normal((200, 128))))
        yield ("--dim 128 --max-position 8192 --base 500000",
               {"q": q, "q_rot": np.float32(ROUND["bfloat16"](scale * rotate(q, c, s, "half", 0)))}, 1)
    for layout in "half", "interleaved":
        for still in 1, 2, 8:
            theta = inv_freq(128).astype(np.float64)
            theta[-still:] = 0
            yield "", vectors(*table(theta, np.arange(300)), None, layout)
        theta = inv_freq(64, 500000).astype(np.float64)
        theta[24:] = 0
        words = "" if layout == "half" else " --layout interleaved"
        yield (f"--dim 64{words} --base 500000 --rope rope_type=proportional,partial_rotary_factor=0.75",
               vectors(*table(theta, np.arange(300)), None, layout))


def judge(compare, case):
    want, arrays, exit_code = (*case, 0)[:3]
    ran = compare(arrays)
    report = json.loads(ran.stdout) if ran.stdout else {"identity": ran.stderr, "summary": {}}
    got, code = report["identity"], report["summary"].get("exit_code")
    if want is None:
        return None if code == 0 else f"{got} (exit {code}) of a right dump"
    if not want:
        return None if code != 0 and "longrope" not in got else f"{got} of no rule (exit {code})"
    if re.split("; matches|; these values", got)[0] == want and code == exit_code:
        return None
    return f"want {want}\n got {got} (exit {code})"


if __name__ == "__main__":
    run([*cases(), *of_video(), *of_16_bits(), *rounded(), *of_kimi_k2(), *of_vision_in_16_bits(), *of_no_rule(),
         *of_a_number_and_still_pairs()],
        judge, "identified")
