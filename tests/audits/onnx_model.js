// An ONNX model with one node, as protobuf.
const varint = (n) => n < 128 ? [n] : [n & 127 | 128, ...varint(n >> 7)];
const field = (tag, body) => typeof body === "number" ? [...varint(tag << 3), ...varint(body)]
  : ((bytes) => [...varint(tag << 3 | 2), ...varint(bytes.length), ...bytes])(typeof body === "string" ? [...Buffer.from(body)] : body.flat());
const float = (tag, value) => [...varint(tag << 3 | 5), ...new Uint8Array(Float32Array.of(value).buffer)];
const elements = { float32: 1, int32: 6, int64: 7, float16: 10 };
const value = (name, [type, rank]) => [field(1, name), field(2, [field(1, [field(1, elements[type]),
  field(2, Array.from({ length: rank }, (_, k) => field(1, [field(2, name + k)])).flat())].flat())])].flat();
const attribute = ([name, n]) => field(5, [field(1, name),
  ...(Array.isArray(n) ? [float(2, n[0]), field(20, 1)] : [field(3, n), field(20, 2)])].flat());

// Inputs and outputs by name: [type, rank]; attributes by name: a whole number, or [a float].
function model(domain, operator, inputs, outputs, attributes) {
  const node = [...Object.keys(inputs).map((name) => field(1, name)), ...Object.keys(outputs).map((name) => field(2, name)),
    field(4, operator), ...Object.entries(attributes).map(attribute), ...(domain ? [field(7, domain)] : [])].flat();
  const graph = [field(1, node), field(2, "g"), ...Object.entries(inputs).map(([name, of]) => field(11, value(name, of))),
    ...Object.entries(outputs).map(([name, of]) => field(12, value(name, of)))].flat();
  const opsets = [["", 23], ["com.microsoft", 1]].map(([name, n]) => field(8, [field(1, name), field(2, n)].flat()));
  return Uint8Array.from([field(1, 10), field(7, graph), ...opsets].flat());
}

module.exports = { model };
