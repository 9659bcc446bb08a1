"""The tests in docs/audits.md for bugs in other projects: each fails with the diagnosis on a NumPy stand-in with the
project's bug, and passes on one without it.

usage: bugs.py ROPE_CHECK
"""
import math
import os
import pathlib
import re
import sys
import types
import unittest
import unittest.mock

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
os.environ["ROPE_CHECK_TOOL"] = str(pathlib.Path(sys.argv[1]).resolve())
sys.path.insert(0, str(ROOT / "src/python"))


def bfloat16(x):
    bits = np.asarray(x, np.float32).view(np.uint32)
    return ((bits + 0x7FFF + (bits >> 16 & 1)) & 0xFFFF0000).view(np.float32)


def powers(dim, base):
    return np.float64(base) ** (np.arange(0, dim, 2) / dim)


def litgpt(is_wrong):
    """litgpt/model.py: its ramp is 1 where the paper interpolates frequencies, and weighs the
    unscaled ones."""
    def build_rope_cache(seq_len, n_elem, base, extra_config):
        def dim(turns):
            return n_elem * math.log(extra_config["original_max_seq_len"] / (turns * 2 * math.pi)) / (2 * math.log(base))

        low, high = math.floor(dim(extra_config["beta_fast"])), math.ceil(dim(extra_config["beta_slow"]))
        ramp = np.clip((np.arange(n_elem // 2) - max(low, 0)) / (min(high, n_elem // 2 - 1) - max(low, 0)), 0, 1)
        kept = ramp if is_wrong else 1 - ramp
        theta = (kept + (1 - kept) / extra_config["factor"]) / powers(n_elem, base)
        angle = np.tile(np.outer(np.arange(seq_len), theta.astype(np.float32)).astype(np.float32), 2)
        return np.cos(angle), np.sin(angle)

    return {"litgpt.model": {"build_rope_cache": build_rope_cache}}


def rotary_embedding_torch(is_wrong):
    """get_seq_pos: arange(seq_len, dtype=t.dtype), then float32 angles."""
    class RotaryEmbedding:
        def __init__(self, dim):
            self.dim = dim

        def rotate_queries_or_keys(self, x):
            positions = np.arange(x.shape[-2], dtype=np.float32)
            angle = (bfloat16(positions) if is_wrong else positions)[:, None] * (1 / powers(self.dim, 1e4)).astype("f4")
            cos, sin = np.cos(angle), np.sin(angle)
            y = np.stack([x[..., ::2] * cos - x[..., 1::2] * sin, x[..., 1::2] * cos + x[..., ::2] * sin], -1)
            return bfloat16(y.reshape(x.shape))

    return {"rotary_embedding_torch": {"RotaryEmbedding": RotaryEmbedding},
            "torch": {"bfloat16": np.float32, "nn": types.SimpleNamespace(Module=type(None))}}


def mlx_lm(is_wrong):
    """SuScaledRoPE: _freqs are those of long_factor at any length."""
    class SuScaledRoPE:
        def __init__(self, dims, base, original_max_position_embeddings, short_factor, long_factor):
            self._freqs = np.float32(long_factor if is_wrong else short_factor) * powers(dims, base).astype("f4")

    return {"mlx_lm.models.rope_utils": {"SuScaledRoPE": SuScaledRoPE}}


def mlx(is_wrong):
    """rope_orig in python/tests/test_fast.py: the exponent, inv_freq and positions have x's dtype."""
    def rope_orig(x, dims, traditional, base, scale, offset):
        half = np.float16 if is_wrong else np.float32
        inv_freq = np.exp(-np.arange(dims // 2, dtype=half) * half(math.log(base) / (dims // 2)))
        angle = np.arange(x.shape[-2], dtype=half)[:, None] * inv_freq
        cos, sin, (a, b) = np.cos(angle).astype(x.dtype), np.sin(angle).astype(x.dtype), np.split(x, 2, -1)
        return np.concatenate([a * cos - b * sin, a * sin + b * cos], -1)

    return {"test_fast": {"rope_orig": rope_orig}, "mlx.core": {"float16": np.float16}}


BUGS = {litgpt: "yarn's ramp is inverted", rotary_embedding_torch: "positions were rounded to bfloat16",
        mlx_lm: "the frequencies are divided by long_factor", mlx: "failed: "}
SNIPPETS = re.findall("^```python\n(.*?)^```", (ROOT / "docs/audits.md").read_text(encoding="utf-8"), re.M | re.S)


class Bugs(unittest.TestCase):
    def run_with(self, snippet, modules):
        stand_ins = {}
        for name, members in modules.items():
            parts = name.split(".")
            for k in range(1, len(parts) + 1):
                stand_ins[".".join(parts[:k])] = types.ModuleType(parts[k - 1])
            vars(stand_ins[name]).update(members)
            for k in range(1, len(parts)):
                setattr(stand_ins[".".join(parts[:k])], parts[k], stand_ins[".".join(parts[:k + 1])])
        with unittest.mock.patch.dict(sys.modules, stand_ins):
            exec(snippet, {})

    def test_each_snippet_finds_the_bug_and_passes_without_it(self):
        self.assertEqual(len(SNIPPETS), len(BUGS))
        for snippet, (stand_in, what) in zip(SNIPPETS, BUGS.items()):
            with self.subTest(stand_in.__name__):
                self.assertLessEqual(snippet.count("\n"), 10)
                self.run_with(snippet, stand_in(False))
                with self.assertRaisesRegex(AssertionError, f"^{what}"):
                    self.run_with(snippet, stand_in(True))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
