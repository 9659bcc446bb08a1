// Answers rope-check audit --raw in Rust: let rotate() call your own function.
//
//     rope-check audit init rust >adapter.rs && rustc -O adapter.rs
//     rope-check audit --raw --dim 128 -- ./adapter
use std::convert::TryInto;
use std::{env, fs, io};

/// Rotates each row of x, of `dim` values, in place to its position.
fn rotate(x: &mut [f32], positions: &[f64], dim: usize) {
    for (row, &position) in x.chunks_exact_mut(dim).zip(positions) {
        for i in 0..dim / 2 {
            let inv_freq = 10000f64.powf(-2.0 * i as f64 / dim as f64) as f32;
            let (s, c) = (position as f32 * inv_freq).sin_cos();
            let (x1, x2) = (row[i], row[i + dim / 2]);
            row[i] = x1 * c - x2 * s;
            row[i + dim / 2] = x2 * c + x1 * s;
        }
    }
}

fn main() -> io::Result<()> {
    let folder = env::args().last().unwrap();
    let shape = fs::read_to_string(format!("{folder}/shape.txt"))?; // of x.f32
    let dim: usize = shape.split_whitespace().nth(1).unwrap().parse().unwrap();
    let mut x: Vec<f32> = fs::read(format!("{folder}/x.f32"))?
        .chunks_exact(4)
        .map(|bytes| f32::from_le_bytes(bytes.try_into().unwrap()))
        .collect();
    let positions: Vec<f64> = fs::read(format!("{folder}/positions.f64"))?
        .chunks_exact(8)
        .map(|bytes| f64::from_le_bytes(bytes.try_into().unwrap()))
        .collect();

    rotate(&mut x, &positions, dim);

    let y: Vec<u8> = x.iter().flat_map(|value| value.to_le_bytes()).collect();
    fs::write(format!("{folder}/y.f32"), y) // or y.f16, y.bf16, y.f64
}
