// Choices drawn from the bytes of an input; after its end, each is the first option.
#pragma once

#include <bit>
#include <cmath>
#include <iterator>

#include "tests/fuzz/fuzz.hpp"

namespace rope::fuzz {

class Draw {
  public:
    explicit Draw(Bytes bytes) : bytes_(bytes) {}

    std::uint64_t bits(int count = 8) {
        std::uint64_t bits = 0;
        for (int k = 0; k < count && !bytes_.empty(); ++k, bytes_ = bytes_.subspan(1))
            bits = bits << 8 | bytes_.front();
        return bits;
    }
    std::uint64_t below(std::uint64_t n) { return bits(n <= 256 ? 1 : n <= 65536 ? 2 : 8) % n; }
    bool one_in(std::uint64_t n) { return below(n) == n - 1; }
    template <class List>
    const auto& one_of(const List& list) {
        return *std::next(std::begin(list), static_cast<std::ptrdiff_t>(below(std::size(list))));
    }

    double any_double() { return std::bit_cast<double>(bits()); }
    double unit() { return static_cast<double>(bits(4)) * 0x1p-32; }  // [0, 1)
    double within(double low, double high) { return low + (high - low) * unit(); }
    double between_powers(double low, double high) {  // of 10
        return std::pow(10.0, within(low, high));
    }
    Bytes rest() const { return bytes_; }

  private:
    Bytes bytes_;
};

}  // namespace rope::fuzz
