"""llama.cpp's ggml_rope_ext and ggml_rope_multi, called through ctypes, through the conformance suite.

usage: ggml_rope.py FORM DIR    GGML: the folder of libggml-base.so and libggml-cpu-haswell.so
"""
import ctypes
import os
import sys

import numpy as np

import suite_folder

F32, F16, I32 = 0, 1, 26  # enum ggml_type
NORM, NEOX, MROPE, IMROPE = 0, 2, 8, 40
TYPES = {"float32": (F32, np.float32), "float16": (F16, np.float16)}


class Params(ctypes.Structure):  # struct ggml_init_params
    _fields_ = [("size", ctypes.c_size_t), ("buffer", ctypes.c_void_p), ("no_alloc", ctypes.c_bool)]


def libraries():
    folder = os.environ["GGML"]
    base = ctypes.CDLL(f"{folder}/libggml-base.so", ctypes.RTLD_GLOBAL)
    cpu = ctypes.CDLL(f"{folder}/libggml-cpu-haswell.so", ctypes.RTLD_GLOBAL)
    for name in ("init", "new_tensor_4d", "new_graph", "get_data", "rope_ext", "rope_ext_back", "rope_multi",
                 "rope_multi_back"):
        getattr(base, "ggml_" + name).restype = ctypes.c_void_p
    base.ggml_version.restype = ctypes.c_char_p
    cpu.ggml_cpu_init()
    return base, cpu


BASE, CPU = libraries()


def tensor(context, kind, values, *shape):
    new = BASE.ggml_new_tensor_4d(context, kind, *(ctypes.c_int64(n) for n in (*shape, *[1] * (4 - len(shape)))))
    pointer = ctypes.c_void_p(new)
    ctypes.memmove(BASE.ggml_get_data(pointer), values.tobytes(), values.nbytes)
    return pointer


def scaling(spec):
    """freq_scale, ext_factor and n_ctx_orig, as llama.cpp takes them from a GGUF."""
    rope = spec["rope_parameters"]
    if rope["rope_type"] == "linear":
        return 1 / rope["factor"], 0, 0
    if rope["rope_type"] == "yarn":
        return 1 / rope["factor"], 1, rope["original_max_position_embeddings"]
    return 1, 0, 0


def factors(case, width):
    """freq_factors, by which llama.cpp has all other scaling: theta_i is divided by them."""
    rope = case.spec["rope_parameters"]
    if rope["rope_type"] in ("default", "linear", "yarn"):
        return None
    inv_freq = case.array("inv_freq")
    base = rope["rope_theta"] ** (-np.arange(0, width, 2) / width)
    return (base / np.maximum(inv_freq, 1e-30 * base)).astype(np.float32)


def rotate(case, mode, x, dtype, back):
    kind, numpy_type = TYPES[dtype]
    width, (rows, head_dim) = case.spec["rotary_dim"], x.shape
    context = ctypes.c_void_p(BASE.ggml_init(Params(1 << 24, None, False)))
    positions = case.array("positions")
    if mode in (MROPE, IMROPE):
        positions = np.concatenate([positions, np.zeros((4 - len(positions), rows), np.int32)])
    divisors = factors(case, width)
    a = tensor(context, kind, x.astype(numpy_type), head_dim, 1, rows)
    b = tensor(context, I32, positions, positions.size)
    c = None if divisors is None else tensor(context, F32, divisors, len(divisors))
    scale, ext, original = scaling(case.spec)
    numbers = (ctypes.c_float(n) for n in (case.spec["rope_parameters"]["rope_theta"], scale, ext,
                                           1 if ext else case.attention_factor, 32, 1))
    name, sections = "ggml_rope_ext", []
    if mode in (MROPE, IMROPE):
        name = "ggml_rope_multi"
        sections = [(ctypes.c_int * 4)(*case.spec["mrope_section"], *[0] * (4 - len(case.spec["mrope_section"])))]
    function = getattr(BASE, name + ("_back" if back else ""))
    y = ctypes.c_void_p(function(context, a, b, c, width, *sections, mode, original, *numbers))
    graph = ctypes.c_void_p(BASE.ggml_new_graph(context))
    BASE.ggml_build_forward_expand(graph, y)
    if CPU.ggml_graph_compute_with_ctx(context, graph, 1) != 0:
        sys.exit("ggml_graph_compute_with_ctx failed")
    data = ctypes.string_at(BASE.ggml_get_data(y), x.size * np.dtype(numpy_type).itemsize)
    BASE.ggml_free(context)
    return data


def is_like_a_gguf(case):
    """yarn-mscale's ramp is not truncated, which a GGUF cannot say."""
    return not case.id.startswith("yarn-mscale")


FORMS = {
    "NORM": (NORM, lambda case: case.is_plain("interleaved") and is_like_a_gguf(case)),
    "NEOX": (NEOX, lambda case: case.is_plain("half_split") and is_like_a_gguf(case)),
    "MROPE": (MROPE, lambda case: case.id == "sectioned-half"),
    "IMROPE": (IMROPE, lambda case: case.id == "thw4-half"),
    "IMROPE of three axes": (IMROPE, lambda case: case.id == "thw-half"),
}


def main(form, dtype, folder):
    mode, takes = FORMS[form]
    answers = {}
    for case in filter(takes, suite_folder.cases(folder)):
        for source, output in (("q", "q_rot"), ("k", "k_rot"), ("dy", "dx")):
            answers[f"{case.id}/{dtype}/{output}"] = rotate(case, mode, case.array(source), dtype, output == "dx")
    suite_folder.write(folder, answers)


if __name__ == "__main__":
    if sys.argv[1:] == ["--version"]:
        print(BASE.ggml_version().decode())
    else:
        main(*sys.argv[1:])
