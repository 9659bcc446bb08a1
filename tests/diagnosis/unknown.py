"""Dumps without a config: the parameters that compare identifies, or assumes if the dump has one fault."""
import re

import numpy as np

from compared import Case
from rotary import (ROUND, axis_of_pairs, cos_sin, exact, image, interleaved, inv_freq, llama3, normal, rng, rotate, sectioned, table,
                    turns, turns_on_axes, vectors, yarn)

TEXT = np.arange(60)
GRID = np.stack([np.arange(48) % 8, np.arange(48) // 8])
CHATGLM = np.stack([np.minimum(TEXT, 40), np.maximum(TEXT - 40, 0)])
FRAMES = np.indices((3, 4, 5)).reshape(3, -1)


TIME_H_W = image(10, 1, 5, 6, 20)
FOUR = np.vstack([TIME_H_W, (7 * np.arange(60)) % 31])


def is_identity(pattern):
    return lambda report: "" if re.fullmatch(pattern, report["identity"]) else f"identity {report['identity']}, not {pattern}"


def identified(words, arrays, code=0):
    """The identified parameters fit the whole dump. They always have the base."""
    if " --base " not in words:
        words = words.replace(" --rope", " --base 10000 --rope") if " --rope" in words else words + " --base 10000"
    return Case(words, arrays, [], None, code, check=is_identity(re.escape(words) + "(; (matches|these values).*)?"))


def heads(c, s, head=None, layout="half", count=1, fmt="float32"):
    return vectors(fmt, (c, s), layout, 0, head, count)


def of_two_axes():
    def regrouped(q):
        return np.hstack([q[:, ::2], q[:, 1::2]])

    for base, words in (10000, ""), (500000, " --base 500000"):
        rows = turns_on_axes(np.tile(inv_freq(32, base), 2), np.repeat([0, 1], 16), GRID)
        for layout, more in ("half", ""), ("interleaved", " --layout interleaved"):
            for ids in GRID, GRID.T:
                yield identified(f"--dim 64{more}{words} --rope axes=axial", heads(*rows, layout=layout) | {"position_ids": ids})
        yield identified(f"--dim 64{words} --rope axes=axial", cos_sin(rows, position_ids=GRID))
        q = normal(60, 64)
        parts = [rotate(q[:, 32 * a:32 * a + 32], *turns(inv_freq(32, base), CHATGLM[a])) for a in (0, 1)]
        yield identified(f"--dim 64{words} --rope axes=halves",
                         {"q": q, "q_rot": np.float32(np.hstack(parts)), "position_ids": CHATGLM})
        q = normal(60, 64)
        yield identified(f"--dim 64 --layout interleaved_to_half_split{words}",
                         {"q": q, "q_rot": np.float32(rotate(regrouped(q), *turns(inv_freq(64, base), TEXT)))})
        for start, where in (0, ""), (128, " --rope rotary_offset=128"):
            q = normal(60, 192)
            y = q.copy()
            y[:, start:start + 64] = rotate(regrouped(q[:, start:start + 64]), *table(inv_freq(64, base), TEXT))
            yield identified(f"--dim 192 --rotary-dim 64 --layout interleaved_to_half_split{words}{where}", {"q": q, "q_rot": y})
    for places, axes in ((TIME_H_W, ("sectioned", (16, 24, 24))), (FOUR, ("sectioned", (16, 20, 20, 8))),
                         (FOUR, ("interleaved4", (24, 20, 20, 0)))):
        rows = turns_on_axes(inv_freq(128, 3000000), axis_of_pairs(axes, 64), places)
        for ids in places, places.T:
            yield identified(f"--dim 128 --base 3000000 --rope axes={axes[0]},mrope_section={','.join(map(str, axes[1]))}",
                             heads(*rows) | {"position_ids": ids})
    for width in 2, 6, 24, 62:
        rows = turns(inv_freq(width), TEXT)
        yield identified(f"--dim 64 --rotary-dim {width}", heads(*rows, 64))
        if width > 2:
            yield identified(f"--dim 64 --rotary-dim {width} --layout interleaved", heads(*rows, 64, "interleaved"))
    for base, words in (10000, ""), (123456, " --base 123456"):
        for factor in 2.5, 8:
            yield identified(f"--dim 64{words} --rope rope_type=linear,factor={factor}", heads(*turns(inv_freq(64, base), TEXT / factor)))


def of_video():
    """Blocks whose positions start over, and alternating axes; a map needs an axis with different positions."""
    for base, words in (10000, ""), (256, " --base 256"):
        for sections in (22, 21, 21), (8, 28, 28):
            theta = np.concatenate([inv_freq(2 * n, base) for n in sections])
            rows = turns_on_axes(theta, sectioned(sections), FRAMES)
            want = f"{words} --rope axes=blocks,mrope_section=" + ",".join(map(str, sections))
            yield identified("--dim 128" + want, cos_sin(rows, position_ids=FRAMES))
            yield identified("--dim 128 --layout interleaved" + want, heads(*rows, layout="interleaved") | {"position_ids": FRAMES})
    theta = inv_freq(128, 500000)
    by_turns = axis_of_pairs(("height_width_time", (22, 22, 20)), 64)
    yield identified("--dim 128 --base 500000 --rope axes=height_width_time,mrope_section=22,22,20",
                     heads(*turns_on_axes(theta, by_turns, FRAMES)) | {"position_ids": FRAMES})
    yield Case("time alone", heads(*turns_on_axes(theta, 0 * by_turns, FRAMES)) | {"position_ids": FRAMES}, [], None, 2)


def of_16_bits():
    """float16 tables with few rows, which hardly distinguish similar parameters."""
    scaled = " --base {0} --rope rope_type={2},factor={3}{4},original_max_position_embeddings={5}"

    def halves(rows, theta, amplitude=1, first=0):
        return cos_sin(turns(theta.astype(float), np.arange(first, first + rows)), lambda t: np.float16(amplitude * t))

    for rows in 12, 64, 512:
        for d, base, factor in (80, 100000, 2), (64, 40000, 16), (32, 100000, 32):
            yield identified("--dim " + str(d) + scaled.format(base, factor * 8192, "llama3", factor,
                                                               ",low_freq_factor=1,high_freq_factor=4", 8192),
                             halves(rows, llama3(d, base, factor)))
        for d, base, factor in (64, 100000, 8), (128, 1000000, 16), (32, 40000, 32):
            yield identified(f"--dim {d} --base {base} --rope rope_type=linear,factor={factor}", halves(rows, inv_freq(d, base) / factor))
            yield identified(f"--dim {d}" + scaled.format(base, factor * 32768, "yarn", factor, "", 32768),
                             halves(rows, yarn(d, base, factor, 32768), 0.1 * np.log(factor) + 1))
    for d, base, factor in (128, 5000000, 4), (64, 1000000, 8):
        for first, rows in (0, 40), (1000, 40), (17, 16), (0, 512):
            yield identified(f"--dim {d} --base {base} --rope rope_type=ntk,factor={factor}",
                             halves(rows, inv_freq(d, base * factor ** (d / (d - 2))), first=first) |
                             {"position_ids": np.arange(first, first + rows)})
    for dim, rows in (128, 16), (128, 512), (256, 64):  # 16-bit numbers stored in float32, which no config allows
        for fmt in "bfloat16", "float16":
            yield identified(f"--dim {dim} --base 1000000",
                             cos_sin(turns(inv_freq(dim, 1000000).astype(float), np.arange(rows)), ROUND[fmt]), 1)
    for rows in 64, 300:  # Kimi K2: mscale equals mscale_all_dim, so that attention_factor is 1
        for amplitude, words in (1, ",beta_slow=1,mscale=1,mscale_all_dim=1"), (0.1 * np.log(32) + 1, ""):
            c, s = turns(yarn(64, 50000, 32, 4096, fast=1).astype(float), np.arange(rows))
            yield identified("--dim 64 --base 50000 --rope rope_type=yarn,factor=32,"
                             f"original_max_position_embeddings=4096,beta_fast=1{words}", cos_sin((amplitude * c, amplitude * s)))
    # axes of slow pairs, which single values leave open: a published map is identified, an unusual one is not
    published = " --rope axes=interleaved,mrope_section=24,20,20"
    for base, words, axis in ((5000000, " --base 5000000" + published, interleaved((24, 20, 20))),
                              (1000000, " --base 1000000" + published, interleaved((24, 20, 20))),
                              (10000, None, sectioned((30, 17, 17)))):
        for count in 1, 3:
            arrays = heads(*turns_on_axes(inv_freq(128, base), axis, TIME_H_W), count=count, fmt="bfloat16")
            arrays = {name: x[0] for name, x in arrays.items()} | {"position_ids": TIME_H_W}
            yield identified("--dim 128" + words, arrays) if words else Case(f"a map of {count} heads", arrays, [], None, 0)


def of_no_rule():
    """Frequencies that follow no rule, which a longrope with a factor for each pair fits; and linear factors that no
    config has, from a second rotation or from pairs that are counted from 1."""
    theta, i = inv_freq(64).astype(np.float64), np.arange(32)
    divided = np.where(i == 5, theta / 1.3, theta)
    noise = theta / 4 * (1 + 1e-3 * rng.standard_normal(32))
    growing = theta / (1 + 0.02 * i + 0.08 * np.maximum(i - 10, 0) ** 1.6)
    drifting = np.where(i < 16, theta, inv_freq(64, 50000))
    longrope = lambda name, arrays: Case(f"no rule: {name}", arrays, [], None, (1, 2), excludes=("longrope", "linear,factor"))
    for scale in 0.4495, 0.59133:
        for rows in 16, 64:
            yield longrope(f"scale {scale}", {name: x[0] for name, x in heads(
                *table(inv_freq(128), scale * np.arange(rows)), count=4, fmt="bfloat16").items()})
    for n, one in enumerate((divided, noise, np.where(i < 12, theta / 8, theta), growing, drifting, theta / np.linspace(1, 3, 32),
                             np.where(i < 20, theta, theta / 7), 2 * theta, inv_freq(64, start=1).astype(float))):
        yield longrope(f"inv_freq {n}", {"inv_freq": np.float32(one)})
        yield longrope(f"a table of {n}", cos_sin(turns(one, np.arange(600))))
    # 16-bit vectors times a softmax scale are not yarn with an odd attention_factor, and unrotated slow pairs are not a
    # partial rotary_dim: no config has such numbers
    rows = table(inv_freq(128, 500000), np.arange(200))
    # … but a config may give any attention_factor
    for scale in 128 ** -0.5, 0.5, 1.25:
        q = normal(200, 128, fmt="bfloat16")
        scaled = {"q": q, "q_rot": ROUND["bfloat16"](np.float32(scale * rotate(q, *rows)))}
        yield identified("--dim 128 --base 500000", scaled, 1) if scale < 0.5 else \
            Case(f"scaled by {scale}", scaled, [], None, 2, expects=f"cos and sin are scaled by {scale}, not by 1, which some configs ask for")
    for layout, words in ("half", ""), ("interleaved", " --layout interleaved"):
        for still in 1, 8:
            yield longrope(f"{still} pairs stand still", heads(*table(np.where(np.arange(64) < 64 - still, inv_freq(128), 0), np.arange(300)),
                                                               layout=layout))
        yield identified(f"--dim 64{words} --base 500000 --rope rope_type=proportional,partial_rotary_factor=0.75",
                         heads(*table(np.where(i < 24, inv_freq(64, 500000), 0), np.arange(300)), layout=layout))


# --- one fault: the assumed config is right and is not blamed ---

ROWS = np.arange(96)
MODELS = ((10000, 32), (500000, 64), (1000000, 128), (150000, 64), (8000000, 256), (320000, 96))
FORMATS = (np.float32, np.float16, ROUND["bfloat16"])
NO_CONFIG = "no config was given, and no known parameters fit"


def assumed(name, base, dim, arrays, words=""):
    is_right = is_identity(rf"{NO_CONFIG} all of it; assumed: --dim {dim}{words} --base {base}, whose .*")

    def check(report):
        blamed = [one["what"] for one in report["diagnosis"] if one["mistake"] in ("base", "exponent", "scaling-missing", "pair-layout")
                  and not re.match("head |rows before", one["what"])]
        return f"blamed {blamed}" if blamed else is_right(report)

    return Case(f"{name}, base {base} of {dim}", arrays, [], None, 1, check=check)


def faulty_tables():
    def with_rows(which, value):
        """Replaces some rows of cos and sin."""
        def fault(dim, base):
            c, s = turns(exact(dim, base), ROWS)
            for row in which:
                c[row], s[row] = value(c, s, row)
            return c, s
        return fault

    def pair(factor, moved=0):
        return lambda dim, base: turns(np.where(np.arange(dim // 2) == 5, factor, 1) * exact(dim, base), ROWS + moved)

    def cell(dim, base):
        c, s = turns(exact(dim, base), ROWS)
        c[40, 3] = 0.3
        return c, s

    def half_backwards(dim, base):
        return turns(np.where(np.arange(dim // 2) < dim // 4, 1, -1) * exact(dim, base), ROWS)

    def of_two_bases(by_rows):
        def fault(dim, base):
            own, other = turns(exact(dim, base), ROWS), turns(exact(dim, 2 * base + 10000), ROWS)
            first = ROWS[:, None] < 60 if by_rows else np.arange(dim // 2) < dim * 5 // 16
            return [np.where(first, a, b) for a, b in zip(own, other)]
        return fault

    faults = {
        "wrong pair": pair(1.7), "still pair": pair(0), "offset and wrong pair": pair(1.7, 3),
        "zero row": with_rows([77], lambda c, s, row: (0, 0)), "zero row 1": with_rows([1], lambda c, s, row: (0, 0)),
        "zeros at the end": with_rows(range(60, 96), lambda c, s, row: (0, 0)),
        "NaN row": with_rows([2], lambda c, s, row: (np.nan, np.nan)),
        "wrong rows": with_rows([5, 40, 41], lambda c, s, row: (c[row // 2], s[row // 2])),
        "row of position 0": with_rows([50], lambda c, s, row: (1, 0)),
        "clipped row": with_rows([33], lambda c, s, row: (np.clip(c[row], -.5, .5), np.clip(s[row], -.5, .5))),
        "wrong value": cell, "half of the pairs backwards": half_backwards,
        "rows of another base": of_two_bases(True)}
    for number, (name, fault) in enumerate(faults.items()):
        for turn in 0, 1, 2:
            base, dim = MODELS[(number + 2 * turn) % len(MODELS)]
            yield assumed(f"{name}, format {turn}", base, dim, cos_sin(fault(dim, base), FORMATS[turn]))
    for base, dim in MODELS:
        # as a scaling of slow pairs does
        yield Case(f"pairs of another base than {base}, of {dim}", cos_sin(of_two_bases(False)(dim, base)), [], None, 2,
                   expects="by no known parameters")
        yield assumed("wrong entry", base, dim, {"inv_freq": np.float32(np.where(np.arange(dim // 2) == 7, 1.5, 1) * exact(dim, base))})
        if base != 10000:  # most pairs have rates that no base gives; the report must not say that the base was 10000
            theta = exact(dim, base)
            theta[1:dim * 3 // 8] *= 1 + 0.3 * rng.random(dim * 3 // 8 - 1)
            yield Case(f"most pairs wrong, base None of {dim}", cos_sin(turns(theta, ROWS)), [], None, 2, expects="by no known parameters")


def faulty_vectors():
    """4 heads; head 2 or row 30 is wrong."""
    faults = ("head at other positions", "head of another base", "first head of another base", "head of noise", "wrong pair", "zero row",
              "NaN row", "clipped row")
    for number, fault in enumerate(faults):
        for layout, words in ("half", ""), ("interleaved", " --layout interleaved"):
            base, dim = MODELS[1 + number % 3]
            theta = exact(dim, base)
            q = normal(4, len(ROWS), dim)
            made = lambda of, places=ROWS: rotate(q, *turns(of, places), layout)
            y = made(np.where(np.arange(dim // 2) == 5, 1.7, 1) * theta if fault == "wrong pair" else theta)
            if "head" in fault:
                y[0 if "first" in fault else 2] = {"positions": made(theta, ROWS + 5), "base": made(exact(dim, 3 * base)),
                                                   "noise": normal(*q.shape)}[fault.split()[-1]][0 if "first" in fault else 2]
            elif fault != "wrong pair":
                y[:, 30] = {"zero row": 0, "NaN row": np.nan, "clipped row": np.clip(y[:, 30], -1, 1)}[fault]
            yield assumed(f"{fault}, {layout}", base, dim, {"q": q, "q_rot": y.astype(np.float32)}, words)


MROPE = (("sectioned", (16, 24, 24), 1000000, image(6, 1, 8, 10, 14)),
         ("sectioned", (8, 12, 12), 10000, image(5, 4, 5, 6, 12)),
         ("interleaved", (24, 20, 20), 5000000, image(4, 1, 9, 7, 30)),
         ("sectioned", (14, 17, 17), 320000, rng.integers(0, 3000, (3, 80))))


def faults_of_mrope(theta, axis, places):
    """The expected sentence, frequencies, the axis of each pair and the positions used."""
    wrong = np.where(np.arange(len(theta)) == 5, 1.7, 1) * theta
    for number, name in enumerate(("time", "height", "width")):
        yield rf"axis {number} \({name}\): every row is for position m \+ 1, not m", (theta, axis, places + np.eye(3, dtype=int)[:, [number]])
    for order in (0, 2, 1), (1, 2, 0):
        yield f"axes are taken in the order {', '.join(map(str, order))}", (theta, np.array(order)[axis], places)
    yield r"every row is for position m \+ 1, not m", (theta, axis, places + 1)
    yield rf"inv_freq of pair 5 is {str(wrong[5])[:5]}\d* instead of", (wrong, axis, places)
    yield "every pair rotates in the opposite direction", (-theta, axis, places)


def of_several_axes():
    def assumed_axes(expected, arrays, scheme, sections, base, words=""):
        spec = (rf"{NO_CONFIG} all of it; assumed: --dim {2 * sum(sections)}{words} .*--rope axes={scheme},mrope_section="
                rf"{','.join(map(str, sections))}.*, whose.*")

        def check(report):
            named = [one["what"] for one in report["diagnosis"]]
            if not (len(named) == 1 and re.match(expected, named[0]) if expected else not named):
                return f"named {named}, not {expected}"
            return is_identity(spec)(report) if f" --base {base}" in report["identity"] else report["identity"]

        return Case(f"{expected}, {scheme} {sections}", arrays, [], None, 1, check=check)

    for number, (scheme, sections, base, places) in enumerate(MROPE):
        axis, theta = axis_of_pairs((scheme, sections), sum(sections)), exact(2 * sum(sections), base)
        ids = {"position_ids": places}
        for turn, (expected, made) in enumerate(faults_of_mrope(theta, axis, places)):
            layout, words = (("half", ""), ("interleaved", " --layout interleaved"))[(number + turn) % 2]
            arrays = heads(*turns_on_axes(*made), layout=layout, count=1 if turn % 3 else 4)
            yield assumed_axes(expected, {name: x[0] for name, x in arrays.items()} | ids, scheme, sections, base, words)
            if number % 2 == 0 and expected.startswith(("axis 0", "every")):  # such slow pairs do not determine their axis
                arrays = heads(*turns_on_axes(*made), count=1 + 3 * (turn % 2), fmt="bfloat16")
                yield assumed_axes(expected, {name: x[0] for name, x in arrays.items()} | ids, scheme, sections, base)
        for expected, other in ((r"head 2 of 4: every row is for position m \+ 5, not m", (theta, axis, places + 5)),
                            (f"head 2 of 4: rope_theta is {3 * base} instead of", (exact(2 * sum(sections), 3 * base), axis, places))):
            q = rng.standard_normal((4, places.shape[1], 2 * sum(sections)))
            y = rotate(q, *turns_on_axes(theta, axis, places))
            y[2] = rotate(q[2], *turns_on_axes(*other))
            yield assumed_axes(expected, {"q": q, "q_rot": y} | ids, scheme, sections, base)
        c, s = turns_on_axes(theta, axis, places)
        c[20], s[20] = c[21], s[21]
        place = ", ".join(map(str, places[:, 21]))
        yield assumed_axes(rf"row 20 is for position \({place}\)", cos_sin((c, s)) | ids, scheme, sections, base)
    # without known sections, the report asks for the config
    scheme, sections, base, places = MROPE[0]
    theta, axis, text = exact(128, base), sectioned(sections), np.tile(range(100), (3, 1))
    q = rng.standard_normal((100, 128))
    for name, ids, y in (("time alone", places, rotate(q, *turns_on_axes(theta, 0 * axis, places))), ("noise", places, q[::-1])):
        yield Case(name, {"q": q, "q_rot": y, "position_ids": ids}, [], None, 2,
                   expects="no known parameters fit positions on 3 axes; give the config")
    # a row on three axes may have no position other than 0 on the first, and is unrotated all the same
    image = np.stack([0 * places[0], *np.divmod(np.arange(100), 10)])
    for fmt in "float32", "bfloat16":
        x = normal(100, 128, fmt=fmt)
        yield Case(f"an unrotated image, {fmt}", {"q": x, "q_rot": x, "position_ids": image}, [], None, 2, expects="no row is rotated")
    # nanochat's direction is right by its config
    x, c, s = normal(100, 128), *table(inv_freq(128), np.arange(100))
    reversed_ones = {"q": x, "q_rot": np.float32(rotate(x, c, -s))}
    yield Case("reversed without a config", reversed_ones, [], None, 2, expects="every pair rotates in the opposite direction")
    nanochat = {"model_type": "nanochat", "hidden_size": 768, "num_attention_heads": 6, "rope_theta": 10000, "max_position_embeddings": 2048}
    yield Case("reversed by its config", reversed_ones, ["--config", nanochat], None, 0)
    # text has equal positions on all axes, which are one axis
    wrong = np.where(np.arange(64) == 5, 1.7, 1) * theta
    yield Case("text alone", {"q": q, "q_rot": rotate(q, *turns_on_axes(wrong, axis, text)), "position_ids": text}, [], None, 1, expects="inv_freq of pair 5 is")


def cases():
    for kind in of_two_axes, of_video, of_16_bits, of_no_rule, faulty_tables, faulty_vectors, of_several_axes:
        yield from kind()
