"""The audited implementations of other projects, each with all rotations that it offers."""
import json
import os
import subprocess
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).resolve().parent
PYTHON = ["/usr/bin/python3", "-B"]
HALF, INTERLEAVED, TO_HALF = ([], ["--layout", "interleaved"], ["--layout", "interleaved-to-half"])
YARN = ["--rope", "rope_type=yarn,factor=4,original_max_position_embeddings=32768"]  # of Qwen2.5, 128 dimensions
# of Llama 3.1
LLAMA3 = ["--base", "500000", "--rope", "rope_type=llama3,factor=8,low_freq_factor=1,high_freq_factor=4,original_max_position_embeddings=8192"]


def axes(scheme, sections=None):
    return ["--rope", f"axes={scheme}" + (f",mrope_section={sections}" if sections else "")]


class Configuration(NamedTuple):
    implementation: str
    version: str
    name: str
    program: list
    environment: dict
    sweep: list  # flags of rope-check for the sweep over many positions, or None
    dtype: str = "float32"  # the dtype of the sweep
    reason: str = ""  # why a wrong result is expected


TORCH = {  # the program, and the other fields of Configuration
    "rotate_half": ("half", HALF),
    "rotate_half, inv_freq from the config": ("half", HALF),
    "rotate_half, float64 angles": ("half", HALF),
    "rotate_half, autocast": ("half", HALF, "position·inv_freq is a bfloat16 product under autocast"),
    "rotate_half, bfloat16 positions": ("half", HALF, "bfloat16 has no odd positions beyond 256"),
    "rotate_half, bfloat16 inv_freq": ("half", HALF, "the inv_freq buffer was cast with the model"),
    "M-RoPE sections": ("half", axes("sectioned", "16,24,24")),  # Qwen2-VL
    "rotate_every_two": ("interleaved", INTERLEAVED),
    "complex numbers": ("interleaved", INTERLEAVED),
    "interleaved to half": ("interleaved", TO_HALF),
}
GGML = {
    "NORM": (INTERLEAVED,),
    "NORM, yarn": (INTERLEAVED + YARN,),
    "NORM, freq_factors": (INTERLEAVED + LLAMA3,),
    "NEOX": (HALF,),
    "NEOX, yarn": (YARN,),
    "NEOX, freq_factors": (LLAMA3,),
    "MROPE": (axes("sectioned", "16,24,24"),),
    "IMROPE": (axes("interleaved4", "22,21,21,0"),),
    "IMROPE of three axes": (  # Qwen3-VL
        axes("interleaved", "24,20,20"),
        "the pairs that h and w leave over take the fourth axis's positions, not time's: ggml_mrope_cache_init "
        "in ggml/src/ggml-cpu/ops.cpp"),
    "VISION": (axes("axial"),),
}
NANOGPT = {
    "Rope, float32": ("rope", INTERLEAVED),
    "Rope, gradient after a past, float32": (
        "gradient after a past", None,
        "it rotates back from position 0, however long the past is: gradFunc in lib/ops/grads/rope.ts"),
}


def printed(*words, **environment):
    return subprocess.run(words, check=True, capture_output=True, encoding="utf-8",
                          env={**os.environ, **environment}).stdout.strip()


def torch():
    version = printed(*PYTHON, "-c", "import torch; print(torch.__version__.split('+')[0])")
    for name, (program, sweep, *reason) in TORCH.items():
        yield Configuration("PyTorch", version, name, [*PYTHON, HERE / f"torch_{program}.py", name],
                            {"ATEN_CPU_CAPABILITY": "avx2"}, sweep, "float32", *reason)


def onnxruntime(modules):
    version, environment = version_of(modules / "onnxruntime-node"), {"NODE_PATH": str(modules)}
    for name, words in {"RotaryEmbedding of com.microsoft": ["onnxruntime_rotary.js", "com.microsoft"],
                        "RotaryEmbedding of ai.onnx": ["onnxruntime_rotary.js", "ai.onnx"],
                        "GroupQueryAttention, do_rotary": ["onnxruntime_gqa.js"]}.items():
        for dtype in ("float32", "float16"):
            program = ["node", HERE / words[0], *words[1:], dtype]
            yield Configuration("onnxruntime", version, f"{name}, {dtype}", program, environment, HALF, dtype)


def ggml(modules):
    builds = {  # their libraries and forms; only the haswell build, because other processors may give other bits
        "node-llama-cpp/bins/linux-x64": (["libggml-base.so", "libggml-cpu-haswell.so"], GGML),
        "@fugood/node-llama-linux-x64": (["index.node"], GGML),
        "node-llama-cpp-3.1/bins/linux-x64": (["libggml.so"], list(GGML)[:6]),
    }
    for folder, (files, forms) in builds.items():
        folder = modules / folder
        environment = {"GGML": os.pathsep.join(str(folder / file) for file in files)}
        version = printed(*PYTHON, HERE / "ggml.py", **environment)
        if version == "None":  # older than ggml_version()
            version = json.loads((folder / "_nlcBuildMetadata.json").read_text())["buildOptions"]["llamaCpp"]["release"]
        for name, (sweep, *reason) in ((name, GGML[name]) for name in forms):
            for dtype in ("float32", "float16"):
                program = [*PYTHON, HERE / "ggml_rope.py", name, dtype]
                yield Configuration("ggml", version, f"{name}, {dtype}", program, environment, sweep, dtype, *reason)


def nanogpt(modules):
    version = version_of(modules / "@genai-fi/nanogpt")
    for name, (form, sweep, *reason) in NANOGPT.items():
        yield Configuration("@genai-fi/nanogpt", version, name, ["node", HERE / "nanogpt_rope.js", form],
                            {"NODE_PATH": str(modules)}, sweep, "float32", *reason)


def version_of(package):
    return json.loads((package / "package.json").read_text())["version"]


def configurations(modules):
    return [*torch(), *onnxruntime(modules), *ggml(modules), *nanogpt(modules)]
