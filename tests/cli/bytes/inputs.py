"""The recorded commands, and their inputs: golden files, and arrays made with the standard library only."""
import itertools
import json
import math
import re
import shutil
import struct
import subprocess
import zipfile
from pathlib import Path

TESTS = Path(__file__).resolve().parents[2]
GOLDEN = {
    "ggml": ["neox_d128_b1e4", "neox_d128_b1e4_f16"], "labml": ["labml_d64"],
    "hf_half": ["llama_d64_b1e4_ragged", "llama_d64_b5e5_llama3f32", "llama_d128_b1e4_default"],
    "hf_interleaved": ["gptj_d64"], "lucidrains": ["lucid_d64_ntk8"], "onnx": ["regen_d64_half"],
    "complex": ["llama4_d128_b5e5_llama3f16"], "mrope": ["qwen2vl_d128_b1e6_s16_24_24"],
    "xpos": ["torchscale_d64"]}
DIM, ROWS = 16, 64


def commands():
    for line in Path(__file__).with_name("commands.txt").read_text().split("\n"):
        if line and not line.startswith("#"):
            parts = [part.split(",") for part in re.split(r"\{([^}]*)\}", line)[1::2]]
            text = re.sub(r"\{[^}]*\}", "{}", line)
            for choice in itertools.product(*parts):
                yield text.format(*choice)


def npy(values, columns, form="<f4"):
    shape = f"({len(values) // columns}, {columns})" if columns else f"({len(values)},)"
    header = f"{{'descr': '{form}', 'fortran_order': False, 'shape': {shape}, }}".ljust(117) + "\n"
    return (b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() +
            struct.pack(f"<{len(values)}{'f' if form == '<f4' else 'd'}", *values))


def save(name, cos, sin):
    with zipfile.ZipFile(name, "w") as archive:
        for array, values in (("cos", cos), ("sin", sin)):
            archive.writestr(zipfile.ZipInfo(array + ".npy"), npy(values, DIM // 2))


def table(file="table.json"):
    """cos and sin from exported exact tables, because a C library's differ between machines."""
    arrays = json.loads(Path(file).read_text())["arrays"]
    return arrays["cos"]["values"], arrays["sin"]["values"]


def save_faulty(cos, sin):
    half = DIM // 2
    save("sound.npz", cos, sin)
    save("cos_swapped_sin.npz", sin, cos)
    save("row_late.npz", cos[:half] + cos[:-half], sin[:half] + sin[:-half])
    save("negated_sin.npz", cos, [-value for value in sin])
    save("one_lane_off.npz", [value * (1 + (k % half == 3) / 64) for k, value in enumerate(cos)], sin)
    save("not_a_number.npz", cos[:99] + [math.nan] + cos[100:], sin)
    save("zeros.npz", [0.0] * len(cos), [0.0] * len(sin))
    save("scaled.npz", [value * 0.75 for value in cos], [value * 0.75 for value in sin])
    save("repeated.npz", cos[:half * 8] * 8, sin[:half * 8] * 8)


def prepare(tool):
    """Fills the current folder with inputs; `tool` is the command that runs the tool."""
    def run(*words):
        subprocess.run([*tool, *words, "-q"], check=True, capture_output=True)
    for folder, names in GOLDEN.items():
        for name in names:
            shutil.copy(TESTS / "golden" / folder / f"{name}.npz", ".")
    for path in [*(TESTS / "cli/files").glob("*"), *(TESTS / "golden/configs").glob("*a-3*.json")]:
        shutil.copy(path, ".")
    Path("cohere2.json").write_text(json.dumps({"model_type": "cohere2", "hidden_size": 512, "max_position_embeddings": 64, "layer_types":
        ["sliding_attention"] * 3 + ["full_attention"], "rope_scaling": {"rope_type": "linear", "factor": 2, "mscale": 1}}))
    table_words = ("--dim", str(DIM), "--positions", f"0:{ROWS}", "--cache-layout", "half")
    run("export", *table_words, "-o", "table.json", "-o", "table.npz")
    save_faulty(*table())
    run("export", "--dim", "16", "--positions", "0:40", "--dtype", "bfloat16", "-o", "bf16.safetensors")
    run("export", "--dim", str(DIM), "--positions", "0:301", "--cache-layout", "half", "-o", "long.json")
    rounded = [row if row < 256 else 2 * round(row / 2) for row in range(300)]  # to bfloat16
    save("wrong.npz", *([value for row in rounded for value in values[row * DIM // 2:(row + 1) * DIM // 2]]
                        for values in table("long.json")))
    Path("given.npy").write_bytes(npy([2.0 ** -k for k in range(8)], 0, "<f8"))
    Path("odd.npy").write_bytes(npy([1, math.nan, 0.1, 0, 0.01, -0.003, 0.001, 0.0003], 0, "<f8"))
    run("audit", "new", "answered", "--dim", "16")
    shutil.copy("answered/x.npy", "answered/y.npy")
    run("baseline", "record", "recorded.json", "--dim", "16", "--context", "64", "--reason", "r")
    baseline = json.loads(Path("recorded.json").read_text())
    metrics = list(baseline["runs"][0]["metrics"].values())
    for metric in metrics[::7]:
        if isinstance(metric["value"], (int, float)):
            metric["value"] *= 2
    Path("drifted.json").write_text(json.dumps(baseline))
