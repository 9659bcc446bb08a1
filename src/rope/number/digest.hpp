// Many numbers in one word, which the change of a single bit changes.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>

namespace rope {

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
