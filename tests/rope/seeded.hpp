// Random input that is the same with every standard library.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

namespace rope {

class Seeded {
  public:
    explicit Seeded(std::uint64_t seed) : bits_(seed) {}

    std::uint64_t bits() { return bits_(); }
    std::uint64_t below(std::uint64_t n) { return bits_() % n; }
    double unit() { return static_cast<double>(bits_() >> 11) * 0x1p-53; }  // [0, 1)
    double within(double low, double high) { return low + (high - low) * unit(); }

    std::vector<double> vector(std::size_t n) {
        std::vector<double> x(n);
        for (double& value : x) value = within(-1, 1);
        return x;
    }
    std::vector<std::uint64_t> positions(std::size_t n, std::uint64_t below_this) {
        std::vector<std::uint64_t> m(n);
        for (std::uint64_t& position : m) position = below(below_this);
        return m;
    }

  private:
    std::mt19937_64 bits_;
};

}  // namespace rope
