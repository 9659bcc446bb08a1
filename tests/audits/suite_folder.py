"""The conformance suite as NumPy arrays, and its answers (docs/suite/README.md)."""
import json
from pathlib import Path

import numpy as np

TYPES = {"F64": "<f8", "F32": "<f4", "BF16": "<u2", "F16": "<f2", "I32": "<i4"}
NAMES = {"float64": "F64", "float32": "F32", "bfloat16": "BF16", "float16": "F16"}


class Case:
    def __init__(self, listed, arrays):
        self.id, self.spec, self.attention_factor = listed["id"], listed["spec"], listed["attention_factor"]
        self.rope, self.axes = self.spec["rope_parameters"], self.spec.get("axes")
        self.arrays = {name[len(self.id) + 1:]: array for name, array in arrays.items()
                       if name.startswith(self.id + "/")}

    def array(self, name):
        return self.arrays[name]

    def is_plain(self, layout, *rope_types):
        """Whether it has one position axis, and pairs in this layout from dimension 0 on that rotate forward."""
        return (self.spec["layout"] == layout and not self.axes
                and not {"rotary_offset", "direction"} & set(self.spec)
                and (not rope_types or self.rope["rope_type"] in rope_types))

    def is_half_with(self, axes):
        return self.spec["layout"] == "half_split" and self.axes == axes


def read(path):
    data = memoryview(Path(path).read_bytes())
    start = 8 + int.from_bytes(data[:8], "little")
    header = json.loads(bytes(data[8:start]))
    header.pop("__metadata__", None)
    return {name: np.frombuffer(data[start:][slice(*array["data_offsets"])], TYPES[array["dtype"]])
            .reshape(array["shape"]) for name, array in header.items()}


def write(path, arrays):
    """Writes arrays, given by name as (type, shape, bytes)."""
    header, at = {}, 0
    for name, (dtype, shape, data) in arrays.items():
        header[name] = {"dtype": dtype, "shape": list(shape), "data_offsets": [at, at + len(data)]}
        at += len(data)
    text = json.dumps(header).encode()
    with open(path, "wb") as file:
        for part in (len(text).to_bytes(8, "little"), text, *(data for _, _, data in arrays.values())):
            file.write(part)


def answer(folder, takes, dtypes, rotate):
    """Answers the cases that `takes` accepts with the bytes of rotate(case, array, dtype, is_gradient)."""
    manifest = json.loads(Path(folder, "manifest.json").read_text())
    arrays, answers = read(Path(folder, "vectors.safetensors")), {}
    for case in filter(takes, [Case(listed, arrays) for listed in manifest["cases"]]):
        for dtype in filter(manifest["dtypes"].__contains__, dtypes):
            for source, output in (("q", "q_rot"), ("k", "k_rot"), ("dy", "dx")):
                if source in case.arrays:
                    x = case.array(source)
                    answers[f"{case.id}/{dtype}/{output}"] = (NAMES[dtype], x.shape,
                                                              rotate(case, x, dtype, output == "dx"))
    write(Path(folder, "answers.safetensors"), answers)
