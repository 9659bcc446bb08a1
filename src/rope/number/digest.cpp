#include "rope/number/digest.hpp"

namespace rope {

std::string Digest::text() const {
    std::string digits;
    for (int shift = 60; shift >= 0; shift -= 4) digits += "0123456789abcdef"[sum_ >> shift & 15];
    return digits;
}

std::string digest_of(std::span<const double> numbers) {
    Digest digest;
    for (std::size_t i = 0; i < numbers.size(); ++i) digest.add(i, numbers[i]);
    return digest.text();
}

}  // namespace rope
