# Compares rotated vectors with their rotation in float64, one head at a time: usage compare_numpy.py FOLDER [16]
import sys

import numpy as np

folder, width = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else ""
q = np.load(f"{folder}/q{width}.npy", mmap_mode="r")
q_rot = np.load(f"{folder}/q{width}_rot.npy", mmap_mode="r")
rows, d = q.shape[1:]
angle = np.outer(np.arange(rows), 10000.0 ** (-np.arange(0, d, 2) / d))
cos, sin = np.cos(angle), np.sin(angle)
worst = 0
for x, y in zip(q, q_rot):
    a, b = x[:, : d // 2].astype(np.float64), x[:, d // 2 :].astype(np.float64)
    worst = max(worst, np.abs(a * cos - b * sin - y[:, : d // 2]).max(),
                np.abs(b * cos + a * sin - y[:, d // 2 :]).max())
print(f"largest error {worst:.3e}")
