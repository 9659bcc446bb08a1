// Runs rotate() through rope-check's conformance suite, and the wrong answers that it must reject.
// usage: node suite.js DIR    of rope-check export --suite DIR; exit code 1 if rotate() is wrong
const dtypes = ["float32", "bfloat16", "float16"];  // that rotate() answers
const arithmetic = "double";  // how exact its angles are: one of manifest.json's

// Each row and pair: the axis of its position, the dimensions that it reads and those that it writes.
function* turns(of, transposed) {
  for (let k = 0; k < of.rows * of.inv_freq.length; ++k) {
    const row = Math.floor(k / of.inv_freq.length), i = k % of.inv_freq.length;
    const [a, b, c, d] = of.pairs.slice(5 * i, 5 * i + 4).map((dim) => row * of.head_dim + dim);
    yield [row, i, of.pairs[5 * i + 4], ...(transposed ? [c, d, a, b] : [a, b, c, d])];
  }
}

// R(m)x of every row or, of a gradient, R(m)^T x, in float32. Replace it by yours.
function rotate(of, x, transposed) {
  const y = [...x], float32 = Math.fround;
  for (const [row, i, axis, a, b, c, d] of turns(of, transposed)) {
    const angle = float32(float32(of.positions[axis * of.rows + row]) * float32(of.inv_freq[i]));
    const cos = float32(of.attention_factor * Math.cos(angle));
    const sin = float32(of.attention_factor * Math.sin(transposed ? -angle : angle));
    y[c] = float32(x[a] * cos - x[b] * sin);
    y[d] = float32(x[b] * cos + x[a] * sin);
  }
  return y;
}

const float = (word) => new Float32Array(Int32Array.of(word).buffer)[0];  // of these bits
const wide = {  // 16 bits: bfloat16 is the upper half of a float32
  bfloat16: (half) => float(half << 16),
  float16: (half) => float((half & 0x8000) << 16 | (half & 0x7fff) << 13) * 2 ** 112,
};
function numbers({ dtype, hex }) {  // little-endian, as this machine must be
  const bytes = Uint8Array.from(Buffer.from(hex, "hex")).buffer;
  const types = { float64: Float64Array, float32: Float32Array, int32: Int32Array };
  return wide[dtype] ? Array.from(new Uint16Array(bytes), wide[dtype]) : [...new types[dtype](bytes)];
}
function holds(of, output, dtype, got) {  // no value that is NaN does
  const x = of[output.input], want = of[`${dtype}/${output.name}`], allowed = {};
  for (const [row, i, , a, b, c, d] of turns(of, output.transposed)) {
    const angle = of["angle/" + arithmetic][row * of.inv_freq.length + i];
    allowed[c] = allowed[d] = Math.hypot(x[a], x[b]) * (angle + of.rounding[dtype]);
  }
  return want.every((w, k) => Math.abs(got[k] - w) <= (allowed[k] ?? 0));
}

const folder = require("path").resolve(process.argv[2]), failed = [];
const { cases, outputs, wrong } = require(folder + "/manifest.json"), { arrays } = require(folder + "/vectors.json");
const by = Object.fromEntries(cases.map((one) => [one.id, one]));
for (const name of Object.keys(arrays))  // but what the manifest has
  by[name.split("/", 1)[0]][name.slice(name.indexOf("/") + 1)] ??= numbers(arrays[name]);
for (const of of cases) for (const output of outputs) for (const dtype of dtypes)
  if (!holds(of, output, dtype, rotate(of, of[output.input], output.transposed)))
    failed.push(`FAIL ${of.id}/${dtype}/${output.name}`);
for (const { name, dtype, output, ...one } of wrong)
  if (holds(by[one.case], outputs.find((each) => each.name === output), dtype, numbers(arrays[name])))
    failed.push(`ACCEPTED ${name}`);
console.log([...failed, `${9 * cases.length + wrong.length} tests, ${failed.length} failed`].join("\n"));
process.exitCode = failed.length > 0 ? 1 : 0;
