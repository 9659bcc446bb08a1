#!/usr/bin/env bash
# NumPy reads the files of export, and computes the same values.
# usage: numpy_reads_exports.sh ROPE_CHECK
set -euo pipefail
rope_check=$(readlink -f "$1")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
python=
for one in python3 /usr/bin/python3; do
    if "$one" -c 'import numpy' 2>/dev/null; then python=$one; break; fi
done
[[ $python ]] || { echo "no python3 with numpy; ./dev test installs it"; exit 77; }

"$rope_check" export -q --dim 64 -o x.npz -o x.safetensors -o x.json
"$rope_check" export -q --dim 64 --only cos -o cos.npy
"$rope_check" export -q --dim 64 --cache-layout complex -o z.npz
"$rope_check" export -q --dim 64 --dtype float16 -o half.npz
"$rope_check" export -q --dim 64 --dtype bfloat16 -o brain.npz

"$python" - <<'END'
import json, struct
import numpy as np

x = np.load("x.npz")
angle = x["position_ids"][:, None] / 10000.0 ** (np.arange(0, 64, 2) / 64)
cos, sin = np.cos(angle), np.sin(angle)
assert np.abs(x["cos"] - np.concatenate([cos, cos], 1)).max() < 2**-24
assert np.abs(x["sin"] - np.concatenate([sin, sin], 1)).max() < 2**-24
first, second = x["q"][:, :32].astype(float), x["q"][:, 32:].astype(float)
rotated = np.concatenate([first * cos - second * sin, second * cos + first * sin], 1)
assert np.abs(x["q_rot"] - rotated).max() < 2**-21
assert json.loads(x["spec"].tobytes())["rope_parameters"]["rope_theta"] == 10000
assert np.array_equal(np.load("cos.npy"), x["cos"])
z = np.load("z.npz")["freqs_cis"]
assert z.dtype == np.complex64 and np.abs(z - np.exp(1j * angle)).max() < 2**-23
assert np.abs(np.load("half.npz")["cos"][:, :32] - cos).max() <= 2**-12
bits = np.load("brain.npz")["cos__bf16bits"].astype(np.uint32) << 16
assert np.abs(bits.view(np.float32)[:, :32] - cos).max() <= 2**-9

data = open("x.safetensors", "rb").read()
length = struct.unpack("<Q", data[:8])[0]
header = json.loads(data[8 : 8 + length])
assert length % 8 == 0
begin, end = header["q_rot"]["data_offsets"]
assert data[8 + length + begin : 8 + length + end] == x["q_rot"].tobytes()
assert json.loads(header["__metadata__"]["spec"])["head_dim"] == 64
exported = json.load(open("x.json"))["arrays"]["k_rot"]
assert np.array_equal(np.array(exported["values"], np.float32).reshape(exported["shape"]), x["k_rot"])
END
echo "NumPy reads every export"
