// onnxruntime's RotaryEmbedding through the conformance suite, with a float32 cache of the rows' angles.
// The operator has no gradient: dx is its answer to the cache of -m.
// usage: node onnxruntime_rotary.js DOMAIN TYPE DIR    DOMAIN com.microsoft or ai.onnx; NODE_PATH
const fs = require("fs"), ort = require("onnxruntime-node");
const [domain, dtype, folder] = process.argv.slice(2);

// ---- a model of one node, as protobuf -----------------------------------------------------------
const varint = (n) => n < 128 ? [n] : [n & 127 | 128, ...varint(n >> 7)];
const field = (tag, body) => typeof body === "number" ? [...varint(tag << 3), ...varint(body)]
  : ((bytes) => [...varint(tag << 3 | 2), ...varint(bytes.length), ...bytes])(typeof body === "string" ? [...Buffer.from(body)] : body.flat());
const elements = { float32: 1, int64: 7, float16: 10 };
const value = (name, type, rank) => [field(1, name), field(2, [field(1, [field(1, elements[type]),
  field(2, Array.from({ length: rank }, (_, k) => field(1, [field(2, name + k)])).flat())].flat())])].flat();
const attribute = (name, n) => field(5, [field(1, name), field(3, n), field(20, 2)].flat());

function model(interleaved, width) {
  const order = domain === "ai.onnx" ? ["x", "cos", "sin", "ids"] : ["x", "ids", "cos", "sin"];
  const node = [...order.map((name) => field(1, name)), field(2, "y"), field(4, "RotaryEmbedding"),
    attribute("interleaved", interleaved), attribute("rotary_embedding_dim", width),
    attribute("num_heads", 1), ...(domain === "ai.onnx" ? [] : [field(7, domain)])].flat();
  const ranks = { x: 4, ids: 2, cos: 2, sin: 2 };
  const graph = [field(1, node), field(2, "g"), ...Object.entries(ranks).map(([name, rank]) =>
    field(11, value(name, name === "ids" ? "int64" : dtype, rank))), field(12, value("y", dtype, 4))].flat();
  const opsets = [field(8, [field(1, ""), field(2, 23)].flat()), field(8, [field(1, "com.microsoft"), field(2, 1)].flat())];
  return Uint8Array.from([field(1, 10), field(7, graph), ...opsets].flat());
}

// ---- the suite ----------------------------------------------------------------------------------
const words = (x) => new Uint32Array(Float32Array.of(x).buffer)[0];
const half = (x) => {  // to nearest, ties to even
  const bits = words(Math.abs(x) * 2 ** -112);
  return (x < 0 ? 0x8000 : 0) | bits + 0xfff + (bits >> 13 & 1) >> 13;
};
const tensor = (values, shape) => dtype === "float16" ? new ort.Tensor("float16", Uint16Array.from(values, half), shape)
  : new ort.Tensor("float32", Float32Array.from(values), shape);
const { cases } = require(folder + "/manifest.json"), { arrays } = require(folder + "/vectors.json");
const types = { float64: Float64Array, float32: Float32Array, int32: Int32Array };
const numbers = (name) => new types[arrays[name].dtype](Uint8Array.from(Buffer.from(arrays[name].hex, "hex")).buffer);

async function main() {
  const answers = {};
  for (const { id, spec, rows, head_dim, attention_factor } of cases) {
    if (spec.layout === "interleaved_to_half_split" || spec.rotary_offset || spec.direction || spec.axes === "halves") continue;
    const session = await ort.InferenceSession.create(model(spec.layout === "interleaved" ? 1 : 0, spec.rotary_dim));
    const [positions, inv_freq, pairs] = ["positions", "inv_freq", "pairs"].map((name) => numbers(`${id}/${name}`));
    const angles = Array.from({ length: rows * inv_freq.length }, (_, k) => Math.fround(
      Math.fround(positions[pairs[k % inv_freq.length * 5 + 4] * rows + Math.floor(k / inv_freq.length)])
      * Math.fround(inv_freq[k % inv_freq.length])));
    for (const [input, output, sign] of [["q", "q_rot", 1], ["k", "k_rot", 1], ["dy", "dx", -1]]) {
      const { y } = await session.run({
        x: tensor(numbers(`${id}/${input}`), [1, 1, rows, head_dim]),
        ids: new ort.Tensor("int64", BigInt64Array.from({ length: rows }, (_, k) => BigInt(k)), [1, rows]),
        cos: tensor(angles.map((phi) => attention_factor * Math.cos(phi)), [rows, inv_freq.length]),
        sin: tensor(angles.map((phi) => sign * attention_factor * Math.sin(phi)), [rows, inv_freq.length]),
      });
      answers[`${id}/${dtype}/${output}`] = Buffer.from(y.data.buffer, y.data.byteOffset, y.data.byteLength).toString("hex");
    }
  }
  fs.writeFileSync(folder + "/answers.json", JSON.stringify(answers));
}
main();
