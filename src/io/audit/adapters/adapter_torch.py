#!/usr/bin/env python3
"""Answers rope-check audit with PyTorch: let rotate() call your own function.

    rope-check audit init torch >adapter.py
    rope-check audit --dim 128 -- python3 adapter.py
"""
import sys

import numpy
import torch

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
DTYPE = torch.bfloat16  # your model's dtype


def rotate(q, position_ids):
    """q [batch, heads, length, head_dim] rotated to position_ids [batch, length]."""
    dim = q.shape[-1]
    inv_freq = 10000.0 ** (-torch.arange(0, dim, 2, device=q.device).float() / dim)
    angle = position_ids[:, None, :, None].float() * inv_freq
    cos, sin = angle.cos().to(q.dtype), angle.sin().to(q.dtype)
    first, second = q.chunk(2, -1)
    return torch.cat([first * cos - second * sin, second * cos + first * sin], -1)


folder = sys.argv[-1]
x, positions = (torch.from_numpy(numpy.load(f"{folder}/{name}.npy")).to(DEVICE)
                for name in ("x", "positions"))
y = rotate(x[None, None].to(DTYPE), positions[None])[0, 0].detach().cpu().contiguous()
if y.dtype == torch.bfloat16:  # NumPy has no bfloat16
    y.view(torch.int16).numpy().tofile(f"{folder}/y.bf16")
else:
    numpy.save(f"{folder}/y.npy", y.numpy())
