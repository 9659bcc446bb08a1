# Checks a RoPE cache with NumPy, for comparison with the tool: usage check_numpy.py [CONTEXT]
import sys

import numpy as np

L, d, base = int(sys.argv[1]) if len(sys.argv) > 1 else 131072, 128, 10000.0

# the cache under test, in float32 throughout
inv32 = 1.0 / np.float32(base) ** (np.arange(0, d, 2, dtype=np.float32) / np.float32(d))
f32 = np.outer(np.arange(L, dtype=np.float32), inv32.astype(np.float32))
c32, s32 = np.cos(f32), np.sin(f32)

# the reference, in float64
inv64 = base ** (-np.arange(0, d, 2) / d)
f64 = np.outer(np.arange(L, dtype=np.float64), inv64)
c64, s64 = np.cos(f64), np.sin(f64)


def bf16(x):  # round to nearest even
    u = x.view(np.uint32)
    return ((u + 0x7FFF + ((u >> 16) & 1)) & np.uint32(0xFFFF0000)).view(np.float32)


for name, c, s in (("fp32", c32, s32), ("bf16", bf16(c32), bf16(s32))):
    e = np.maximum(np.abs(c - c64), np.abs(s - s64))
    print(f"{name} cache error max {e.max():.3e} mean {e.mean():.3e} at {e.max(1).argmax()}")
    cd, sd = c.astype(np.float64), s.astype(np.float64)
    print(f"{name} orthogonality max |c^2+s^2-1| {np.abs(cd * cd + sd * sd - 1).max():.3e}")

rng = np.random.default_rng(0)
q, k = rng.standard_normal((2, d)).astype(np.float32)


def rotate(x, c, s):
    a, b = x[: d // 2], x[d // 2 :]
    return np.concatenate((a * c - b * s, b * c + a * s), -1)


# the relative property at a few query positions, all key positions
key, query = k.astype(np.float64), q.astype(np.float64)
ahead, behind = rotate(key, c64, s64) @ query, rotate(key, c64, -s64) @ query
keys = rotate(k, c32, s32).astype(np.float64)
for m in (0, 1, 1000, L // 2, L - 1):
    dots = keys @ rotate(q, c32[m], s32[m]).astype(np.float64)
    s = np.arange(L) - m
    want = np.where(s >= 0, ahead[np.abs(s)], behind[np.abs(s)])
    print(f"relative property, query at {m}: max |error| {np.abs(dots - want).max():.3e}")

decay = np.abs(np.cumsum(c64 + 1j * s64, axis=1)).mean(1)
total = c64.sum(1)
print(f"mean |S_j| at 1, 1000, L-1: {decay[1]:.4f} {decay[1000]:.4f} {decay[-1]:.4f}")
print("first negative sum of cosines at", int(np.argmax(total < 0)))
