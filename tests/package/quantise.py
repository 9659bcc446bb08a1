"""quantise.py IN.npz OUT.npz: truncates cos and sin to bfloat16's eight bits, kept as float32."""
import struct
import sys
import zipfile

with zipfile.ZipFile(sys.argv[1]) as source, zipfile.ZipFile(sys.argv[2], "w") as target:
    for name in source.namelist():
        data = source.read(name)
        if name in ("cos.npy", "sin.npy"):
            start = 10 + struct.unpack("<H", data[8:10])[0]
            words = struct.unpack(f"<{(len(data) - start) // 4}I", data[start:])
            data = data[:start] + struct.pack(f"<{len(words)}I", *(w & 0xFFFF0000 for w in words))
        target.writestr(name, data)
