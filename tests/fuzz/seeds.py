#!/usr/bin/env python3
"""Makes tests/fuzz/seeds again: the initial inputs of each fuzz target.

usage: seeds.py TOOL    reads tests/golden/configs and tests/cli, and exports with TOOL
"""
import io
import json
import os
import random
import shlex
import shutil
import struct
import subprocess
import sys
import tempfile

import numpy as np

TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SEEDS = os.path.join(TESTS, "fuzz", "seeds")
LAYOUTS = "duplicated repeated half cos-sin sin-cos stacked complex angles ggml".split()
DRAWN = {"base_bound": 16, "compare": 256, "diagnosis": 64, "identity": 64, "right_exports": 96}
NUMBERS = ["0:16", "0,1,1000", "-12:12:0.5", "4294967295", "24x32", "4x4", "64M", "1.5GiB", "4096,64", "0:4294967296",
           "-0.125,7", "18446744073709551615"]


def write(target, name, content):
    folder = os.path.join(SEEDS, target)
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, name), "wb") as file:
        file.write(content if isinstance(content, bytes) else content.encode())


def write_all(target, contents):
    for number, content in enumerate(contents):
        write(target, f"{number:02}", content)


def configs():
    """The shortest real config of each model_type, and the golden configs."""
    shortest = {}
    with open(os.path.join(TESTS, "golden/configs/real.jsonl")) as lines:
        for line in lines:
            config = json.loads(line)
            config = config.get("config", config)
            text = json.dumps(config)
            kind = str(config.get("model_type"))
            if len(text) < len(shortest.get(kind, " " * 1200)):
                shortest[kind] = text
    folder = os.path.join(TESTS, "golden/configs")
    golden = [name for name in sorted(os.listdir(folder)) if name.endswith(".json")]
    return [open(os.path.join(folder, name)).read() for name in golden] + list(shortest.values())[:50]


def command_lines():
    with open(os.path.join(TESTS, "cli/cases/good_input.txt")) as lines:
        for line in lines:
            command = line.split(" | ", 3)[-1].strip()
            if command.startswith("rope-check ") and not set(command) & set("|<>$`&;('"):
                words = shlex.split(command)[1:]
                if len(words) > 2:
                    yield "\n".join(words)


def exports(tool, folder):
    """(file ending, bytes) of files of tables and vectors."""
    for number, layout in enumerate(LAYOUTS):
        ending = ["npz", "safetensors"][number % 2]
        dtype = "float32" if layout == "complex" else ["float32", "bfloat16", "float16"][number % 3]
        path = os.path.join(folder, f"{layout}.{ending}")
        subprocess.run([tool, "export", "-q", "--dim", "8", "--positions", "0:4", "--cache-layout", layout, "--dtype",
                        dtype, "-o", path], check=True)
        yield ending, open(path, "rb").read()
    for tensor in ("cos", "q_rot", "inv_freq", "position_ids"):
        path = os.path.join(folder, f"{tensor}.npy")
        subprocess.run([tool, "export", "-q", "--dim", "8", "--positions", "0:4", "--tensor", tensor, "-o", path],
                       check=True)
        yield "npy", open(path, "rb").read()


def arrays():
    angles = np.outer(np.arange(5), 0.1 ** np.arange(4))
    for array in (np.cos(angles).astype(">f4"), np.asfortranarray(np.sin(angles)), np.exp(1j * angles),
                  np.arange(6, dtype=np.uint16).reshape(1, 6), np.zeros((0, 8), "<f2"), np.float64(3)):
        file = io.BytesIO()
        np.save(file, array)
        yield "npy", file.getvalue()
    file = io.BytesIO()
    np.savez_compressed(file, cos=np.cos(angles), sin=np.sin(angles), position_ids=np.arange(5))
    yield "npz", file.getvalue()


def gguf(keys, tensors):
    def text(value):
        return struct.pack("<Q", len(value)) + value.encode()

    def value_of(value):
        if isinstance(value, str):
            return struct.pack("<I", 8) + text(value)
        if isinstance(value, float):
            return struct.pack("<If", 6, value)
        if isinstance(value, list):
            return struct.pack("<IIQ", 9, 5, len(value)) + struct.pack(f"<{len(value)}i", *value)
        return struct.pack("<II", 4, value)

    head = b"GGUF" + struct.pack("<IQQ", 3, len(tensors), len(keys))
    head += b"".join(text(key) + value_of(value) for key, value in keys.items())
    data = b""
    for name, array in tensors.items():
        head += text(name) + struct.pack("<I", array.ndim) + struct.pack(f"<{array.ndim}Q", *array.shape[::-1])
        head += struct.pack("<IQ", {"f": 0, "e": 1}[array.dtype.char], len(data))
        data += array.tobytes() + bytes(-array.nbytes % 32)
    return head + bytes(-len(head) % 32) + data


def ggufs():
    llama = {"general.architecture": "llama", "llama.context_length": 4096, "llama.embedding_length": 64,
             "llama.attention.head_count": 8, "llama.rope.dimension_count": 8, "llama.rope.freq_base": 500000.0}
    yield gguf(llama, {"rope_freqs.weight": np.ones(4, "f")})
    yield gguf({**llama, "llama.rope.scaling.type": "yarn", "llama.rope.scaling.factor": 4.0,
                "llama.rope.scaling.original_context_length": 1024, "llama.rope.scaling.attn_factor": 1.0}, {})
    yield gguf({"general.architecture": "phi3", "phi3.context_length": 131072, "phi3.embedding_length": 64,
                "phi3.attention.head_count": 8, "phi3.rope.scaling.original_context_length": 4096},
               {"rope_factors_short.weight": np.ones(4, "f"), "rope_factors_long.weight": np.full(4, 2, "f")})
    yield gguf({"general.architecture": "qwen2vl", "qwen2vl.embedding_length": 128, "qwen2vl.attention.head_count": 8,
                "qwen2vl.rope.dimension_sections": [2, 3, 3, 0]}, {})
    angles = np.outer(np.arange(4), 0.1 ** np.arange(4))
    yield gguf({}, {"cos": np.cos(angles).astype("f"), "sin": np.sin(angles).astype("f")})
    yield gguf({}, {"q": np.ones((4, 8), "e"), "q_rot": np.ones((4, 8), "e")})


def baselines(tool, folder):
    for number, words in enumerate(("--only orthogonality", "--only c3-R1 --context 64", "--only max-error --max-error 1")):
        path = os.path.join(folder, f"{number}.json")
        subprocess.run([tool, "baseline", "record", path, "--reason", "a seed", "--", "verify", "--dim", "8",
                        *words.split()], stderr=subprocess.DEVNULL, check=False)
        if os.path.exists(path):
            yield open(path, "rb").read()


def main(tool):
    shutil.rmtree(SEEDS, ignore_errors=True)
    known = configs()
    write_all("config", known)
    write_all("diff", [a + "\n---\n" + b for a, b in zip(known[::5], known[1::5])])
    write_all("options", sorted(set(command_lines()))[:60])
    write_all("positions", [bytes([number % 3]) + text.encode() for number, text in enumerate(NUMBERS)])
    write_all("gguf", ggufs())
    with tempfile.TemporaryDirectory() as folder:
        files = [*exports(tool, folder), *arrays()]
        write_all("baseline", baselines(tool, folder))
    for ending in ("npy", "npz", "safetensors"):
        write_all(ending, [content for kind, content in files if kind == ending])
    dice = random.Random(1)
    for target, size in DRAWN.items():
        write_all(target, [dice.randbytes(size) for _ in range(12)])


if __name__ == "__main__":
    main(sys.argv[1])
