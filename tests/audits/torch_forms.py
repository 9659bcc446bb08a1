"""PyTorch in the forms that models rotate in, through the conformance suite; dx is autograd's.

usage: torch_forms.py FORM DIR
"""
import sys

import torch

import suite_folder


def tensor(array, dtype=torch.float32):
    return torch.from_numpy(array.copy()).to(dtype)


def angles(case, dtype=torch.float32):
    """transformers' LlamaRotaryEmbedding.forward: a matrix product of inv_freq and positions."""
    inv_freq, positions = tensor(case.array("inv_freq"), dtype), tensor(case.array("positions"), dtype)
    return (inv_freq[:, None] @ positions[0][None]).transpose(0, 1)


def rotate_half(x):
    first, second = x.chunk(2, -1)
    return torch.cat((-second, first), -1)


def apply_half(case, x, angle):
    """transformers' apply_rotary_pos_emb: the cache is cast to x's type."""
    angle = torch.cat((angle, angle), -1)
    cos, sin = ((f(angle) * case.attention_factor).to(x.dtype) for f in (torch.cos, torch.sin))
    rotary, rest = x[:, :cos.shape[1]], x[:, cos.shape[1]:]
    return torch.cat((rotary * cos + rotate_half(rotary) * sin, rest), -1)


def half(case, x):
    return apply_half(case, x, angles(case))


def half_from_config(case, x):
    """inv_freq by the default formula, as the config asks for it."""
    dim, base = case.spec["rotary_dim"], case.spec["rope_parameters"]["rope_theta"]
    inv_freq = 1.0 / base ** (torch.arange(0, dim, 2, dtype=torch.int64).float() / dim)
    return apply_half(case, x, tensor(case.array("positions"))[0][:, None] * inv_freq)


def half_in_float64(case, x):
    return apply_half(case, x, angles(case, torch.float64))


def half_under_autocast(case, x):
    with torch.autocast("cpu", torch.bfloat16):
        angle = angles(case)
    return apply_half(case, x, angle.float())


def half_with_bfloat16_positions(case, x):
    positions = tensor(case.array("positions"), torch.bfloat16)[0].float()
    return apply_half(case, x, positions[:, None] * tensor(case.array("inv_freq")))


def half_with_bfloat16_inv_freq(case, x):
    inv_freq = tensor(case.array("inv_freq"), torch.bfloat16).float()
    return apply_half(case, x, tensor(case.array("positions"))[0][:, None] * inv_freq)


def sections(case, x):
    """transformers' apply_multimodal_rotary_pos_emb (Qwen2-VL): cos and sin of three axes, split."""
    angle = tensor(case.array("positions"))[:, :, None] * tensor(case.array("inv_freq"))
    parts = angle.split(case.spec["mrope_section"], -1)
    return apply_half(case, x, torch.cat([part[axis] for axis, part in enumerate(parts)], -1))


def interleaved(case, x):
    """GPT-J's rotate_every_two."""
    angle = angles(case).repeat_interleave(2, -1)
    cos, sin = ((f(angle) * case.attention_factor).to(x.dtype) for f in (torch.cos, torch.sin))
    rotary, rest = x[:, :cos.shape[1]], x[:, cos.shape[1]:]
    turned = torch.stack((-rotary[:, 1::2], rotary[:, ::2]), -1).flatten(-2)
    return torch.cat((rotary * cos + turned * sin, rest), -1)


def complex_numbers(case, x):
    """Meta's apply_rotary_emb."""
    angle = angles(case)
    freqs_cis = torch.polar(torch.full_like(angle, case.attention_factor), angle)
    rotary, rest = x[:, :2 * angle.shape[1]], x[:, 2 * angle.shape[1]:]
    turned = torch.view_as_complex(rotary.float().reshape(len(x), -1, 2)) * freqs_cis
    return torch.cat((torch.view_as_real(turned).flatten(-2).type_as(x), rest), -1)


def interleaved_to_half(case, x):
    """transformers' apply_rotary_pos_emb_interleave (DeepSeek-V3)."""
    width = case.spec["rotary_dim"]
    x = torch.cat((x[:, :width].view(len(x), -1, 2).transpose(1, 2).reshape(len(x), width), x[:, width:]), -1)
    return half(case, x)


def plain(layout):
    return lambda case: case.is_plain(layout)


def default_half(case):
    return case.is_plain("half_split") and case.spec["rope_parameters"]["rope_type"] == "default"


FLOATS = (torch.float32, torch.bfloat16, torch.float16)
FORMS = {  # the function, the cases that it is for, and the types
    "rotate_half": (half, plain("half_split"), FLOATS),
    "rotate_half, inv_freq from the config": (half_from_config, default_half, FLOATS),
    "rotate_half, float64 angles": (half_in_float64, plain("half_split"), (torch.float64, *FLOATS)),
    "rotate_half, autocast": (half_under_autocast, plain("half_split"), FLOATS),
    "rotate_half, bfloat16 positions": (half_with_bfloat16_positions, plain("half_split"), FLOATS),
    "rotate_half, bfloat16 inv_freq": (half_with_bfloat16_inv_freq, plain("half_split"), FLOATS),
    "rotate_every_two": (interleaved, plain("interleaved"), FLOATS),
    "complex numbers": (complex_numbers, plain("interleaved"), FLOATS),
    "interleaved to half": (interleaved_to_half, plain("interleaved_to_half_split"), FLOATS),
    "M-RoPE sections": (sections, lambda case: case.id == "sectioned-half", FLOATS),
}


def data(y):
    y = y.detach().contiguous()
    return (y.view(torch.int16) if y.dtype == torch.bfloat16 else y).numpy().tobytes()


def main(form, folder):
    function, takes, dtypes = FORMS[form]
    answers = {}
    for case in filter(takes, suite_folder.cases(folder)):
        for dtype in dtypes:
            name = f"{case.id}/{str(dtype).removeprefix('torch.')}/"
            for source in ("q", "k"):
                answers[name + source + "_rot"] = data(function(case, tensor(case.array(source), dtype)))
            x = tensor(case.array("q"), dtype).requires_grad_()
            function(case, x).backward(tensor(case.array("dy"), dtype))
            answers[name + "dx"] = data(x.grad)
    suite_folder.write(folder, answers)


if __name__ == "__main__":
    main(*sys.argv[1:])
