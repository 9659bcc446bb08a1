"""Verifies rotary position embeddings exactly: tables, rotated q and k, and your own functions.

    import rope_check

    report = rope_check.compare("llama-3.1-8b", cos=cos, sin=sin)
    print(report)                       # what the command `rope-check` prints
    assert report.ok, report.diagnosis
"""
from .errors import InputError, ToolError
from .judging import compare, verify
from .report import Finding, Mistake, Report

__all__ = ["Finding", "InputError", "Mistake", "Report", "ToolError", "compare", "verify"]
