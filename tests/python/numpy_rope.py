"""Typical RoPE in NumPy: half_split, float32 angles."""
import numpy


def table(positions, head_dim, base=10000.0, factor=1):
    inv_freq = (1 / base ** (numpy.arange(0, head_dim, 2) / head_dim) / factor).astype(numpy.float32)
    angle = numpy.asarray(positions)[..., None].astype(numpy.float32) * inv_freq
    return numpy.cos(angle), numpy.sin(angle)


def rotate(x, positions, base=10000.0, sign=1, factor=1):
    """x [batch, heads, sequence, head_dim], positions [batch, sequence] or [sequence]."""
    cos, sin = table(positions, x.shape[-1], base, factor)
    if positions.ndim == 2:
        cos, sin = cos[:, None], sin[:, None]
    sin = sign * sin
    first, second = numpy.split(x, 2, -1)
    y = [first * cos - second * sin, second * cos + first * sin]
    return numpy.concatenate(y, -1).astype(x.dtype)
