#!/usr/bin/env python3
"""compare of dumps whose values exclude the name that first comes to mind.

usage: excluded_names.py ROPE_CHECK    prints each dump that is named or described wrongly; exit 1 if any
"""
import json

import numpy as np

import single
from compared import run
from dumps import rng
from rotary import ROUND, bf16, fp16, inv_freq, llama3, rotate, table, tf32

HEADS = ["--dim", "64", "--axes", "bhsd"]


def q_of(rows, heads=4):
    return rng.standard_normal((1, heads, rows, 64)).astype(np.float32)


def turned(q, c, s):
    return np.stack([rotate(head, c, s) for head in q[0]])[None].astype(np.float32)


def vectors(q, y):
    return {"q": q, "q_rot": y}


class Case:
    """`names`: the mistakes, each with the parameters given; `says`, `never`: words of the
    diagnosis; `refused`: those of the one line of an error."""

    def __init__(self, title, arrays, flags, names=None, says="", never="", refused=""):
        self.title, self.arrays, self.flags = title, arrays, flags
        self.names, self.says, self.never, self.refused = names, says, never, refused


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
                   "q itself is not finite in", "meta-device")
    y = turned(q, c, s)
    y[:, :, 7:12, 3] = np.nan
    yield Case("NaN of the kernel", vectors(q, y), HEADS, [("uninitialised", {"not_finite": 20})])
    y[:, :, 7:12, 3] = np.inf
    yield Case("no overflow", vectors(q, y), HEADS, [("uninitialised", {"not_finite": 20})])


def last_rows():
    for heads in 1, 4:
        for rows, missed in (32, 1), (32, 2), (33, 1), (300, 44):
            q = q_of(rows, heads)
            y = turned(q, *table(inv_freq(64), np.arange(rows)))
            y[:, :, -missed:] = q[:, :, -missed:]
            yield Case(f"{missed} of {rows} rows missed", vectors(q, y), HEADS,
                       [("not-rotated", {"from": rows - missed})], never="position-wrap")
    q = q_of(40)
    yield Case("wrap", vectors(q, turned(q, *table(inv_freq(64), np.arange(40) % 31))), HEADS,
               [("position-wrap", {"period": 31})])


def other_positions():
    # the second sequence is for the ids of the first: 100 positions back, as its own counts on
    q, at = np.concatenate([q_of(48), q_of(48)]), np.stack([np.arange(48) + 3, np.arange(48) + 103])
    y = np.concatenate([turned(one[None], *table(inv_freq(64), at[0])) for one in q])
    yield Case("ids of sequence 0", {**vectors(q, y), "position_ids": at}, HEADS,
               [("position-offset", {"offset": -100})], "position-source source=sequence 0", "row number")


def equivalents():
    at = np.arange(4096)
    c, s = table(tf32(inv_freq(64)), tf32(at))
    both = {"format": "tf32", "rounded": "inv_freq and positions"}
    # 11 bits of either, as float16 has them: equal only where positions are rounded, too
    yield Case("TF32", {"cos": np.concatenate([c, c], -1), "sin": np.concatenate([s, s], -1)},
               ["--dim", "64"], [("angle-precision", both)],
               "inv-freq-precision format=float16 rounded=inv_freq and positions")
    # huggingface/transformers#48428
    for how, words in ("cut", "toward zero"), ("away", "ties away"):
        rounded = ROUND[f"tf32 {how}"]
        c, s = table(rounded(inv_freq(64)), rounded(at))
        yield Case(f"TF32 {how}", {"cos": np.concatenate([c, c], -1), "sin": np.concatenate([s, s], -1)},
                   ["--dim", "64"], [("angle-precision", {**both, "rounding": words})])
    c, s = table(fp16(inv_freq(64)), at)
    yield Case("float16", {"cos": np.concatenate([c, c], -1), "sin": np.concatenate([s, s], -1)},
               ["--dim", "64"], [("inv-freq-precision", {"format": "float16"})], never="rounded=")


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
               [("cos-sin-swapped", {}), ("rotated-twice", {})], never="position-scale")
    yield Case("twice, reversed", vectors(q, turned(turned(q, c, -s), c, -s)), HEADS,
               [("direction", {}), ("rotated-twice", {})], "position-scale scale=2")


def small_errors():
    # a float32 2π: a few values fail, none of them by much
    turn, angle = np.float32(2 * np.pi), np.outer(np.arange(4096, dtype=np.float32), inv_freq(64))
    angle = (angle - np.round(angle / turn).astype(np.float32) * turn).astype(np.float32)
    c, s = np.cos(angle), np.sin(angle)
    yield Case("reduction by a float32 2π", {"cos": np.concatenate([c, c], -1), "sin": np.concatenate([s, s], -1)},
               ["--dim", "64"], [], "values exceed their allowance, first at position")


def strided():
    twice = llama3(128, 500000, 8).astype(np.float64)
    wave = 2 * np.pi / twice
    mixed = (8192 / wave - 1) / 3
    twice = np.where(wave > 8192, twice / 8, np.where(wave < 2048, twice, (1 - mixed) * twice / 8 + mixed * twice))
    flags = ["--dim", "128", "--base", "500000", "--rope-type", "llama3", "--factor", "8", "--low-freq-factor", "1",
             "--high-freq-factor", "4", "--original-max-position", "8192"]
    for step in 7, 64:
        at = np.arange(256) * step
        c, s = (np.concatenate([x, x], -1).astype(np.float32) for x in table(twice.astype(np.float32), at))
        yield Case(f"llama3 twice, every {step}", {"cos": c, "sin": s, "position_ids": at}, flags, [],
                   f"known up to 2π/{step}")
        c, s = (np.concatenate([x, x], -1).astype(np.float32) for x in table(inv_freq(64, 12345), at))
        yield Case(f"base, every {step}", {"cos": c, "sin": s, "position_ids": at}, ["--dim", "64"],
                   [("base", {"rope_theta": 12345})])


def dynamic(theta, length, base=10000, factor=4, trained=256):
    """transformers' _compute_dynamic_ntk_parameters"""
    stretch = factor * length / trained - (factor - 1)
    return inv_freq(theta, base * stretch ** (theta / (theta - 2)))


def stale():
    """A cache that was made for another length (huggingface/transformers#46624)."""
    for factor, made, rows, rotary in (4, 512, 1024, 64), (4, 3000, 600, 64), (2.5, 300, 1000, 128):
        c, s = table(dynamic(rotary, made, factor=factor), np.arange(rows))
        flags = ["--dim", str(rotary), "--rope-type", "dynamic", "--factor", str(factor), "--max-position", "256"]
        yield Case(f"base of {made} for {rows}", {"cos": c, "sin": s}, flags,
                   [("scaling-parameter", {"seq_len": made})])


def still():
    """One batch entry is not rotated, beside another fault of the other."""
    q = np.stack([q_of(48)[0], q_of(48)[0]])
    c, s = table(inv_freq(64), np.arange(1, 49))
    y = np.stack([q[0], turned(q[1:], s, c)[0]])
    yield Case("still beside swapped", {**vectors(q, y), "position_ids": np.tile(np.arange(1, 49), (2, 1))},
               HEADS, [("not-rotated", {"batch": "0"}), ("cos-sin-swapped", {"batch": "1"})])


def cached():
    """A decode step's k is all keys so far, which q's position is not for."""
    q, k, at = q_of(1, 8), q_of(100, 2), np.arange(100)
    arrays = {**vectors(q, turned(q, *table(inv_freq(64), at[-1:]))), "position_ids": np.array([[99]]),
              "k": k, "k_rot": turned(k, *table(inv_freq(64), at))}
    yield Case("keys of a cache", arrays, ["--dim", "64"], refused="does not fit")


def one_row():
    c, s = (x.astype(np.float32) for x in table(inv_freq(64), np.arange(256)))
    c[100], s[100] = -c[100], -s[100]
    yield Case("one row of 256 negated", {"cos": c, "sin": s}, ["--dim", "64"])


def written_orders():
    """The result's lanes in an order of no layout, in every format, alone and beside another fault."""
    flags, at = ["--dim", "64"], np.arange(48)
    for name, (layout, order) in single.written_orders(64).items():
        told = ("pair-layout", {"before": layout, "after": name.replace("-", " ")})
        for base, offset, names in ((10000, 0, []), (500000, 0, [("base", {"rope_theta": 500000})]),
                                    (10000, 3, [("position-offset", {"offset": 3})])):
            for fmt in ("float32", "bfloat16", "float16") if not names else ("float32",):
                q = ROUND[fmt](q_of(48)[0, 0])
                c, s = (ROUND[fmt](x.astype(np.float32)) for x in table(inv_freq(64, base), at + offset))
                y = ROUND[fmt](rotate(q, c, s, single.SHORT[layout]).astype(np.float32))[:, order]
                yield Case(f"{name}, {fmt}, {names}", vectors(q, y), flags, [told, *names])


def cases():
    yield from written_orders()
    yield from lost_values()
    yield from stale()
    yield from still()
    yield from cached()
    yield from one_row()
    yield from last_rows()
    yield from other_positions()
    yield from equivalents()
    yield from twice()
    yield from small_errors()
    yield from strided()


def missing(found, names):
    """What of `names` is not said of the mistakes found, or which are others."""
    own = [(one["mistake"], one.get("parameters", {})) for one in found]
    if sorted(name for name, _ in own) != sorted(name for name, _ in names):
        return own or ["nothing"]
    return [want for want in names
            if not any(want[0] == name and want[1].items() <= given.items() for name, given in own)]


def judge(compare, case):
    done = compare(case.arrays, *case.flags)
    if case.refused:
        right = done.returncode == 2 and case.refused in done.stderr and done.stderr.count("\n") == 1
        return "" if right else f"{case.title}: exit {done.returncode}: {done.stderr}"
    if done.returncode != 1:
        return f"{case.title}: exit {done.returncode}: {done.stderr}"
    report = json.loads(done.stdout)
    found, observed = report["diagnosis"], report.get("facts", [])
    text = json.dumps([found, observed], ensure_ascii=False)
    if case.names is not None and missing(found, case.names):
        return f"{case.title}: {text}"
    if not found and not observed:
        return f"{case.title}: no diagnosis"
    if case.says not in text or (case.never and case.never in text):
        return f"{case.title}: {text}"
    return ""


run(cases(), judge, "dumps are named by what their values allow")
