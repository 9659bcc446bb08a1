#include "rope/base_bound/base_bound.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "base/decimal.hpp"
#include "base/error.hpp"
#include "base/tasks.hpp"
#include "rope/base_bound/base_search.hpp"
#include "rope/base_bound/cosine_scan.hpp"
#include "rope/base_bound/exclusion.hpp"
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

namespace {

constexpr double quick_ratio = 1.005;

BaseBound search(const BaseQuestion& question) {
    BaseBound bound;
    bound.ratio = quick_ratio;
    std::optional<std::uint64_t> position;
    double base = 100, fails_below = 1;
    while (base / bound.ratio >= 1) base /= bound.ratio;  // the grid 100·ratio^k of earlier work
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
    if (bound.infimum)
        bound.on_grid = first_of_digits(question.pairs, question.context, 1,
                                        std::nextafter(largest_base, HUGE_VAL), question.digits);
    return bound;
}

}  // namespace

// Starting a thread takes tens of microseconds, as long as 2^21 cosines.
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
    if (!question.prove) return search(question);
    const unsigned threads = threads_of(question);
    BaseSearch search(question);
    perform_all(search, threads, question.log);
    return search.bound();
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

namespace {

constexpr std::uint64_t no_position = ~std::uint64_t{0};

// An Ascent, or an IslandEnd.
struct Way {
    static constexpr bool has_no_padding = true;
    double base;
    std::uint64_t position;
    enum Kind : std::uint64_t { ends, fails } kind;
    std::uint64_t proved;
};
static_assert(sizeof(Way) == 32);

Bytes bytes_of(const IslandEnd& end, bool proved = true) {
    return to_bytes(Way{end.base, end.position.value_or(no_position), Way::ends, proved});
}

Bytes bytes_of(const Ascent& risen) {
    if (risen.end) return bytes_of(*risen.end, risen.proved);
    return to_bytes(Way{0, 0, Way::fails, risen.proved});
}

std::optional<std::uint64_t> position_of(std::uint64_t s) {
    return s == no_position ? std::nullopt : std::optional(s);
}

Bytes test(const BoundScope& scope, double base, std::uint64_t count) {
    std::vector<char> holds;
    for (; holds.size() < count; base *= scope.ratio)
        holds.push_back(!is_ever_negative(CosineSum(scope.pairs, ln(base)), scope.context));
    return to_bytes(holds);
}

}  // namespace

Bytes perform(const BoundScope& scope, const BoundTask& task) {
    const auto& [pairs, context, ratio] = scope;
    switch (task.kind) {
        case BoundTask::rise:
            return bytes_of(Exclusion(pairs, context).rise(task.from, task.to));
        case BoundTask::test:
            return test(scope, task.from, task.count);
        case BoundTask::end:
            return bytes_of(island_end(pairs, context, task.from, task.to));
        default:
            return to_bytes(
                first_of_digits(pairs, context, task.from, task.to, static_cast<int>(task.count))
                    .value_or(0));
    }
}

Ascent ascent_of(const Bytes& result) {
    const Way way = value_of<Way>(result);
    Ascent risen{std::nullopt, way.proved != 0};
    if (way.kind == Way::ends) risen.end = IslandEnd{way.base, position_of(way.position)};
    return risen;
}

std::vector<char> holding_of(const Bytes& result) { return values_of<char>(result); }

IslandEnd island_end_of(const Bytes& result) { return *ascent_of(result).end; }

std::optional<double> round_base_of(const Bytes& result) {
    const auto base = value_of<double>(result);
    return base > 0 ? std::optional(base) : std::nullopt;
}

}  // namespace rope
