// Answers the conformance suite with onnxruntime's GroupQueryAttention with do_rotary. The past's keys are the
// unit vectors, so that a query's scores are its rotated dimensions; a rotated key is read from the present keys.
// The operator has no gradient: dx is its answer with the cache of -m.
// usage: node onnxruntime_gqa.js TYPE DIR    NODE_PATH
const ort = require("onnxruntime-node"), { model } = require("./onnx_model.js");
const { angles, answer, isPlain, rounded } = require("./suite_folder.js");
const [dtype, folder] = process.argv.slice(2), most = 512;  // rows at once: the scores need their square

const attention = ({ spec }) => model("com.microsoft", "GroupQueryAttention", {
  query: [dtype, 3], key: [dtype, 3], value: [dtype, 3], past_key: [dtype, 4], past_value: [dtype, 4],
  seqlens_k: ["int32", 1], total_sequence_length: ["int32", 0], cos_cache: [dtype, 2], sin_cache: [dtype, 2],
}, { output: [dtype, 3], present_key: [dtype, 4], present_value: [dtype, 4], scores: [dtype, 4] }, {
  num_heads: 1, kv_num_heads: 1, do_rotary: 1, rotary_interleaved: spec.layout === "interleaved" ? 1 : 0,
  scale: [1], qk_output: 1,
});

const tensor = (values, ...shape) => new ort.Tensor(dtype, rounded(values, dtype), shape);

// x as a query or a key after head_dim others, with these angles.
async function rotated(session, x, cos, sin, d, output) {
  const rows = x.length / d, pairs = cos.length / rows, all = rows + d;
  const zeros = new Float32Array(rows * d), unit = Float32Array.from({ length: d * d }, (_, k) => k % (d + 1) ? 0 : 1);
  const cache = (values) => tensor([...new Float32Array(d * pairs), ...values], all, pairs);
  const query = output !== "k_rot";
  const { scores, present_key } = await session.run({
    query: tensor(query ? x : zeros, 1, rows, d), key: tensor(query ? zeros : x, 1, rows, d),
    value: tensor(zeros, 1, rows, d), past_key: tensor(unit, 1, 1, d, d), past_value: tensor(unit, 1, 1, d, d),
    seqlens_k: new ort.Tensor("int32", [all - 1], [1]), total_sequence_length: new ort.Tensor("int32", [all], []),
    cos_cache: cache(cos), sin_cache: cache(sin),
  });
  return query ? scores.data.filter((_, k) => k % all < d) : present_key.data.slice(d * d);
}

// The operator refuses heads and rotary widths that are not multiples of 16.
const takes = (of) => isPlain(of) && of.spec.axes !== "halves" && (of.head_dim | of.spec.rotary_dim) % 16 === 0;

answer(folder, dtype, takes, async (of, x, output) => {
  const { rows, head_dim: d, attention_factor: a } = of, angle = angles(of), sign = output === "dx" ? -1 : 1;
  const session = await ort.InferenceSession.create(attention(of)), parts = [], pairs = angle.length / rows;
  for (let row = 0; row < rows; row += most) {
    const of = angle.subarray(row * pairs, (row + most) * pairs);
    parts.push(Buffer.from((await rotated(session, x.subarray(row * d, (row + most) * d),
      of.map((phi) => a * Math.cos(phi)), of.map((phi) => sign * a * Math.sin(phi)), d, output)).buffer));
  }
  return Buffer.concat(parts);
});
