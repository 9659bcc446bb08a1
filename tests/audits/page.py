"""docs/audits.md, made from the results in audits.json."""
import json
from pathlib import Path

HERE = Path(__file__).resolve().parent
RECORD, PAGE = HERE / "audits.json", HERE.parents[1] / "docs" / "audits.md"
DTYPES = ("float64", "float32", "bfloat16", "float16")
UP_TO = {"8k": 8192, "131k": 131072, "1M": 1048576}
HEAD = """# Audits

This page has the results of {configurations} configurations of {libraries} libraries in {versions}
versions, unmodified. `tools/audits.sh` installs the libraries from apt and npm and repeats the audits. It fails on any difference, even
if an expected violation is gone. Versions with the same results share a row.

## The conformance suite

Each implementation ran the cases of [the conformance suite](suite/README.md) that it supports, for q, k and gradients. A cell names the most exact arithmetic that explains every answer in that format: `double`, `pow`
and `exp` are float32 angles, `iterative` is llama.cpp's recurrence in wide heads. onnxruntime has no gradient; its kernel is run at position −m instead. @genai-fi/nanogpt has one base, no scaling, and a table of all positions.

"""
FAR = """
## How exact, how far out

The table has the largest error of cos and sin in heads of 128 dimensions, over positions below 8192, 131,072 and 1,048,576, and the first position at which it exceeds 1e-3. K is defined in [terms.md](terms.md). The
base is 10000 without scaling; `yarn` is Qwen2.5's and `freq_factors` are Llama 3.1's. Every position below
131,072 is asked, and 64 of each 4096 beyond. PyTorch and onnxruntime get inv_freq or a cache from their
caller, here from float32 angles unless the configuration says otherwise.

"""
BUGS = """
## Bugs in other projects

Each was found by reading the source. The test below it fails with the quoted diagnosis; `tests/audits/bugs.py` runs it
with NumPy code that has the bug, and with code that does not.

**litgpt** (26857050) inverts YaRN's ramp in `build_rope_cache`: "yarn's ramp is inverted: fast pairs are interpolated
and slow ones kept". With factor 4, pair 0 rotates by 0.25 radians per position, in transformers by 1.

```python
import rope_check
from litgpt.model import build_rope_cache

cos, sin = build_rope_cache(4096, 128, base=1000000, extra_config=dict(
    factor=4.0, beta_fast=32, beta_slow=1, original_max_seq_len=32768))
report = rope_check.compare(head_dim=128, rope_theta=1e6, rope_type="yarn", factor=4.0, attention_factor=1.0,
                            original_max_position_embeddings=32768, cos=cos, sin=sin)
assert report.ok, report.headline
```

**rotary-embedding-torch** (8bb4643) creates positions in the dtype of x: "positions were rounded to bfloat16". bfloat16
has no odd integers above 256.

```python
import rope_check, torch
from rotary_embedding_torch import RotaryEmbedding

rotary = RotaryEmbedding(dim=64)
rope_check.assert_rope(rotary.rotate_queries_or_keys, head_dim=64, layout="interleaved",
                       dtype=torch.bfloat16, contiguous=600)
```

**mlx-lm**'s `SuScaledRoPE` never uses `short_factor`: "the frequencies are divided by long_factor, which is not the
list for this length". transformers uses `short_factor` up to original_max_position_embeddings.

```python
import numpy, rope_check
from mlx_lm.models.rope_utils import SuScaledRoPE

keys = dict(original_max_position_embeddings=4096, short_factor=[1.05] * 48, long_factor=[1 + i / 2 for i in range(48)])
freqs = numpy.array(SuScaledRoPE(96, 10000.0, **keys)._freqs)
report = rope_check.compare(head_dim=96, max_position_embeddings=131072, rope_type="longrope", seq_len=4096,
                            context=4096, inv_freq=1 / freqs, **keys)
assert report.ok, report.headline
```

**mlx**'s reference `rope_orig` in python/tests/test_fast.py computes the exponent, inv_freq and positions in the dtype
of x, so that a test in float16 compares with wrong angles. No known mistake explains all of them: "failed:
table-accuracy". `mx.fast.rope` itself computes them in float32.

```python
import mlx.core, numpy, rope_check
from test_fast import rope_orig

def rotate(x):
    return numpy.array(rope_orig(x, 64, False, 10000.0, 1.0, 0))

rope_check.assert_rope(rotate, head_dim=64, dtype=numpy.float16, contiguous=600)
```
"""
TAIL = """
## Known differences

- **Float32 angles**: angles m·θ computed in float32 first make cos or sin wrong by more than 1e-3 at position {float32:,}, even with
  correctly rounded cos and sin. With angles in float64 the error does not grow with the position.
- **ggml's recurrence**: each pair's angle is the previous pair's times a float32 ratio, so that its error includes those of all pairs before it: `ggml_rope_cache_init` in ggml/src/ggml-cpu/ops.cpp. K is {iterative} here where a power
  has 2. VISION starts again for its second axis, after half the pairs.
- **IMROPE of three axes**: in Qwen3-VL's sections (24, 20, 20), pairs 61 and 62 are left over; transformers
  gives them time's positions, ggml the fourth axis's, which is 0 for text: `ggml_mrope_cache_init` in the
  same file.
- **16-bit angles**: the PyTorch rows with autocast, bfloat16 positions or a bfloat16 inv_freq show what happens if a model is cast as a whole, or computes angles under autocast.
- **@genai-fi/nanogpt's gradient** assumes that every sequence starts at position 0: lib/ops/grads/rope.ts sets
  the length of the past to 0. That is right in training, which has none.

The programs are in tests/audits, at most 60 lines each. The numbers come from one build of each library: ggml's for haswell, PyTorch's AVX2 kernels, V8's cos and sin; two digits of them are kept.
"""


def name(one):
    return one["implementation"], one["version"], one["configuration"]


def figure(x):
    """Two digits, as rope-check prints them."""
    digits, exponent = f"{x:.1e}".split("e")
    return f"{x:.2g}" if -3 < int(exponent) < 3 else f"{digits}e{int(exponent)}"


def table(head, record, cells):
    """The rows of a table; versions with the same cells share one."""
    versions = {}
    for one in record:
        versions.setdefault((one["implementation"], one["configuration"], *cells(one)), []).append(one["version"])
    rows = [(f"{implementation} {', '.join(of)}", *rest) for (implementation, *rest), of in versions.items()]
    head = ["implementation", "configuration", *head]
    return "".join("| " + " | ".join(map(str, row)) + " |\n" for row in (head, ["---"] * len(head), *rows))


def suite_cells(one):
    return (one["answers"], *(one["formats"].get(dtype, "") for dtype in DTYPES),
            f"violated: {one['reason']}" if one["reason"] else "holds")


def far_cells(one):
    at = one["positions"]
    first = at["first_beyond_1e_3"]
    return figure(at["K"]), at["class"], *(figure(at[key]) for key in UP_TO), "none" if first is None else f"{first:,}"


def page(record):
    swept = [one for one in record if one["positions"]]
    of = [(one["positions"], one["configuration"]) for one in swept]
    recurrence = sorted(at["K"] for at, _ in of if at["class"] == "as accurate as ggml's recurrence")
    return (
        HEAD.format(configurations=len(record), libraries=len({one["implementation"] for one in record}),
                    versions=len({name(one)[:2] for one in record}))
        + table(["answers", *DTYPES, "verdict"], record, suite_cells) + FAR
        + table(["K", "angles", *UP_TO, "first beyond 1e-3"], swept, far_cells)
        + BUGS + TAIL.format(float32=next(at["first_beyond_1e_3"] for at, form in of if form == "rotate_half"),
                      iterative=f"{recurrence[0]:g} to {recurrence[-1]:g}"))


def difference(old, new):
    """The configurations that differ from the record."""
    old, new = ({name(one): one for one in record} for record in (old, new))
    for key in dict.fromkeys((*old, *new)):
        if old.get(key) != new.get(key):
            yield f"{', '.join(key)}: recorded {json.dumps(old.get(key))}, found {json.dumps(new.get(key))}"


def read():
    return json.loads(RECORD.read_text())


def write(record):
    RECORD.write_text("[\n" + ",\n".join(json.dumps(one, ensure_ascii=False) for one in record) + "\n]\n")
    PAGE.write_text(page(record))
