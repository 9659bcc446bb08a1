// Runs rotate() through rope-check's conformance suite, and the wrong answers that it must reject.
// rustc -O suite.rs && ./suite DIR/vectors.safetensors    exit code 1 if rotate() is wrong
const DTYPES: [&str; 4] = ["float64", "float32", "bfloat16", "float16"]; // rotate() answers the last three
const ANGLES: &str = "angle/double"; // how exact its angles are: one of manifest.json's
type Case = std::collections::BTreeMap<String, Vec<f64>>; // arrays by name
fn dims(case: &Case, k: usize, back: usize) -> [usize; 4] { // two that turn k reads, two that it writes
    let (pairs, width) = (case["inv_freq"].len(), case["shape"][1] as usize);
    std::array::from_fn(|j| k / pairs * width + case["pairs"][k % pairs * 5 + (j ^ 2 * back)] as usize)
}
// R(m)x of every row or, where back is 1, R(m)^T x, of a gradient; in float32. Replace it by yours.
fn rotate(case: &Case, x: &[f64], back: usize) -> Vec<f64> {
    let (mut y, rows, pairs) = (x.to_vec(), case["shape"][0] as usize, case["inv_freq"].len());
    for k in 0..rows * pairs {
        let ([a, b, c, d], axis) = (dims(case, k, back), case["pairs"][k % pairs * 5 + 4] as usize);
        let angle = case["positions"][axis * rows + k / pairs] as f32 * case["inv_freq"][k % pairs] as f32;
        let [cos, sin] = [angle.cos(), angle.sin() * (1.0 - 2.0 * back as f32)].map(|z| case["attention_factor"][0] as f32 * z);
        y[c] = (x[a] as f32 * cos - x[b] as f32 * sin) as f64;
        y[d] = (x[b] as f32 * cos + x[a] as f32 * sin) as f64;
    }
    y
}
fn holds(case: &Case, dtype: usize, input: &str, want: &[f64], y: &[f64]) -> bool {
    let (x, mut allowed) = (&case[input], vec![0.0; want.len()]);
    for (k, angle) in case[ANGLES].iter().enumerate() {
        let [a, b, c, d] = dims(case, k, (input == "dy") as usize);
        [allowed[c], allowed[d]] = [x[a].hypot(x[b]) * (angle + case["rounding"][dtype]); 2];
    }
    (0..x.len()).all(|k| (y[k] - want[k]).abs() <= allowed[k]) // not so of NaN
}
fn number(kind: &str, bytes: &[u8]) -> f64 {
    let bits = bytes.iter().rev().fold(0u64, |bits, &byte| bits << 8 | byte as u64);
    match kind {
        "F64" => f64::from_bits(bits), "I32" => bits as i32 as f64, "F32" => f32::from_bits(bits as u32) as f64,
        "BF16" => f32::from_bits((bits as u32) << 16) as f64,
        _ => f32::from_bits((bits as u32 & 0x8000) << 16 | (bits as u32 & 0x7fff) << 13) as f64 * 2f64.powi(112),
    }
}
fn main() {
    let bytes = std::fs::read(std::env::args().nth(1).expect("usage: suite DIR/vectors.safetensors")).unwrap();
    let start = 8 + number("I32", &bytes[..4]) as usize;
    let (mut cases, mut tests, mut failed) = (std::collections::BTreeMap::<&str, Case>::new(), 0, 0);
    for entry in std::str::from_utf8(&bytes[8..start]).unwrap().split("]}") {
        let words: Vec<&str> = entry.rsplit('"').collect(); // "ID/NAME":{"dtype":"F32",…:[0,832 from its end
        let Some((id, name)) = words.get(9).and_then(|name| name.split_once('/')) else { continue };
        let ends: Vec<usize> = words[0][2..].split(',').map(|end| start + end.parse::<usize>().unwrap()).collect();
        let size = match words[5] { "F64" => 8, "BF16" | "F16" => 2, _ => 4 };
        let values = bytes[ends[0]..ends[1]].chunks(size).map(|each| number(words[5], each));
        cases.entry(id).or_default().insert(name.to_string(), values.collect());
    }
    for (id, case) in &cases { for (name, y) in case {
        let parts: Vec<&str> = name.split('/').collect(); // DTYPE/OUTPUT or DTYPE/OUTPUT/wrong/MISTAKE
        let Some(dtype) = (1..4).find(|&k| DTYPES[k] == parts[0]) else { continue };
        let (input, is_wrong) = (match parts[1] { "q_rot" => "q", "k_rot" => "k", _ => "dy" }, parts.len() > 2);
        let answer = if is_wrong { y.clone() } else { rotate(case, &case[input], (input == "dy") as usize) };
        let fails = holds(case, dtype, input, &case[&parts[..2].join("/")], &answer) == is_wrong;
        (tests, failed) = (tests + 1, failed + fails as i32);
        if fails { println!("{} {id}/{name}", if is_wrong { "ACCEPTED" } else { "FAIL" }) }
    } }
    std::process::exit({ println!("{tests} tests, {failed} failed"); (failed > 0) as i32 })
}
