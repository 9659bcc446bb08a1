#!/usr/bin/env python3
"""Writes dumps with one known mistake each, made by NumPy alone, and what they are.

inject.py FOLDER: FOLDER/NAME.npz and FOLDER/cases.json, a list of
  {"name", "file", "spec": flags for rope-check, "expect": mistake id or "" where nothing is wrong}
Angles are float32 products of float32 inv_freq, as frameworks make them, then NumPy's float64
cos and sin, rounded to the table's format.
"""
import itertools
import json
import math
import os
import sys

import numpy as np

POSITIONS = sorted(set(list(range(41)) + [255, 257, 1000, 2047, 2049, 4097, 8191, 8193, 10000, 12345,
                                          16385, 20001, 30011, 32767, 32769, 40007, 50021, 60013,
                                          65519, 65521, 65535, 33333, 44444]))
assert len(POSITIONS) == 64
rng = np.random.default_rng(7)


def bf16(x):
    bits = np.asarray(x, np.float32).view(np.uint32).astype(np.uint64)
    rounded = ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16) << 16
    return rounded.astype(np.uint32).view(np.float32).reshape(np.shape(x))


def fp16(x):
    with np.errstate(over="ignore"):
        return np.asarray(x, np.float32).astype(np.float16).astype(np.float32)


def tf32(x):
    bits = np.asarray(x, np.float32).view(np.uint32).astype(np.uint64)
    rounded = ((bits + 0xFFF + ((bits >> 13) & 1)) >> 13) << 13
    return rounded.astype(np.uint32).view(np.float32).reshape(np.shape(x))


def same(x):
    return np.asarray(x, np.float32)


ROUND = {"bfloat16": bf16, "float16": fp16, "tf32": tf32, "float32": same}


def inv_freq(d, base=10000.0, divisor=None, start=0):
    return (1.0 / base ** ((np.arange(0, d, 2) + 2 * start) / (divisor or d))).astype(np.float32)


def yarn(d, base, s, L0, fast=32, slow=1, truncate=True, inverted=False):
    theta = 1.0 / base ** (np.arange(0, d, 2) / d)
    corr = lambda b: d * math.log(L0 / (b * 2 * math.pi)) / (2 * math.log(base))
    low, high = corr(fast), corr(slow)
    if truncate:
        low, high = math.floor(low), math.ceil(high)
    low, high = max(low, 0), min(high, d - 1)
    if low == high:
        high += 0.001
    ramp = np.clip((np.arange(d // 2) - low) / (high - low), 0, 1)
    if inverted:
        ramp = 1 - ramp
    return (theta / s * ramp + theta * (1 - ramp)).astype(np.float32)


def llama3(d, base, s, low=1.0, high=4.0, L0=8192):
    theta = 1.0 / base ** (np.arange(0, d, 2) / d)
    wave = 2 * math.pi / theta
    smooth = (L0 / wave - low) / (high - low)
    mixed = (1 - smooth) * theta / s + smooth * theta
    return np.where(wave > L0 / low, theta / s, np.where(wave < L0 / high, theta, mixed)).astype(
        np.float32)


def ntk(d, base, s):
    return inv_freq(d, base * s ** (d / (d - 2)))


def table(theta, positions=None, inv="float32", pos="float32", prod="float32", scale=1.0):
    p = np.asarray(POSITIONS if positions is None else positions, np.float64)
    with np.errstate(invalid="ignore", over="ignore"):
        f = ROUND[inv](theta)
        m = ROUND[pos](p.astype(np.float32))
        angle = ROUND[prod](np.outer(m, f).astype(np.float32))
        return (scale * np.cos(angle.astype(np.float64)), scale * np.sin(angle.astype(np.float64)))


def rotate(x, c, s, layout="half", lanes=None):
    d = 2 * c.shape[1]
    y = x.astype(np.float64).copy()
    a = np.arange(d // 2) if layout == "half" else np.arange(0, d, 2)
    b = a + d // 2 if layout == "half" else a + 1
    a, b = a + (lanes or 0), b + (lanes or 0)
    y[:, a] = x[:, a] * c - x[:, b] * s
    y[:, b] = x[:, b] * c + x[:, a] * s
    return y


class Writer:
    def __init__(self, folder):
        self.folder, self.cases = folder, []

    def store(self, name, value, fmt):
        if fmt == "bfloat16":
            return {name + "__bf16bits": (bf16(value).view(np.uint32) >> 16).astype(np.uint16)}
        return {name: np.asarray(value, {"float32": np.float32, "float16": np.float16}[fmt])}

    def write(self, name, spec, expect, arrays, parameters=None):
        file = name + ".npz"
        np.savez(os.path.join(self.folder, file), position_ids=np.asarray(POSITIONS, np.int64),
                 **arrays)
        self.cases.append({"name": name, "file": file, "spec": spec, "expect": expect,
                           "parameters": parameters or {}})

    def both(self, name, spec, expect, c, s, head=None, layout="half", lanes=0, lane_map=None,
             parameters=None):
        """As a table and as q before and after, in float32 and bfloat16."""
        for fmt in ("float32", "bfloat16"):
            if lane_map is None and lanes == 0:
                self.write(f"{name}-table-{fmt}", spec, expect,
                           {**self.store("cos", c, fmt), **self.store("sin", s, fmt)}, parameters)
            head_dim = head or 2 * c.shape[1]
            q = ROUND[fmt](rng.standard_normal((len(POSITIONS), head_dim)).astype(np.float32))
            with np.errstate(invalid="ignore"):
                c2, s2 = ROUND[fmt](c.astype(np.float32)), ROUND[fmt](s.astype(np.float32))
                y = (lane_map(q, c2, s2) if lane_map else
                     rotate(q, c2.astype(np.float64), s2.astype(np.float64), layout, lanes))
            self.write(f"{name}-vectors-{fmt}", spec, expect,
                       {**self.store("q", q, fmt), **self.store("q_rot", y.astype(np.float32), fmt)},
                       parameters)


def flags(d, base=10000, **more):
    words = ["--dim", str(d), "--base", repr(base)]
    for key, value in more.items():
        words += ["--" + key.replace("_", "-"), str(value)]
    return words


def main(folder):
    os.makedirs(folder, exist_ok=True)
    w = Writer(folder)
    P = np.asarray(POSITIONS)
    for d in (64, 96, 128):
        t = inv_freq(d)
        plain = flags(d)
        # sound
        w.both(f"sound-default-{d}", plain, "", *table(t))
        w.both(f"sound-linear-{d}", flags(d, rope_type="linear", factor=4), "", *table(t / np.float32(4)))
        w.both(f"sound-yarn-{d}", flags(d, rope_type="yarn", factor=16, original_max_position=4096,
                                        max_position=65536), "",
               *table(yarn(d, 10000, 16, 4096), scale=np.float32(0.1 * math.log(16) + 1)))
        w.both(f"sound-llama3-{d}", flags(d, 500000, rope_type="llama3", factor=8, low_freq_factor=1,
                                          high_freq_factor=4, original_max_position=8192,
                                          max_position=131072), "", *table(llama3(d, 500000, 8)))
        # layout, direction, order
        for k, base in enumerate((10000, 500000, 1000000)):
            c, s = table(inv_freq(d, base))
            f = flags(d, base)
            w.both(f"pair-layout-{d}-{k}", f, "pair-layout", c, s, layout="interleaved",
                   lane_map=lambda q, c, s: rotate(q, c, s, "interleaved"))
            w.both(f"direction-{d}-{k}", f, "direction", c, -s)
            w.both(f"cos-sin-swapped-{d}-{k}", f, "cos-sin-swapped", s, c)
            one = np.ones_like(c)
            w.both(f"not-rotated-{d}-{k}", f, "not-rotated", one, 0 * one)
            cc, ss = c.copy(), s.copy()
            n = (40, 45, 50)[k]
            cc[n:], ss[n:] = 0, 0
            w.both(f"table-truncated-{d}-{k}", f, "table-truncated", cc, ss)
            w.both(f"table-truncated-clamp-{d}-{k}", f, "table-truncated",
                   *table(inv_freq(d, base), np.minimum(P, (2048, 4096, 1024)[k] - 1)))
            bad = rng.standard_normal(c.shape) * 1e3
            cc, ss = c.copy(), s.copy()
            cc[n:], ss[n:] = bad[n:], bad[n:] / 3
            w.both(f"uninitialised-{d}-{k}", f, "uninitialised", cc, ss)
            w.both(f"uninitialised-inv-{d}-{k}", f, "uninitialised",
                   *table(np.abs(rng.standard_normal(d // 2)).astype(np.float32) *
                          np.float32(10.0) ** rng.integers(-8, 0, d // 2).astype(np.float32)))
            cc, ss = c.copy(), s.copy()
            cc[k + 5:, 3], ss[k + 5:, 3] = np.nan, np.nan
            w.both(f"uninitialised-nan-{d}-{k}", f, "uninitialised", cc, ss)
        # base, exponent
        for base in (500000, 1000000, 10001, 9000, 41234.5):
            w.both(f"base-{d}-{base}", plain, "base", *table(inv_freq(d, base)),
                   parameters={"rope_theta": base})
        w.both(f"base-default-{d}", flags(d, 500000), "base", *table(t), parameters={"rope_theta": 10000})
        for divisor in (2 * d, d // 2, d - 2):
            w.both(f"exponent-divisor-{d}-{divisor}", plain, "exponent-divisor",
                   *table(inv_freq(d, divisor=divisor)))
        # scaling
        for factor in (2, 4, 8):
            lin = flags(d, rope_type="linear", factor=factor)
            w.both(f"scaling-missing-{d}-{factor}", lin, "scaling-missing", *table(t))
            w.both(f"scaling-doubled-{d}-{factor}", lin, "scaling-doubled",
                   *table(t / np.float32(factor * factor)))
            w.both(f"scaling-inverted-{d}-{factor}", lin, "scaling-inverted", *table(t * np.float32(factor)))
            w.both(f"scaling-type-ntk-{d}-{factor}", lin, "scaling-type", *table(ntk(d, 10000, factor)))
            w.both(f"scaling-parameter-linear-{d}-{factor}", lin, "scaling-parameter",
                   *table(t / np.float32(factor * 1.5)), parameters={"factor": factor * 1.5})
            y = flags(d, rope_type="yarn", factor=2 * factor, original_max_position=4096,
                      max_position=8192 * factor)
            a = np.float32(0.1 * math.log(2 * factor) + 1)
            w.both(f"scaling-missing-yarn-{d}-{factor}", y, "scaling-missing", *table(t))
            w.both(f"scaling-type-linear-{d}-{factor}", y, "scaling-type", *table(t / np.float32(2 * factor)))
            w.both(f"scaling-parameter-swapped-{d}-{factor}", y, "scaling-parameter",
                   *table(yarn(d, 10000, 2 * factor, 4096, 1, 32), scale=a))
            w.both(f"scaling-parameter-truncate-{d}-{factor}", y, "scaling-parameter",
                   *table(yarn(d, 10000, 2 * factor, 4096, truncate=False), scale=a))
            w.both(f"scaling-parameter-ramp-{d}-{factor}", y, "scaling-parameter",
                   *table(yarn(d, 10000, 2 * factor, 4096, inverted=True), scale=a))
            w.both(f"scaling-parameter-factor-{d}-{factor}", y, "scaling-parameter",
                   *table(yarn(d, 10000, 3 * factor, 4096), scale=a))
            for name, value in (("one", 1.0), ("squared", float(a) ** 2), ("factor", 2.0 * factor)):
                w.both(f"attention-factor-{name}-{d}-{factor}", y, "attention-factor",
                       *table(yarn(d, 10000, 2 * factor, 4096), scale=np.float32(value)))
            l3 = flags(d, 500000, rope_type="llama3", factor=4 * factor, low_freq_factor=1,
                       high_freq_factor=4, original_max_position=8192, max_position=131072)
            w.both(f"scaling-missing-llama3-{d}-{factor}", l3, "scaling-missing", *table(inv_freq(d, 500000)))
            w.both(f"scaling-type-llama3-{d}-{factor}", l3, "scaling-type",
                   *table(inv_freq(d, 500000) / np.float32(4 * factor)))
            w.both(f"scaling-parameter-length-{d}-{factor}", l3, "scaling-parameter",
                   *table(llama3(d, 500000, 4 * factor, L0=131072)))
        # partial rotary: the head is d wide
        for part, name in ((d // 2, "half"), (d // 4, "quarter")):
            part -= part % 2
            f = flags(d) + ["--rotary-dim", str(part)]
            c, s = table(inv_freq(part))
            w.both(f"sound-partial-{name}-{d}", f, "", c, s, head=d)
            w.both(f"rotary-dim-all-{name}-{d}", f, "rotary-dim", *table(inv_freq(d)), head=d,
                   lane_map=lambda q, c, s: rotate(q, c, s))
            w.both(f"rotary-dim-suffix-{name}-{d}", f, "rotary-dim", c, s, head=d, lanes=d - part)
            w.both(f"exponent-divisor-head-{name}-{d}", f, "exponent-divisor",
                   *table(inv_freq(part, divisor=d)), head=d)
        w.both(f"rotary-dim-part-{d}", plain, "rotary-dim", *table(inv_freq(d // 2)), head=d,
               lane_map=lambda q, c, s: rotate(q, c, s))
        # positions
        for k in (1, 2, 100):
            w.both(f"position-offset-{d}-{k}", plain, "position-offset", *table(t, P + k),
                   parameters={"offset": k})
        w.both(f"position-offset-minus-{d}", plain, "position-offset", *table(t, P - 1), parameters={"offset": -1})
        for scale in (0.25, 0.5, 2):
            w.both(f"position-scale-{d}-{scale}", plain, "position-scale", *table(t, P * scale),
                   parameters={"scale": scale})
        for last in (0, 1000, 4096):
            w.both(f"position-collapse-{d}-{last}", plain, "position-collapse", *table(t, np.minimum(P, last)))
        for run in (2, 4):
            w.both(f"position-collapse-run-{d}-{run}", plain, "position-collapse", *table(t, P // run * run))
        for period in (1024, 2048, 4096):
            w.both(f"position-wrap-{d}-{period}", plain, "position-wrap", *table(t, P % period),
                   parameters={"period": period})
        # precision
        for fmt in ("bfloat16", "float16"):
            for k, base in enumerate((10000, 500000)):
                f, theta = flags(d, base), inv_freq(d, base)
                w.both(f"inv-freq-precision-{fmt}-{d}-{k}", f, "inv-freq-precision", *table(theta, inv=fmt))
                w.both(f"position-precision-{fmt}-{d}-{k}", f, "position-precision", *table(theta, pos=fmt))
                w.both(f"angle-precision-{fmt}-{d}-{k}", f, "angle-precision", *table(theta, prod=fmt))
                w.both(f"angle-precision-all-{fmt}-{d}-{k}", f, "angle-precision",
                       *table(theta, inv=fmt, pos=fmt, prod=fmt))
                c, s = table(theta)
                cut = ROUND[fmt]
                w.write(f"table-precision-{fmt}-{d}-{k}", f, "table-precision",
                        {"cos": cut(c.astype(np.float32)), "sin": cut(s.astype(np.float32))})
        w.both(f"angle-precision-tf32-{d}", plain, "angle-precision", *table(t, inv="tf32", pos="tf32"))
        # mixed pairs and a lost sign
        for base in (10000, 500000, 1000000):
            f = flags(d, base)
            c, s = table(inv_freq(d, base))
            w.both(f"pair-layout-mixed-{d}-{base}", f, "pair-layout", c, s, lane_map=lambda q, c, s: np.concatenate(
                [q[:, :d // 2] * np.repeat(c, 2, 1)[:, :d // 2] - q[:, d // 2:] * np.repeat(s, 2, 1)[:, :d // 2],
                 q[:, d // 2:] * np.repeat(c, 2, 1)[:, d // 2:] + q[:, :d // 2] * np.repeat(s, 2, 1)[:, d // 2:]], 1))
            w.both(f"rotate-half-sign-{d}-{base}", f, "rotate-half-sign", c, s, lane_map=lambda q, c, s: np.concatenate(
                [q[:, :d // 2] * c + q[:, d // 2:] * s, q[:, d // 2:] * c + q[:, :d // 2] * s], 1))
    with open(os.path.join(folder, "cases.json"), "w") as out:
        json.dump(w.cases, out, indent=1)


if __name__ == "__main__":
    main(sys.argv[1])
