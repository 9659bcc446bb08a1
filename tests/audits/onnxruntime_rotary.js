// Answers the conformance suite with onnxruntime's RotaryEmbedding, with a float32 cache of the rows' angles.
// The operator has no gradient: dx is its answer with the cache of -m.
// usage: node onnxruntime_rotary.js DOMAIN TYPE DIR    DOMAIN com.microsoft or ai.onnx; NODE_PATH
const ort = require("onnxruntime-node"), { model } = require("./onnx_model.js");
const { angles, answer, isPlain, rounded } = require("./suite_folder.js");
const [domain, dtype, folder] = process.argv.slice(2);

function rotary({ spec }) {
  const of = { x: [dtype, 4], ids: ["int64", 2], cos: [dtype, 2], sin: [dtype, 2] };
  const order = domain === "ai.onnx" ? ["x", "cos", "sin", "ids"] : ["x", "ids", "cos", "sin"];
  return model(domain === "ai.onnx" ? "" : domain, "RotaryEmbedding",
    Object.fromEntries(order.map((name) => [name, of[name]])), { y: [dtype, 4] },
    { interleaved: spec.layout === "interleaved" ? 1 : 0, rotary_embedding_dim: spec.rotary_dim, num_heads: 1 });
}

answer(folder, dtype, (of) => isPlain(of) && of.spec.axes !== "halves", async (of, x, output) => {
  const { rows, head_dim, attention_factor: a } = of, angle = angles(of), sign = output === "dx" ? -1 : 1;
  const session = await ort.InferenceSession.create(rotary(of));
  const tensor = (values, shape) => new ort.Tensor(dtype, rounded(values, dtype), shape);
  const { y } = await session.run({
    x: tensor(x, [1, 1, rows, head_dim]),
    ids: new ort.Tensor("int64", BigInt64Array.from({ length: rows }, (_, k) => BigInt(k)), [1, rows]),
    cos: tensor(angle.map((phi) => a * Math.cos(phi)), [rows, angle.length / rows]),
    sin: tensor(angle.map((phi) => sign * a * Math.sin(phi)), [rows, angle.length / rows]),
  });
  return y.data;
});
