#include "rope/base_bound/base_bound.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/decimal.hpp"
#include "base/error.hpp"
#include "base/tasks.hpp"
#include "rope/base_bound/base_search.hpp"
#include "rope/base_bound/exclusion.hpp"
#include "rope/base_bound/round_base.hpp"
#include "rope/cosine_sum/cosine_scan.hpp"
#include "rope/spec/spec.hpp"

namespace rope {
namespace {

constexpr double quick_ratio = 1.005;

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
    if (bound.infimum)
        bound.on_grid = first_of_digits(question.pairs, question.context, 1,
                                        std::nextafter(largest_base, HUGE_VAL), question.digits);
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
    if (!question.prove) return search(question);
    const unsigned threads = threads_of(question);
    BaseSearch search(question, workers(threads));
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

}  // namespace rope
