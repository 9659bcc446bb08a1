"""Answers the conformance suite with llama.cpp's ggml_rope_ext and ggml_rope_multi, and their _back functions for dx.

usage: ggml_rope.py FORM TYPE DIR
"""
import sys

import numpy as np

import ggml
import suite_folder

NORM, NEOX, MROPE, VISION, IMROPE = 0, 2, 8, 24, 40


def factors(case, width):
    """freq_factors, which llama.cpp uses for all other scalings: theta_i is divided by them."""
    base = case.rope["rope_theta"] ** (-np.arange(0, width, 2) / width)
    return (base / np.maximum(case.array("inv_freq"), 1e-30 * base)).astype(np.float32)


def scaling(rope_type):
    return rope_type if rope_type in ("default", "linear", "yarn") else "freq_factors"


def rotate(mode, case, x, dtype, back):
    kind, numpy_type = ggml.TYPES[dtype]
    (rows, head_dim), width, rope = x.shape, case.spec["rotary_dim"], case.rope
    positions, sections, name = case.array("positions"), [], "ggml_rope_ext"
    if mode >= MROPE:
        positions = np.concatenate([positions, np.zeros((4 - len(positions), rows), np.int32)])
        sections = [ggml.ints(case.spec.get("mrope_section", [head_dim // 4] * 4))]  # VISION: of Qwen2-VL
        name = "ggml_rope_multi"
    scaled = scaling(rope["rope_type"])
    yarn, factor = scaled == "yarn", rope.get("factor", 1) if scaled in ("linear", "yarn") else 1
    context = ggml.context(4 * x.nbytes + positions.nbytes)
    a, b = ggml.tensor(context, kind, x.astype(numpy_type)[:, None]), ggml.tensor(context, ggml.I32, positions.ravel())
    c = ggml.tensor(context, ggml.F32, factors(case, width)) if scaled == "freq_factors" else None
    function = ggml.function(name + "_back", "ggml_rope_back") if back else ggml.function(name)
    y = function(context, a, b, c, head_dim // 2 if mode == VISION else width, *sections, mode,
                 rope["original_max_position_embeddings"] if yarn else 0,
                 *ggml.floats(rope["rope_theta"], 1 / factor, yarn, 1 if yarn else case.attention_factor, 32, 1))
    return ggml.computed(context, y, x.nbytes if dtype == "float32" else x.nbytes // 2)


def plain(mode, layout, *kinds):
    """Without yarn-mscale: its ramp is not truncated, which a GGUF cannot say."""
    return mode, lambda case: (case.is_plain(layout) and scaling(case.rope["rope_type"]) in kinds
                               and case.rope.get("truncate", True))


FORMS = {name: (mode, lambda case, scheme=scheme: case.is_half_with(scheme)) for name, mode, scheme in (
    ("MROPE", MROPE, "sectioned"), ("IMROPE", IMROPE, "interleaved4"), ("VISION", VISION, "axial"),
    ("IMROPE of three axes", IMROPE, "interleaved"))}
for name, *of in (("NORM", NORM, "interleaved"), ("NEOX", NEOX, "half_split")):
    FORMS |= {name: plain(*of, "default", "linear"), f"{name}, yarn": plain(*of, "yarn"),
              f"{name}, freq_factors": plain(*of, "freq_factors")}
if __name__ == "__main__":
    mode, takes = FORMS[sys.argv[1]]
    suite_folder.answer(sys.argv[3], takes, [sys.argv[2]], lambda *of: rotate(mode, *of))
