// Random numbers that are the same on every machine, and digests.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>

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
    // Returns a sum of twelve uniform numbers minus 6, nearly standard normal and in practice never
    // 0.
    double normal() {
        double sum = -6;
        for (unsigned k = 0; k < summands; ++k) sum += static_cast<double>(bits() >> 11) * 0x1p-53;
        return sum;
    }
    // Advance the state as `count` calls of bits() or normal() would.
    void skip(std::uint64_t count) { state_ += step * count; }
    void skip_normals(std::uint64_t count) { skip(summands * count); }

  private:
    static constexpr std::uint64_t step = 0x9e3779b97f4a7c15, summands = 12;

    std::uint64_t state_;
};

// Order-independent digest Σ mix(bits + mix(place)) mod 2⁶⁴; changing any bit changes it.
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

// Returns the digest of all bytes, which detects damaged text.
Digest byte_digest(std::string_view text);

}  // namespace rope
