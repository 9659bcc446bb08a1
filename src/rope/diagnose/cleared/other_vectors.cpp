#include <algorithm>
#include <cmath>
#include <utility>

#include "rope/diagnose/cleared/cleared.hpp"
#include "rope/diagnose/cleared/sampled_vectors.hpp"
#include "rope/diagnose/reading/row_norm.hpp"
#include "rope/number/format.hpp"

namespace rope {
namespace {

// Of the sampled rows the largest |factor·|x| − |y||/|y|, where the factor is the first row's.
double unlikeness(const RotatedDump& dump, const StridedRows& before,
                  const std::vector<SampledVector>& sampled) {
    const std::uint64_t lanes = head_dim_of(dump);
    double factor = 0, most = 0;
    for (const SampledVector& one : sampled) {
        const double x = norm_of(before, one.row, 0, lanes);
        const double y = norm_of(dump.after, one.row, 0, lanes);
        if (factor == 0) factor = y / x;
        most = std::max(most, std::abs(factor * x - y) / y);
    }
    return most;
}

}  // namespace

std::optional<Cleared> cleared_of_other_vectors(const RotatedDump& dump) {
    constexpr std::size_t least = 4;
    if (!dump.other) return std::nullopt;
    const std::vector<SampledVector> sampled = sampled_vectors(JoinedHeads(dump));
    const double tolerance = 8 * half_spacing(dump.format, 1);
    if (sampled.size() < least || !(unlikeness(dump, dump.other->before, sampled) <= tolerance) ||
        unlikeness(dump, dump.before, sampled) <= 4 * tolerance)
        return std::nullopt;
    const std::string& other = dump.other->name;
    Cleared cleared{{"head-order", {{"from", other}}, "the rotated vectors are those of " + other},
                    dump};
    auto& vectors = std::get<RotatedDump>(cleared.dump);
    vectors.before = dump.other->before;
    vectors.other.reset();
    return cleared;
}

}  // namespace rope
