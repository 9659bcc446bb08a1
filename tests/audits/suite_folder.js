// The conformance suite as typed arrays, and its answers (docs/suite/README.md).
const fs = require("fs");
const types = { F64: Float64Array, F32: Float32Array, F16: Uint16Array, I32: Int32Array };
const names = { float32: "F32", float16: "F16" };

const float = new Float32Array(1), word = new Uint32Array(float.buffer);
const half = (x) => {  // to nearest, ties to even
  float[0] = Math.abs(x) * 2 ** -112;
  const bits = word[0];
  return (x < 0 ? 0x8000 : 0) | bits + 0xfff + (bits >> 13 & 1) >> 13;
};
const rounded = (values, dtype) => dtype === "float16" ? Uint16Array.from(values, half) : Float32Array.from(values);

function read(path) {
  const file = fs.readFileSync(path), start = 8 + Number(file.readBigUInt64LE());
  const header = JSON.parse(file.toString("utf8", 8, start));
  delete header.__metadata__;
  return Object.fromEntries(Object.entries(header).filter(([, { dtype }]) => types[dtype])
    .map(([name, { dtype, data_offsets: [first, last] }]) => [name, new types[dtype](
      file.buffer.slice(file.byteOffset + start + first, file.byteOffset + start + last))]));
}

// Writes the typed arrays that await rotate(case, array, isGradient) returns, for the cases that `takes` accepts.
async function answer(folder, dtype, takes, rotate) {
  const { cases, dtypes } = JSON.parse(fs.readFileSync(folder + "/manifest.json"));
  const arrays = read(folder + "/vectors.safetensors"), header = {}, parts = [];
  let at = 0;
  for (const listed of dtypes.includes(dtype) ? cases : []) {
    const of = { ...listed, array: (name) => arrays[`${listed.id}/${name}`] };
    for (const [input, output] of takes(of) ? [["q", "q_rot"], ["k", "k_rot"], ["dy", "dx"]] : []) {
      const y = of.array(input) && await rotate(of, of.array(input), output);
      if (!y) continue;
      parts.push(Buffer.from(y.buffer, y.byteOffset, y.byteLength));
      header[`${of.id}/${dtype}/${output}`] = {
        dtype: names[dtype], shape: [of.rows, of.head_dim], data_offsets: [at, at += y.byteLength] };
    }
  }
  const text = Buffer.from(JSON.stringify(header)), size = Buffer.alloc(8);
  size.writeBigUInt64LE(BigInt(text.length));
  fs.writeFileSync(folder + "/answers.safetensors", Buffer.concat([size, text, ...parts]));
}

// The angle of each row and pair, m·θ in float32.
function angles(of) {
  const [positions, inv_freq, pairs] = ["positions", "inv_freq", "pairs"].map(of.array);
  const n = inv_freq.length, theta = Float32Array.from(inv_freq), m = Float32Array.from(positions);
  return new Float32Array(of.rows * n).map((_, k) => m[pairs[k % n * 5 + 4] * of.rows + Math.floor(k / n)] * theta[k % n]);
}

// Whether the pairs start at dimension 0 and rotate forward.
const isPlain = ({ spec }) => spec.layout !== "interleaved_to_half_split" && !spec.rotary_offset && !spec.direction;

module.exports = { angles, answer, isPlain, rounded };
