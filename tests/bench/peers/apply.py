# Rotates q[32, 8192, 128] with PyTorch, half-split, one thread: prints "NAME SECONDS" per format.
import statistics
import time

import torch

heads, L, d, base = 32, 8192, 128, 10000.0
torch.set_num_threads(1)
inv = 1.0 / base ** (torch.arange(0, d, 2, dtype=torch.float32) / d)
f = torch.outer(torch.arange(L, dtype=torch.float32), inv)
emb = torch.cat((f, f), -1)


def rotate_half(x):
    return torch.cat((-x[..., d // 2 :], x[..., : d // 2]), -1)


def seconds(q, c, s):
    start = time.process_time()
    q * c + rotate_half(q) * s
    return time.process_time() - start


for name, dtype in (("float32", torch.float32), ("bfloat16", torch.bfloat16)):
    q, c, s = torch.randn(heads, L, d).to(dtype), emb.cos().to(dtype), emb.sin().to(dtype)
    seconds(q, c, s)
    print(f"torch_apply_{name}", statistics.median(seconds(q, c, s) for _ in range(3)))
