"""audit: a function of this process asked what `rope-check audit` asks a program."""
from __future__ import annotations

import json
import os
import pathlib
from collections.abc import Callable, Sequence
from typing import Any

from . import tool
from .asking import ask_contiguous, ask_with_positions
from .baseline import judge_recorded
from .errors import InputError
from .layout import Layout, layout_of
from .report import Report
from .request import read_request
from .words import config_words, option_words

ASKED = ("context", "positions", "seed")  # options of `audit new`
JUDGED = ("max_error", "only", "pipeline", "quiet", "require", "strict", "threads",
          "verbose")  # options of `audit check`; the others are the config's


def _is_torch(dtype: Any) -> bool:
    return type(dtype).__module__.partition(".")[0] == "torch"


def _arrays(dtype: Any, device: Any) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """How x and positions are made: by PyTorch for its dtypes, else by NumPy. Raises InputError."""
    if _is_torch(dtype) or device is not None:
        import torch

        kind = dtype if _is_torch(dtype) else getattr(torch, str(dtype), None)
        if not isinstance(kind, torch.dtype):
            raise InputError(f"dtype: PyTorch has no '{dtype}'")
        return (lambda data, sizes: torch.frombuffer(bytearray(data), dtype=torch.float32)
                .reshape(sizes).to(device=device, dtype=kind),
                lambda values, sizes: torch.tensor(values, device=device).reshape(sizes))
    import numpy

    try:
        kind = numpy.dtype(dtype)
    except TypeError as error:
        raise InputError(f"dtype: {error}; pass one of NumPy or, as in torch.bfloat16, of PyTorch, "
                         "or import ml_dtypes") from error
    return (lambda data, sizes: numpy.frombuffer(data, "<f4").reshape(sizes).astype(kind),
            lambda values, sizes: numpy.array(values).reshape(sizes))


def _gradient_by_torch(fn: Callable[..., Any]) -> Callable[..., Any]:
    def vjp(dy: Any, *positions: Any) -> Any:
        import torch

        x = torch.ones_like(dy).requires_grad_()
        gradient: Any = torch.autograd.grad(fn(x, *positions), x, dy)
        return gradient[0]

    return vjp


class _Caller:
    """How functions of one kind are called with what a request asks."""

    def __init__(self, layout: Layout, dtype: Any, device: Any, contiguous: "int | None",
                 offset: int) -> None:
        self.layout, self.contiguous, self.offset = layout, contiguous, offset
        self.make_x, self.make_ids = _arrays(dtype, device)

    def answer(self, folder: pathlib.Path, fn: Callable[..., Any], sign: int) -> None:
        """Writes what fn makes of the request at sign times its positions."""
        request = read_request(folder)
        if self.contiguous is not None:
            return ask_contiguous(request, self.layout, range(self.offset, self.offset +
                                                              self.contiguous), self.make_x, fn)

        def with_ids(x: Any, positions: Sequence[tuple[float, ...]], shape: list[int]) -> Any:
            by_axis = list(zip(*positions))
            values = [sign * one for axis in by_axis for one in axis]
            return fn(x, self.make_ids(values, shape if len(by_axis) == 1 else
                                       [len(by_axis), *shape]))

        return ask_with_positions(request, self.layout, self.make_x, with_ids)


def audit(fn: Callable[..., Any], config: Any = None, *, dtype: Any = "float32", device: Any = None,
          axes: str = "bhsd", batch: int = 1, heads: int = 2, position_axes: "str | None" = None,
          contiguous: "int | None" = None, offset: int = 0,
          backward: "bool | Callable[..., Any]" = False,
          keep: "str | os.PathLike[str] | None" = None, name: str = "request",
          baseline: "str | os.PathLike[str] | None" = None, record: bool = False,
          **options: Any) -> Report:
    """Asks a function to rotate unit vectors and a few others at diagnostic positions, and judges
    the whole matrix that it applies at each: what it computes, not only what it is meant for.

    fn            fn(x, positions) -> y, all of x rotated; y has the shape of x
    config        as for verify()
    dtype         of x, which is an array of NumPy, or a tensor of PyTorch if this is one of its
                  dtypes (torch.bfloat16) or there is a `device`; every value is exact in all of
                  them
    axes          of x: b batch, h heads, s or t sequence, d head_dim: bhsd, bshd, thd, sd, …;
                  layout="bshd" is taken for it, beside the pair layouts of a config
    batch, heads  how many of each; what is wrong in one of them alone is named
    position_axes shape of positions, which are int64: "bs", [batch, sequence], if x has a batch,
                  else "s", [sequence]; [axes, …] for positions on several axes
    contiguous    N: fn(x) takes no positions; its sequence is positions 0 … N − 1, or as after a
                  cache of `offset` tokens, offset … offset + N − 1
    backward      True: the gradient by PyTorch's autograd is judged, too; or a function
                  (dy, positions) -> dx. It must be R(m)ᵀ·dy, which is the rotation to −m
    keep          a new folder that keeps what was asked and answered, in a folder called `name`
    baseline      a file of recorded metrics, which must not drift; with `record`, a run that holds
                  and whose `name` the file lacks is recorded there
    options       as for verify(), with those of `rope-check audit`, such as context=4096,
                  positions=[0, 1, 4095] and seed=7

    Raises InputError when a config, an option or what `fn` returns cannot be used, ToolError when
    the tool cannot run, and what `fn` raises.
    """
    if set(options.get("layout") or "-") <= set("bhstd"):
        axes = options.pop("layout")
    layout = layout_of(axes, batch, heads, position_axes)
    caller = _Caller(layout, dtype, device, contiguous, offset)
    groups = layout.words(is_contiguous=contiguous is not None)
    asked = {one: options.pop(one) for one in ASKED if one in options}
    judged_by = {one: options.pop(one) for one in JUDGED if one in options}

    with tool.working_folder(keep) as folder:
        spec = [*config_words(config, folder), *option_words(options)]

        def new_request(name: str, **asked: Any) -> dict[str, Any]:
            tool.run(["audit", "new", name, "--quiet", *spec, *option_words({**groups, **asked})],
                     folder)
            request: dict[str, Any] = json.loads((folder / name / "spec.json").read_text("utf-8"))
            return request

        def judge(name: str, called: Callable[..., Any], sign: int) -> Report:
            caller.answer(folder / name, called, sign)
            words = ["audit", "check", name, *spec, *option_words(judged_by)]
            if baseline is None:
                return tool.judge(words, folder, is_reproducible=keep is not None)
            return judge_recorded(words, folder, os.fspath(baseline), may_record=record,
                                  is_reproducible=keep is not None)

        if contiguous is not None and "positions" not in asked:
            asked["context"] = asked.get("context", contiguous)
            if offset:  # as many positions in, of those that the tool chooses from 0 on
                chosen = new_request(f"{name}-positions", **asked)["rope_check"]["positions"]
                asked = {"seed": asked.get("seed"), "positions": [offset + one for one in chosen]}
        request = new_request(name, **asked)
        forward = judge(name, fn, 1)
        if not backward:
            return forward
        if request["layout"] not in ("half_split", "interleaved"):
            raise InputError(f"backward: with layout {request['layout']} the gradient is written "
                             "to other lanes than the rotation to -m")
        new_request(f"{name}-backward", seed=asked.get("seed"),
                    positions=[-one for one in request["rope_check"]["positions"]])
        vjp = backward if callable(backward) else _gradient_by_torch(fn)
        return Report.of([("forward", forward),
                          ("backward (the gradient, judged as the rotation to -m)",
                           judge(f"{name}-backward", vjp, -1))])


def assert_rope(fn: Callable[..., Any], config: Any = None, **options: Any) -> Report:
    """audit() with its arguments. Raises AssertionError, whose text is the tool's failure block,
    when the function does not rotate as the config asks; else returns the report."""
    __tracebackhide__ = True
    options.setdefault("quiet", True)
    report = audit(fn, config, **options)
    if not report.ok:
        called = getattr(fn, "__name__", fn)
        raise AssertionError(f"{called} is not the rotation asked for\n{report}")
    return report
