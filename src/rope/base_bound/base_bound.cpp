#include "rope/base_bound/base_bound.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "base/decimal.hpp"
#include "rope/base_bound/cosine_scan.hpp"
#include "rope/spec/spec.hpp"

namespace rope {

std::optional<double> first_of_digits(PairCounts pairs, std::uint64_t context, double from,
                                      double to, int digits) {
    for (;;) {
        const double base = round_up_to_digits(from, digits);
        if (base >= to) return std::nullopt;
        const CosineSum sum(pairs, ln(base));
        const auto failed = first_negative(sum, context);
        if (!failed) return base;
        from = excluded_to(sum, *failed, base);
    }
}

double round_up_to_digits(double x, int digits) {
    // the nearest d.ddde±xx; if it is below x, the next one
    std::array<char, 64> text;
    const char* const end = std::to_chars(text.data(), text.data() + text.size(), x,
                                          std::chars_format::scientific, digits - 1)
                                .ptr;
    const char* const mark = std::find<const char*>(text.data(), end, 'e');
    std::uint64_t mantissa = 0;  // has `digits` digits
    for (const char* digit = text.data(); digit != mark; ++digit)
        if (*digit != '.') mantissa = 10 * mantissa + static_cast<std::uint64_t>(*digit - '0');
    int exponent = 0;
    std::from_chars(mark + (mark[1] == '+' ? 2 : 1), end, exponent);
    const auto scaled = [&](std::uint64_t whole) {
        const std::string words =
            decimal(whole) + "e" + decimal(static_cast<double>(exponent - digits + 1));
        double value = 0;
        std::from_chars(words.data(), words.data() + words.size(), value);
        return value;
    };
    const double nearest = scaled(mantissa);
    return nearest >= x ? nearest : scaled(mantissa + 1);
}

std::uint64_t farthest_search(std::uint32_t pairs) {
    constexpr std::uint64_t cosines = std::uint64_t{1} << 35;
    return std::min(max_context, cosines / std::max(1U, pairs));
}

BaseScan scan_sum(const CosineSum& sum, std::uint64_t context, std::uint64_t farthest) {
    BaseScan scan{context, std::nullopt, std::nullopt, HUGE_VAL, 0};
    if (!sum.is_never_negative()) {
        scan.searched_to = std::max(context, farthest);
        scan.first_negative = first_negative(sum, *scan.searched_to);
    }
    CosineScan blocks(sum);
    std::array<double, CosineScan::size> values;
    for (std::uint64_t first = 0; first <= context; first += values.size()) {
        if (blocks.fill(first, values.data()) >= scan.least) continue;
        for (std::size_t k = 0; k < values.size() && first + k <= context; ++k)
            if (values[k] < scan.least) scan.least = values[k], scan.least_position = first + k;
    }
    return scan;
}

}  // namespace rope
