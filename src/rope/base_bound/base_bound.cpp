#include "rope/base_bound/base_bound.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "base/decimal.hpp"
#include "base/error.hpp"
#include "base/tasks.hpp"
#include "rope/base_bound/cosine_scan.hpp"
#include "rope/base_bound/exclusion.hpp"
#include "rope/spec/spec.hpp"

namespace rope {
namespace {

constexpr double quick_ratio = 1.005;
constexpr double widest_search = 1000;  // times the infimum

// Islands are looked for in steps of this ratio, which a few seconds allow.
double step_ratio(std::uint64_t context) {
    return context <= 1 << 15 ? 1.0002 : context <= 1 << 18 ? 1.001 : 1.005;
}

std::optional<double> first_on_digits(const BaseQuestion& question, double from) {
    for (;;) {
        const double base = round_up_to_digits(from, question.digits);
        if (base > largest_base) return std::nullopt;
        const CosineSum sum(question.pairs, ln(base));
        const auto failed = first_negative(sum, question.context);
        if (!failed) return base;
        from = excluded_to(sum, *failed, base);
    }
}

// Islands from the infimum to searched_to, and what fails below the last.
void search_islands(const BaseQuestion& question, BaseBound& bound) {
    if (bound.infimum && bound.infimum->base <= bound.searched_to)
        bound.islands =
            IslandSearch{question.pairs, question.context, bound.searched_to, bound.ratio}.islands(
                *bound.infimum, threads_of(question));
    const bool holds_at_last = !bound.islands.empty() && !bound.islands.back().to.position;
    if (!holds_at_last)
        bound.largest_failing = bound.searched_to;
    else if (bound.islands.back().from.position)
        bound.largest_failing = bound.islands.back().from.base;
}

BaseBound prove(const BaseQuestion& question) {
    BaseBound bound;
    const Ascent risen =
        ascend(question.pairs, question.context, 1, largest_base, threads_of(question));
    bound.infimum = risen.end;
    bound.proved = risen.proved;
    const double lowest = bound.infimum ? bound.infimum->base : largest_base;
    const bool affordable = question.pairs.rotating * question.context <= question.island_work;
    if (!affordable && !question.search_to) return bound;
    const double asked = question.search_to.value_or(10 * lowest);
    bound.searched_to = std::min({asked, widest_search * lowest, largest_base});
    bound.ratio = step_ratio(question.context);
    search_islands(question, bound);
    return bound;
}

BaseBound search(const BaseQuestion& question) {
    BaseBound bound;
    bound.ratio = quick_ratio;
    std::optional<std::uint64_t> position;
    double base = 100, fails_below = 1;
    while (base / bound.ratio >= 1) base /= bound.ratio;  // 100·ratio^k, as others did
    while (base <= largest_base) {
        bound.searched_to = base;
        if (base >= fails_below) {
            const CosineSum sum(question.pairs, ln(base));
            const auto failed = first_negative(sum, question.context);
            if (!failed) {
                bound.infimum = IslandEnd{base, position};
                break;
            }
            position = failed;
            fails_below = excluded_to(sum, *failed, base);
        }
        base *= bound.ratio;
    }
    return bound;
}

}  // namespace

// One takes tens of microseconds to start, and 2^21 cosines take as long.
unsigned threads_of(const BaseQuestion& question) {
    if (question.threads != 0) return question.threads;
    const bool is_long = question.pairs.rotating * question.context >= std::uint64_t{1} << 21;
    return is_long ? machine_threads() : 1;
}

BaseBound bound_base(const BaseQuestion& question) {
    const std::uint64_t pairs = question.pairs.rotating;
    if (pairs * question.context > largest_work)
        throw InputError("--context",
                         decimal(question.context) + " with " + decimal(pairs) + " pairs",
                         "at most " + decimal(largest_work / pairs));
    BaseBound bound = question.prove ? prove(question) : search(question);
    if (bound.infimum)
        bound.on_grid = first_on_digits(question, bound.proved ? bound.infimum->base : 1);
    return bound;
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
