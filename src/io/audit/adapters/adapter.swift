// Answers rope-check audit --raw in Swift: let rotate() call your own function.
//
//     rope-check audit init swift >adapter.swift && swiftc -O adapter.swift
//     rope-check audit --raw --dim 128 -- ./adapter
import Foundation

/// Rotates each row of x, of `dim` values, in place to its position.
func rotate(_ x: inout [Float], positions: [Double], dim: Int) {
    for (row, position) in positions.enumerated() {
        for i in 0..<dim / 2 {
            let invFreq = Float(pow(10000, -2 * Double(i) / Double(dim)))
            let angle = Float(position) * invFreq
            let (first, second) = (row * dim + i, row * dim + i + dim / 2)
            let (c, s, x1, x2) = (cos(angle), sin(angle), x[first], x[second])
            x[first] = x1 * c - x2 * s
            x[second] = x2 * c + x1 * s
        }
    }
}

let folder = URL(fileURLWithPath: CommandLine.arguments.last!)

func numbers<T>(_ name: String, _ zero: T) throws -> [T] {
    let data = try Data(contentsOf: folder.appendingPathComponent(name))
    var values = [T](repeating: zero, count: data.count / MemoryLayout<T>.size)
    _ = values.withUnsafeMutableBytes { data.copyBytes(to: $0) }
    return values
}

let shape = try String(contentsOf: folder.appendingPathComponent("shape.txt"), encoding: .utf8)  // of x.f32
let dim = Int(shape.split(whereSeparator: \.isWhitespace)[1])!
var x = try numbers("x.f32", Float(0))

rotate(&x, positions: try numbers("positions.f64", 0.0), dim: dim)

try x.withUnsafeBytes { Data($0) }.write(to: folder.appendingPathComponent("y.f32"))  // or y.f16, y.f64
