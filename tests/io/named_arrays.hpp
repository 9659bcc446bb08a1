// Small arrays and Specs for the tests of dumps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "io/dump.hpp"

namespace rope::io {

using Values = std::vector<double>;
using Positions = std::vector<std::uint64_t>;

inline Spec spec_of(std::uint32_t head_dim, std::uint32_t rotary_dim) {
    Spec spec;
    spec.head_dim = head_dim;
    spec.rotary_dim = rotary_dim;
    return spec;
}

inline NamedArray floats(std::string name, std::vector<std::uint64_t> shape, Values values) {
    return {std::move(name), {std::move(shape), Format::float32, std::move(values)}};
}

inline NamedArray whole(std::string name, std::vector<std::uint64_t> shape, Values values) {
    return {std::move(name), {std::move(shape), std::nullopt, std::move(values)}};
}

inline Values counting(std::size_t n) {
    Values values(n);
    for (std::size_t i = 0; i < n; ++i) values[i] = static_cast<double>(i);
    return values;
}

}  // namespace rope::io
