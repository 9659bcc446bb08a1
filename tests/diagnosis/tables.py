"""Tables and vectors: --table, wrong reads of tables, q and k with one rotation, weights, biases and pipelines."""
import numpy as np

from compared import Case
from rotary import ROUND, cos_sin, inv_freq, normal, rng, rotate, store, table, turns, vectors, yarn


def own_table():
    """--table with random caches, as in onnx's tests."""
    length, heads, dims, rows = 6, 3, 32, 50
    ids = rng.integers(1, rows - 1, (2, length))
    random = lambda *shape: rng.uniform(-1, 1, shape).astype(np.float32)

    def applied(x, c, s, layout):
        return np.float32(rotate(x.swapaxes(1, 2), c[:, None], s[:, None], layout)).swapaxes(1, 2)

    for layout, other in ("half", "interleaved"), ("interleaved", "half"):
        for pairs in dims // 2, dims // 4:
            x, cos, sin = random(2, length, heads, dims), random(rows, pairs), random(rows, pairs)
            c, s, flags, ids_of = cos[ids], sin[ids], ["--table", "--layout", layout], {"position_ids": ids}
            right = applied(x, c, s, layout)
            dump = lambda y, **more: {"input": x, "output": y, "cos_cache": cos, "sin_cache": sin, **ids_of, **more}
            name = f"{layout}, {pairs} pairs: "
            yield Case(name + "right", dump(right), ["--table"], [])
            yield Case(name + "right, layout given", dump(right), flags, [])
            fused = (2, length, heads * dims)
            yield Case(name + "fused", dump(right.reshape(fused), input=x.reshape(fused)),
                       ["--table", *(["--dim", str(dims)] if pairs < dims // 2 else [])], [])
            own = {"cos_cache": random(2, length, pairs), "sin_cache": random(2, length, pairs)}
            each = dict(dump(applied(x, *own.values(), layout)), **own)
            del each["position_ids"]
            yield Case(name + "a row for each token", each, ["--table", "--axes", "bshd"], [])
            # without a rotation, the number of the table's rows must identify the sequence axis
            own = {key: value[0] for key, value in own.items()}
            y = applied(x, *(t[None] for t in own.values()), layout)
            yield Case(name + "a row for each position", {"input": x, "output": y, **own}, flags, [])
            yield Case(name + "a row for each position, heads first",
                       {"input": x.swapaxes(1, 2), "output": y.swapaxes(1, 2), **own}, flags, [])
            k = random(2, length, heads, dims)
            for of_k in layout, other:
                both = {"q": x, "q_rot": right, "k": k, "k_rot": applied(k, c, s, of_k), "cos_cache": cos, "sin_cache": sin, **ids_of}
                yield Case(f"{name}k {of_k}", both, ["--table"], {"q": [], "k": [] if of_k == layout else ["pair-layout"]})
            start = np.arange(length)[None].repeat(2, 0)
            for words, y, asked, want in (
                    ("other layout", right, other, "pair-layout"), ("sin negated", applied(x, c, -s, layout), layout, "direction"),
                    ("swapped", applied(x, s, c, layout), layout, "cos-sin-swapped"),
                    ("row numbers", applied(x, cos[start], sin[start], layout), layout, "position-source"),
                    ("next row", applied(x, cos[ids + 1], sin[ids + 1], layout), layout, "position-offset offset=1"),
                    ("previous row", applied(x, cos[ids - 1], sin[ids - 1], layout), layout, "position-offset offset=-1")):
                yield Case(name + words, dump(y), ["--table", "--layout", asked], [(want.split()[0], {})] if " " not in want else [want],
                           excludes='"advice": ""')
            bent = right.copy()
            bent[1, 2, 1, 0] += 1e-3
            yield Case(name + "one value", dump(bent), flags, [], 1)


def table_reads():
    """A table of cos and sin that is read at wrong places."""
    def reads(at, h, width):
        """Name, cos and sin of each pair, and the expected text, for table rows of `width` dimensions."""
        c, s = map(np.float32, turns(inv_freq(2 * h, 1e6).astype(float), np.arange(2 * int(max(at)) + 5)))
        of = {"cos‖sin": np.hstack([c, s]), "pairs": np.stack([c, s], -1).reshape(len(c), -1),
              "doubled": np.hstack([c, c, s, s]), "cos": c, "sin": s}
        pad = 1 << (2 * h - 1).bit_length()

        def row(name, stride, first, step=1, count=h):
            flat = of[name].reshape(-1)
            return flat[np.minimum(at[:, None] * stride + first + step * np.arange(count), len(flat) - 1)]

        yield "sin a row late", row("cos", h, 0), row("sin", h, h), "sin of position m + 1 goes with cos of m"
        yield "sin a row early", row("cos", h, 0), row("sin", h, -h), "sin of position m − 1 goes with cos of m"
        yield "sin a column late", row("cos", h, 0), row("sin", h, 1), "sin of pair i + 1 goes with cos of i"
        yield "cos for sin", row("cos", h, 0), row("cos", h, 0), "cos is read for sin"
        yield "sin for cos", row("sin", h, 0), row("sin", h, 0), "sin is read for cos"
        yield ("halves as pairs", row("cos‖sin", 2 * h, 0, 2), row("cos‖sin", 2 * h, 1, 2),
               f"a row of the table is c0 c1 … s0 s1 …, {2 * h} values, and is read as c0 s0 c1 s1 …")
        yield ("pairs as halves", row("pairs", 2 * h, 0), row("pairs", 2 * h, h),
               f"a row of the table is c0 s0 c1 s1 …, {2 * h} values, and is read as cos from value 0 and sin from value {h} on")
        yield ("doubled as halves", row("doubled", 2 * h, 0), row("doubled", 2 * h, h),
               f"{4 * h} values, and is read as cos from value 0 and sin from value {h} on, rows {2 * h} values apart")
        if pad != 2 * h:  # vllm-ascend#12723
            yield ("sin behind a padded half", row("cos‖sin", 2 * h, 0), row("cos‖sin", 2 * h, pad // 2),
                   f"{2 * h} values, and is read as cos from value 0 and sin from value {pad // 2} on")
        if width > 2 * h:  # vllm#43676
            for stride, apart in (2 * h, ""), (width, f", rows {width} values apart"):
                yield (f"all dimensions, {stride}", *(row("cos‖sin", stride, first, 1, width // 2) for first in (0, width // 2)),
                       f"{width} dimensions are rotated by a table for {2 * h}: a row of the table is c0 c1 … s0 s1 …, {2 * h} "
                       f"values, and is read as cos from value 0 and sin from value {width // 2} on{apart}")

    for fmt, width, dims, layout, heads, at in (
            ("float32", 128, 128, "half", 3, np.arange(60)), ("bfloat16", 80, 80, "interleaved", 1, np.arange(200)),
            ("float16", 192, 192, "half", 2, 3000 + np.arange(40)), ("bfloat16", 128, 64, "half", 3, np.arange(60)),
            ("float32", 128, 64, "interleaved", 1, np.arange(200))):
        flags = ["--dim", str(width), "--rotary-dim", str(dims), "--base", "1e6", "--axes", "bhsd", "--layout", layout]
        name = f"{fmt} {width}/{dims} {layout}: "
        dump = lambda rows: vectors(fmt, rows, layout, 0, width, heads) | {"position_ids": at}
        for what, c, s, expected in reads(at, dims // 2, width):
            yield Case(name + what, dump((c, s)), flags, ["table-indexing"], expects=expected)
        c, s = turns(inv_freq(dims, 1e6).astype(float), at)
        yield Case(name + "as it is", dump((c, s)), flags, [])
        yield Case(name + "sin of any pair", dump((c, s[:, rng.permutation(dims // 2)])), flags, [], 1)


def one_rotation():
    """q, k and a table without a config; if one has another rotation, the other two determine the right one."""
    keys = {"base": {"base": 500000}, "pair-layout": {"layout": "interleaved"}, "rotary-dim": {"dims": 64},
            "position-offset": {"first": 1}, "position-scale": {"scale": 0.25}, "direction": {"scale": -1}}

    def of(name, fmt, base=10000, layout="half", dims=128, first=0, scale=1):
        return vectors(fmt, table(inv_freq(dims, base), scale * (np.arange(60) + first)), layout, 0, 128, 4 if name == "q" else 2,
                       name=name)

    def made(base, dims=128):
        return cos_sin(table(inv_freq(dims, base), np.arange(60)))

    for fmt in "float32", "bfloat16", "float16":
        q, k = of("q", fmt), of("k", fmt)
        yield Case(f"{fmt}: alike", q | k, [], {"q": [], "k": []})
        for name, how in keys.items():
            yield Case(f"{fmt}: {name}", q | of("k", fmt, **how), [], {"q": [], "k": [(name, {})]})
        yield Case(f"{fmt}: keys not rotated", q | {"k": k["k"], "k_rot": k["k"]}, [], {"q": [], "k": ["not-rotated"]})
        yield Case(f"{fmt}: a table of another base than two", q | k | made(500000), [], {"table": ["base"], "q": [], "k": []})
        yield Case(f"{fmt}: a table of another base than one", q | made(500000), [], {"table": [], "q": ["base"]})
        yield Case(f"{fmt}: a table and vectors", q | k | made(10000), [], {"table": [], "q": [], "k": []})
        yield Case(f"{fmt}: a table, and k of another layout than q", q | of("k", fmt, layout="interleaved") | made(10000), [],
                   {"table": [], "q": [], "k": ["pair-layout"]})
        yield Case(f"{fmt}: a table, and vectors off by two",
                   of("q", fmt, base=500000, first=2) | of("k", fmt, base=500000, first=2) | made(500000), [],
                   {"table": [], "q": ["position-offset offset=2"], "k": ["position-offset offset=2"]})
        for layout in "half", "interleaved":
            yield Case(f"{fmt}: a table of the rotated dimensions, {layout}", of("q", fmt, dims=64, layout=layout) | made(10000, 64),
                       [], {"table": [], "q": []})
            lost = of("q", fmt, layout=layout)
            lost["q_rot"][0, 1] = lost["q"][0, 1]
            yield Case(f"{fmt}: a table, and vectors of which a head is not rotated, {layout}", lost | made(10000), [],
                       {"table": [], "q": ["not-rotated"]})
    # the table determines the scaling and the layout, which a few 16-bit rows leave open
    amplitude, scaled, plain = 0.1 * np.log(16) + 1, yarn(128, 1000000, 16, 32768).astype(float), inv_freq(128, 32000)
    for rows, first, theta, scale, layout in ((12, 0, scaled, amplitude, "half"), (12, 0, scaled, amplitude, "interleaved"),
                                              (2, 17, plain, 1, "interleaved"), (3, 4000, plain, 1, "interleaved")):
        at = first + np.arange(rows)
        rows_at = table(theta, at, scale=scale)
        arrays = cos_sin(rows_at, position_ids=at)
        for name, heads in ("q", 4), ("k", 2):
            arrays |= vectors("bfloat16", rows_at, layout, heads=heads, name=name)
        yield Case(f"{rows} rows from {first} on, {layout}", arrays, [], {"table": [], "q": [], "k": []})
    for rows in 3, 60:  # heads with half of the table's dimensions, which is no width of that table
        x = normal(1, 2, rows, 64)
        wide = {name: t[:rows] for name, t in made(10000).items()}
        for name, after, want in ("noise", normal(*x.shape), []), ("still", x, ["not-rotated"]):
            yield Case(f"a wider table, {rows} rows, {name}", wide | {"q": x, "q_rot": after}, [], {"table": [], "q": want}, 1)


# --- vectors with a bias, weights or xPos' scale, or written at the other end of the head ---

FAULTS = {"": {}, "base": {"base": 500000}, "position-offset": {"first": 1}, "pair-layout": {"layout": "interleaved"}}


def turned(x, dims, base=10000, layout="half", first=0, at=0):
    return rotate(x, *table(inv_freq(dims, base), at + first + np.arange(x.shape[-2])), layout)


def shifted():
    second = lambda fault: [(fault, {})] if fault else []
    for fmt in "float32", "bfloat16", "float16":
        write = lambda x: ROUND[fmt](np.float32(x))
        for heads, dims, size, at, fault in ((3, 128, 2, 0, ""), (1, 128, 0.3, 0, "base"), (3, 64, 2, 0, "position-offset"),
                                              (1, 64, 2, 500, ""), (3, 128, 40, 0, ""), (4, 128, 1, 0, "pair-layout")):
            x, bias = normal(heads, 80, 128, fmt=fmt), write(size * normal(heads, 1, 128))
            flags = ["--dim", "128", "--rotary-dim", str(dims), "--axes", "hsd"]
            of = " of each head's own" if heads > 1 else ""
            for added in ("before", "after")[:1 if size > 2 or at else 2]:
                y = turned(x + bias, dims, at=at, **FAULTS[fault]) if added == "before" else \
                    turned(x, dims, at=at, **FAULTS[fault]) + bias
                yield Case(f"{fmt}: a bias of {size} {added}, {heads} heads, {dims} dimensions from {at}, {fault}",
                           {"q": x, "q_rot": write(y), "position_ids": at + np.arange(80)}, flags,
                           [("dimension-shift", f"a bias{of} is added {added} the rotation, up to "), *second(fault)])
        zeta = (np.arange(0, 128, 2) / 128 + 0.4) / 1.4
        for side, base, centre, fault in ("q", 512, 40, ""), ("k", 512, 40, "base"), ("q", 256, 0, "position-offset"):
            x, sign = normal(2, 80, 128, fmt=fmt), "" if side == "q" else "−"
            power = zeta ** ((np.arange(80)[:, None] - centre) / base * (1 if side == "q" else -1))
            y = write(turned(x, 128, **FAULTS[fault]) * np.hstack([power, power]))
            yield Case(f"{fmt}: xPos of {side}, {base}, {fault}", {side: x, side + "_rot": y}, ["--dim", "128", "--axes", "hsd"],
                       [("vector-scale", f"pair i is multiplied by ((2i/d + 0.4)/1.4)^({sign}(m − {centre})/{base}), as xPos does to "
                         f"{side}, which compare --after xpos={base}:{centre} undoes"), *second(fault)])
        for layout in ("half", "interleaved") if fmt != "float16" else ():
            for fault in "", "base":
                x, how = normal(2, 80, 192, fmt=fmt), FAULTS[fault] | {"layout": layout}
                last, first = turned(x[..., 128:], 64, **how), turned(x[..., :64], 64, **how)
                for name, y, more, expected in (
                        ("first", np.concatenate([last, x[..., :128]], -1), ["--rope", "rotary_offset=128"],
                         "the rotated dimensions are read at the end of the head and written at its start"),
                        ("last", np.concatenate([x[..., 64:], first], -1), [],
                         "the rotated dimensions are read at the start of the head and written at its end")):
                    yield Case(f"{fmt}: rotated dimensions {name}, {layout}, {fault}", {"q": x, "q_rot": write(y)},
                               ["--dim", "192", "--rotary-dim", "64", "--layout", layout, "--axes", "hsd", *more],
                               [("pair-layout", expected), *second(fault)])


def weights_of_heads():
    """q before q_norm and q_rot after the rotation, with separate weights for each head: for the norm over all heads
    (OLMo 2 and MiniMax-M2), with Cohere's shape of weights, and without a norm."""
    rules = {"weights": None, "norm": -1, "norm of all heads": (1, 3)}  # axes of the mean

    def weighted(x, weights, rule):
        return x * weights / (np.sqrt((x * x).mean(rules[rule], keepdims=True) + 1e-6) if rules[rule] else 1)

    def dump(fmt, heads, rows, rule, where, layout="half", turning=64, order="bhsd", base=10000, later=0, plain=0):
        """q before, between and after the two operations; the weights of the first `plain` heads are 1."""
        q = ROUND[fmt](normal(2, heads, rows, 64) * np.exp(rng.uniform(-1, 1, (2, heads, rows, 1)))).astype(np.float64)
        weights = ROUND[fmt](rng.uniform(0.4, 2, (heads, 1, 64)))
        weights[:plain] = 1
        x = ROUND[fmt](weighted(q, weights, rule)).astype(np.float64) if where == "before" else q
        y = rotate(x, *(ROUND[fmt](t) for t in table(inv_freq(turning, base), np.arange(rows) + later)), layout)
        y = weighted(y, weights, rule) if where == "after" else y
        return [v if order == "bhsd" else v.swapaxes(1, 2) for v in (q, x, ROUND[fmt](y))]

    for fmt in "float32", "bfloat16":
        q, _, y = dump(fmt, 4, 24, "weights", "after", plain=3)
        yield Case(f"{fmt}: weights of one head", {**store("q", q, fmt), **store("q_rot", y, fmt)},
                   ["--dim", "64", "--axes", "bhsd"], code=1, excludes="dimension-scale")
        for rule in rules:
            for where in "before", "after":
                for more, also in (({"heads": 4, "rows": 24}, None),
                                   # one head has every 8th row in memory
                                   ({"heads": 8, "rows": 128, "order": "bshd"}, None),
                                   ({"heads": 32, "rows": 24, "layout": "interleaved", "order": "bshd"}, None),
                                   ({"heads": 6, "rows": 40, "turning": 32}, None),
                                   ({"heads": 4, "rows": 40, "later": 1}, "position-offset"),
                                   ({"heads": 4, "rows": 40, "base": 500000}, "base"),
                                   ({"heads": 4, "rows": 40, "layout": "interleaved"}, "pair-layout")):
                    if where == "after" and also:
                        continue
                    q, between, y = dump(fmt, rule=rule, where=where, **more)
                    flags = ["--dim", "64", "--rotary-dim", str(more.get("turning", 64)), "--axes", more.get("order", "bhsd"),
                             "--layout", "half" if also else more.get("layout", "half")]
                    name = f"{fmt}, {rule} {where}, {more}"
                    yield Case(name, {**store("q", q, fmt), **store("q_rot", y, fmt)}, flags,
                               [("dimension-scale", {"rule": rule, "applied": where, "weights": "of each head"}), *([(also, {})] if also else [])],
                               expects="every dimension of each head is multiplied by its own number", excludes='"heads"')
                    if where == "before" and not also:
                        yield Case(f"{name}, behind the norm", {**store("q", between, fmt), **store("q_rot", y, fmt)}, flags, [])


def pipeline_made():
    """--pipeline chatglm-fp16 and tf32 on tables with the same rounding made with NumPy."""
    def made(pipeline, base=10000):
        """cos and sin as ChatGLM-6B keeps them in float16, or from a TF32 matrix product in float32."""
        positions, theta = np.arange(2000, dtype=np.float32), inv_freq(64, base)
        if pipeline == "tf32":
            return [np.float32(t) for t in turns(ROUND["tf32"](theta), ROUND["tf32"](positions))]
        angle = (positions.astype(np.float16)[:, None] * theta.astype(np.float16)).astype(np.float64)
        return np.cos(angle).astype(np.float16), np.sin(angle).astype(np.float16)

    def both(cos, sin, **more):
        return {"cos": cos, "sin": sin, **more}

    # TF32 represents these positions exactly, so that only inv_freq is rounded
    for pipeline, other, rounded in ("chatglm-fp16", "tf32", "angle-precision"), ("tf32", "chatglm-fp16", "inv-freq-precision"):
        cos, sin = made(pipeline)
        q = rng.standard_normal((2000, 64)).astype(cos.dtype)
        y, back = (rotate(q, cos, of).astype(cos.dtype) for of in (sin, -sin))
        ids, bent = rng.integers(0, 2000, 100), cos.copy()
        bent[1500, 3] += 0.01
        reverse = ["--rope", "direction=reverse"]
        for name, by, arrays, more, want in (
                ("its own table", pipeline, both(cos, sin), [], []), ("its own vectors", pipeline, {"q": q, "q_rot": y}, [], []),
                ("backwards", pipeline, {"q": q, "q_rot": back}, [], ["direction"]),
                ("backwards as asked", pipeline, {"q": q, "q_rot": back}, reverse, []),
                ("forwards", pipeline, {"q": q, "q_rot": y}, reverse, ["direction"]),
                ("its own rows at ids", pipeline, both(cos[ids], sin[ids], position_ids=ids), [], []),
                ("other base", pipeline, both(*made(pipeline, 500000)), [], ["base"]),
                ("by another", other, both(cos, sin), [], [rounded]), ("other direction", pipeline, both(cos, -sin), [], ["direction"])):
            yield Case(f"{pipeline}: {name}", arrays, ["--dim", "64", "--base", "10000", "--pipeline", by, *more],
                       None if want else [], int(bool(want)), expects=want)
        yield Case(f"{pipeline}: one value", both(bent, sin), ["--dim", "64", "--base", "10000", "--pipeline", pipeline], code=1)


def cases():
    for kind in own_table, table_reads, one_rotation, shifted, weights_of_heads, pipeline_made:
        yield from kind()
