"""Statements of compare that must be true of dumps made with NumPy:
- the logits line covers every head, and agrees with score-accuracy;
- a fitted scale is larger than the rounding error of the heads that it is reported for;
- a combination of mistakes improves the error at least tenfold, or is not reported;
- dimensions beyond rotary_dim are called changed only if pass-through fails;
- no ratio contradicts the sentence about small errors; no rate is printed as 1 that differs from 1;
- without a config, the report does not assume a base and then blame it;
- gradients that are zero get no advice about loading weights.
"""
import json
import re

import numpy as np

from rotary import ROUND, inv_freq, rotate, table, transformed

FORMATS = ("bfloat16", "float16", "float32")


def rotated(rng, fmt, places, theta, x_fmt=None, rotary=None):
    """q and q_rot [1, heads, rows, dimensions]; `places` has the positions of each head."""
    dims = rotary or 2 * len(theta)
    x = ROUND[x_fmt or fmt](rng.standard_normal((1, len(places), len(places[0]), dims)))
    return {"q": x, "q_rot": ROUND[fmt](rotate(x, *(ROUND[fmt](t) for t in table(theta, places))))}


def reported(compare, arrays, *flags):
    done = compare(arrays, *flags, "--axes", "bhsd", "--format", "json")
    if done.returncode not in (0, 1):
        raise ValueError(f"exit {done.returncode}: {done.stderr}")
    return json.loads(done.stdout)


def statements(report):
    observations = report.get("observations", []) + report.get("facts", [])
    return [one["what"] for one in report.get("diagnosis", [])] + observations


def scores_of(report):
    scores = next(one for one in report["findings"] if one["check"] == "score-accuracy")
    return scores, [scores[key] for key in scores if key.startswith("logit_error_at_")]


# --- every case: a name, and a judge(compare) that returns the failure, or "" ---

def logits_of_one_wrong_head(heads, wrong, shift):
    """One head at m + 1 or 1.01·m: the error of logits is far above rounding at every distance."""
    def judge(compare):
        rng, at = np.random.default_rng(heads * 31 + wrong), np.arange(2048)
        places = [shift(at) if head == wrong else at for head in range(heads)]
        report = reported(compare, rotated(rng, "float32", places, inv_freq(128)), "--dim", "128")
        scores, errors = scores_of(report)
        if scores["verdict"] != "violated" or not all(error > 0.5 for error in errors):
            return f"score-accuracy {scores['verdict']} {scores['observed']}, logit errors {errors}"
        if scores["logit_error_matters_from"] != 1:
            return f"logits matter from {scores['logit_error_matters_from']}"
        text = compare(rotated(rng, "float32", places, inv_freq(128)), "--dim", "128", "--axes", "bhsd",
                       "--format", "text").stdout
        return "" if "of random logits), first at distance 1" in " ".join(text.split()) else text[:600]
    return judge


def logits_of_right_heads(heads):
    def judge(compare):
        rng, at = np.random.default_rng(heads), np.arange(2048)
        report = reported(compare, rotated(rng, "float32", [at] * heads, inv_freq(128)), "--dim", "128")
        scores, errors = scores_of(report)
        is_right = scores["verdict"] == "holds" and max(errors) < 1e-3 and scores["logit_error_matters_from"] is None
        return "" if is_right else f"{scores}"
    return judge


def one_odd_head(rng, kind, rows):
    """Positions that follow no rule: shuffled, random, or half of them random."""
    if kind == "shuffled":
        return rng.permutation(rows)
    if kind == "random":
        return rng.integers(0, 4 * rows, rows)
    at = np.arange(rows)
    at[rows // 2:] = rng.integers(0, rows, rows - rows // 2)
    return at


def no_scale_of_right_heads(fmt, seed):
    """One head or batch entry has positions without a rule: the report must not call the right ones scaled."""
    def judge(compare):
        rng = np.random.default_rng(seed)
        rows, heads = int(rng.choice([32, 64, 100, 256])), int(rng.choice([2, 4, 8]))
        dims, base = int(rng.choice([64, 128])), float(rng.choice([1e4, 5e5, 1e6]))
        kind, wrong = str(rng.choice(["shuffled", "random", "half"])), int(rng.integers(heads))
        at = np.arange(rows)
        places = [one_odd_head(rng, kind, rows) if head == wrong else at for head in range(heads)]
        arrays = rotated(rng, fmt, places, inv_freq(dims, base))
        if rng.integers(2):  # batch entries instead of heads
            arrays = {name: np.swapaxes(value, 0, 1) for name, value in arrays.items()}
        report = reported(compare, arrays, "--dim", str(dims), "--base", repr(base))
        false = [one["what"] for one in report["diagnosis"] if one["mistake"] == "vector-scale"]
        return "; ".join(false) or ("" if report["summary"]["violated"] else "holds")
    return judge


def true_xpos(side, base, centre):
    """xPos on both sides is named, with a positive base and the error of the heads that have it."""
    def judge(compare):
        rng, at = np.random.default_rng(5), np.arange(64)
        arrays = rotated(rng, "bfloat16", [at] * 4, inv_freq(64), x_fmt="bfloat16")
        zeta = (np.arange(0, 64, 2) / 64 + 0.4) / 1.4
        scale = np.tile(zeta ** ((1 if side == "query" else -1) * (at[:, None] - centre) / base), (1, 2))
        rotated_twice = ROUND["bfloat16"]((arrays["q_rot"] * scale).astype(np.float32))
        report = reported(compare, {**arrays, "q_rot": np.float32(rotated_twice)}, "--dim", "64")
        named = [one for one in report["diagnosis"] if one["mistake"] == "vector-scale"]
        is_right = len(named) == 1 and named[0]["parameters"]["base"] > 0 and \
            named[0]["parameters"]["side"] == side and named[0]["before"] > 1
        return "" if is_right else f"{report['diagnosis']}"
    return judge


def in_few_bits(x, bits, rounded):
    mantissa, exponent = np.frexp(x)
    return np.ldexp(rounded(mantissa * 2.0 ** bits) / 2.0 ** bits, exponent)


def no_mechanism_for_noise(seed, noise):
    """q_rot with few bits or with noise: no scale and no combination of mistakes explains it."""
    def judge(compare):
        rng = np.random.default_rng(seed)
        fmt, heads = str(rng.choice(FORMATS)), int(rng.choice([1, 2, 4]))
        rows, dims = int(rng.choice([4, 8, 16, 64])), int(rng.choice([4, 8, 16, 32]))
        arrays = rotated(rng, fmt, [np.arange(rows)] * heads, inv_freq(dims))
        noisy = np.float32(ROUND[fmt](noise(rng, arrays["q_rot"]).astype(np.float32)))
        done = compare({**arrays, "q_rot": noisy}, "--dim", str(dims), "--axes", "bhsd", "--format", "json")
        if done.returncode == 2:  # values with 8 bits or fewer are refused
            return ""
        report = json.loads(done.stdout)
        scales = [one["what"] for one in report["diagnosis"] if one["mistake"] == "vector-scale"]
        return "; ".join(scales) or combinations_that_explain_little(report)
    return judge


NOISES = {
    "rounded to 5 bits": lambda rng, x: in_few_bits(x, 5, np.round),
    "cut to 5 bits": lambda rng, x: in_few_bits(x, 5, np.trunc),
    "rounded to 7 bits": lambda rng, x: in_few_bits(x, 7, np.round),
    "cut to 7 bits": lambda rng, x: in_few_bits(x, 7, np.trunc),
    "off by 2^-6": lambda rng, x: x * (1 + 2.0 ** -6 * rng.uniform(-1, 1, x.shape)),
    "in 16 steps": lambda rng, x: np.round(x * 8 / np.abs(x).max()) * np.abs(x).max() / 8,
}


def combinations_that_explain_little(report):
    found = report["diagnosis"]
    for one in found:
        if one["together"] and not max(each["before"] for each in found) >= 10 * one["after"]:
            return f"{one['what']}: {one['before']} to {one['after']} with {one['together']}"
    return ""


def no_changed_dimensions(shift):
    """q in float32, q_rot in bfloat16, and half of the head rotates: the other dimensions are only rounded."""
    def judge(compare):
        rng, at = np.random.default_rng(3), np.arange(64)
        places = [rng.permutation(64) if shift is None else at + shift] * 2
        arrays = rotated(rng, "bfloat16", places, inv_freq(32), x_fmt="float32", rotary=64)
        report = reported(compare, arrays, "--dim", "64", "--rotary-dim", "32")
        passed = next(one for one in report["findings"] if one["check"] == "pass-through")
        false = [one for one in statements(report) if "beyond rotary_dim" in one]
        names = [one["mistake"] for one in report["diagnosis"]]
        if passed["verdict"] != "holds" or false or (shift and names != ["position-offset"]):
            return f"pass-through {passed['verdict']}: {statements(report)}"
        return ""
    return judge


def changed_dimensions(compare):
    rng, at = np.random.default_rng(3), np.arange(64)
    arrays = rotated(rng, "bfloat16", [at] * 2, inv_freq(32), x_fmt="float32", rotary=64)
    arrays["q_rot"][..., 40:] *= -1
    report = reported(compare, arrays, "--dim", "64", "--rotary-dim", "32")
    return "" if any("dimensions 32–63, which do not rotate" in one for one in statements(report)) else f"{statements(report)}"


def no_giant_ratio(compare):
    """Keys in a shifted cache are rotated twice: the error at position 0 is a rounding, not 1e12 tolerances."""
    rng, at = np.random.default_rng(0), np.arange(64)
    arrays = rotated(rng, "bfloat16", [at + 100] * 8, inv_freq(128, 5e5))
    back = [ROUND["bfloat16"](t).astype(np.float64) for t in table(inv_freq(128, 5e5), at * 0 - 100)]
    again = rotate(arrays["q_rot"], *back)
    arrays["q_rot"] = np.float32(ROUND["bfloat16"](again.astype(np.float32)))
    flags = ["--dim", "128", "--base", "5e5", "--axes", "bhsd", "--format", "text"]
    text = " ".join(compare(arrays, *flags).stdout.split())
    return text[:900] if "beyond any" in text or re.search(r"\d,\d{3},\d{3},", text) else ""


def no_rate_of_one(compare):
    """Slow pairs rotate at 1.0029 times their frequency in bfloat16, and the report prints that rate."""
    for rate in (1.0029, 0.9981, 1.02):
        rng, at = np.random.default_rng(11), np.arange(4096)
        theta = inv_freq(64)
        theta[20:] = theta[20:] * np.float32(rate)
        for fmt in FORMATS:
            report = reported(compare, rotated(rng, fmt, [at], theta), "--dim", "64")
            notes = [str(one.get("note")) for one in report["findings"]]
            wrong = [one for one in statements(report) + notes if re.search(r"\b1 times", one)]
            if wrong:
                return f"{fmt} {rate}: {wrong}"
    return ""


def no_assumed_base(fmt, base, kind):
    """Without a config, the report does not assume a base and then blame it."""
    def judge(compare):
        rng, at = np.random.default_rng(17), np.arange(512)
        theta = inv_freq(64, base)
        if kind == "odd pair":
            theta[5] *= np.float32(1.5)
        arrays = rotated(rng, fmt, [at, at + 3] if kind == "head off" else [at] * 2, theta)
        if kind == "Hadamard":
            arrays["q_rot"] = np.float32(ROUND[fmt](transformed(arrays["q_rot"], 64).astype(np.float32)))
        blamed = [one["what"] for one in reported(compare, arrays)["diagnosis"] if one["mistake"] == "base"]
        return f"{blamed}" if blamed else ""
    return judge


def base_of_config(compare):
    """With a config, the report names the base."""
    rng, at = np.random.default_rng(17), np.arange(512)
    arrays = rotated(rng, "float32", [at] * 2, inv_freq(64, 500000.0))
    names = [one["mistake"] for one in reported(compare, arrays, "--dim", "64")["diagnosis"]]
    return "" if names == ["base"] else f"{names}"


def no_loading_advice(compare):
    """Gradients that are zero are not an uninitialised inv_freq buffer."""
    rng, at = np.random.default_rng(23), np.arange(64)
    arrays = rotated(rng, "float32", [at] * 2, inv_freq(64))
    report = reported(compare, {**arrays, "q_rot": 0 * arrays["q_rot"]}, "--dim", "64")
    advice = " ".join(one["advice"] for one in report["diagnosis"])
    return advice if "meta-device" in advice or "inv_freq" in advice or not advice else ""


def scaled_heads(rng, before, after):
    after["q_rot"][:, [0, 2, 3, 5]] *= 1 + rng.random((1, 4, after["q_rot"].shape[2], 1))


def single_elements(rng, before, after):
    wrong = rng.random(after["q_rot"].shape) < 0.008
    after["q_rot"][wrong] = after["q_rot"][wrong] * 2.5 + 0.5


def rows_moved(rng, before, after):
    late = np.flatnonzero(rng.random(after["q_rot"].shape[2]) < 0.3)[20:]
    after["q_rot"][:, :, late] = rotate(before["q"][:, :, late], *table(inv_freq(128, 1e6), late - 16))


def other_scaling(rng, before, after):
    after["q_rot"] = rotate(before["q"], *table(inv_freq(128, 160000.0 * 99) / 16, np.arange(before["q"].shape[2])))


def no_rate_without_proof(spoil, rows):
    """Pairs are called unrotated, or rotated at another rate, only where every value says so."""
    def judge(compare):
        rng = np.random.default_rng(rows)
        arrays = rotated(rng, "bfloat16", [np.arange(rows)] * 6, inv_freq(128, 1e6))
        flags = "--dim", "128", "--base", "1e6"
        if not reported(compare, arrays, *flags)["passed"]:
            return "the dump without the fault fails"
        spoil(rng, {"q": arrays["q"]}, arrays)
        arrays["q_rot"] = ROUND["bfloat16"](arrays["q_rot"])
        text = " ".join(statements(reported(compare, arrays, *flags)))
        false = "do not rotate", "does not rotate", "times the", "times its", "not proportional", "its own factor"
        return text[:600] if any(one in text for one in false) else ""
    return judge


def inaccurate_angles(compare):
    """Angles that are slightly wrong are not those of another config."""
    rng, at = np.random.default_rng(5), np.arange(3, 90000, 311)
    theta = inv_freq(64, 1e6)
    angles = np.multiply.outer(at, theta)
    turns = np.float64(np.float32(np.float32(angles / (2 * np.pi)))) * 2 * np.pi
    x = rng.standard_normal((1, 2, len(at), 64))
    y = rotate(x, np.cos(turns), np.sin(turns))
    text = compare({"q": np.float32(x), "q_rot": np.float32(y), "position_ids": at}, "--dim", "64", "--base", "1e6",
                   "--axes", "bhsd", "--format", "text").stdout
    return text[:600] if "not the one of this config" in text or "FAIL" not in text else ""


def cases():
    for spoil in scaled_heads, single_elements, rows_moved, other_scaling:
        for rows in 9, 256, 700:
            yield f"rates: {spoil.__name__}, {rows} rows", no_rate_without_proof(spoil, rows)
    yield "angles that are slightly wrong", inaccurate_angles
    for heads, wrong in (4, 0), (3, 1), (32, 30):
        yield f"logits: head {wrong} of {heads} off by one", logits_of_one_wrong_head(heads, wrong, lambda m: m + 1)
        yield f"logits: head {wrong} of {heads} at 1.01 m", logits_of_one_wrong_head(heads, wrong, lambda m: 1.01 * m)
    for heads in (1, 32):
        yield f"logits: {heads} right heads", logits_of_right_heads(heads)
    for fmt in FORMATS:
        for seed in range(4):
            yield f"xPos of right heads {fmt} {seed}", no_scale_of_right_heads(fmt, seed)
    for side, base, centre in ("query", 512, 32), ("key", 512, 32), ("query", 512, 0), ("key", 100, 32):
        yield f"xPos {side} {base} {centre}", true_xpos(side, base, centre)
    for seed in (2, 3, 11, 27, 72):
        for what, noise in NOISES.items():
            yield f"noise: {what} {seed}", no_mechanism_for_noise(seed, noise)
    for shift in (None, 1, 7):
        yield f"dimensions beyond rotary_dim, shift {shift}", no_changed_dimensions(shift)
    yield "dimensions beyond rotary_dim that are changed", changed_dimensions
    yield "a ratio of 1e12", no_giant_ratio
    yield "a rate of 1", no_rate_of_one
    for fmt, base in (("float32", 10023.0), ("float32", 500000.0), ("bfloat16", 12345.0), ("float16", 1.003e6)):
        for kind in ("right", "odd pair", "head off", "Hadamard"):
            yield f"no config: {fmt} base {base} {kind}", no_assumed_base(fmt, base, kind)
    yield "with a config: another base", base_of_config
    yield "zero gradients", no_loading_advice


def judge(compare, case):
    try:
        return (case[1](compare) or "")[:700]
    except (KeyError, StopIteration, ValueError) as error:
        return repr(error)
