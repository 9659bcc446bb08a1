#!/usr/bin/env python3
"""Recomputes the numbers of `rope-check claims` from the formulas, with mpmath and NumPy.

usage: claims.py [ID...]    compares every figure in data/claims to its last digit, and derives again
                            each sentence that says never, first, all or none

It shares no code with the tool and does not run it. An entry here is a list of values in the order of
the entry's numbers; an assert checks a conclusion about a range. Random numbers come from the same
SplitMix64. It lists entries without values and sentences that are not derived again, and then exits
with 1. It needs mpmath and NumPy, takes about five minutes, and is run by hand:
python3 tests/audits/claims.py
"""
import itertools
import math
import pathlib
import re
import sys
from fractions import Fraction
from functools import lru_cache

import mpmath as mp
import numpy as np

mp.mp.dps = 40
M, pi, cos, sin, sqrt, ln, e = mp.mpf, mp.pi, mp.cos, mp.sin, mp.sqrt, mp.log, mp.e
DATA = pathlib.Path(__file__).resolve().parents[2] / "data/claims"
ENTRIES = {}


def entry(name):
    def keep(function):
        ENTRIES[name] = function
        return function
    return keep


# Frequencies and scores.

@lru_cache(None)
def theta(d=128, b=10000, n=None):
    """The frequencies of RoPE, or of He & Xu's scaled form for n positions."""
    scale = 1 if n is None else pi / (2 * n)
    return tuple(M(b) ** (M(-2 * i) / d) * scale for i in range(d // 2))


@lru_cache(None)
def array(d=128, b=10000, n=None):
    return np.array([float(t) for t in theta(d, b, n)])


def total(t, s):
    return mp.fsum(cos(s * x) for x in t)


def mean(t, s):
    return total(t, s) / len(t)


def chunks(first, last, size=4096):
    for begin in range(first, last + 1, size):
        yield np.arange(begin, min(begin + size, last + 1))


def curve(t, first, last):
    """B̂(s), s = first … last, in float64."""
    return np.concatenate([np.cos(np.outer(s, t)).mean(axis=1) for s in chunks(first, last)])


def bound(t, first, last):
    """A(s) = (2/d) Σ_j |Σ_{i<j} e^{isθ_i}|."""
    return np.concatenate([np.abs(np.cumsum(np.exp(1j * np.outer(s, t)), axis=1)).mean(axis=1)
                           for s in chunks(first, last, 1024)])


def exact_bound(t, s):
    z, sum_ = M(0), M(0)
    for x in t:
        z += mp.expj(s * x)
        sum_ += abs(z)
    return sum_ / len(t)


def first_rise(values, exact):
    """The first s with f(s) > f(s − 1); mpmath decides the steps that float64 leaves open."""
    for s in np.flatnonzero(np.diff(values) > -1e-11) + 1:
        if exact(int(s)) - exact(int(s) - 1) > M(10) ** -30:
            return int(s)
    return None


@lru_cache(None)
def rise(d, b, n, last):
    t = theta(d, b, n)
    return first_rise(curve(array(d, b, n), 0, last), lambda s: mean(t, s))


@lru_cache(None)
def bound_rise(d, n, last):
    t = theta(d, 10000, n)
    return first_rise(bound(array(d, 10000, n), 0, last), lambda s: exact_bound(t, s))


@lru_cache(None)
def extremes(d, b, first, last, n=None):
    values = curve(array(d, b, n), first, last)
    return first + int(values.argmin()), first + int(values.argmax())


def minimum(d, b):
    """u*: the first zero of Σ θ sin uθ."""
    t = theta(d, b)
    slope = lambda u: mp.fsum(x * sin(u * x) for x in t)
    u = M(1) / 100
    while slope(u + M(1) / 100) > 0:
        u += M(1) / 100
    return mp.findroot(slope, (u, u + M(1) / 100), solver="anderson", tol=1e-60, verify=False)


def first_failure(t, quantity, last):
    """The first s at which the angle, −cos or −|cos| of some pair does not grow."""
    folds = {"angle": lambda a: a % (2 * pi),
             "cosine": lambda a: min(a % (2 * pi), 2 * pi - a % (2 * pi)),
             "modulus": lambda a: min(a % pi, pi - a % pi)}
    x = max(t)  # the fastest pair fails first; the others are checked in float64
    reach = {"angle": 2 * pi, "cosine": pi, "modulus": pi / 2}[quantity]
    s = max(1, int(reach / x) - 1)
    while folds[quantity](s * x) - folds[quantity]((s - 1) * x) > M(10) ** -30:
        s += 1
    grows = lambda y, k: folds[quantity](k * y) > folds[quantity]((k - 1) * y)
    assert s <= last and all(grows(y, k) for y in t if y * (s - 1) >= reach and y < x for k in range(1, s))
    return s


def ones_score(t, s):
    """⟨q, k⟩ at distance s for q = k = (1, …, 1): r = d and r̂ = 2B(s)."""
    entries = [x for a in t for x in (cos(s * a) - sin(s * a), cos(s * a) + sin(s * a))]
    assert abs(mp.fsum(entries) - 2 * total(t, s)) < M(10) ** -30
    return mp.fsum(entries)


def apart(t, s):
    """The distance between a vector of ones and its rotation by s."""
    c, w = [cos(s * x) for x in t], [sin(s * x) for x in t]
    return sqrt(mp.fsum((x - y - 1) ** 2 + (x + y - 1) ** 2 for x, y in zip(c, w)))


def R(a):
    return mp.matrix([[cos(a), sin(a)], [-sin(a), cos(a)]])


def rotated(x, m, d=4, b=10000, halves=True):
    """A vector at position m, with pairs (i, i + d/2) or neighbours."""
    y, t = list(map(M, x)), theta(d, b)
    for i in range(d // 2):
        p, q = (i, i + d // 2) if halves else (2 * i, 2 * i + 1)
        c, s = cos(m * t[i]), sin(m * t[i])
        y[p], y[q] = x[p] * c - x[q] * s, x[q] * c + x[p] * s
    return y


def dot(x, y):
    return mp.fsum(a * b for a, b in zip(x, y))


def row(v, m):
    return [v[0] * m[0, 0] + v[1] * m[1, 0], v[0] * m[0, 1] + v[1] * m[1, 1]]


def attended(query, tokens):
    w = [mp.exp(M(query) * t) for t in tokens]
    return dot(w, tokens) / mp.fsum(w)


Q4, K4 = (1, 2, 3, 4), (2, -1, 1, 3)
swap = lambda x: (x[0], x[2], x[1], x[3])  # halves to neighbours and back, d = 4


# Rounding.

def rounded(x, bits, least=-1000, most=1000):
    """float64 values rounded to `bits` significant bits, ties to even; exponents outside the range are cut."""
    x = np.asarray(x, dtype=np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        exponent = np.floor(np.log2(np.where(x == 0, 1, np.abs(x))))
        exponent += np.abs(x) >= np.ldexp(1.0, (exponent + 1).astype(int))
        exponent -= np.abs(x) < np.ldexp(1.0, exponent.astype(int))
        unit = np.ldexp(1.0, (np.maximum(exponent, least) - bits + 1).astype(int))
        y = np.round(x / unit) * unit
    return np.where(np.abs(y) >= 2.0 ** (most + 1), np.inf, y)


bf16 = lambda x: rounded(x, 8)
f16 = lambda x: rounded(x, 11, -14, 15)
tf32 = lambda x: rounded(x, 11)
f32 = lambda x: np.asarray(x, dtype=np.float32).astype(np.float64)


def inv_freq32(d):
    exponent = np.arange(0, d, 2, dtype=np.float32) / np.float32(d)
    power = np.array([float(M(10000) ** M(float(x))) for x in exponent], dtype=np.float32)
    return (np.float32(1) / power).astype(np.float64)


def worst_angle(d, last, a=f32, p=f32, r=f32):
    m = np.arange(last + 1.0)
    off = r(np.outer(p(m), a(inv_freq32(d)))) - np.outer(m, array(d))
    return np.abs(off).max()


def worst_table(d, rows):
    m = np.arange(float(rows))
    angle = f32(np.outer(m, inv_freq32(d)))
    worst = 0
    for i, t in enumerate(theta(d)):
        exact = np.array([[float(cos(k * t)), float(sin(k * t))] for k in range(rows)])
        for column, f in enumerate((np.cos, np.sin)):
            worst = max(worst, np.abs(f32(f(angle[:, i])) - exact[:, column]).max())
    return worst


def stored_rows(n, kind, plan=None):
    """The number of distinct rows (cos, sin), of distinct cos, and of rows equal to the next, at positions 0 … n."""
    t = array(128, 10000, n) if plan is None else plan
    both, cosines, equal, before = set(), set(), 0, None
    for s in chunks(0, n):
        angle = np.outer(s, t)
        c, w = kind(np.cos(angle)), kind(np.sin(angle))
        for k in range(len(s)):
            key = (c[k].tobytes(), w[k].tobytes())
            equal += key == before
            before = key
            both.add(key)
            cosines.add(key[0])
    return len(both), len(cosines), equal


class SplitMix64:
    def __init__(self, seed):
        self.state = np.uint64(seed)

    def bits(self, count):
        with np.errstate(over="ignore"):
            z = self.state + np.uint64(0x9E3779B97F4A7C15) * np.arange(1, count + 1, dtype=np.uint64)
            self.state = z[-1]
            z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
            z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
            return z ^ (z >> np.uint64(31))

    def uniform(self, count):
        return (self.bits(count) >> np.uint64(11)).astype(np.float64) * 2.0 ** -53 * 2 - 1


@lru_cache(None)
def drift(how, to):
    lengths, shift, keys = (64, 256, 1024, 4096, 8192), 16, 100
    q = bf16(SplitMix64(1).uniform(64 * 128).reshape(64, 128))
    k = bf16(SplitMix64(2).uniform(keys * 128).reshape(keys, 128))

    def rotate(x, m):
        m = bf16(m) if how == "positions" else m
        angle = np.outer(m, array())
        c, s = np.cos(angle), np.sin(angle)
        a, b = x[:, :64], x[:, 64:]
        if how == "once":
            return bf16(np.hstack([a * c - b * s, b * c + a * s]))
        c, s = bf16(c), bf16(s)
        return bf16(np.hstack([bf16(a * c) + bf16(-b * s), bf16(b * c) + bf16(a * s)]))
    here, there = rotate(k, np.zeros(keys)), rotate(k, np.full(keys, 16.0))
    m = np.arange(8192.0)
    query = q[(m % 64).astype(int)]
    off = np.abs(rotate(query, m) @ here.T - rotate(query, m + shift) @ there.T)
    means = [off[:n].mean(axis=0) for n in lengths]
    ratio = means[-1] / means[to]
    return [x.mean() for x in means] + [means[0].std(ddof=1), means[-1].std(ddof=1),
                                        ratio.mean(), ratio.std(ddof=1)]


# Article 000.

E = ENTRIES
E["000-equivariance"] = lambda: [attended(1, (1, 2, 3)), attended(1, (3, 2, 1)), attended(1, (1,)), attended(1, (3, 2, 1))]


@entry("000-multiplicative")
def _():
    near = lambda a, b: max(abs(x) for x in a - b) < M(10) ** -35
    assert near(R(3) * R(1), R(4)) and near(R(3) * R(1).T, R(2)) and not near(R(3) * R(1), R(2))
    pairs = list(itertools.product(range(-5, 6), repeat=2))
    obeyed = lambda f, some: sum(f(m - n) == f(m) * f(n) for m, n in some)
    # do other f(m) in {−1, 0, 1}, m = −5 … 5, obey the law wherever it applies, if m = n is allowed?
    solutions = [f for f in itertools.product((-1, 0, 1), repeat=11)
                 if all(f[m - n + 5] == f[m + 5] * f[n + 5] for m, n in pairs if abs(m - n) <= 5)]
    assert sorted(solutions) == sorted([(0,) * 11, (1,) * 11, (-1, 1) * 5 + (-1,)])
    return [(R(3) * R(1))[0, 0], R(2)[0, 0], obeyed(lambda m: (-1) ** m, pairs),
            obeyed(lambda m: int(m == 0), [(m, n) for m, n in pairs if m != n])]


@entry("000-example")
def _():
    w = "今天/上海/天气/的/温度/是多少/?/请/告诉/我/上海/具体/的/温度/。".split("/")
    at = lambda x: [i for i, y in enumerate(w) if x == y]
    assert len(w) == 15
    return [len(at("天气"))] + [t - s for s, t in zip(at("上海"), at("温度"))]


E["000-rotation-sign"] = lambda: [-cos(M(2)), -4 * sin(M(2)), -2]
E["000-transpose"] = lambda: [max(abs(x) for x in R(1).T - R(-1))]
E["000-composition"] = lambda: [(R(1) * R(2))[0, 0], cos(M(3))]
E["000-relative-score"] = lambda: [(R(7) * R(5).T)[0, 0],
                                   dot(row([1, 2], R(7)), row([3, -1], R(5)))]
E["000-four-dimensions"] = lambda: [cos(2) - 2 * sin(2), cos(1) - 2 * sin(1),
                               sin(2) + 2 * cos(2), sin(1) - 2 * cos(1)]
E["000-inv-freq"] = lambda: list(theta(6))
E["000-rotate-half"] = lambda: [rotated(Q4, 1)[0], rotated(Q4, 1)[2]]
HALVES = lambda: dot(rotated(Q4, 3), rotated(K4, 1))
NEIGHBOURS = lambda q=Q4, k=K4: dot(rotated(q, 3, halves=False), rotated(k, 1, halves=False))
E["000-layouts"] = lambda: [HALVES(), NEIGHBOURS(swap(Q4), swap(K4)), NEIGHBOURS()]
E["000-product"] = lambda: [worst_angle(128, 2047), worst_angle(128, 2047, tf32, tf32),
                            worst_angle(128, 4095, tf32, tf32),
                            worst_angle(128, 2047, bf16, bf16, bf16),
                            worst_angle(128, 4095, bf16, bf16, bf16)]
E["000-table"] = lambda: [worst_table(6, 1024), worst_table(128, 1024)]
E["000-cached-offset"] = lambda: [ones_score(theta(6), 2), ones_score(theta(6), 5)]
E["000-cache-length"] = lambda: [1024, 0]
E["000-odd-width"] = lambda: [2 * len(range(0, 6, 2)), 2 * len(range(0, 7, 2))]

# Article 001.

S = dict(n=2048)
E["001-softmax"] = lambda: [mp.exp(x) / (e + e ** 2 + e ** 3) for x in (1, 2, 3)]
E["001-scaled-scores"] = lambda: [
    np.mean([sum(a * b for a, b in zip(q, k)) ** 2
             for q in itertools.product((-1, 1), repeat=4)
             for k in itertools.product((-1, 1), repeat=4)]), sqrt(128)]
E["001-same-size"] = lambda: [2048, 1]
E["001-token-index"] = lambda: [len(range(0, 2048 + 1))]
E["001-transposed-vector"] = lambda: [1, 2]
E["001-index-set"] = lambda: [len(range(0, 128, 2)), 1 + len(range(2, 127, 4))]
E["001-exponent"] = lambda: [theta()[1], theta()[63], 1 / (M(10000) ** (M(-1) / 128)) ** 64]
E["001-c1"] = lambda: [dot(row([1, 2], R(1)), row([3, -1], R(1))), M("1.21")]
E["001-not-identity"] = lambda: [max(abs(x) for x in R(0) - mp.eye(2))]
F = lambda a: mp.matrix([[cos(a), sin(a)], [sin(a), -cos(a)]])
E["001-reflections"] = lambda: [mp.det(R(1)), mp.det(F(1)), (F(1) * F(3).T)[0, 0]]


@entry("001-c2")
def _():
    at = lambda i, j: dot(row([1, 2], R(i)), row([3, -1], R(j)))
    return [at(1, 0), at(2, 1), at(1, 0), at(4, 1)]


E["001-block-matrix"] = lambda: [(R(7) * R(5).T)[0, 0], cos(M(2) / 100)]


@entry("001-c3-gloss")
def _():
    values = [[ones_score(t, 1) / 128, ones_score(t, 2048) / 128] for t in (theta(), theta(n=2048))]
    assert all(near > far for near, far in values)
    return [x for v in values for x in v + [1 - v[0], 1 - v[1]]]


E["001-c3-R0"] = lambda: [1 - ones_score(t, 1) / 128 for t in (theta(), theta(n=2048))]
E["001-c3-R0-from-1"] = lambda: [1 - ones_score(t, s) / 128 for t in (theta(), theta(n=2048)) for s in (1, 2)]
for reading, quantity in (("R1", "angle"), ("R2", "cosine"), ("R3", "modulus"), ("R4", "cosine")):
    E["001-c3-" + reading] = lambda q=quantity: [first_failure(theta(), q, 100),
                                                 first_failure(theta(n=2048), q, 1 << 16)]


@entry("001-c3-R5")
def _():
    u, s = minimum(128, 10000), rise(128, 10000, 2048, 16384)
    assert s > 2048
    return [u, rise(128, 10000, None, 100), u * 2 / pi, s, mean(theta(n=2048), 7327)]


@entry("001-c3-R6")
def _():
    return [bound_rise(128, None, 2048), bound_rise(128, 2048, 16384)]


@entry("001-c3-R7")
def _():
    peak = lambda t, s: mean(t, abs(s - 5))
    b, s = theta(), theta(n=2048)
    return [peak(b, 0), peak(b, 1), peak(b, 5), 1 - peak(s, 0), 1 - peak(s, 1)]


@entry("001-c3-R8")
def _():
    turned = theta(n=2048)[0] * 2048
    phases = np.linspace(0, 2 * np.pi, 20001)[:-1]
    steps = np.arange(2049) * float(theta(n=2048)[0])
    off = np.abs(np.cos(phases[:, None] + steps[None, ::8]) - np.cos(phases[:, None]))
    assert abs((np.diff(off, axis=1) > 0).all(axis=1).mean() - 0.5) < 0.01
    return [pi - turned, pi / 2 - turned, (pi - turned) / pi, pi - 4]


E["001-c3-R9"] = lambda: [2 * mp.fsum(cos(s * x) ** 2 + sin(s * x) ** 2 for x in t)
                          for t, s in ((theta(), 1), (theta(), 2048), (theta(n=2048), 2048))]
E["001-c3-R10"] = lambda: [sqrt(2 * (1 - mean(t, 2048))) for t in (theta(n=2048), theta())] + [
    rise(128, 10000, 2048, 16384), rise(128, 10000, None, 64)]
E["001-angle-difference"] = lambda: [-6, 6 * M(10000) ** (M(-1) / 128)]
E["001-changed-equation"] = lambda: [pi / (2 * n) for n in (2048, 3000, 4096)]
E["001-figure-1"] = lambda: [M(6) % (2 * pi), M(7) % (2 * pi)]


@entry("001-example")
def _():
    fold = lambda s: min(M(s) % (2 * pi), 2 * pi - M(s) % (2 * pi))
    falls = [s for s in range(1, 8) if fold(s) < fold(s - 1)]
    assert falls[0] == 4 and fold(7) > fold(6)
    return [fold(6), fold(7), cos(6), cos(7), 1 - cos(6), 1 - cos(7), fold(3), fold(4), cos(3), cos(4)]


E["001-figure-2"] = lambda: [theta(n=2048)[0] * 2048, first_failure(theta(n=2048), "angle", 32768), 0,
                             1 - ones_score(theta(n=2048), 1) / 128]
E["001-cost-frequencies"] = lambda: [theta()[0], theta(n=2048)[0], theta()[63], theta(n=2048)[63],
                                     theta(n=2048)[63] * 2048, theta()[63] * 2048]
E["001-cost-interpolation"] = lambda: [4096 / pi, 2048 / (4096 / pi)]


@entry("001-cost-scores")
def _():
    b, s = theta(), theta(n=2048)
    rows = [mean(t, at) for at in (1, 2, 7, 512, 1024, 2047, 2048, 4096, 8192, 16384)
            for t in (b, s)]
    return rows + [100 * (1 - mean(b, 2048)), 100 * (1 - mean(s, 2048))]


@entry("001-cost-neighbours")
def _():
    b, s = theta(), theta(n=2048)
    x, y = 1 - mean(b, 1), 1 - mean(s, 1)
    far, near = apart(b, 1), apart(s, 1)
    odd, scaled_odd = (mp.fsum(map(sin, t)) / 64 for t in (b, s))
    assert abs((far / near) ** 2 - x / y) < M(10) ** -20  # 1 − B̂ grows as the square of the distance
    return [far, near, far / near, x, y, mp.nint(x / y), odd, scaled_odd, odd / scaled_odd]


@entry("001-cost-softmax")
def _():
    weight = lambda t, s: mp.exp(sqrt(128) * (1 - mean(t, s)))
    b, s = theta(), theta(n=2048)
    logit = lambda q, m: mp.fsum(x * x * cos(m * y) for x, y in zip(q, s)) / sqrt(128)
    even, alone = [sqrt(2)] * 64, [sqrt(128)] + [0] * 63  # lengths of the pairs, |q|² = 128
    of = lambda q: mp.exp(logit(q, 0) - logit(q, 2048))
    assert abs(of(even) - weight(s, 2048)) < M(10) ** -30
    return [weight(b, 1), weight(s, 1), weight(b, 2048), weight(s, 2048), of(alone)] + [
        sqrt(128) / (1 - cos(t[0])) for t in (b, s)]


E["001-c3-lengths"] = lambda: [first_failure(theta(n=n), q, 4 * n + 1) for n in (2048, 3000, 4096)
                               for q in ("angle", "cosine", "modulus")]
E["001-c3-R5-dimensions"] = lambda: [
    x for d, b in ((2, 10000), (4, 10000), (16, 10000), (32, 10000), (64, 10000), (64, 500000),
                   (96, 10000), (128, 500000))
    for x in (minimum(d, b), rise(d, b, None, 64), minimum(d, b) * 2 / pi)]
E["001-c3-R5-rises"] = lambda: [rise(128, 10000, 4096, 40000), rise(64, 10000, 2048, 40000),
                                rise(128, 500000, 8192, 40000)]


@entry("001-c3-random")
def _():
    """20000 draws of NumPy's generator: the shares agree to within their scatter of 1 %."""
    rng, steps, shares = np.random.default_rng(5), np.arange(0, 2049, 8), []
    for n in (2048, None):
        c, s = np.cos(np.outer(array(n=n), steps)), np.sin(np.outer(array(n=n), steps))
        counts = np.zeros(3)
        for _ in range(20):
            q, k = rng.normal(size=(2, 1000, 2, 64))
            r = (q[:, 0] * k[:, 0] + q[:, 1] * k[:, 1]) @ c + (q[:, 0] * k[:, 1] - q[:, 1] * k[:, 0]) @ s
            falls = lambda x: (np.diff(x, axis=1) < 0).all(axis=1).sum()
            counts += [falls(r), falls(np.abs(r)), falls(-np.abs(r - r[:, :1]))]
        shares.append(100 * counts / 20000)
    return [("near", x, 1.5) for x in shares[0]] + [("near", 0.33, 0.01), shares[1].sum()]


E["001-c3-pairs"] = lambda: [sum(n * t <= h * pi for t in theta()) for h in (1, M(1) / 2)
                             for n in (2048, 4096)] + [
    sum(n * t > 2 * pi for t in theta()) for n in (2048, 4096)]


@entry("001-cost-first-change")
def _():
    def first(n, kind):
        return next(m for m in range(1, 10000) if (kind(np.cos(m * array(n=n))) != 1).any())
    return [first(None, bf16), first(2048, bf16), first(2048, f16), first(2048, f32)]


@entry("001-cost-distinct-rows")
def _():
    own, far = stored_rows(2048, bf16), stored_rows(32768, bf16)
    return [own[0], own[1], stored_rows(4096, bf16)[0], stored_rows(8192, bf16)[0], far[0], far[2],
            stored_rows(32768, f16)[0]]


@entry("001-cost-total-rotation")
def _():
    # a rotation by φ < 2⁻⁹ changes y = x + φ·x' by less than half a unit of bfloat16 if |x'| ≤ |x|
    x = bf16(SplitMix64(3).uniform(100000))
    unit = 2.0 ** (np.floor(np.log2(np.abs(x))) - 7)
    assert (2.0 ** -9 * np.abs(x) <= unit / 2).all() and (2.0 ** -8 * np.abs(x) >= unit / 2).all()
    return [sum(t * 2048 < y for t in theta(n=2048)) for y in (M("0.1"), M("0.01"), M(2) ** -9, M("0.001"))]


E["001-cost-beyond"] = lambda: [cos(pi / 4096 * 2049), (M(8192) / 8192) % 1, abs(mp.expj(710) - 1)]
E["001-cost-two-lengths"] = lambda: [mean(theta(n=2048), 512), mean(theta(n=4096), 1024),
                                     mean(theta(n=4096), 512)]

# Article 002.

E["002-relative-score"] = lambda: [dot(rotated((1, 2), m, 2), rotated((3, -1), n, 2))
                                   for m, n in ((7, 5), (1007, 1005))]
E["002-pairing"] = lambda: [len(range(0, 7, 2)), len(range(7))]
E["002-labml-exponent"] = lambda: [x for i in (1, 32) for x in (M(10000) ** (M(-2 * (i - 1)) / 64), theta(64)[i - 1])]
E["002-cache-index"] = lambda: [2 * len(range(0, 3))]
E["002-neg-half"] = E["002-labml-example"] = lambda: rotated((4, 5, 6, 7), 1)
E["002-pass-through"] = lambda: [64 - int(64 * 0.5)]
E["002-odd-width"] = lambda: [2 * len(range(0, int(k * 0.5), 2)) for k in (64, 6)]


@entry("002-half-positions")
def _():
    whole = np.arange(70000.0)
    kept = f16(whole)
    return [len(set(kept[:2048])), int(np.argmax(kept != whole)), len(set(kept[:4097])),
            len(set(kept[:65520])), int(np.argmax(np.isinf(kept))), len(set(bf16(whole[:512])))]


E["002-half-cache"] = lambda: [worst_angle(d, n, f16, f16, f16)
                               for d, n in ((64, 511), (64, 1023), (64, 2047), (128, 2047))]
E["002-precision-argument"] = lambda: [worst_angle(64, 2047, f16, f16, f16),
                                       worst_angle(64, 2047, f16, f16), worst_angle(64, 2047)]
E["002-permutation"] = lambda: [HALVES(), NEIGHBOURS(swap(Q4), swap(K4)),
                                NEIGHBOURS()]
E["002-glm4-exponent"] = lambda: [M(10000) ** (M(-62) / 64), M(10000) ** (M(62) / 64)]
E["002-rope-ratio"] = lambda: [5000000, 2 * pi / theta(64, 5000000)[31], 2 * pi / theta(64)[31]]


@entry("002-inv-freq-buffer")
def _():
    assert rounded(10000, 8) == 9984
    power = bf16([float(M(9984) ** (M(2 * i) / 64)) for i in range(32)])  # bfloat16 of 10000
    stored = bf16(1 / power)
    off = np.abs(stored - array(64)) / array(64)
    return [theta(64)[1], theta(64, 5000000)[1], 100 * off.max()]


E["002-ignored-offset"] = lambda: [1, cos(5)]
E["002-cache-rank"] = lambda: [8 * 32 * 2, 8 * 8 * 2]
E["002-same-logic"] = lambda: [rotated(Q4, 1)[0], rotated(Q4, 1, halves=False)[0]]
E["002-half-of-the-dimensions"] = lambda: [64, total(theta(64, 5000000), 131071)]

# Article 003.

E["003-one-dimension"] = lambda: [len({14 * y + x for x in range(14) for y in range(14)}),
                                  mean(theta(), 1), mean(theta(), 14)]
E["003-one-angle"] = lambda: list(theta(4))
E["003-sparse-form"] = lambda: [x for i, row_ in ((0, (cos(2), -sin(2), 0, 0)), (3, (0, 0, sin(M("0.02")), cos(M("0.02")))))
                                for x in (rotated(Q4, 2, halves=False)[i], sum(a * b for a, b in zip(row_, Q4)))]
E["003-tensor-product"] = lambda: [np.outer(Q4, Q4).size, 4]


@entry("003-relative")
def _():
    def at(v, x, y):
        return rotated(v[:2], x, 2) + rotated(v[2:], y, 2)
    return [dot(at(Q4, 7, 3), at(K4, 5, 2)), dot(at(Q4, 1007, 503), at(K4, 1005, 502))]


E["003-unswapped-pair"] = lambda: [(cos(1) - sin(1)) ** 2 + 4 * (cos(1) + sin(1)) ** 2,
                                   dot(*[row([1, 2], R(1))] * 2)]
E["003-labels"] = lambda: [16, 8]
E["003-complex"] = lambda: [((1 + 2j) * mp.expj(3)).real, ((1 + 2j) * mp.expj(3)).imag]
E["003-polar"] = lambda: [mp.expj(3).real, mp.expj(3).imag]


@entry("003-base-10")
def _():
    w = 2 * pi / theta(128, 10)[63]
    return [w, 195 / w, mean(theta(128, 10), extremes(128, 10, 1, 195)[1])]


E["003-heads"] = lambda: [196, ones_score(theta(4), 0), ones_score(theta(4), 3)]
E["003-cells"] = lambda: [len({(t % 14, t // 14) for t in range(196)})]
E["003-exponent"] = lambda: [M(4 * 31) / 128, M(2 * 31) / 64]
E["003-divisible"] = lambda: [2 * len(list(range(0, d, 4))[:d // 4]) for d in (128, 6, 10)]
@entry("003-base-100")
def _():
    falling = [(np.diff(np.cos(np.arange(14) * t)) < 0).all() for t in array(64, 100)]
    assert falling == [False] * 10 + [True] * 22
    return [2 * pi / theta(64, 100)[31], sum(13 * t <= pi for t in theta(64, 100))]



# Article 004.

E["004-permutation"] = lambda: [attended(3, (1, 2, 3)), attended(3, (3, 1, 2)), attended(1, (1, 2, 3)),
                                attended(3, (3, 1, 2))]
E["004-outline"] = lambda: [2 * 3 * 5 * 8, 2 * 3 * 5 * 4]
E["004-unit-interval"] = lambda: [M(1) / 511, M(1) / 2047]
E["004-binary"] = lambda: [2 ** 10]
E["004-sum-of-angles"] = lambda: [sin(1) * cos(2) + cos(1) * sin(2), sin(M(3))]
E["004-non-linear"] = lambda: [0, sin(M(3)), sin(pi + 1)] + [
    x for p in (5, 9) for x in (cos(2) * sin(p) + sin(2) * cos(p), sin(M(p + 2)))]
E["004-all-advantages"] = lambda: [dot(*[rotated(Q4, 10 ** 6, halves=False)] * 2),
                                   sum(t * 4096 < 2 * pi for t in theta())]
E["004-shifted-pair"] = lambda: [sin(M(1)) + 2, sin(M(3))]
E["004-alibi-models"] = lambda: [2, 4]
E["004-alibi-slopes"] = lambda: [x for i in range(1, 9) for x in (M(2) ** -i, M(2) ** (M(-8) / i))]
E["004-alibi-penalty"] = lambda: [1 / (1 + e), M(-1) / 2, 1 / (1 + sqrt(e)), M(-1) / 2]
E["004-missing-position"] = lambda: [ones_score(theta(4), 0), ones_score(theta(4), 5)]
E["004-shapes"] = lambda: [1, 2]
E["004-llama-halves"] = lambda: [NEIGHBOURS(), dot(rotated(swap(Q4), 3), rotated(swap(K4), 1)), HALVES()]
E["004-neighbours"] = lambda: [rotated(Q4, 1, halves=False)[i] for i in (0, 1, 3)]
E["004-docstring"] = lambda: [x for m in (mp.matrix([[cos(1), -sin(1)], [sin(1), cos(1)]]), R(1))
                              for x in row([1, 2], m)]
E["004-ignored-base"] = lambda: [theta()[1], theta(128, 500000)[1]]


@entry("004-theta-dtype")
def _():
    power = bf16([float(M(9984) ** (M(2 * i) / 128)) for i in range(64)])
    off = np.abs(bf16(1 / power) - array()).max()
    return [511 * off, 4095 * off]


E["004-longer-cache"] = lambda: [8 * 2 * 2, 16 * 2 * 2]
E["004-halves"] = lambda: rotated(Q4, 1)[:2]
E["004-default-positions"] = lambda: [M(2 * n * 128 * 4) / 2 ** 20 for n in (151643, 32768)]
E["004-one-row"] = lambda: [1, 7]

# Papers.

E["sinusoidal-shift"] = lambda: [4 * 64, cos(7 * theta()[1])]


@entry("sinusoidal-product")
def _():
    pe = lambda p: [f(p * t) for t in theta() for f in (cos, sin)]
    return [dot(pe(100), pe(q)) / 64 for q in (107, 93)]


@entry("roformer-abel")
def _():
    z = mp.fsum((1 - M(i) / 64) * mp.expj(100 * t) for i, t in enumerate(theta()))
    return [abs(z), exact_bound(theta(), 100)]


@lru_cache(None)
def long_bound():
    return bound(array(), 0, (1 << 17) - 1)


@entry("roformer-decay")
def _():
    t, a = theta(), long_bound()
    least = int(a[:4097].argmin())
    octaves = [a[2 ** k:2 ** (k + 1)].mean() for k in range(17)]
    falls_to = next(2 ** (k + 1) for k in range(17) if octaves[k + 1] > octaves[k])
    return ([exact_bound(t, s) for s in (0, 1, 2, 5, 10, 20, 50, 100, 250, 1024, 2048, 4096, 100000)] +
            [least, exact_bound(t, least)] + octaves[9:] + [falls_to])


@entry("roformer-monotone")
def _():
    dims = (64, 128, 256, 512, 768)
    return ([bound_rise(d, None, 256) for d in dims] +
            [int((np.diff(bound(array(d), 0, 256)) > 0).sum()) for d in dims] +
            [exact_bound(theta(), s) for s in (0, 256)])


@entry("roformer-vacuous")
def _():
    least = long_bound()[:65537].min()
    return [least, 2 * least]


SLOPES12 = [M(2) ** -h for h in range(1, 9)] + [M(2) ** (M(-8 * h) / 16) for h in (1, 3, 5, 7)]


@entry("alibi-heads")
def _():
    s = sorted(SLOPES12[:8])
    assert SLOPES12[8] > s[-1] and all(s[0] < x < s[-1] for x in SLOPES12[9:])
    return [12] + SLOPES12[8:]


E["alibi-distance"] = lambda: [mp.exp(-100 * M(2) ** -h) for h in (1, 8)]
ZETA = [(M(i) / 64 + M("0.4")) / M("1.4") for i in range(64)]


def xpos(s):
    return mp.fsum(z ** (M(s) / 512) * cos(s * t) for z, t in zip(ZETA, theta())) / 64


@lru_cache(None)
def xpos_curve(last):
    log = np.array([float(ln(z)) for z in ZETA])
    return np.concatenate([(np.exp(np.outer(s, log) / 512) * np.cos(np.outer(s, array()))).mean(axis=1)
                           for s in chunks(0, last)])


@entry("xpos-decay")
def _():
    x = xpos_curve(300000)
    first = int(np.argmax(x < 0))
    assert xpos(first - 1) > 0 > xpos(first)
    plain = int(np.argmax(curve(array(), 0, 2048) < 0))
    return [xpos(s) for s in (512, 1024, 2048, 4096, 8192)] + [
        first, xpos(first - 1), xpos(first), int((np.diff(x < 0)).sum()), int(x.argmin()), xpos(int(x.argmin())), plain]


@entry("xpos-monotone")
def _():
    x = np.diff(xpos_curve(300000)[:8193])
    return [int(np.argmax(x > 0)) + 1, int((x > 0).sum()),
            int((np.diff(curve(array(), 0, 8192)) > 0).sum())]


E["xpos-absolute"] = lambda: [mp.ceil(512 * ln(M(x)) / ln(M("3.5")))
                              for x in (2 ** 128 - 2 ** 104, 65520, 2 ** 126, 2 ** 14)]


def pi_deviation(d, b):
    return d // 2 - total(theta(d, b), M(1) / 2)


def pi_bound(d, b):
    return M(d) / (8 * ln(M(b))) / 4


E["pi-theorem"] = lambda: [f(d, b) for d, b in ((128, 10000), (64, 10000), (128, 500000))
                           for f in (pi_deviation, pi_bound)] + [
    100 * (pi_deviation(128, 10000) / pi_bound(128, 10000) - 1)]
SQUARES = lambda: mp.fsum(t * t for t in theta())
E["pi-corrected"] = lambda: [SQUARES(), SQUARES() / 8, pi_deviation(128, 10000)]
@entry("pi-600")
def _():
    ratio = lambda s, bound: 128 * exact_bound(theta(), s) / bound
    a, stated = long_bound(), pi_bound(128, 10000)
    assert a[:4097].argmin() == 3643 and int(np.argmax(a < 2)) == 4861
    far = a[4861:65537]
    assert (128 * a[:4861] / float(stated) >= 589).all()
    return [32 * ln(M(10000)), 64 * ln(M(10000)), 4860, ratio(4861 + int(far.argmin()), stated),
            100 * float((128 * far / float(stated) < 64 * math.log(10000)).mean()),
            ratio(int(a[:4861].argmin()), SQUARES() / 8)]


@entry("pi-lower-bound")
def _():
    a = long_bound()[:65537]
    first = int(np.argmax(a < 2))
    assert exact_bound(theta(), first - 1) >= 2
    return [first, int((a[first:] < 2).sum()), exact_bound(theta(), int(a.argmin())) / 2]


def dynamic(n, b=10000):
    s = 2 * M(n) / 2048 - 1
    return theta(128, M(b) * s ** (M(128) / 126) if n > 2048 else b)


@entry("dynamic-cached-keys")
def _():
    now, then = dynamic(4096), dynamic(2101)
    floats = lambda n: array(128, 10000.0 * (2 * n / 2048 - 1) ** (128 / 126) if n > 2048 else 10000)
    cached = lambda n: np.cos(4095 * floats(4096) - n * floats(n + 1)).mean()
    alike = [n for n in range(4096) if abs(cached(n) - np.cos((4095 - n) * floats(4096)).mean()) < 1e-9]
    assert alike == [0, 4095]  # the key at 0, and the newest
    return [mean(now, 1995), mp.fsum(cos(4095 * a - 2100 * c) for a, c in zip(now, then)) / 64,
            mean(now, 4095), mean(now, 4095)]


NTK = lambda s: 10000 * M(s) ** (M(128) / 126)
E["ntk-endpoints"] = lambda: [NTK(s) for s in (2, 4, 8, 16, 32)]
E["ntk-plain-base"] = lambda: [M(4) ** (M(-126) / 128), M(1) / 4]
E["ntk-dynamic"] = lambda: [7, NTK(7)]
E["yarn-temperature"] = lambda: [ln(M(s)) / 10 + 1 for s in (2, 4, 8, 16, 32)] + [
    (ln(M(16)) / 10 + 1) ** 2, mp.exp((ln(M(16)) / 10 + 1) ** 2)]


@entry("yarn-two-ramps")
def _():
    index = lambda turns: 64 * ln(4096 / (2 * turns * pi)) / ln(M(10000))
    low, high = mp.floor(index(32)), mp.ceil(index(1))
    cut = lambda x: min(max(x, M(0)), M(1))

    def paper(t):
        kept = cut((4096 * t / (2 * pi) - 1) / 31)
        return (1 - kept) * t / 16 + kept * t

    def code(i, t):
        kept = 1 - cut((i - low) / (high - low))
        return (1 - kept) * t / 16 + kept * t
    t = theta()
    return [index(32), index(1), paper(t[30]), code(30, t[30]),
            max(abs(code(i, x) / paper(x) - 1) for i, x in enumerate(t))]


def full_index(d, b, length):
    return M(d) / 2 * ln(length / (2 * pi)) / ln(M(b))


def turning(d, b, length):
    return sum(t * length >= 2 * pi for t in theta(d, b))


LIU = ((128, 10000, 2048), (128, 10000, 4096), (128, 10000, 8192), (128, 10000, 16384),
       (128, 10000, 32768), (128, 500000, 8192), (128, 1000000, 32768), (64, 10000, 2048),
       (128, 5000000, 131072))


@entry("liu-critical-dimension")
def _():
    values = [2 * mp.ceil(full_index(*one)) for one in LIU]
    assert values == [2 * turning(*one) for one in LIU]
    return [full_index(128, 10000, 4096)] + values


@entry("liu-clamp")
def _():
    formula = lambda n: 2 * mp.ceil(full_index(128, 10000, n))
    assert all(formula(n) == 2 * turning(128, 10000, n) for n in range(6, 62832))
    assert all(formula(n) < 0 for n in range(1, 6)) and formula(62832) == 130
    return [x for n in (32768, 5, 65536) for x in (formula(n), 2 * turning(128, 10000, n))]




@entry("liu-betas")
def _():
    turned = lambda b: 4096 * theta(128, b)[63]
    largest = [(k * 4096 / pi) ** (M(128) / 126) for k in (M(2), M(1), M(1) / 2)]
    for b, angle in zip(largest, (pi / 2, pi, 2 * pi)):
        assert turned(b * (1 - M(10) ** -9)) > angle > turned(b * (1 + M(10) ** -9))
    return [k * t / pi for t in (4096, 16384) for k in (M(2), M(1), M(1) / 2)] + largest + [
        turned(652) / (2 * pi)]


E["liu-critical-base"] = lambda: [M(10000) ** (ln(n / (2 * pi)) / ln(4096 / (2 * pi)))
                                  for n in (8192, 16384, 32768)]
E["liu-t-extra"] = lambda: [2 * pi * M(b) ** (M(92) / 128) for b in (10000, 40000, 160000, 1000000)]
HEADS = ((128, 10000), (128, 500000), (128, 1000000), (64, 10000), (64, 500000))
E["liu-full-turns"] = lambda: [x for d, b in HEADS for x in [2 * pi / theta(d, b)[-1]] + [
    turning(d, b, n) for n in (2048, 8192, 131072, 1048576)]]
E["longrope-factor"] = lambda: [sqrt(1 + ln(M(32)) / ln(M(4096)))]


@entry("resonance-periods")
def _():
    w = [int(mp.nint(2 * pi / t)) for t in theta()]
    return [w[0], math.lcm(*w[:16]), sum(x > 4096 for x in w), w[63], 2 * pi * 4095 / w[63],
            2 * pi * 5000 / w[63]]


@entry("resonance-change")
def _():
    w = [2 * pi / t for t in theta()]
    change = lambda b: [abs(x / mp.nint(x) - 1) for x in (2 * pi / t for t in theta(128, b))]
    off = change(10000)
    i = off.index(max(off))
    return [i, w[i], mp.nint(w[i]), 100 * off[i], 100 * max(change(500000))]


# # Men et al.: a base holds if B(s) ≥ 0 up to the length. Float64 scans leave few candidates.

def least_score(b, length):
    least, at = np.inf, 0
    t = array(128, b)
    for s in chunks(0, length, 2048):
        v = np.cos(np.outer(s, t)).sum(axis=1)
        if v.min() < least:
            least, at = v.min(), int(s[v.argmin()])
        if least < -1e-9:
            return least, at, False
    return least, at, True


def smallest_of_two_digits(length):
    """The least base of two digits that holds: each smaller one has an s with B(s) < 0.

    The s that exclude one base often exclude its neighbours, so they are tried first.
    """
    witnesses = []
    for exponent in range(0, 10):
        for digits in range(10, 100):
            b = digits * 10 ** exponent
            t = array(128, b)
            if any(np.cos(s * t).sum() < -1e-9 for s in reversed(witnesses[-30:])):
                continue
            _, at, holds = least_score(b, length)
            if holds:
                return b
            witnesses.append(at)
    return None


MEN = {"1k": (1000, 4300), "2k": (2000, 16000), "4k": (4000, 27000), "8k": (8000, 84000),
       "16k": (16000, 310000), "32k": (32000, 640000), "64k": (64000, 2100000),
       "128k": (128000, 7800000), "256k": (256000, 36000000), "512k": (512000, 64000000),
       "1m": (1000000, 510000000)}


@lru_cache(None)
def least_bases(k):
    """The least base of two digits for each context of Table 2, 1k = 1000 or 1024."""
    return [smallest_of_two_digits(n) for n in contexts(k)]


def contexts(k):
    return [k * 2 ** i for i in range(10)] + [k * k if k == 1024 else 10 ** 6]


def men(length, base, infimum, binary):
    values = curve(array(128, base), 0, length + length // 2) * 64
    numbers = [int(np.argmax(values < 0)), total(theta(128, base), int(values[:length + 1].argmin())),
               least_bases(1000)[contexts(1000).index(length)]]
    last_digit = 10 ** (len(str(base)) - 2)
    if infimum:  # the next base of two digits fails
        numbers.append(64 * curve(array(128, base + last_digit), 0, length).min())
        assert numbers[-1] < 0
    if length < numbers[0] <= binary:  # holds up to `length`, and fails if 1k is 1024
        numbers.append(least_bases(1024)[contexts(1024).index(binary)])
        assert numbers[-1] > base
    if numbers[0] > binary:  # the published base is also the least with 1k = 1024
        assert least_bases(1024)[contexts(1024).index(binary)] == base
    if infimum:
        # the least base that holds: there B(s) = 0 for the s that excludes the bases just below
        root, s = infimum
        f = lambda b: mp.fsum(cos(s * M(b) ** (M(-i) / 64)) for i in range(64))
        b = mp.findroot(f, M(root))
        holds, fails = least_score(float(b) * (1 + 1e-9), length), least_score(float(b) * (1 - 1e-9), length)
        assert holds[0] > -1e-5 and fails[0] < 0
        numbers += [b, s]
        assert (base == mp.ceil(b / last_digit) * last_digit) == (length != 2000)  # rounded up to two digits
    return numbers


for (name, (length, base)), binary in zip(MEN.items(), contexts(1024)):
    roots = {"1k": (4206, 884), "2k": (11587, 1788), "4k": (26912, 3572), "8k": (83613, 6846)}
    E["men-table-" + name] = lambda n=length, b=base, r=roots.get(name), k=binary: men(n, b, r, k)
E["men-expectation"] = lambda: [2 * total(theta(), 1000)] * 2
E["men-decrease"] = lambda: [rise(128, 10000, None, 64), total(theta(), 11), total(theta(), 12)]
E["men-last-length"] = lambda: [int(np.argmax(curve(array(128, b), 0, n) < 0)) - 1
                                for b, n in ((10000, 4096), (500000, 32768))]


@entry("men-power-law")
def _():
    published = [b for _, b in MEN.values()]
    wrong = lambda k: [name for name, x, y in zip(MEN, published, least_bases(k)) if x != y]
    assert wrong(1000) == ["16k", "32k", "256k", "512k", "1m"]
    assert wrong(1024) == ["4k", "16k", "32k", "128k", "256k", "512k", "1m"]
    fits = [np.polyfit(np.log(contexts(k)), np.log(x), 1)
            for x, k in ((published, 1000), (published, 1024), (least_bases(1000), 1000), (least_bases(1024), 1024))]
    return [x for p, a in fits for x in (p, np.exp(a))]


@entry("men-wide-heads")
def _():
    zero = mp.findroot(mp.ci, M("0.6"))
    return [zero, 1 / zero]


@entry("men-partial-rotary")
def _():
    t = array(64)
    least = min((np.cos(np.outer(s, t)).sum(axis=1) + 32).min() for s in chunks(0, 1 << 20))
    return [least, int(np.argmax(curve(t, 0, 8192) < 0))]


@entry("barbero-peak")
def _():
    b = curve(array(), 0, 2048)
    return [int(np.argmax([b[abs(s - r)] for s in range(2049)])) for r in (1, 5, 100, 1500)]


@entry("barbero-gaussian")
def _():
    """The mean is 0 for independent q and k, whatever q is; it is 2B(s) for k = q."""
    t, rng = array(4), np.random.default_rng(6)
    q, k = rng.normal(size=(2, 100000, 4))
    turn = lambda x: np.hstack([x[:, :2] * np.cos(9 * t) - x[:, 2:] * np.sin(9 * t),
                                x[:, 2:] * np.cos(9 * t) + x[:, :2] * np.sin(9 * t)])
    itself = 2 * total(theta(4), 9)
    for x, y, want in ((q, k, 0), (q ** 2, k, 0), (q, q, float(itself))):
        scores = (turn(x) * y).sum(axis=1)
        assert abs(scores.mean() - want) < 5 * scores.std() / len(scores) ** 0.5
    return [dot(rotated(Q4, 9), K4), 0, itself]


@entry("barbero-decay")
def _():
    u = minimum(128, 10000)
    return [u, mean(theta(), u), mean(theta(), u + M(1) / 2)]


E["barbero-positional-heads"] = lambda: [1 / (1 - cos(M(1))), 1 / (1 - cos(theta()[63]))]
E["barbero-p-rope"] = lambda: [sum(i < 0.75 * 128 for i in range(128)), 32, 2 * pi / theta(256)[95]]


@entry("aliasing-injective")
def _():
    low, high = extremes(2, 10000, 1, 2048)
    return [high, cos(high), abs(mp.expj(high) - 1), low, cos(low) + 1]


def gap(b):
    low, high = extremes(128, b, 1, 1 << 20)
    t = theta(128, b)
    return [high, mean(t, high), apart(t, high), low, mean(t, low)]


E["aliasing-gap"] = lambda: gap(10000)
E["aliasing-base-500000"] = lambda: gap(500000)


@entry("aliasing-far-returns")
def _():
    near, far = extremes(128, 10000, 2048, 131071)[1], extremes(128, 10000, 131072, 1 << 20)[1]
    return [near, mean(theta(), near), far, mean(theta(), far)]


@entry("aliasing-scaled")
def _():
    low, high = extremes(128, 10000, 1, 2048, 2048)
    t = theta(n=2048)
    assert (low, high) == (2048, 1)
    # 10^{i/16} is rational if and only if 10^i is the 16th power of a whole number
    root = lambda i: round(10 ** (i / 16))
    periodic = [i for i in range(64) if root(i) ** 16 == 10 ** i]
    assert periodic == [0, 16, 32, 48]
    for i in periodic:  # sθ̄_i is a whole turn at the period, and at no smaller distance
        assert abs(8192 * root(i) * t[i] - 2 * pi) < M(10) ** -30
    return [mean(t, 1), apart(t, 1), mean(t, 2048)] + [8192 * root(i) for i in periodic] + [len(periodic)]


E["bf16-relativity"] = lambda: drift("once", 2)
@entry("bf16-growth")
def _():
    values = drift("arithmetic", 0)
    assert values[0] < values[1] < values[2] < values[3] < values[4] < 1.095 * values[0]
    return values


E["bf16-position-growth"] = lambda: drift("positions", 0)


@entry("bf16-positions")
def _():
    whole = np.arange(131072.0)
    kept = bf16(whole)
    return [len(set(kept[:n])) for n in (512, 2048, 4096, 131072)] + [
        int(np.argmax(kept != whole)), worst_angle(128, 4096, f32, bf16)]


# Papers since 2023.

E["abf-granularity"] = lambda: (lambda a, b, c, d: [a, b, a / b, c, d, c / d])(
    1 / ln(M(500000)), M(1) / 4 / ln(M(10000)), apart(theta(128, 500000), 1),
    apart(theta(), M(1) / 4))
E["longrope2-dimension"] = lambda: [full_index(96, 10000, 2048), full_index(128, 500000, 8192),
                                    2 * pi / theta(96)[47], 100 * 2048 / (2 * pi / theta(96)[47])]
E["tapa-near-range"] = lambda: [M(b) ** (M(1) / 4) / 8 for b in (10000, 500000)]
E["tapa-independence"] = lambda: [theta()[16] / theta()[32]]


@entry("phase-base-limits")
def _():
    angle = np.arange(131072.0) * float(theta(128, 10 ** 12)[63])
    return [2 * pi / theta()[63], 20000 * pi, len(set(f32(np.sin(angle)))), len(set(f32(np.cos(angle)))),
            stored_rows(8191, bf16, array(128, 500000))[0]]


@entry("hope-still-pairs")
def _():
    numbers = []
    for b, n in ((500000, 8192), (10000, 4096)):
        fast = [t for t in theta(128, b) if t * n >= 2 * pi]
        still = 64 - len(fast)
        values = curve(np.array([float(t) for t in fast]), 1, 1 << 20)
        at = 1 + int(values.argmin())
        numbers += [still, M(still) / 64, at, (total(fast, at) + still) / 64]
    below = np.flatnonzero(values * len(fast) + still < 1e-9)  # with the second base
    return numbers + [next(1 + int(s) for s in below if total(fast, 1 + int(s)) + still < 0)]


E["hope-hyperbolic"] = lambda: [mp.exp(-a * s) * mp.cosh(t * s) for a, t, s in (
    (M(1) / 8, M(1) / 8, 5), (M(1) / 8, M(1) / 8, 50), (M("0.05"), M("0.1"), 5), (M("0.05"), M("0.1"), 10))] + [
    mp.atanh(M("0.5")) / M("0.1")]


@entry("videorope-time")
def _():
    t = theta(128, 1000000)
    time, slow = t[:16], t[48:]
    values = curve(np.array([float(x) for x in time]), 1, 2000)
    at = 161 + int(values[160:].argmax())
    assert (np.diff(curve(np.array([float(x) for x in slow]), 0, 2000)) < 0).all()
    return [2 * pi / time[0], 2 * pi / time[15], at, mean(time, at), mean(time, 1 + int(values.argmin())),
            mean(slow, 2000)]


@entry("string-commuting")
def _():
    skew = lambda x, y: mp.matrix([[0, 0, y], [0, 0, -x], [-y, x, 0]])
    off = mp.expm(skew(-1, 0)) * mp.expm(skew(0, 1)) - mp.expm(skew(-1, 1))
    return [0, max(abs(x) for x in off)]


E["grape-exponential"] = lambda: [mp.expm(mp.matrix([[0, 2], [-2, 0]]))[0, i] for i in (0, 1)]
E["drope-headings"] = lambda: [mean(theta(), 2 * pi), cos(2 * pi)]
E["offset-partial-cycles"] = lambda: (lambda a, b: [a, b, 64 - a, 64 - b])(
    turning(128, 10000, 4096), turning(128, 500000, 8192))
E["selective-relative"] = lambda: [cos(M(1) / 4 + M(1) / 2), cos(M(1) / 4 + 1)]


@entry("log-decay")
def _():
    law = lambda s: (ln(M(10000) / s) - mp.euler) / ln(M(10000))
    return [100 * ln(M(2)) / ln(M(10000))] + [
        mp.fsum(f(s) for s in range(n, 2 * n)) / n for n in (64, 256, 1024)
        for f in (lambda s: mean(theta(), s), law)]


# Sentences that say never, first, all or none.

WORDS = {}  # (entry, word): a function that returns whether the sentence holds


def says(name, *words):
    def keep(function):
        WORDS.update({(name, word): function for word in words})
        return function
    return keep


def say(name, words, function):
    says(name, *words.split())(function)


rng = np.random.default_rng(7)
close = lambda x, y, to=1e-12: bool(np.allclose(np.array(x, dtype=float), np.array(y, dtype=float), 0, to))


@says("000-equivariance", "all", "first")
def _():
    masked = lambda tokens: [attended(x, tokens[:i + 1]) for i, x in enumerate(tokens)]
    return (len({mp.nstr(attended(1, p), 30) for p in itertools.permutations((1, 2, 3))}) == 1 and
            masked((1, 2, 3))[0] == 1 and masked((3, 2, 1))[2] == attended(1, (3, 2, 1)))


@says("000-multiplicative", "all")
def _():
    for f in itertools.product((-2, -1, 0, Fraction(1, 2), 1, 2), repeat=5):  # f(−2) … f(2)
        if all(f[m - n + 2] == f[m + 2] * f[n + 2] for m in range(-2, 3) for n in range(-2, 3) if abs(m - n) < 3):
            if not all(x * x == f[2] and f[2] in (0, 1) for x in f):
                return False
    return True


@says("000-rotation-sign", "none")
def _():
    printed = lambda t: np.array([[np.cos(t), np.sin(t)], [-np.sin(t), -np.cos(t)]])  # row times matrix
    at, zero = np.array([1, 2]) @ printed(1), np.array([1, 2]) @ printed(0)
    return not close(np.linalg.det(printed(1)), 1) and not close(at @ at, 5) and not close(zero[1], 2)


say("000-cache-length", "all", lambda: bool((np.ones((1025, 6)) * np.arange(6)[None] == np.arange(6)).all()))
say("001-scaled-scores", "all", lambda: len(set(itertools.product((-1, 1), repeat=8))) == 256)
say("001-same-size", "all", lambda: (np.zeros((2048, 128)) @ np.zeros((128, 2048))).shape == (2048, 2048))


@says("001-c1", "all")
def _():
    q, k, a = rng.normal(size=(100, 5)), rng.normal(size=(100, 5)), rng.normal(size=(5, 5))
    turn = np.linalg.qr(a)[0]
    scores = lambda m: ((q @ m) * (k @ m)).sum(axis=1)
    unit = np.eye(5)  # q = e_a and k = e_b give entry (a, b) of AAᵀ
    return (close(scores(turn), (q * k).sum(axis=1)) and close((unit @ a) @ (unit @ a).T, a @ a.T) and
            not close(a @ a.T, unit))


say("001-c2", "all", lambda: len({mp.nstr(dot(row([1, 2], R(i + 1)), row([3, -1], R(i))), 30)
                                  for i in range(1000)}) == 1)


def first_stop(n, fold):
    """The first s at which a pair's folded turn does not grow, these pairs, all pairs, and all s."""
    last = 100 if n is None else 4 * n + 8
    s = np.arange(last + 1)
    t = array(n=n) / (2 * np.pi)
    turns = np.outer(s, t) % 1
    turns[:, 0] = s / (2 * np.pi) % 1 if n is None else s % (4 * n) / (4 * n)
    stops = np.diff(fold(turns), axis=0) <= 1e-12
    at = int(np.argmax(stops.any(axis=1)))
    return at + 1, list(np.flatnonzero(stops[at]))


FOLDS = {"R1": lambda x: x, "R2": lambda x: np.minimum(x, 1 - x), "R3": lambda x: np.minimum(x % 0.5, 0.5 - x % 0.5)}
for reading, base_at, scaled_at in (("R1", 7, 8192), ("R2", 4, 4097), ("R3", 3, 2049)):
    say("001-c3-" + reading, "first", lambda f=FOLDS[reading], b=base_at, s=scaled_at: (
        all(first_stop(n, f)[0] == at and 0 in first_stop(n, f)[1] for n, at in ((None, b), (2048, s)))))
say("001-c3-R4", "first", lambda: WORDS["001-c3-R2", "first"]())
say("001-c3-lengths", "first", lambda: all(
    [first_stop(n, FOLDS[r])[0] for r in ("R3", "R2", "R1")] == [n + 1, 2 * n + 1, 4 * n] for n in (2048, 3000, 4096)))


def falls_to(values, s, exact=None):
    """Whether the values fall at every step before s and not at s."""
    steps = np.diff(values[:s + 1])
    return all(x < -1e-11 or exact is not None and exact(i + 1) < exact(i) for i, x in enumerate(steps[:-1])) and (
        steps[-1] > 1e-11 or exact is not None and exact(s) > exact(s - 1))


def score_falls_to(d, b, n, s):
    return falls_to(curve(array(d, b, n), 0, s), s, lambda k: mean(theta(d, b, n), k))


def bound_falls_to(n, s):
    return falls_to(bound(array(n=n), 0, s), s, lambda k: exact_bound(theta(n=n), k))


def stops_falling_at(u, d=128, b=10000):
    slope = lambda v: mp.fsum(x * sin(v * x) for x in theta(d, b))  # −B'
    return all(slope(u * k / 400) > 0 for k in range(1, 400)) and slope(u * M("1.000001")) < 0


RISES = ((2, 10000, 4), (4, 10000, 4), (16, 10000, 4), (32, 10000, 5), (64, 10000, 6), (64, 500000, 6),
         (96, 10000, 12), (128, 500000, 12))
say("001-c3-R5", "first", lambda: stops_falling_at(minimum(128, 10000)) and
    score_falls_to(128, 10000, None, 12) and score_falls_to(128, 10000, 2048, 7328))
say("barbero-decay", "first", lambda: stops_falling_at(minimum(128, 10000)) and score_falls_to(128, 10000, None, 12))
say("001-c3-R6", "first", lambda: bound_falls_to(None, 19) and bound_falls_to(2048, 15851))
say("001-c3-R10", "first all", lambda: score_falls_to(128, 10000, 2048, 7328))
say("001-c3-R5-dimensions", "first all", lambda: all(
    stops_falling_at(minimum(d, b), d, b) and score_falls_to(d, b, None, s) and
    M("1.9999999") < minimum(d, b) * 2 / pi < 4 for d, b, s in RISES))
say("001-c3-R5-rises", "first", lambda: score_falls_to(128, 10000, 4096, 14655) and
    score_falls_to(64, 10000, 2048, 6590) and score_falls_to(128, 500000, 8192, 27993))


@says("001-c3-R7", "all")
def _():
    q, k = rng.normal(size=(2, 100, 128))
    for t in np.exp(rng.uniform(-9, 2, size=(100, 64))):  # the score with −k is the negated score with k
        c, w = np.cos(np.outer(np.arange(9), t)), np.sin(np.outer(np.arange(9), t))
        of = lambda y: ((q[:, :64] * c[:, None] - q[:, 64:] * w[:, None]) * y[:, :64] +
                        (q[:, 64:] * c[:, None] + q[:, :64] * w[:, None]) * y[:, 64:]).sum(axis=2)
        if not close(of(k), -of(-k), 1e-9):
            return False
    return True




@says("001-c3-R8", "all")
def _():
    phases = np.linspace(0, 2 * np.pi, 8001)[:-1]
    r = np.cos(phases[:, None] + np.arange(2049)[None, ::4] * float(theta(n=2048)[0]))
    falls = lambda x: (np.diff(x, axis=1) < 0).all(axis=1)
    modulus = phases[falls(np.abs(r))]
    return (abs(falls(r).mean() - 0.25) < 0.002 and abs(falls(-np.abs(r - r[:, :1])).mean() - 0.5) < 0.002 and
            all(min(x % np.pi, np.pi - x % np.pi) < 0.002 for x in modulus))


@says("001-c3-R9", "all")
def _():
    for t, s in ((array(), 1), (array(), 2048), (array(n=2048), 2048)):
        c, w = np.diag(np.cos(s * t)), np.diag(np.sin(s * t))
        whole = np.block([[c, w], [-w, c]])
        q, k = rng.normal(size=(2, 20000, 128))
        squares = ((q @ whole) * k).sum(axis=1) ** 2
        if not close((whole ** 2).sum(), 128) or abs(squares.mean() - 128) > 5 * squares.std() / 20000 ** 0.5:
            return False
    return True


@says("001-example", "first")
def _():
    fold = [min(s % (2 * np.pi), 2 * np.pi - s % (2 * np.pi)) for s in range(8)]
    alike = [s for s in range(1, 8) if np.cos(s) > np.cos(s - 1)]
    return [s for s in range(1, 8) if fold[s] < fold[s - 1]] == alike and alike[0] == 4


say("001-cost-softmax", "all", lambda: ENTRIES["001-cost-softmax"]()[4] > ENTRIES["001-cost-softmax"]()[3])
say("001-c3-random", "none", lambda: ENTRIES["001-c3-random"]()[4] == 0)


@says("001-cost-first-change", "all", "first")
def _():
    stored = bf16(np.cos(np.outer(np.arange(83), array(n=2048))))
    return bool((stored[:82] == 1).all() and list(np.flatnonzero(stored[82] != 1)) == [0])


say("001-cost-distinct-rows", "all", lambda: stored_rows(2048, bf16)[0] == 2049)


def never_returns(turns, last=1000000, to=1e-10):
    """Whether s·turns is not a whole number for s = 1 … last."""
    return all((np.abs(np.outer(s, turns) - np.round(np.outer(s, turns))) > to).all() for s in chunks(1, last))


say("001-cost-beyond", "never all", lambda: never_returns(np.array([1 / (2 * np.pi)])))
say("aliasing-injective", "never all", lambda: never_returns(array() / (2 * np.pi)))
say("aliasing-scaled", "never", lambda: never_returns(
    np.array([10 ** (-i / 16) / 8192 for i in range(64) if i % 16])))
say("001-cost-two-lengths", "all", lambda: all(2 * x == y for x, y in zip(theta(n=4096), theta(n=2048))))
say("002-half-positions", "all", lambda: len(set(f16(np.arange(2048.0)))) == 2048)
say("002-half-of-the-dimensions", "all", lambda: abs(
    dot(rotated([1] * 64, 131071, 64, 5000000), [1] * 64) + 64 - 2 * (total(theta(64, 5000000), 131071) + 32)) < M(10) ** -30)
say("003-one-dimension", "all", lambda: len({np.round(np.cos(t * array()), 9).tobytes() for t in range(196)}) == 196)
say("004-permutation", "all", lambda: all(
    close([attended(x, p) for x in p], [attended(x, (1, 2, 3)) for x in p]) for p in itertools.permutations((1, 2, 3))))
say("004-all-advantages", "all", lambda: sum(t * 4095 < t * 4096 < 2 * np.pi for t in array()) == 18 and
    close([dot(*[rotated(Q4, 10 ** k, halves=False)] * 2) for k in range(9)], 30) and
    len({mp.nstr(dot(rotated(Q4, m + 3), rotated(K4, m)), 25) for m in range(100)}) == 1)
say("004-missing-position", "all", lambda: abs(dot(*[rotated((1, 1, 1, 1), 1, halves=False)] * 2) - 4) < M(10) ** -30)
say("alibi-heads", "all", lambda: len(set(SLOPES12)) == 12)
say("pi-theorem", "all", lambda: all(pi_deviation(d, b) > pi_bound(d, b)
                                     for d, b in ((128, 10000), (64, 10000), (128, 500000))))
say("ntk-endpoints", "first", lambda: all(
    theta(128, NTK(f))[0] == 1 and abs(theta()[63] / theta(128, NTK(f))[63] - f) < M(10) ** -30 for f in (2, 4, 8, 16, 32)))
say("liu-t-extra", "first", lambda: [i for i, t in enumerate(theta()) if t * 4096 < 2 * pi][0] == 46)


say("liu-full-turns", "all none", lambda: (
    [sum(t * n < 2 * pi for t in theta(128, 500000)) for n in (8192, 1048576)] == [29, 5]) and all(
    (turning(d, b, n) == d / 2) == (n >= max(2 * pi / t for t in theta(d, b)))
    for d, b in HEADS for n in (2048, 8192, 131072, 1048576)))


def every_base_below_fails(length, infimum):
    """Covers the bases from 1 to (1 - 1e-9) times the infimum by intervals, on each of which one B(s) < 0.

    |∂B(s)/∂ln b| ≤ s·Σ(i/64)θ_i. A base smaller by a factor of e^-0.01 at most has θ_i larger by e^0.01 at most.
    """
    share, x = np.arange(64) / 64, np.log(infimum) - 1e-9
    while x > 0:
        t, reach, until = np.exp(-share * x), 0, length
        for s in chunks(1, length, 512):
            if s[0] > until:
                break
            deficit = -np.cos(np.outer(s, t)).sum(axis=1) - 1e-9
            widths = deficit / (s * (share * t).sum() * np.exp(0.01))
            if widths.max() > reach:
                reach, until = widths.max(), 4 * s[-1]  # a larger s excludes less
        if reach <= 0:
            return False
        x -= min(reach, 0.01)
    return True


for name, length, infimum in (("1k", 1000, 4206.01922326284), ("2k", 2000, 11587.2443031111),
                              ("4k", 4000, 26912.4782259947), ("8k", 8000, 83613.4273793557)):
    say("men-table-" + name, "all", lambda n=length, b=infimum: every_base_below_fails(n, b))
say("men-wide-heads", "first", lambda: all(
    mp.ci(mp.findroot(mp.ci, M("0.6")) * k / 400) < 0 for k in range(1, 400)) and mp.ci(M("0.62")) > 0)


@says("men-partial-rotary", "first", "never")
def _():
    b = np.cos(np.outer(np.arange(726), array(64))).sum(axis=1)
    angles = np.append(rng.uniform(0, 2 * np.pi, size=(1000, 32)), np.full((1, 32), np.pi), axis=0)
    return bool((b[:725] > 1e-9).all() and b[725] < 0 and (np.cos(angles).sum(axis=1) + 32 >= 0).all())


@says("aliasing-gap", "all")
def _():
    # Dirichlet: for any 4 angles, some s ≤ 10⁴ has all within a tenth of a turn of whole turns
    s = np.arange(1, 10001)
    near = lambda t: (np.abs(np.outer(s, t) - np.round(np.outer(s, t))) <= 0.1).all(axis=1).any()
    values = curve(array(), 1, 1 << 20)
    return len(values) == 1 << 20 and values.argmax() == 0 and all(near(t) for t in rng.uniform(size=(200, 4)))


say("aliasing-base-500000", "all", lambda: curve(array(128, 500000), 1, 1 << 20).argmax() == 0)
say("phase-base-limits", "all", lambda: len(set(f32(np.sin(np.arange(131072.0) * float(theta(128, 10 ** 12)[63]))))) == 131072
    and stored_rows(8191, bf16, array(128, 500000))[0] == 8192)


@says("drope-headings", "all")
def _():
    q, k = rng.normal(size=(2, 1000, 2))
    score = lambda angle: ((q @ np.array(R(angle).tolist(), dtype=float)) * k).sum(axis=1)
    return close(score(2 * pi * 3), score(0), 1e-9) and not close(score(pi), score(0)) and mean(theta(), 2 * pi) < 0.9


# The figures and sentences of data/claims.

# "first" in a list of items, and idioms
NO_QUANTIFIER = re.compile(r"first (half|(RoPE )?class|dimension|rows?\b|cell|axis|position\.|T\b|two rows|and the)|"
                           r"sequence first|in all\.|of the first position|None\b")


def sentences():
    """(entry, word, sentence) for never, first, all and none, without labels of numbers and refuted claims."""
    name = status = None
    for file in sorted(DATA.glob("*.txt")):
        for line in file.read_text().splitlines():
            if line.startswith("-- "):
                name, status = line[3:].split(" | ")[:2]
            elif name is None or line.startswith(("quote: ", "see: ", "==", "#", "  ")) or (
                    line.startswith("claim: ") and status not in ("theorem", "computed", "empirical")):
                continue
            else:
                text = NO_QUANTIFIER.sub("", line)
                for word in set(re.findall(r"\b(never|first|all|none)\b", text.lower())):
                    yield name, word, line


def figures():
    found, name = {}, None
    for file in sorted(DATA.glob("*.txt")):
        for line in file.read_text().splitlines():
            if line.startswith("-- "):
                name = line[3:].split(" | ")[0]
                found[name] = []
            elif line.startswith("  "):
                label, _, value = line[2:].rpartition(" = ")
                found[name].append((label, value.split(" ")[0]))
    return found


def agrees(value, figure):
    if isinstance(value, tuple):  # an approximate value, from other random numbers
        return abs(float(value[1]) - float(figure)) <= value[2]
    mantissa, _, exponent = figure.partition("e")
    decimals = len(mantissa.partition(".")[2])
    unit = M(10) ** (int(exponent or 0) - decimals)
    slack = M("0.5") + (M("0.02") if isinstance(value, float) else 0)
    if "." not in figure and "e" not in figure:
        return abs(M(value) - M(figure)) < M(10) ** -25
    return abs(M(value) - M(figure)) <= unit * slack


def main():
    asked = sys.argv[1:]
    known, wrong, count = figures(), 0, 0
    missing = sorted(set(known) - set(ENTRIES)) if not asked else []
    unknown = sorted({*ENTRIES, *asked} - set(known))
    for name in asked or known:
        if name not in ENTRIES:
            continue
        values = list(ENTRIES[name]())
        if len(values) != len(known[name]):
            print(f"{name}: {len(values)} values for {len(known[name])} numbers")
            wrong += 1
        for value, (label, figure) in zip(values, known[name]):
            count += 1
            if not agrees(value if not isinstance(value, np.floating) else float(value), figure):
                shown = value if isinstance(value, tuple) else mp.nstr(M(value), 20)
                print(f"{name}: {label}: {figure}, computed {shown}")
                wrong += 1
    print(f"{count} numbers of {len(asked or known) - len(missing)} entries, {wrong} wrong; "
          f"not computed: {missing or 'none'}; without an entry: {unknown or 'none'}")
    chosen = [each for each in sentences() if not asked or each[0] in asked]
    open_ = [each for each in chosen if each[:2] not in WORDS]
    for name, word, sentence in open_:
        print(f"{name}: '{word}' is not derived again: {sentence}")
    false = sorted({each[:2] for each in chosen if each[:2] in WORDS and not WORDS[each[:2]]()})
    for name, word in false:
        print(f"{name}: a sentence with '{word}' does not hold")
    stale = sorted({*WORDS} - {each[:2] for each in sentences()}) if not asked else []
    print(f"{len(chosen)} sentences say never, first, all or none: {len(chosen) - len(open_)} derived again, "
          f"{len(false)} wrong; without a sentence: {stale or 'none'}")
    return 1 if wrong or missing or unknown or open_ or false or stale else 0


if __name__ == "__main__":
    sys.exit(main())
