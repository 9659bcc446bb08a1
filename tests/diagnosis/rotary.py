"""Rotary position embeddings by NumPy alone, as frameworks work them out in float32."""
import math

import numpy as np

POSITIONS = sorted(set(list(range(41)) + [255, 257, 1000, 2047, 2049, 4097, 8191, 8193, 10000, 12345,
                                          16385, 20001, 30011, 32767, 32769, 40007, 50021, 60013,
                                          65519, 65521, 65535, 33333, 44444]))
assert len(POSITIONS) == 64


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


def cut(x, bits):
    """float32 without its last bits, as tensor cores read TF32 and a shift by 16 makes bfloat16"""
    kept = np.asarray(x, np.float32).view(np.uint32) >> bits << bits
    return kept.view(np.float32).reshape(np.shape(x))


def tf32_away(x):
    """PTX's cvt.rna.tf32.f32"""
    return cut((np.asarray(x, np.float32).view(np.uint32) + np.uint32(0x1000)).view(np.float32), 13)


def same(x):
    return np.asarray(x, np.float32)


ROUND = {"bfloat16": bf16, "float16": fp16, "tf32": tf32, "float32": same,
         "tf32 cut": lambda x: cut(x, 13), "tf32 away": tf32_away, "bfloat16 cut": lambda x: cut(x, 16)}


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


def rotate(x, c, s, layout="half", lanes=None):
    d = 2 * c.shape[1]
    y = x.astype(np.float64).copy()
    a = np.arange(d // 2) if layout == "half" else np.arange(0, d, 2)
    b = a + d // 2 if layout == "half" else a + 1
    a, b = a + (lanes or 0), b + (lanes or 0)
    y[:, a] = x[:, a] * c - x[:, b] * s
    y[:, b] = x[:, b] * c + x[:, a] * s
    return y
