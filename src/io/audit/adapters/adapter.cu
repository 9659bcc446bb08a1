// Answers rope-check audit --raw in CUDA: launch your own kernel in place of rotate().
//
//     rope-check audit init cuda >adapter.cu && nvcc -O2 adapter.cu -o adapter
//     rope-check audit --raw --dim 128 -- ./adapter
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

// One thread for each pair of each row; use your kernel's number format if it is not float.
__global__ void rotate(float* x, const double* positions, std::size_t rows, std::size_t dim) {
    const std::size_t thread = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    const std::size_t row = thread / (dim / 2), i = thread % (dim / 2);
    if (row >= rows) return;
    const float inv_freq = powf(10000.0f, -2.0f * static_cast<float>(i) / static_cast<float>(dim));
    const float angle = static_cast<float>(positions[row]) * inv_freq;
    float s, c;
    sincosf(angle, &s, &c);
    float* const first = x + row * dim + i;
    float* const second = first + dim / 2;
    const float x1 = *first, x2 = *second;
    *first = x1 * c - x2 * s;
    *second = x2 * c + x1 * s;
}

static void require(bool ok, const char* what) {
    if (ok) return;
    std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(cudaGetLastError()));
    std::exit(1);
}

template <class Number>
static Number* on_device(const std::string& path, std::size_t count) {
    std::vector<Number> numbers(count);
    const std::size_t bytes = count * sizeof(Number);
    std::ifstream file(path, std::ios::binary);
    require(bool(file.read(reinterpret_cast<char*>(numbers.data()),
                           static_cast<std::streamsize>(bytes))),
            path.c_str());
    Number* copy = nullptr;
    require(cudaMalloc(&copy, bytes) == cudaSuccess, "cudaMalloc");
    require(cudaMemcpy(copy, numbers.data(), bytes, cudaMemcpyHostToDevice) == cudaSuccess,
            "cudaMemcpy");
    return copy;
}

int main(int argc, char** argv) {
    const std::string folder = std::string(argv[argc - 1]) + "/";
    std::size_t rows = 0, dim = 0;
    std::ifstream(folder + "shape.txt") >> rows >> dim;  // of x.f32
    float* const x = on_device<float>(folder + "x.f32", rows * dim);
    double* const positions = on_device<double>(folder + "positions.f64", rows);

    const std::size_t pairs = rows * (dim / 2), threads = 256;
    rotate<<<static_cast<unsigned>((pairs + threads - 1) / threads), threads>>>(x, positions, rows,
                                                                                dim);
    require(cudaDeviceSynchronize() == cudaSuccess, "rotate");

    std::vector<float> y(rows * dim);
    const std::size_t bytes = y.size() * sizeof(float);
    require(cudaMemcpy(y.data(), x, bytes, cudaMemcpyDeviceToHost) == cudaSuccess, "cudaMemcpy");
    std::ofstream answer(folder + "y.f32", std::ios::binary);  // or y.f16, y.bf16, y.f64
    answer.write(reinterpret_cast<const char*>(y.data()), static_cast<std::streamsize>(bytes));
    return answer.flush() ? 0 : 1;
}
