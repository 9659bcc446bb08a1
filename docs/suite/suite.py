"""Runs rotate() through rope-check's conformance suite, and the wrong answers that it must reject.

usage: python3 suite.py DIR    of rope-check export --suite DIR; exit code 1 if rotate() is wrong
"""
import json, math, os, struct, sys

DTYPES = ["float32", "bfloat16", "float16"]  # that rotate() answers
ARITHMETIC = "double"  # how exact its angles are: one of manifest.json's
CODES = {"float64": "d", "float32": "f", "float16": "e", "bfloat16": "f", "int32": "i"}
float32 = lambda x: struct.unpack("f", struct.pack("f", x))[0]

def turns(case, transposed):  # each row and pair: its axis, the dimensions it reads, those it writes
    for row in range(case["rows"]):
        for i, (a, b, c, d, axis) in enumerate(zip(*[iter(case["pairs"])] * 5)):
            dims = (c, d, a, b) if transposed else (a, b, c, d)
            yield row, i, axis, *(row * case["head_dim"] + dim for dim in dims)

def rotate(case, x, transposed):  # R(m)x of every row, or R(m)^T x: replace it by yours
    y = list(x)
    for row, i, axis, a, b, c, d in turns(case, transposed):
        angle = float32(case["positions"][axis * case["rows"] + row]) * float32(case["inv_freq"][i])
        cos, sin = (float32(case["attention_factor"] * f(float32(angle))) for f in (math.cos, math.sin))
        sin = -sin if transposed else sin
        y[c], y[d] = float32(x[a] * cos - x[b] * sin), float32(x[b] * cos + x[a] * sin)
    return y

def numbers(digits, dtype):
    data = bytes.fromhex(digits)
    if dtype == "bfloat16":  # the upper half of a float32
        data = b"".join(b"\0\0" + data[i:i + 2] for i in range(0, len(data), 2))
    return [x for x, in struct.iter_unpack("<" + CODES[dtype], data)]

def stored(values, dtype):
    data = struct.pack(f"<{len(values)}{CODES[dtype]}", *values)
    if dtype == "bfloat16":
        data = b"".join(struct.pack("<I", bits + 0x8000)[2:] for bits, in struct.iter_unpack("<I", data))
    return data.hex()

def holds(case, output, dtype, got):  # no value that is NaN does
    x, want, allowed = case[output["input"]], case[f"{dtype}/{output['name']}"], {}
    for row, i, _, a, b, c, d in turns(case, output["transposed"]):
        angle = case["angle/" + ARITHMETIC][row * len(case["inv_freq"]) + i]
        allowed[c] = allowed[d] = math.hypot(x[a], x[b]) * (angle + case["rounding"][dtype])
    return all(abs(got[k] - w) <= allowed.get(k, 0) for k, w in enumerate(want))

manifest, vectors = (json.load(open(os.path.join(sys.argv[1], f))) for f in ("manifest.json", "vectors.json"))
cases, outputs = {c["id"]: c for c in manifest["cases"]}, {o["name"]: o for o in manifest["outputs"]}
arrays = {name: numbers(one["hex"], one["dtype"]) for name, one in vectors["arrays"].items()}
for name in arrays:  # but what the manifest has
    cases[name.split("/")[0]].setdefault(name.partition("/")[2], arrays[name])
tests = [(c, o, d) for c in manifest["cases"] for o in manifest["outputs"] for d in DTYPES]
answers = {f"{c['id']}/{d}/{o['name']}": stored(rotate(c, c[o["input"]], o["transposed"]), d) for c, o, d in tests}
failed = [name for name, test in zip(answers, tests) if not holds(*test, numbers(answers[name], test[2]))]
missed = [w["name"] for w in manifest["wrong"]
          if holds(cases[w["case"]], outputs[w["output"]], w["dtype"], arrays[w["name"]])]
print("".join(f"FAIL {name}\n" for name in failed) + "".join(f"ACCEPTED {name}\n" for name in missed), end="")
print(len(answers) + len(manifest["wrong"]), "tests,", len(failed) + len(missed), "failed")
if "ROPE_CHECK_DIR" in os.environ:  # for rope-check audit --suite
    json.dump(answers, open(os.path.join(sys.argv[1], "answers.json"), "w"))
sys.exit(bool(failed or missed) and "ROPE_CHECK_DIR" not in os.environ)
