#include "rope/base_bound/round_base.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "base/decimal.hpp"
#include "rope/base_bound/exclusion.hpp"
#include "rope/cosine_sum/cosine_scan.hpp"

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
    // the nearest d.ddde±xx; where that is below x, one more in the last place
    std::array<char, 64> text;
    const char* const end = std::to_chars(text.data(), text.data() + text.size(), x,
                                          std::chars_format::scientific, digits - 1)
                                .ptr;
    const char* const mark = std::find<const char*>(text.data(), end, 'e');
    std::uint64_t mantissa = 0;  // of `digits` digits
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

}  // namespace rope
