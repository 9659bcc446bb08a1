#include "rope/checks/absolute_error.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "rope/kernels/checks.hpp"
#include "rope/subject/row_source.hpp"

namespace rope {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

double nearer(const std::optional<double>& first, double position) {
    return first && is_nearer_zero(*first, position) ? *first : position;
}

// Without a branch, so that it becomes vector code; NaN is beyond.
bool any_beyond(double known, const double* got, const double* want, std::size_t n) {
    bool any = false;
    for (std::size_t i = 0; i < n; ++i) any |= !(std::abs(got[i] - want[i]) <= known);
    return any;
}

}  // namespace

CosSin ScaledTruth::of(const Tile& tile) {
    if (amplitude_ == 1) return {tile.true_cos, tile.true_sin};
    const std::size_t n = tile.positions.size() * tile.pairs.count;
    for (const auto& [scaled, exact] :
         {std::pair{&cos_, tile.true_cos}, std::pair{&sin_, tile.true_sin}}) {
        scaled->assign(exact, exact + n);
        for (double& value : *scaled) value *= amplitude_;
    }
    return {cos_.data(), sin_.data()};
}

AbsoluteError::AbsoluteError(PairRange pairs, std::vector<double> limits)
    : limits_(std::move(limits)), zeros_(pairs.count, 0), first_(limits_.size()) {}

// The worst, or a limit that nothing has exceeded yet: errors grow with the position, and most
// tiles have none beyond.
double AbsoluteError::known() const {
    double known = worst_;
    for (std::size_t k = 0; k < limits_.size(); ++k)
        if (!first_[k]) known = std::min(known, limits_[k]);
    return known;
}

bool AbsoluteError::is_of_interest(const Tile& tile, const CosSin& want) const {
    const double known = this->known();
    const ExpectedErrors expected{zeros_.data(), known, known, zeros_.data(), infinity, infinity};
    return kernels().checks->table_suspects(
        {tile.positions.size(), tile.pairs.count, {tile.cos, tile.sin}, want}, 0, expected);
}

void AbsoluteError::observe(const Tile& tile, const CosSin& want) {
    samples_ += 2 * tile.positions.size() * tile.pairs.count;
    if (!is_of_interest(tile, want)) return;
    const std::size_t pairs = tile.pairs.count;
    for (std::size_t r = 0; r < tile.positions.size(); ++r) {
        const std::size_t begin = r * pairs;
        if (!any_beyond(known(), tile.cos + begin, want.c + begin, pairs) &&
            !any_beyond(known(), tile.sin + begin, want.s + begin, pairs))
            continue;
        for (std::uint32_t i = 0; i < tile.pairs.count; ++i) {
            const std::size_t k = begin + i;
            add(tile.positions[r], tile.pairs.first + i, tile.cos[k], want.c[k]);
            add(tile.positions[r], tile.pairs.first + i, tile.sin[k], want.s[k]);
        }
    }
}

void AbsoluteError::add(double position, std::uint32_t pair, double got, double want) {
    const double difference = std::abs(got - want);
    const double error = std::isnan(difference) ? infinity : difference;
    for (std::size_t k = 0; k < limits_.size(); ++k)
        if (error > limits_[k]) first_[k] = nearer(first_[k], position);
    if (!(error > worst_)) return;
    worst_ = error;
    at_ = Witness{{position}, pair, got, want};
}

void AbsoluteError::merge(const AbsoluteError& later) {
    samples_ += later.samples_;
    for (std::size_t k = 0; k < first_.size(); ++k)
        if (later.first_[k]) first_[k] = nearer(first_[k], *later.first_[k]);
    if (!(later.worst_ > worst_)) return;
    worst_ = later.worst_;
    at_ = later.at_;
}

FieldValue position_value(std::optional<double> position) {
    if (!position) return {};
    if (*position >= 0 && *position == std::floor(*position))
        return static_cast<std::uint64_t>(*position);
    return *position;
}

}  // namespace rope
