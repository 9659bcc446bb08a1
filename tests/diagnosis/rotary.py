"""Rotary position embeddings with NumPy: roundings, frequencies, maps of position axes, tables and rotations."""
import math

import numpy as np

POSITIONS = sorted(set(list(range(41)) + [255, 257, 1000, 2047, 2049, 4097, 8191, 8193, 10000, 12345,
                                          16385, 20001, 30011, 32767, 32769, 40007, 50021, 60013,
                                          65519, 65521, 65535, 33333, 44444]))
assert len(POSITIONS) == 64
rng = np.random.default_rng(7)


# --- number formats, in float32 ---

def to_nearest(x, bits):
    """float32 without its last bits, rounded to nearest, ties to even."""
    x = np.asarray(x, np.float32)
    words = x.view(np.uint32).astype(np.uint64)
    rounded = (words + (1 << (bits - 1)) - 1 + ((words >> bits) & 1)) >> bits << bits
    return np.where(np.isfinite(x), rounded.astype(np.uint32).view(np.float32).reshape(x.shape), x).astype(np.float32)


def cut(x, bits):
    """float32 with its last bits truncated, as tensor cores read TF32 and a shift by 16 makes bfloat16."""
    kept = np.asarray(x, np.float32).view(np.uint32) >> bits << bits
    return kept.view(np.float32).reshape(np.shape(x))


def tf32_away(x):
    """PTX's cvt.rna.tf32.f32"""
    return cut((np.asarray(x, np.float32).view(np.uint32) + np.uint32(0x1000)).view(np.float32), 13)


def bf16(x):
    return to_nearest(x, 16)


def fp16(x):
    with np.errstate(over="ignore", invalid="ignore"):
        return np.asarray(x, np.float32).astype(np.float16).astype(np.float32)


def fp32(x):
    with np.errstate(over="ignore", invalid="ignore"):
        return np.asarray(x, np.float32)


def tf32(x):
    return to_nearest(x, 13)


ROUND = {"bfloat16": bf16, "float16": fp16, "tf32": tf32, "float32": fp32,
         "tf32 cut": lambda x: cut(x, 13), "tf32 away": tf32_away, "bfloat16 cut": lambda x: cut(x, 16)}


def store(name, value, fmt):
    """The value as an array in that format, as files store it."""
    value = np.ascontiguousarray(value)
    if fmt == "bfloat16":
        return {name + "__bf16bits": (bf16(value).view(np.uint32) >> 16).astype(np.uint16)}
    return {name: np.asarray(value, {"float32": np.float32, "float16": np.float16}[fmt])}


# --- frequencies ---

def inv_freq(d, base=10000.0, divisor=None, start=0):
    return (1.0 / base ** ((np.arange(0, d, 2) + 2 * start) / (divisor or d))).astype(np.float32)


def exact(d, base=10000.0):
    return base ** (-np.arange(0, d, 2) / d)


def blend_yarn(theta, d, base, s, L0, fast=32, slow=1, truncate=True, inverted=False):
    corr = lambda b: d * math.log(L0 / (b * 2 * math.pi)) / (2 * math.log(base))
    low, high = corr(fast), corr(slow)
    if truncate:
        low, high = math.floor(low), math.ceil(high)
    low, high = max(low, 0), min(high, d - 1)
    if low == high:
        high += 0.001
    ramp = np.clip((np.arange(d // 2) - low) / (high - low), 0, 1)
    ramp = 1 - ramp if inverted else ramp
    return theta / s * ramp + theta * (1 - ramp)


def yarn(d, base, s, L0, *more, **named):
    return blend_yarn(1.0 / base ** (np.arange(0, d, 2) / d), d, base, s, L0, *more, **named).astype(np.float32)


def blend_llama3(theta, s, low, high, L0):
    turns = L0 * theta / (2 * math.pi)
    with np.errstate(divide="ignore", invalid="ignore"):
        smooth = (turns - low) / (high - low) if high != low else np.zeros_like(turns)
    mixed = (1 - smooth) * theta / s + smooth * theta
    return np.where(turns < low, theta / s, np.where(turns > high, theta, mixed))


def llama3(d, base, s, low=1.0, high=4.0, L0=8192):
    return blend_llama3(1.0 / base ** (np.arange(0, d, 2) / d), s, low, high, L0).astype(np.float32)


def ntk(d, base, s):
    return inv_freq(d, base * s ** (d / (d - 2)))


# --- several position axes: the axis and the exponent of each pair ---

TWO = ("axial", "halves", "even_odd", "alternating")


def axis_of_pairs(axes, pairs):
    scheme, sections = axes
    j = np.arange(pairs)
    if scheme in ("sectioned", "blocks"):
        return np.repeat(np.arange(len(sections)), sections)
    if scheme.startswith("interleaved"):
        own = j < 3 * np.take(sections, j % 3)
        return np.where(own, j % 3, 3 if scheme == "interleaved4" else 0)
    if scheme == "height_width_time":
        return np.where(j < sections[0] + sections[1], 1 + j % 2, 0)
    return j % 2 if scheme == "alternating" else j // (pairs // 2)


def sectioned(sections):
    return axis_of_pairs(("sectioned", sections), sum(sections))


def interleaved(sections, pairs=None):
    return axis_of_pairs(("interleaved", sections), pairs or sum(sections))


def exponents(axes, pairs):
    """2·index/width of each pair."""
    scheme, sections = axes
    j = np.arange(pairs)
    if scheme == "blocks":
        return np.concatenate([np.arange(s) / s for s in sections])
    if scheme in ("axial", "halves"):
        return 2 * (j % (pairs // 2)) / pairs
    if scheme == "alternating":
        return 2 * (j // 2) / pairs
    if scheme == "even_odd":
        return (2 * (j % (pairs // 2)) + j // (pairs // 2)) / pairs
    return j / pairs


def image(text, frames, height, width, after):
    """ids [3, n] of text, an image or a video, and text by Qwen2-VL's rule."""
    first = text + max(frames, height, width)
    return np.hstack([np.tile(range(text), (3, 1)), text + np.indices((frames, height, width)).reshape(3, -1),
                      np.tile(range(first, first + after), (3, 1))])


# --- cos and sin, and what they rotate ---

def table(theta, positions=None, inv="float32", pos="float32", prod="float32", scale=1.0):
    """cos and sin of float32 products of float32 numbers, as in frameworks."""
    p = np.asarray(POSITIONS if positions is None else positions, np.float64)
    with np.errstate(invalid="ignore", over="ignore"):
        f = ROUND[inv](theta)
        m = ROUND[pos](p.astype(np.float32))
        angle = ROUND[prod]((m[..., None] * f).astype(np.float32))
        return (scale * np.cos(angle.astype(np.float64)), scale * np.sin(angle.astype(np.float64)))


def turns(theta, places):
    """cos and sin of exact angles."""
    angle = np.multiply.outer(places, theta)
    return np.cos(angle), np.sin(angle)


def cos_sin(rows, kind=np.float32, **more):
    """cos and sin as a dump's arrays."""
    return {"cos": kind(rows[0]), "sin": kind(rows[1]), **more}


def accumulated(theta):
    """angle ← angle + θ in float32, from position to position."""
    steps = np.broadcast_to(theta, (max(POSITIONS), len(theta)))
    angles = np.concatenate([np.zeros((1, len(theta)), np.float32),
                             np.add.accumulate(steps, axis=0, dtype=np.float32)])
    angle = angles[POSITIONS].astype(np.float64)
    return np.cos(angle), np.sin(angle)


def several_axes(theta, axis, positions):
    """Pair i follows positions[axis[i]]."""
    p = np.asarray(positions, np.float32)[np.asarray(axis)].T
    angle = (p * theta).astype(np.float32).astype(np.float64)
    return np.cos(angle), np.sin(angle)


def turns_on_axes(theta, axis, places):
    angle = places[axis].T * theta
    return np.cos(angle), np.sin(angle)


def rotate(x, c, s, layout="half", first=0):
    """Rotates x [..., rows, dimensions] from dimension `first` on by c and s [rows, pairs]."""
    d = 2 * c.shape[-1]
    x = np.asarray(x, np.float64)
    y = x.copy()
    a = np.arange(d // 2) if layout == "half" else np.arange(0, d, 2)
    b = a + d // 2 if layout == "half" else a + 1
    a, b = a + first, b + first
    y[..., a] = x[..., a] * c - x[..., b] * s
    y[..., b] = x[..., b] * c + x[..., a] * s
    return y


def transformed(x, n):
    """An orthogonal Hadamard transform of each n of the last axis's numbers."""
    matrix = np.ones((1, 1))
    while len(matrix) < n:
        matrix = np.block([[matrix, matrix], [matrix, -matrix]])
    return (np.reshape(x, (*np.shape(x)[:-1], -1, n)) @ (matrix / math.sqrt(n))).reshape(np.shape(x))


def normal(*shape, fmt="float32"):
    return ROUND[fmt](rng.standard_normal(shape).astype(np.float32))


def vectors(fmt, rows, layout="half", first=0, head_dim=None, heads=2, batch=1, name="q"):
    """q [batch, heads, rows, head_dim], rotated from dimension `first` on by `rows`, cos and sin of each pair."""
    x = normal(batch, heads, rows[0].shape[-2], head_dim or 2 * rows[0].shape[-1], fmt=fmt)
    return {name: x, name + "_rot": ROUND[fmt](np.float32(rotate(x, *rows, layout, first)))}
