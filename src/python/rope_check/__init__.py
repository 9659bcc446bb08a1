"""Checks rotary position embeddings exactly: tables, rotated q and k, and your own functions.

    import rope_check

    report = rope_check.compare("llama-3.1-8b", cos=cos, sin=sin)
    print(report)                       # what the command `rope-check` prints
    assert report.ok, report.diagnosis

    def test_rope():                    # rotate(x, positions), as your model calls it
        rope_check.assert_rope(rotate, "llama-3.1-8b", axes="bhsd")
"""
from .audit import assert_rope, audit
from .errors import InputError, RopeMismatch, ToolError
from .judging import compare, verify
from .report import Finding, Mistake, Report

__version__ = "0.2.0"
__all__ = ["Finding", "InputError", "Mistake", "Report", "RopeMismatch", "ToolError", "assert_rope",
           "audit", "compare", "verify"]
