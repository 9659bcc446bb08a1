"""Answers the conformance suite with an implementation in PyTorch; dx comes from autograd."""
import sys

import torch

import suite_folder


def tensor(array, dtype=torch.float32):
    return torch.from_numpy(array.copy()).to(dtype)


def positions(case, dtype=torch.float32):
    return tensor(case.array("positions"), dtype)[0]


def angles(case, dtype=torch.float32):
    """transformers' LlamaRotaryEmbedding.forward: a matrix product of inv_freq and positions."""
    return (tensor(case.array("inv_freq"), dtype)[:, None] @ positions(case, dtype)[None]).transpose(0, 1)


def cos_sin(case, angle, dtype):
    """cos and sin, cast to x's type."""
    return ((f(angle) * case.attention_factor).to(dtype) for f in (torch.cos, torch.sin))


def data(y):
    y = y.detach().contiguous()
    return (y.view(torch.int16) if y.dtype == torch.bfloat16 else y).numpy().tobytes()


def main(forms):
    """Runs a form, given by name as (a condition on cases, a function of (case, x))."""
    form, folder = sys.argv[1:]
    takes, function = forms[form]

    def rotate(case, x, dtype, back):
        dtype = getattr(torch, dtype)
        if not back:
            return data(function(case, tensor(x, dtype)))
        of = tensor(case.array("q"), dtype).requires_grad_()
        function(case, of).backward(tensor(x, dtype))
        return data(of.grad)

    dtypes = ["float64"] * form.endswith("float64 angles") + ["float32", "bfloat16", "float16"]
    suite_folder.answer(folder, takes, dtypes, rotate)
