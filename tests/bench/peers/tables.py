# Builds a float32 cos/sin table with PyTorch on one thread: prints "NAME SECONDS", the median of several runs.
import statistics
import time

import torch

L, d, base = 131072, 128, 10000.0
torch.set_num_threads(1)


def build():
    inv = 1.0 / base ** (torch.arange(0, d, 2, dtype=torch.float32) / d)
    f = torch.outer(torch.arange(L, dtype=torch.float32), inv)
    return f.cos(), f.sin()


def seconds():
    start = time.process_time()
    build()
    return time.process_time() - start


build()
print("torch_table_float32", statistics.median(seconds() for _ in range(5)))
