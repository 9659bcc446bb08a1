"""Rotates with PyTorch as transformers' Llama does: rotate_half.

usage: torch_half.py FORM DIR
"""
import torch

from torch_answers import angles, cos_sin, main, positions, tensor


def rotate_half(x):
    first, second = x.chunk(2, -1)
    return torch.cat((-second, first), -1)


def apply(case, x, angle):
    """transformers' apply_rotary_pos_emb."""
    cos, sin = cos_sin(case, torch.cat((angle, angle), -1), x.dtype)
    rotary, rest = x[:, :cos.shape[1]], x[:, cos.shape[1]:]
    return torch.cat((rotary * cos + rotate_half(rotary) * sin, rest), -1)


def from_config(case):
    """inv_freq by the default formula for the case's parameters."""
    dim = case.spec["rotary_dim"]
    return 1.0 / case.rope["rope_theta"] ** (torch.arange(0, dim, 2, dtype=torch.int64).float() / dim)


def under_autocast(case):
    with torch.autocast("cpu", torch.bfloat16):
        return angles(case).float()


def sections(case):
    """transformers' apply_multimodal_rotary_pos_emb (Qwen2-VL): the angles of three axes, in sections."""
    angle = tensor(case.array("positions"))[:, :, None] * tensor(case.array("inv_freq"))
    return torch.cat([part[axis] for axis, part in enumerate(angle.split(case.spec["mrope_section"], -1))], -1)


def half(*types):
    return lambda case: case.is_plain("half_split", *types)


ANGLES = {
    "rotate_half": (half(), angles),
    "rotate_half, inv_freq from the config": (
        half("default"), lambda case: positions(case)[:, None] * from_config(case)),
    "rotate_half, float64 angles": (half(), lambda case: angles(case, torch.float64)),
    "rotate_half, autocast": (half(), under_autocast),
    "rotate_half, bfloat16 positions": (
        half(), lambda case: positions(case, torch.bfloat16).float()[:, None] * tensor(case.array("inv_freq"))),
    "rotate_half, bfloat16 inv_freq": (
        half(), lambda case: positions(case)[:, None] * tensor(case.array("inv_freq"), torch.bfloat16).float()),
    "M-RoPE sections": (lambda case: case.is_half_with("sectioned"), sections),
}

if __name__ == "__main__":
    main({name: (takes, lambda case, x, of=of: apply(case, x, of(case))) for name, (takes, of) in ANGLES.items()})
