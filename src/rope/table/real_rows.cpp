#include "rope/table/real_rows.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

#include "rope/table/real_position.hpp"

namespace rope {

RealRows::RealRows(std::span<const PlannedFrequency> frequencies, std::vector<TurnRate> rates)
    : frequencies_(frequencies), whole_(std::move(rates)) {}

void RealRows::fill(std::span<const double> positions, double* cos, double* sin) {
    assert(!positions.empty() && positions.size() <= tile_rows);
    std::array<std::uint64_t, tile_rows> counted;
    std::size_t count = 0;
    for (const double position : positions) {
        if (!(position >= 0) || position != std::floor(position)) break;
        counted[count++] = static_cast<std::uint64_t>(position);
    }
    if (count == positions.size()) {
        whole_.fill({counted.data(), count}, cos, sin);
        return;
    }
    for (std::size_t r = 0; r < positions.size(); ++r)
        fill_row(positions[r], cos + r * pairs(), sin + r * pairs());
}

// R(−m) = R(m)ᵀ
void RealRows::fill_row(double position, double* cos, double* sin) {
    const RealPosition real = real_position(position);
    const ExactRows& rows = real.exponent == 0 ? whole_ : in_units(real.exponent);
    rows.fill_row(real.whole, cos, sin);
    for (std::size_t i = 0; real.negative && i < pairs(); ++i) sin[i] = -sin[i];
}

const ExactRows& RealRows::in_units(int exponent) {
    const auto known = parts_.find(exponent);
    if (known != parts_.end()) return known->second;
    std::vector<TurnRate> rates;
    for (const PlannedFrequency& frequency : frequencies_)
        rates.push_back(turn_rate(rope::in_units(frequency, exponent)));
    return parts_.emplace(exponent, ExactRows(std::move(rates))).first->second;
}

}  // namespace rope
