// Runs rotate() through rope-check's conformance suite, and the wrong answers that it must reject.
// swiftc -O suite.swift && ./suite DIR/vectors.safetensors    exit code 1 if rotate() is wrong
import Foundation
let dtypes = ["float64", "float32", "bfloat16", "float16"]  // rotate() answers the last three
let angles = "angle/double"  // how exact its angles are: one of manifest.json's
typealias Case = [String: [Double]]  // arrays by name
func dims(_ c: Case, _ k: Int, back: Bool) -> [Int] {  // two that turn k reads, two that it writes
    let pairs = c["inv_freq"]!.count, row = k / pairs * Int(c["shape"]![1])
    return (back ? [2, 3, 0, 1] : [0, 1, 2, 3]).map { row + Int(c["pairs"]![k % pairs * 5 + $0]) }
}
// R(m)x of every row or, of a gradient, R(m)^T x, in float32. Replace it by yours.
func rotate(_ c: Case, _ x: [Double], back: Bool) -> [Double] {
    let theta = c["inv_freq"]!, m = c["positions"]!, factor = Float(c["attention_factor"]![0])
    var y = x
    for k in c[angles]!.indices {
        let at = dims(c, k, back: back), axis = Int(c["pairs"]![k % theta.count * 5 + 4])
        let angle = Float(m[axis * Int(c["shape"]![0]) + k / theta.count]) * Float(theta[k % theta.count])
        let cs = factor * cos(angle), sn = factor * sin(back ? -angle : angle), x1 = Float(x[at[0]]), x2 = Float(x[at[1]])
        (y[at[2]], y[at[3]]) = (Double(x1 * cs - x2 * sn), Double(x2 * cs + x1 * sn))
    }
    return y
}
func holds(_ c: Case, _ dtype: Int, _ input: String, _ want: [Double], _ y: [Double]) -> Bool {
    var tolerance = want.map { _ in 0.0 }
    for (k, angle) in c[angles]!.enumerated() {
        let at = dims(c, k, back: input == "dy")
        for j in at[2...] { tolerance[j] = hypot(c[input]![at[0]], c[input]![at[1]]) * (angle + c["rounding"]![dtype]) }
    }
    return want.indices.allSatisfy { abs(y[$0] - want[$0]) <= tolerance[$0] }  // not so of NaN
}
func number(_ kind: String, _ bytes: ArraySlice<UInt8>) -> Double {
    let bits = bytes.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }, word = UInt32(truncatingIfNeeded: bits)
    switch kind {
    case "F64": return Double(bitPattern: bits)
    case "I32": return Double(Int32(bitPattern: word))
    case "F16": return Double(Float(bitPattern: (word & 0x8000) << 16 | (word & 0x7fff) << 13)) * 0x1p112
    default: return Double(Float(bitPattern: kind == "BF16" ? word << 16 : word))
    }
}
struct Entry: Decodable { let dtype: String?, data_offsets: [Int]? }  // __metadata__ has neither
let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: CommandLine.arguments[1])))
let start = 8 + Int(number("I32", bytes[..<4]))
var cases: [String: Case] = [:], tests = 0, failed = 0
for (name, entry) in try JSONDecoder().decode([String: Entry].self, from: Data(bytes[8..<start])) {
    guard let kind = entry.dtype, let ends = entry.data_offsets, let slash = name.firstIndex(of: "/") else { continue }
    let size = ["F64": 8, "BF16": 2, "F16": 2][kind] ?? 4
    let values = stride(from: start + ends[0], to: start + ends[1], by: size).map { number(kind, bytes[$0..<$0 + size]) }
    cases[String(name[..<slash]), default: [:]][String(name[name.index(after: slash)...])] = values
}
for (id, c) in cases { for (name, y) in c {
    let parts = name.components(separatedBy: "/")  // DTYPE/OUTPUT or DTYPE/OUTPUT/wrong/MISTAKE
    guard let dtype = dtypes.firstIndex(of: parts[0]), dtype > 0 else { continue }
    let input = ["q_rot": "q", "k_rot": "k"][parts[1]] ?? "dy", wrong = parts.count > 2
    let answer = wrong ? y : rotate(c, c[input]!, back: input == "dy")
    let fails = holds(c, dtype, input, c[parts[0] + "/" + parts[1]]!, answer) == wrong
    (tests, failed) = (tests + 1, fails ? failed + 1 : failed)
    if fails { print("\(wrong ? "ACCEPTED" : "FAIL") \(id)/\(name)") }
} }
print("\(tests) tests, \(failed) failed")
exit(failed > 0 ? 1 : 0)
