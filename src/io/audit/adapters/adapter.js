// Answers rope-check audit --raw in JavaScript: let rotate() call your own function.
//
//     rope-check audit init node >adapter.js
//     rope-check audit --raw --dim 128 -- node adapter.js
const fs = require("fs");

// Rotates each row of x, of dim values, in place to its position.
function rotate(x, positions, dim) {
  for (let row = 0; row < positions.length; ++row)
    for (let i = 0; i < dim / 2; ++i) {
      const invFreq = Math.fround(10000 ** ((-2 * i) / dim));
      const angle = Math.fround(Math.fround(positions[row]) * invFreq);
      const c = Math.fround(Math.cos(angle)), s = Math.fround(Math.sin(angle));
      const first = row * dim + i, second = first + dim / 2;
      const x1 = x[first], x2 = x[second];
      x[first] = x1 * c - x2 * s;
      x[second] = x2 * c + x1 * s;
    }
}

// Of a file, which may lie at any offset of a larger buffer.
function numbers(Type, path) {
  const bytes = fs.readFileSync(path);
  return new Type(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
}

const folder = process.argv[process.argv.length - 1];
const [rows, dim] = fs.readFileSync(`${folder}/shape.txt`, "utf8").split(/\s+/).map(Number); // of x
const x = numbers(Float32Array, `${folder}/x.f32`);
const positions = numbers(Float64Array, `${folder}/positions.f64`).subarray(0, rows);
rotate(x, positions, dim);
fs.writeFileSync(`${folder}/y.f32`, x); // or y.f16, y.bf16, y.f64
