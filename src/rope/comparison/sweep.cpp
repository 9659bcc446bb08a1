#include "rope/comparison/sweep.hpp"

#include <algorithm>
#include <numeric>

namespace rope {
namespace {

std::vector<TurnRate> part_of(const std::vector<TurnRate>& rates, PairRange pairs) {
    return {rates.begin() + pairs.first, rates.begin() + pairs.first + pairs.count};
}

bool turns_as_planned(const Trial& trial, PairRange pairs) {
    const auto own = trial.own_inv_freq.begin() + pairs.first;
    return std::equal(
        own, own + pairs.count, trial.plan.pairs.begin() + pairs.first,
        [](const BigReal& each, const PlannedFrequency& pair) { return each == pair.inv_freq; });
}

}  // namespace

Sweep::Sweep(const Trial& trial, PairRange pairs)
    : trial_(trial),
      pairs_(pairs),
      truth_(part_of(trial.rates, pairs)),
      own_(part_of(trial.own_rates, pairs)),
      own_is_truth_(turns_as_planned(trial, pairs)),
      reader_(trial.subject.read(pairs)) {
    for (auto* values : {&cos_, &sin_, &true_cos_, &true_sin_, &own_cos_, &own_sin_})
        values->resize(tile_rows * pairs.count);
}

Tile Sweep::read(std::uint64_t begin, std::uint64_t end) {
    rows_.resize(end - begin);
    std::iota(rows_.begin(), rows_.end(), begin);
    positions_.clear();
    for (const std::uint64_t row : rows_)
        positions_.push_back(trial_.subject.position_of(row, trial_.axis[pairs_.first]));
    reader_->fill(rows_, cos_.data(), sin_.data());
    truth_.fill(positions_, true_cos_.data(), true_sin_.data());
    Tile tile{positions_,       pairs_,           cos_.data(),      sin_.data(),
              true_cos_.data(), true_sin_.data(), true_cos_.data(), true_sin_.data()};
    if (own_is_truth_) return tile;
    tile.own_cos = reader_->own_cos();
    tile.own_sin = reader_->own_sin();
    if (tile.own_cos != nullptr) return tile;
    own_.fill(positions_, own_cos_.data(), own_sin_.data());
    tile.own_cos = own_cos_.data();
    tile.own_sin = own_sin_.data();
    return tile;
}

void Sweep::run(RowRange rows, const std::function<void(const Tile&)>& observe) {
    for (std::uint64_t begin = rows.begin; begin < rows.end; begin += tile_rows)
        observe(read(begin, std::min(rows.end, begin + tile_rows)));
}

void for_each_tile(const Trial& trial, PairRange pairs,
                   const std::function<void(const Tile&)>& observe) {
    Sweep(trial, pairs).run({0, trial.subject.rows()}, observe);
}

}  // namespace rope
