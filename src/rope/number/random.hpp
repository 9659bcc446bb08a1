// Random numbers that are the same on every machine.
#pragma once

#include <cstdint>

namespace rope {

// SplitMix64 (Steele, Lea, Flood 2014).
class Random {
  public:
    explicit Random(std::uint64_t seed) : state_(seed) {}

    std::uint64_t bits() {
        std::uint64_t z = state_ += step;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
        z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
        return z ^ (z >> 31);
    }
    // Sum of twelve uniforms less six: near enough to a standard normal, and never 0 in practice.
    double normal() {
        double sum = -6;
        for (unsigned k = 0; k < summands; ++k) sum += static_cast<double>(bits() >> 11) * 0x1p-53;
        return sum;
    }
    // As that many calls of bits() do, and of normal().
    void skip(std::uint64_t count) { state_ += step * count; }
    void skip_normals(std::uint64_t count) { skip(summands * count); }

  private:
    static constexpr std::uint64_t step = 0x9e3779b97f4a7c15, summands = 12;

    std::uint64_t state_;
};

}  // namespace rope
