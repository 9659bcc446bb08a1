// Random numbers that are the same on every machine, and a digest of many numbers.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>

namespace rope {

// Random numbers that are the same on every machine.

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

// Many numbers in one word, which the change of a single bit changes.

// Σ mix(bits + mix(place)) mod 2⁶⁴: the numbers may come in any order.
class Digest {
  public:
    void add(std::uint64_t place, double value) {
        const double one_nan = std::numeric_limits<double>::quiet_NaN();
        sum_ += mix(std::bit_cast<std::uint64_t>(std::isnan(value) ? one_nan : value) + mix(place));
    }
    std::uint64_t value() const { return sum_; }
    std::string text() const;  // 16 hexadecimal digits

  private:
    // splitmix64 (Steele, Lea and Flood 2014), a bijection
    static std::uint64_t mix(std::uint64_t x) {
        x += 0x9e3779b97f4a7c15;
        x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
        x = (x ^ x >> 27) * 0x94d049bb133111eb;
        return x ^ x >> 31;
    }

    std::uint64_t sum_ = 0;
};

std::string digest_of(std::span<const double> numbers);

// Of every byte: damaged text has another.
Digest byte_digest(std::string_view text);

}  // namespace rope
