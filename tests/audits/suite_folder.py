"""The conformance suite as NumPy arrays, and answers to it (docs/suite/README.md)."""
import json
from pathlib import Path

import numpy as np

TYPES = {"float64": "<f8", "float32": "<f4", "bfloat16": "<u2", "float16": "<f2", "int32": "<i4"}


class Case:
    def __init__(self, listed, arrays):
        self.id, self.spec, self.attention_factor = listed["id"], listed["spec"], listed["attention_factor"]
        self.arrays = {name[len(self.id) + 1:]: array for name, array in arrays.items()
                       if name.startswith(self.id + "/")}

    def array(self, name):
        array = self.arrays[name]
        return np.frombuffer(bytes.fromhex(array["hex"]), TYPES[array["dtype"]]).reshape(array["shape"])

    def is_plain(self, layout):
        """One axis of positions, pairs of this layout from lane 0 on that turn forward."""
        spec = self.spec
        return (spec["layout"] == layout and len(self.array("positions")) == 1
                and not {"rotary_offset", "direction"} & set(spec))


def cases(folder):
    manifest = json.loads(Path(folder, "manifest.json").read_text())
    arrays = json.loads(Path(folder, "vectors.json").read_text())["arrays"]
    return [Case(listed, arrays) for listed in manifest["cases"]]


def write(folder, answers):
    """Bytes by CASE/DTYPE/OUTPUT."""
    Path(folder, "answers.json").write_text(json.dumps({name: data.hex() for name, data in answers.items()}))
