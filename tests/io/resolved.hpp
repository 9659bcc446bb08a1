// What the tests of resolved Specs share.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "io/config.hpp"

namespace rope::io {

using Flags = std::vector<Flag>;

inline constexpr auto half = PairLayout::half_split;
inline constexpr auto interleaved = PairLayout::interleaved;

inline std::string origin_of(const ResolvedSpec& resolved, std::string_view field) {
    for (const Origin& origin : resolved.origins)
        if (origin.field == field) return origin.from;
    return "[none]";
}

inline Scaling llama3(double factor, double low, double high, std::uint64_t original) {
    return {"llama3", factor, low, high, original};
}

}  // namespace rope::io
