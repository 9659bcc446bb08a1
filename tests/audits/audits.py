#!/usr/bin/env python3
"""Runs implementations of RoPE by others through the conformance suite; docs/audits.md is the record.

usage: audits.py ROPE_CHECK MODULES [--record]    MODULES: npm's node_modules; exit 1 on any difference
"""
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

HERE, PAGE = Path(__file__).parent, Path(__file__).parents[2] / "docs" / "audits.md"
DTYPES = ("float64", "float32", "bfloat16", "float16")
TORCH = {  # configuration, and why it is expected to be wrong
    "rotate_half": None,
    "rotate_half, inv_freq from the config": None,
    "rotate_half, float64 angles": None,
    "rotate_half, autocast": "position·inv_freq is a bfloat16 product under autocast",
    "rotate_half, bfloat16 positions": "bfloat16 has no odd positions beyond 256",
    "rotate_half, bfloat16 inv_freq": "the inv_freq buffer was cast with the model",
    "rotate_every_two": None,
    "complex numbers": None,
    "interleaved to half": None,
    "M-RoPE sections": None,
}
GGML = {
    "NORM": None,
    "NEOX": None,
    "MROPE": None,
    "IMROPE": None,
    "IMROPE of three axes": "the pairs that h and w leave over take the fourth axis's positions, not time's",
}
GGML_FOLDER = "@node-llama-cpp/linux-x64/bins/linux-x64"
HEAD = """# Audits

Implementations by others, run through [the conformance suite](suite/README.md) as they are. A cell names
the most exact arithmetic that explains every answer in that format: `double`, `pow` and `exp` are float32
angles, `iterative` is llama.cpp's recurrence in wide heads. The programs that ask them are in tests/audits.
An expected violation has its reason and is checked like what holds: `./dev audits` runs all of this again
and fails on any difference.

"""


def printed(*words):
    return subprocess.run(words, check=True, capture_output=True, encoding="utf-8").stdout.strip()


def configurations(modules):
    """Implementation, version, configuration, the program, and why it is expected to be wrong."""
    python = ["/usr/bin/python3", "-B"]
    version = printed(*python, "-c", "import torch; print(torch.__version__.split('+')[0])")
    for form, reason in TORCH.items():
        yield "PyTorch", version, form, [*python, HERE / "torch_forms.py", form], reason
    version = json.loads((modules / "onnxruntime-node/package.json").read_text())["version"]
    for domain in ("com.microsoft", "ai.onnx"):
        for dtype in ("float32", "float16"):
            yield ("onnxruntime", version, f"RotaryEmbedding of {domain}, {dtype}",
                   ["node", HERE / "onnxruntime_rotary.js", domain, dtype], None)
    program = [*python, HERE / "ggml_rope.py"]
    version = printed(*program, "--version")
    for form, reason in GGML.items():
        for dtype in ("float32", "float16"):
            yield "ggml", version, f"{form}, {dtype}", [*program, form, dtype], reason


def judged(tool, suite, program):
    done = subprocess.run([tool, "suite", "check", suite, "--format", "json", "--timeout", "200", "--", *program],
                          capture_output=True, encoding="utf-8")
    if done.returncode > 1:
        sys.exit(f"{program}: {done.stderr}")
    return json.loads(done.stdout)


def cell(results, dtype, order):
    answers = [one for case in results["cases"] for one in case["answers"]
               if one["dtype"] == dtype and one["verdict"] != "not_answered"]
    wrong = sum(one["verdict"] == "violated" for one in answers)
    if not answers:
        return ""
    return f"{wrong} of {len(answers)} wrong" if wrong else max((one["arithmetic"] for one in answers), key=order.index)


def rows(tool, modules):
    with tempfile.TemporaryDirectory() as folder:
        suite = Path(folder, "suite")
        subprocess.run([tool, "export", "--suite", suite, "-q"], check=True)
        order = [one["name"] for one in json.loads((suite / "manifest.json").read_text())["arithmetics"]]
        for implementation, version, configuration, program, reason in configurations(modules):
            results = judged(tool, suite, program)
            summary = results["summary"]
            if (summary["violated"] > 0) != (reason is not None):
                sys.exit(f"{implementation}, {configuration}: {summary['violated']} answers are violated where "
                         f"{'some are' if reason else 'none is'} expected to be; see tests/audits/audits.py")
            verdict = f"violated: {reason}" if summary["violated"] else "holds"
            yield [implementation, version, configuration, str(summary["holds"] + summary["violated"]),
                   *(cell(results, dtype, order) for dtype in DTYPES), verdict]


def main(tool, modules, *options):
    modules = Path(modules).resolve()
    os.environ.update(NODE_PATH=str(modules), GGML=str(modules / GGML_FOLDER))
    head = ["implementation", "version", "configuration", "answers", *DTYPES, "verdict"]
    table = [head, ["---"] * len(head), *rows(Path(tool).resolve(), modules)]
    page = HEAD + "".join("| " + " | ".join(row) + " |\n" for row in table)
    print(page, end="")
    if options == ("--record",):
        PAGE.write_text(page)
    if PAGE.read_text() != page:
        sys.exit("docs/audits.md differs: find out why; then ./dev audits --record")


if __name__ == "__main__":
    main(*sys.argv[1:])
