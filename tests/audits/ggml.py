"""ggml's functions through ctypes. GGML: the paths of its libraries."""
import ctypes
import os

import numpy as np

F32, F16, I32 = 0, 1, 26  # enum ggml_type
GGML = ctypes.CDLL(None)


class Params(ctypes.Structure):  # struct ggml_init_params
    _fields_ = [("size", ctypes.c_size_t), ("buffer", ctypes.c_void_p), ("no_alloc", ctypes.c_bool)]


def load(paths):
    """Unlike ctypes.CDLL, resolves symbols lazily: an addon of Node.js lacks Node's functions until it calls them."""
    GGML.dlerror.restype = ctypes.c_char_p
    GGML.dlopen.restype = ctypes.c_void_p
    for path in paths:
        if not GGML.dlopen(path.encode(), os.RTLD_LAZY | os.RTLD_GLOBAL):
            raise OSError(GGML.dlerror().decode())
    if hasattr(GGML, "ggml_cpu_init"):
        GGML.ggml_cpu_init()


def version():
    if not hasattr(GGML, "ggml_version"):
        return None
    GGML.ggml_version.restype = ctypes.c_char_p
    return GGML.ggml_version().decode()


def function(*names):
    """The first of these functions that exists; it returns a pointer."""
    found = getattr(GGML, next(name for name in names if hasattr(GGML, name)))
    found.restype = ctypes.c_void_p
    return lambda *arguments: ctypes.c_void_p(found(*arguments))


def tensor(context, kind, values):
    """A tensor with this type and these values, in NumPy's order; its dimensions are in ggml's order."""
    shape = (ctypes.c_int64(n) for n in (*values.shape[::-1], *[1] * (4 - values.ndim)))
    new = function("ggml_new_tensor_4d")(context, kind, *shape)
    ctypes.memmove(function("ggml_get_data")(new), values.tobytes(), values.nbytes)
    return new


def context(size):
    return function("ggml_init")(Params(size + (1 << 22), None, False))


def computed(context, tensor, size):
    """Computes the tensor's graph, and returns its first bytes; frees the context."""
    graph = function("ggml_new_graph")(context)
    GGML.ggml_build_forward_expand(graph, tensor)
    if GGML.ggml_graph_compute_with_ctx(context, graph, 1) != 0:
        raise RuntimeError("ggml_graph_compute_with_ctx failed")
    data = ctypes.string_at(function("ggml_get_data")(tensor), size)
    GGML.ggml_free(context)
    return data


def floats(*numbers):
    return (ctypes.c_float(n) for n in numbers)


def ints(numbers):
    """Four ints, padded with zeros."""
    return (ctypes.c_int * 4)(*numbers)


load(os.environ["GGML"].split(os.pathsep))
TYPES = {"float32": (F32, np.float32), "float16": (F16, np.float16)}

if __name__ == "__main__":
    print(version())
