"""Arrays of every kind give the same numbers, bit for bit."""
import array
import ctypes
import struct
import unittest

import numpy
from rope_check import InputError
from rope_check.dlpack import _DataType, _Device, _Tensor
from rope_check.tensors import Tensor, tensor_of


class Capsule:
    """A producer of DLPack without a library."""

    def __init__(self, code, bits, shape, data, strides=None, device=1):
        self.device = device
        sizes = (ctypes.c_int64 * len(shape))(*shape)
        steps = (ctypes.c_int64 * len(shape))(*strides) if strides else None
        self.owned = (sizes, steps, ctypes.create_string_buffer(data, max(1, len(data))))
        self.tensor = _Tensor(ctypes.cast(self.owned[2], ctypes.c_void_p), _Device(device, 0),
                              len(shape), _DataType(code, bits, 1), sizes, steps, 0)

    def __dlpack_device__(self):
        return self.device, 0

    def __dlpack__(self, stream=None):
        new = ctypes.pythonapi.PyCapsule_New
        new.restype = ctypes.py_object
        new.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
        return new(ctypes.addressof(self.tensor), b"dltensor", None)


class Wrapped:
    """Supports only __array__."""

    def __init__(self, values):
        self.values = values

    def __array__(self, dtype=None):
        return self.values


class Tensors(unittest.TestCase):
    def test_bits_of_numpy_arrays_survive(self):
        bits = numpy.arange(65536, dtype=numpy.uint16)
        half = bits.view(numpy.float16).reshape(256, 256)
        self.assertEqual(tensor_of(half, "x"), Tensor("F16", (256, 256), bits.tobytes()))
        for kind, name in (("<f4", "F32"), ("<f8", "F64"), ("<i8", "I64"), ("<i4", "I32"),
                           ("<u2", "U16"), ("i1", "I8"), ("?", "BOOL")):
            values = numpy.array([[0, 1, 1], [1, 0, 1]], kind)
            self.assertEqual(tensor_of(values, "x"), Tensor(name, (2, 3), values.tobytes()), kind)

    def test_order_in_memory_does_not_matter(self):
        values = numpy.arange(24, dtype=numpy.float32).reshape(2, 3, 4)
        want = tensor_of(values, "x")
        self.assertEqual(tensor_of(numpy.asfortranarray(values), "x"), want)
        self.assertEqual(tensor_of(values.astype(">f4"), "x"), want)
        self.assertEqual(tensor_of(values[::-1, :, ::2], "x").data, values[::-1, :, ::2].tobytes())

    def test_complex_numbers_are_pairs(self):
        values = numpy.array([1 + 2j, 3 - 4j], numpy.complex64)
        self.assertEqual(tensor_of(values, "x"), Tensor("F32", (2, 2), struct.pack("<4f", 1, 2, 3, -4)))
        self.assertEqual(tensor_of(values.astype(">c16"), "x"),
                         Tensor("F64", (2, 2), struct.pack("<4d", 1, 2, 3, -4)))

    def test_buffers_and_sequences_need_no_numpy(self):
        self.assertEqual(tensor_of(array.array("f", [1, 2]), "x"),
                         Tensor("F32", (2,), struct.pack("<2f", 1, 2)))
        self.assertEqual(tensor_of(range(3), "x"), Tensor("I64", (3,), struct.pack("<3q", 0, 1, 2)))
        self.assertEqual(tensor_of([0, 0.5], "x"), Tensor("F64", (2,), struct.pack("<2d", 0, 0.5)))

    def test_array_protocol(self):
        self.assertEqual(tensor_of(Wrapped(numpy.float32([1, 2])), "x"),
                         Tensor("F32", (2,), struct.pack("<2f", 1, 2)))

    def test_bfloat16_by_dlpack_keeps_its_bits(self):
        data = struct.pack("<6H", 0x3F80, 0xBF80, 0x0001, 0x7FC0, 0x3F81, 0)
        self.assertEqual(tensor_of(Capsule(4, 16, (2, 3), data), "x"), Tensor("BF16", (2, 3), data))
        self.assertEqual(tensor_of(Capsule(4, 16, (1, 2, 3), data, (77, 3, 1)), "x").data, data)
        self.assertEqual(tensor_of(Capsule(4, 16, (0, 3), b""), "x"), Tensor("BF16", (0, 3), b""))

    def test_an_unsupported_array_is_named(self):
        def refused(values, *words):
            with self.assertRaises(InputError) as caught:
                tensor_of(values, "q_rot")
            for word in ("q_rot", *words):
                self.assertIn(word, str(caught.exception))

        refused(object(), "object")
        refused(["a"], "list")
        refused(numpy.array(["a"]), "ndarray")
        refused(numpy.zeros(2, numpy.longdouble), "format 'g'")
        refused(Capsule(4, 16, (2, 2), bytes(8), (1, 2)), "not contiguous")
        refused(Capsule(9, 8, (2,), bytes(2)), "DLPack type 9")
        refused(Capsule(2, 32, (1,), bytes(4), device=2), "dl_device")


if __name__ == "__main__":
    unittest.main()
