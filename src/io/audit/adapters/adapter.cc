// Answers rope-check audit --raw in C++: let rotate() call your own kernel.
//
//     rope-check audit init cpp >adapter.cc && c++ -std=c++17 -O2 adapter.cc -o adapter
//     rope-check audit --raw --dim 128 -- ./adapter
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

// Rotates each row of x, of `dim` values, to its position.
static void rotate(std::vector<float>& x, const std::vector<double>& positions, std::size_t dim) {
    for (std::size_t row = 0; row < positions.size(); ++row)
        for (std::size_t i = 0; i < dim / 2; ++i) {
            const auto inv_freq =
                static_cast<float>(std::pow(10000, -2.0 * static_cast<double>(i) / static_cast<double>(dim)));
            const float angle = static_cast<float>(positions[row]) * inv_freq;
            const float c = std::cos(angle), s = std::sin(angle);
            float &first = x[row * dim + i], &second = x[row * dim + i + dim / 2];
            const float x1 = first, x2 = second;
            first = x1 * c - x2 * s;
            second = x2 * c + x1 * s;
        }
}

template <class Number>
static std::vector<Number> read_numbers(const std::string& path, std::size_t count) {
    std::vector<Number> numbers(count);
    std::ifstream file(path, std::ios::binary);
    if (!file.read(reinterpret_cast<char*>(numbers.data()),
                   static_cast<std::streamsize>(count * sizeof(Number)))) {
        std::cerr << path << ": cannot be read\n";
        std::exit(1);
    }
    return numbers;
}

int main(int argc, char** argv) {
    const std::string folder = std::string(argv[argc - 1]) + "/";
    std::size_t rows = 0, dim = 0;
    std::ifstream(folder + "shape.txt") >> rows >> dim;  // of x.f32
    std::vector<float> x = read_numbers<float>(folder + "x.f32", rows * dim);
    const std::vector<double> positions = read_numbers<double>(folder + "positions.f64", rows);

    rotate(x, positions, dim);

    std::ofstream answer(folder + "y.f32", std::ios::binary);  // or y.f16, y.bf16, y.f64
    answer.write(reinterpret_cast<const char*>(x.data()),
                 static_cast<std::streamsize>(x.size() * sizeof(float)));
    return answer.flush() ? 0 : 1;
}
