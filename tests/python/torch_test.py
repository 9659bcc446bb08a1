"""Tensors of PyTorch, if it is installed."""
import sys
import unittest

try:
    import torch
except ImportError:
    print("PyTorch is not installed")
    sys.exit(77)
import numpy_rope
import rope_check
from rope_check.tensors import tensor_of


def rotate(x, positions, base=10000.0):
    """Rotates as transformers does: float32 angles, cos and sin in x's number format."""
    inv_freq = 1 / base ** (torch.arange(0, x.shape[-1], 2, device=x.device).float() / x.shape[-1])
    angle = positions[:, None, :, None].float() * inv_freq
    cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    first, second = x.chunk(2, -1)
    return torch.cat([first * cos - second * sin, second * cos + first * sin], -1)


class WrongGradient(torch.autograd.Function):
    """A kernel whose backward pass forgets the transpose."""

    @staticmethod
    def forward(context, x, positions):
        context.save_for_backward(positions)
        return rotate(x, positions)

    @staticmethod
    def backward(context, dy):
        return rotate(dy, *context.saved_tensors), None


class Torch(unittest.TestCase):
    def test_bits_survive_every_view(self):
        values = torch.arange(-6, 6).reshape(3, 4) / 8
        for dtype, name, bits in ((torch.bfloat16, "BF16", torch.int16),
                                  (torch.float16, "F16", torch.int16),
                                  (torch.float32, "F32", torch.int32)):
            of_type = values.to(dtype)
            got = tensor_of(of_type, "x")
            self.assertEqual(got, (name, (3, 4), of_type.view(bits).numpy().tobytes()))
            self.assertEqual(tensor_of(of_type.t().contiguous().t(), "x"), got)
            self.assertEqual(tensor_of(of_type.clone().requires_grad_() * 1, "x"), got)
        self.assertEqual(tensor_of(values.bfloat16()[1], "x").data,
                         values.bfloat16()[1].view(torch.int16).numpy().tobytes())

    def test_conjugates_are_resolved(self):
        value = torch.tensor([1 + 2j])
        self.assertEqual(tensor_of(value.conj(), "x"), tensor_of(torch.tensor([[1.0, -2.0]]), "x"))

    def test_dumps_are_checked_in_their_format(self):
        q, positions = torch.randn(1, 2, 40, 64).bfloat16(), torch.arange(40)[None]
        q_rot = rotate(q, positions)
        self.assertTrue(rope_check.compare(head_dim=64, q=q, q_rot=q_rot, positions=positions).ok)
        report = rope_check.compare(head_dim=64, rope_theta=5e5, q=q, q_rot=q_rot)
        self.assertEqual([one.mistake for one in report.diagnosis], ["base"])

    def test_functions_and_their_gradients(self):
        for dtype in (torch.float32, torch.float16, torch.bfloat16):
            report = rope_check.audit(rotate, head_dim=64, dtype=dtype, backward=True, batch=2)
            self.assertTrue(report.ok, report)
        report = rope_check.audit(WrongGradient.apply, head_dim=64, dtype=torch.float32, backward=True)
        self.assertEqual([one.ok for one in report.reports], [True, False])
        self.assertEqual([one.mistake for one in report.diagnosis], ["direction"])

    def test_tensors_are_passed_to_functions_that_take_them(self):
        class Rotary(torch.nn.Module):
            def forward(self, q, k, position_ids):
                return rotate(q, position_ids), rotate(k, position_ids)

        def in_place(positions, query, key):
            query.copy_(rotate(query, positions))
            key.copy_(rotate(key, positions))

        for fn in (rotate, lambda x, m: rotate(x, m), Rotary(), Rotary().forward, in_place,
                   WrongGradient.apply):
            report = rope_check.assert_rope(fn, head_dim=64)
            self.assertTrue(report.ok)
        self.assertTrue(rope_check.assert_rope(in_place, head_dim=64, backward=True).ok)
        self.assertTrue(rope_check.assert_rope(numpy_rope.rotate, head_dim=64).ok)
        self.assertTrue(rope_check.assert_rope(rotate, head_dim=64, dtype="bfloat16").ok)

    def test_the_error_is_pytorch_s(self):
        def broken(x, positions):
            return torch.cat([x.chunk(2, -1)[0], positions], 7)

        with self.assertRaisesRegex(IndexError, "Dimension out of range"):
            rope_check.audit(broken, head_dim=8)

    @unittest.skipUnless(torch.cuda.is_available(), "no GPU")
    def test_gpu(self):
        report = rope_check.audit(rotate, head_dim=64, dtype=torch.bfloat16, device="cuda")
        self.assertTrue(report.ok, report)
        cos = torch.ones(1, device="cuda")  # a function that needs tensors on the device
        self.assertTrue(rope_check.audit(lambda x, m: rotate(x, m) * cos, head_dim=64).ok)


if __name__ == "__main__":
    unittest.main()
