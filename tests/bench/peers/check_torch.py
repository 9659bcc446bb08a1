# Checks a RoPE cache with PyTorch, for comparison with the tool: usage check_torch.py [CONTEXT [THREADS]]
import sys

import torch

L, d, base = int(sys.argv[1]) if len(sys.argv) > 1 else 131072, 128, 10000.0
torch.set_num_threads(int(sys.argv[2]) if len(sys.argv) > 2 else 1)


def cache(dtype):
    inv = 1.0 / base ** (torch.arange(0, d, 2).to(dtype) / d)
    f = torch.outer(torch.arange(L).to(dtype), inv)
    emb = torch.cat((f, f), -1)
    return emb.cos(), emb.sin()


def rotate_half(x):
    return torch.cat((-x[..., d // 2 :], x[..., : d // 2]), -1)


def rotate(x, c, s):
    return x * c + rotate_half(x) * s


c32, s32 = cache(torch.float32)
c64, s64 = cache(torch.float64)
for name, c, s in (("fp32", c32, s32), ("bf16", c32.bfloat16(), s32.bfloat16())):
    c, s = c.double(), s.double()
    e = torch.maximum((c - c64).abs(), (s - s64).abs())
    print(f"{name} cache error max {e.max():.3e} mean {e.mean():.3e}")
    print(f"{name} orthogonality max |c^2+s^2-1| {(c * c + s * s - 1).abs().max():.3e}")

torch.manual_seed(0)
q, k = torch.randn(2, d)
ahead, behind = rotate(k.double(), c64, s64) @ q.double(), rotate(k.double(), c64, -s64) @ q.double()
keys = rotate(k, c32, s32).double()
for m in (0, 1, 1000, L // 2, L - 1):
    dots = keys @ rotate(q, c32[m], s32[m]).double()
    s = torch.arange(L) - m
    want = torch.where(s >= 0, ahead[s.abs()], behind[s.abs()])
    print(f"relative property, query at {m}: max |error| {(dots - want).abs().max():.3e}")

z = torch.cumsum(torch.complex(c64[:, : d // 2], s64[:, : d // 2]), dim=1)
decay, total = z.abs().mean(1), c64[:, : d // 2].sum(1)
print(f"mean |S_j| at 1, 1000, L-1: {decay[1]:.4f} {decay[1000]:.4f} {decay[-1]:.4f}")
print("first negative sum of cosines at", int((total < 0).int().argmax()))
