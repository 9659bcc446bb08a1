# RoFormer's decay curve (1/P) Σ_j |Σ_{i<j} e^{isθ_i}| over 1,048,576 distances in float64 with NumPy,
# at once and in blocks that fit the caches: prints "NAME SECONDS".
import time

import numpy as np

L, d, base = 1048576, 128, 10000.0

inv = base ** (-np.arange(0, d, 2) / d)


def curve(block):
    roformer = np.empty(L)
    for first in range(0, L, block):
        angle = np.outer(np.arange(first, first + block), inv)
        sums = np.cumsum(np.cos(angle) + 1j * np.sin(angle), axis=1)
        roformer[first : first + block] = np.abs(sums).mean(axis=1)
    return roformer


def seconds(block):
    start = time.process_time()
    curve(block)
    return time.process_time() - start


print("numpy_at_once", seconds(L))
print("numpy_in_blocks", seconds(1024))
