"""audit: audits a function of this process like a program of `rope-check audit`."""
from __future__ import annotations

import functools
import inspect
import json
import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, cast

from . import tool
from .asking import ask
from .baseline import judge_recorded
from .calling import Caller
from .errors import InputError, RopeMismatch, without_own_frames
from .layout import Layout, layout_of, layouts_of, sequence_of
from .options import AuditOptions
from .report import Report
from .request import Answer, read_request
from .signature import gradient_by_torch, outputs_of
from .words import check_names, config_words, option_words

if TYPE_CHECKING:
    from typing_extensions import Unpack

ASKED = ("context", "positions", "seed")  # options of `audit new`
JUDGED = ("max_error", "only", "pipeline", "quiet", "require", "strict", "threads",
          "verbose")  # options of `audit check`; the others are the config's


@without_own_frames
def audit(fn: Callable[..., Any], config: Any = None, *, dtype: Any = None, device: Any = None,
          axes: str = "bhsd", batch: int = 2, heads: "int | Sequence[int]" = 3,
          position_axes: "str | None" = None, contiguous: "int | str | None" = None, offset: int = 0,
          backward: "bool | Callable[..., Any]" = False,
          keep: "str | os.PathLike[str] | None" = None, name: str = "request",
          baseline: "str | os.PathLike[str] | None" = None, record: bool = False,
          **options: Unpack[AuditOptions]) -> Report:
    """Asks a function to rotate unit vectors and a few others at diagnostic positions, and checks
    the whole matrix that it applies at each.

    fn            fn(x, positions) -> y, all of x rotated; y has the shape of x. Or
                  fn(q, k, positions) -> (q_rot, k_rot), whose outputs are checked one by one.
                  A parameter with "pos" in its name gets the positions, else the last does. A
                  function that returns None has rotated its arguments in place; otherwise x and
                  positions must stay as they were, and equal calls must return equal values
    config        as for verify()
    dtype         of x, float32 by default; torch.bfloat16 makes tensors of PyTorch
    device        of these tensors. With neither, fn gets arrays of NumPy or, if PyTorch is
                  imported and fn does not take these, tensors on the CPU, CUDA or MPS
    axes          of x: b batch, h heads, s or t sequence, d head_dim: bhsd, bshd, thd, sd, …;
                  layout="bshd" means the same
    batch, heads  how many of each; what is wrong in one of them only is named
                  In grouped-query attention, heads=(8, 2) are those of q and of k
    position_axes shape of positions, which are int64: "bs", [batch, sequence], if x has a batch,
                  else "s", [sequence]; [axes, …] for positions on several axes
    contiguous    N: fn(x) takes no positions; its sequence is positions 0 … N − 1, or as after a
                  cache of `offset` tokens, offset … offset + N − 1. "A:B": A … B − 1. A parameter
                  such as offset or start_pos gets the first one
    backward      True: the gradient by PyTorch's autograd is checked, too; or a function
                  (dy, positions) -> dx. It must be R(m)ᵀ·dy, which is the rotation to −m
    keep          a new folder that keeps the request and the answer, in a folder called `name`
    baseline      a file of recorded metrics, which must not drift; with `record`, a run that passes
                  and whose `name` the file lacks is recorded there
    options       as for verify(), with those of `rope-check audit`, such as context=4096,
                  positions=[0, 1, 4095] and seed=7

    Raises InputError if a config, an option or what `fn` returns cannot be used, ToolError if the
    tool cannot run, and what `fn` raises.
    """
    known = cast("dict[str, Any]", dict(options))
    if set(known.get("layout") or "-") <= set("bhstd"):
        axes = known.pop("layout")
    check_names(known, AuditOptions, inspect.signature(audit).parameters)
    q_heads, *k_heads = [heads] if hasattr(heads, "__index__") else heads
    layout = layout_of(axes, batch, q_heads, position_axes)
    sequence = sequence_of(contiguous, offset)
    caller = Caller(dtype, device, needs_torch=backward is True)
    asked = {one: known.pop(one) for one in ASKED if one in known}
    judged_by = {one: known.pop(one) for one in JUDGED if one in known}

    with tool.working_folder(keep) as folder:
        spec = [*config_words(config, folder), *option_words(known)]

        def new_request(name: str, layout: Layout, **asked: Any) -> dict[str, Any]:
            groups = layout.words(is_contiguous=sequence is not None)
            tool.run(["audit", "new", name, "--quiet", *spec, *option_words({**groups, **asked})],
                     folder)
            request: dict[str, Any] = json.loads((folder / name / "spec.json").read_text("utf-8"))
            return request

        def judge(name: str, layouts: tuple[Layout, Layout], called: Callable[..., Any],
                  sign: int) -> Report:
            answer = Answer(read_request(folder / name))
            ask(*layouts, sequence, called, caller, sign, answer)
            answer.write(folder / name)
            words = ["audit", "check", name, *spec, *option_words(judged_by)]
            if baseline is None:
                return tool.judge(words, folder, kept=keep is not None)
            return judge_recorded(words, folder, os.fspath(baseline), may_record=record,
                                  kept=keep is not None)

        def both(name: str, layouts: tuple[Layout, Layout], forward: Callable[..., Any],
                 gradient: "Callable[..., Any] | None") -> list[tuple[str, Report]]:
            """The reports of one output and of its gradient."""
            request = new_request(name, layouts[0], **asked)
            reports = [("forward", judge(name, layouts, forward, 1))]
            if gradient is None:
                return reports
            if request["layout"] not in ("half_split", "interleaved"):
                raise InputError(f"backward: with layout {request['layout']} the gradient is written "
                                 "to other dimensions than the rotation to -m")
            new_request(f"{name}-backward", layouts[0], seed=asked.get("seed"),
                        positions=[-one for one in request["rope_check"]["positions"]])
            return [*reports, ("gradient (the rotation to -m)",
                               judge(f"{name}-backward", layouts, gradient, -1))]

        if sequence is not None and "positions" not in asked:
            asked["context"] = asked.get("context", len(sequence))
            if sequence.start:  # as many positions in, of those that the tool chooses from 0 on
                chosen = new_request(f"{name}-positions", layout, **asked)["rope_check"]["positions"]
                asked = {"seed": asked.get("seed"), "positions": [sequence.start + one for one in chosen]}
        reports = []
        gradients = outputs_of(backward, sequence, "the gradient") if callable(backward) else {}
        outputs = outputs_of(fn, sequence)
        layouts = layouts_of(layout, k_heads, outputs)
        for output, forward in outputs.items():
            gradient = gradients.get(output) or (gradient_by_torch(forward) if backward else None)
            of_output = both(f"{name}-{output}" if output else name, layouts[output], forward, gradient)
            reports += [(": ".join(filter(None, (output, label))), one) if gradient else (output, one)
                        for label, one in of_output]
        return reports[0][1] if len(reports) == 1 else Report.of(reports)


@without_own_frames
@functools.wraps(audit, assigned=())
def assert_rope(fn: Callable[..., Any], config: Any = None, **options: Any) -> Report:
    """audit() with its arguments. Returns its report if the function rotates as the config asks,
    else raises RopeMismatch, an AssertionError. Its text is the diagnosis or, with verbose=True,
    the tool's report. With `keep`, it has the command that repeats the check."""
    report = audit(fn, config, **options)
    if not report.ok:
        name = getattr(fn, "__name__", type(fn).__name__)
        raise RopeMismatch(report.failure(name, bool(options.get("verbose"))), report)
    return report
