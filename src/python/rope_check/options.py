"""The options of the functions, as type checkers, editors and words.py need them."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypedDict, Union

Names = Union[str, Sequence[str]]
Numbers = Sequence[float]


class RopeOptions(TypedDict, total=False):
    """Keys of a config's RoPE section (rope-check list rope-types)."""

    rope_type: str
    factor: float
    low_freq_factor: float
    high_freq_factor: float
    original_max_position_embeddings: int
    beta_fast: float
    beta_slow: float
    ext_factor: float
    truncate: bool
    mscale: float
    mscale_all_dim: float
    attention_factor: float
    short_factor: Numbers
    long_factor: Numbers
    short_mscale: float
    long_mscale: float
    partial_rotary_factor: float
    mixed_b: float
    given_inv_freq: Numbers
    seq_len: int
    mrope_section: Sequence[int]
    rotary_offset: int
    direction: str


class ConfigOptions(RopeOptions, total=False):
    """Keys that replace those of a config, or a complete config."""

    classes: str
    layers: Union[str, int]
    reading: str
    head_dim: int
    rotary_dim: int
    layout: str
    max_position_embeddings: int
    rope_theta: float
    rope: Mapping[str, Any]


class CheckOptions(ConfigOptions, total=False):
    pipeline: str
    only: Names
    require: Names
    max_error: float
    seed: int
    threads: int
    strict: bool
    quiet: bool
    verbose: bool


class VerifyOptions(CheckOptions, total=False):
    context: int
    baseline: str


class CompareOptions(CheckOptions, total=False):
    raw: str
    max_memory: Union[str, int]
    cache_layout: str
    axes: str
    after: Union[str, Sequence[str]]
    against: str
    context: int
    table: bool
    baseline: str


class AuditOptions(CheckOptions, total=False):
    context: int
    positions: Numbers
