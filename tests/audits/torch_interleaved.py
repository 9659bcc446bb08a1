"""Rotates with PyTorch as models with interleaved pairs do.

usage: torch_interleaved.py FORM DIR
"""
import torch

from torch_answers import angles, cos_sin, main
from torch_half import apply


def rotate_every_two(case, x):
    """GPT-J's rotate_every_two."""
    cos, sin = cos_sin(case, angles(case).repeat_interleave(2, -1), x.dtype)
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
    pairs = x[:, :width].view(len(x), -1, 2).transpose(1, 2).reshape(len(x), width)
    return apply(case, torch.cat((pairs, x[:, width:]), -1), angles(case))


def plain(layout):
    return lambda case: case.is_plain(layout)


if __name__ == "__main__":
    main({
        "rotate_every_two": (plain("interleaved"), rotate_every_two),
        "complex numbers": (plain("interleaved"), complex_numbers),
        "interleaved to half": (plain("interleaved_to_half_split"), interleaved_to_half),
    })
