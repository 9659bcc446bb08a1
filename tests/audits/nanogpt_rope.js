// Answers the conformance suite with the Rope class of @genai-fi/nanogpt, with its TensorFlow.js kernel for the CPU.
// usage: node nanogpt_rope.js FORM DIR    FORM rope or "gradient after a past"; NODE_PATH
const path = require("path"), { answer } = require("./suite_folder.js");
const [form, folder] = process.argv.slice(2);
const farthest = 2 ** 20;  // its cache has every position up to the last one

// The class has one base and no scaling, rotates whole heads, and starts at 0.
const takes = ({ spec, head_dim, array }) => spec.layout === "interleaved" && !spec.axes && !spec.direction
  && spec.rotary_dim === head_dim && array("positions").every((m) => 0 <= m && m < farthest)
  && array("inv_freq").every((theta, i) => Math.abs(theta * 10000 ** (2 * i / head_dim) - 1) < 1e-12);

// The first and last row of each run of consecutive positions.
function runs(positions) {
  const starts = [...positions.keys()].filter((k) => k === 0 || positions[k] !== positions[k - 1] + 1);
  return starts.map((first, n) => [first, starts[n + 1] ?? positions.length]);
}

async function main() {
  globalThis.WorkerGlobalScope = class {};  // as in a browser: the bundle lacks modules that it needs under Node.js
  const dist = path.dirname(require.resolve("@genai-fi/nanogpt"));
  const { layers: { RoPECache } } = await import(path.join(dist, "main.js"));
  const { rope } = await import(path.join(dist, "ops/rope.js"));
  const engine = globalThis._tfengine;
  await engine.setBackend("cpu");
  const tensor = (values, d) => engine.makeTensor(Float32Array.from(values), [1, 1, values.length / d, d], "float32");
  const gradient = (dy, cache, past) => engine.gradients(() => rope(dy, cache, past), [dy], dy).grads[0];

  await answer(folder, "float32", takes, ({ rows, head_dim: d, array }, x, output) => {
    if (form !== "rope" && output !== "dx") return null;
    const y = new Float32Array(rows * d), positions = array("positions");
    const cache = new RoPECache({ nEmbed: d, nHead: 1, blockSize: 1 });
    const put = (of, first) => y.set(of.dataSync(), first * d);
    cache.ensureRopeCache(positions.reduce((a, b) => Math.max(a, b)) + 1);
    for (const [first, last] of runs(positions)) engine.tidy(() => {
      const past = positions[first], values = x.subarray(first * d, last * d);
      if (output !== "dx") return void put(rope(tensor(values, d), cache, past), first);
      if (form !== "rope") return void put(gradient(tensor(values, d), cache, past), first);
      const from0 = new Float32Array((past + last - first) * d);  // the rows of a sequence without a past
      from0.set(values, past * d);
      put(gradient(tensor(from0, d), cache, 0).slice([0, 0, past, 0], [1, 1, last - first, d]), first);
    });
    return y;
  });
}
main();
