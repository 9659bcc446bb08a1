"""Answers a request with one function, for `rope-check audit --python MODULE:FUNCTION`. CMake puts the
modules of rope_check that call functions before it.

usage: python_call.py MODULE:FUNCTION TYPE AXES POSITION_AXES CONTIGUOUS PASS FOLDER
TYPE is one of PyTorch's or empty, AXES and the like empty by default, PASS forward or backward. FOLDER/k
has the request of k if it has other heads than q.
Exits with status 2 if the last line says what is wrong with the function, 3 if it says what is missing.
"""
import importlib.util
import os
import pathlib
import re
import sys
import traceback


class MissingError(Exception):
    """A file that is needed does not exist."""


def _function(target):
    """The function of MODULE:FUNCTION or PATH.py:FUNCTION."""
    module, colon, name = target.replace("::", ":").rpartition(":")
    if not module or not name:
        raise InputError(f"--python: '{target}' is not MODULE:FUNCTION or FILE.py:FUNCTION")
    path = pathlib.Path(module)
    if path.suffix == ".py":
        if not path.exists():
            raise MissingError(f"--python: {path}: there is no such file")
        sys.path.insert(0, str(path.parent.resolve()))
        spec = importlib.util.spec_from_file_location(path.stem, path)
        found = importlib.util.module_from_spec(spec)
        sys.modules[path.stem] = found
        spec.loader.exec_module(found)
    else:
        found = importlib.import_module(module)
    for part in name.split("."):
        if not hasattr(found, part):
            raise InputError(f"--python: {module} has no '{name}'")
        found = getattr(found, part)
    if not callable(found):
        raise InputError(f"--python: {target} is a {type(found).__name__}, not a function")
    return found


def _device(kind):
    if not kind:
        return None
    import torch

    return "cuda" if torch.cuda.is_available() else "cpu"


def _answer(target, kind, axes, position_axes, contiguous, way, folder):
    """Writes the answers to the folder or, for a function of q and k, to its folders q and k."""
    function, folder = _function(target), pathlib.Path(folder)
    sequence = sequence_of(contiguous or None, 0)
    caller = Caller(kind or None, _device(kind), needs_torch=bool(kind))
    request = read_request(folder)
    layout = layout_of(axes or "bhsd", request.batch, request.heads, position_axes or None)
    outputs = outputs_of(function, sequence)
    of_k = read_request(folder / "k") if (folder / "k").exists() else None
    layouts = layouts_of(layout, [of_k.heads] if of_k else [], outputs)
    for name, output in outputs.items():
        answer = Answer(of_k if of_k and name == "k" else request)
        called = gradient_by_torch(output) if kind and way == "backward" else output
        ask(*layouts[name], sequence, called, caller, 1, answer)
        answer.write(folder / name)


def _in_options(text):
    """The text with this program's options for keyword arguments: contiguous=N becomes --contiguous N."""
    text = text.replace("contiguous=N, and offset=K for", "contiguous=A:B, from A on, for")
    return re.sub(r"\b(contiguous|context|axes|batch|heads|position_axes)=",
                  lambda found: f"--{found[1].replace('_', '-')} ", text)


def main():
    try:
        _answer(*sys.argv[1:])
    except InputError as error:
        print(_in_options(str(error)), file=sys.stderr)
        sys.exit(2)
    except MissingError as error:
        print(error, file=sys.stderr)
        sys.exit(3)
    except SystemExit as end:
        print(f"--python: {sys.argv[1]} called sys.exit({end.code!r}) before it returned an answer", file=sys.stderr)
        sys.exit(2)
    except ModuleNotFoundError as error:
        print(f"--python: {error} in the working folder or in {sys.executable}, the first python3 on the PATH; "
              f"for a package: python3 -m pip install {str(error.name).split('.')[0]}", file=sys.stderr)
        sys.exit(3)
    except Exception as error:
        own = sum(not frame.filename.startswith("<") for frame in traceback.extract_tb(error.__traceback__))
        notes, error.__notes__ = [_in_options(note) for note in getattr(error, "__notes__", ())], []
        traceback.print_exc(limit=-own)  # without the frames of rope-check
        first = str(error).strip().split("\n")[0]  # CUDA's errors have many lines
        sys.exit("; ".join((": ".join(filter(None, (type(error).__name__, first))), *notes)))


main()
