#include "rope/exact/random.hpp"

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

Digest byte_digest(std::string_view text) {
    Digest digest;
    for (std::size_t i = 0; i < text.size(); ++i)
        digest.add(i, static_cast<unsigned char>(text[i]));
    return digest;
}

}  // namespace rope
