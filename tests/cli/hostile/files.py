"""Hostile text, and files of every format that contain it."""
import io
import json
import struct
import zipfile

# control characters for terminals, line breaks, and characters that markup must escape
LINES = "\n##[error]injected\rFAIL injected\t"
TEXT = "e\u202evil\u2066\u200f\u009b31m\u0085\x1b[2J\x07\x7f\u2028\ufeff\"'<b>&|`]]>,%" + LINES
NAMES = {"text": TEXT.encode(), "bytes": TEXT.encode() + b"\x9b\xff\xe2\x80"}
SHOWN = "u202e"  # part of every escaped spelling of the hostile character


def write(path, data):
    with open(path, "wb") as file:
        file.write(data if isinstance(data, bytes) else json.dumps(data).encode())
    return path


def npy(rows):
    header = ("{'descr': '<f4', 'fortran_order': False, 'shape': (%d, %d), }"
              % (len(rows), len(rows[0]))).ljust(117) + "\n"
    return (b"\x93NUMPY\1\0" + struct.pack("<H", len(header)) + header.encode() +
            b"".join(struct.pack("<f", x) for row in rows for x in row))


def safetensors(tensors):
    header, data = {}, b""
    for name, rows in tensors.items():
        words = b"".join(struct.pack("<f", x) for row in rows for x in row)
        header[name] = {"dtype": "F32", "shape": [len(rows), len(rows[0])],
                        "data_offsets": [len(data), len(data) + len(words)]}
        data += words
    text = json.dumps({"__metadata__": {TEXT: TEXT}, **header}).encode()
    return struct.pack("<Q", len(text)) + text + data


def gguf(name):
    def text(value):
        return struct.pack("<Q", len(value)) + value

    def entry(key, value):
        return text(key) + struct.pack("<I", 8) + text(value)

    def number(key, value):
        return text(key) + struct.pack("<II", 4, value)

    keys = [entry(b"general.architecture", b"llama"), entry(b"llama.rope.scaling.type", b"none"),
            entry(name, name), number(b"llama.rope." + name, 1),
            number(b"llama.embedding_length", 64), number(b"llama.attention.head_count", 4),
            number(b"llama.context_length", 32), number(b"llama.rope.dimension_count", 16)]
    tensor = text(name) + struct.pack("<IQIQ", 1, 8, 0, 0)
    head = b"GGUF" + struct.pack("<IQQ", 3, 1, len(keys)) + b"".join(keys) + tensor
    return head + b"\0" * (-len(head) % 32) + struct.pack("<8f", *range(8))


def zip_of(members):
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for name, content in members.items():
            archive.writestr(zipfile.ZipInfo(name), content)
    return data.getvalue()


RULE = {"rope_type": "default", "rope_theta": 10000.0}
CONFIG = {"model_type": TEXT, "hidden_size": 64, "num_attention_heads": 4, TEXT: TEXT,
          "max_position_embeddings": 32}
LAYERS = {**CONFIG, "rope_parameters": {TEXT: {**RULE, TEXT: 1}, "other": {**RULE, "rope_theta": 5.0}}}
ONE_LAYER = {**CONFIG, "rope_theta": 10000.0, "rope_scaling": {**RULE, TEXT: TEXT}}
ONES = [[1.0] * 16] * 4
ZEROS = [[0.0] * 16] * 4
