#include "rope/checks/sweep.hpp"

#include <algorithm>
#include <numeric>

namespace rope {
namespace {

constexpr std::uint32_t block_pairs = 64;  // a tile of them stays in the second-level cache
constexpr std::uint64_t block_rows = 16384;

RealRows rows_of(const std::vector<PlannedFrequency>& frequencies,
                 const std::vector<TurnRate>& rates, PairRange pairs) {
    const auto first = rates.begin() + pairs.first;
    return {std::span(frequencies).subspan(pairs.first, pairs.count), {first, first + pairs.count}};
}

bool turns_as_planned(const Comparison& comparison, PairRange pairs) {
    const auto own = comparison.effective.begin() + pairs.first;
    return std::equal(
        own, own + pairs.count, comparison.plan.pairs.begin() + pairs.first,
        [](const auto& each, const auto& planned) { return each.inv_freq == planned.inv_freq; });
}

}  // namespace

std::vector<Block> blocks_of(const Comparison& comparison) {
    const std::uint64_t rows = comparison.subject.rows();
    const bool by_axis = comparison.subject.has_several_axes();
    std::vector<Block> blocks;
    for (std::uint32_t first = 0, end = 0; first < comparison.spec.pairs(); first = end) {
        const std::uint32_t most = std::min(first + block_pairs, comparison.spec.pairs());
        for (end = by_axis ? first + 1 : most; end < most; ++end)
            if (comparison.axis[end] != comparison.axis[first]) break;
        for (std::uint64_t begin = 0; begin == 0 || begin < rows; begin += block_rows)
            blocks.push_back({{first, end - first}, {begin, std::min(rows, begin + block_rows)}});
    }
    return blocks;
}

Sweep::Sweep(const Comparison& comparison, PairRange pairs)
    : comparison_(comparison),
      pairs_(pairs),
      truth_(rows_of(comparison.plan.pairs, comparison.rates, pairs)),
      effective_(rows_of(comparison.effective, comparison.effective_rates, pairs)),
      effective_is_truth_(turns_as_planned(comparison, pairs)),
      reader_(comparison.subject.read(pairs)) {
    for (auto* values : {&cos_, &sin_, &true_cos_, &true_sin_, &effective_cos_, &effective_sin_})
        values->resize(tile_rows * pairs.count);
}

Tile Sweep::read(std::uint64_t begin, std::uint64_t end) {
    rows_.resize(end - begin);
    std::iota(rows_.begin(), rows_.end(), begin);
    const std::span listed = comparison_.subject.positions(comparison_.axis[pairs_.first]);
    positions_.resize(end - begin);
    if (listed.empty())
        std::ranges::copy(rows_, positions_.begin());
    else
        std::ranges::copy(listed.subspan(begin, end - begin), positions_.begin());
    reader_->fill(rows_, cos_.data(), sin_.data());
    truth_.fill(positions_, true_cos_.data(), true_sin_.data());
    pass_over_gaps();
    const std::span<const std::uint8_t> left_out = reader_->left_out();
    Tile tile{positions_,       pairs_,           cos_.data(),      sin_.data(), true_cos_.data(),
              true_sin_.data(), true_cos_.data(), true_sin_.data(), begin,       left_out};
    if (effective_is_truth_) return tile;
    tile.effective_cos = reader_->effective_cos();
    tile.effective_sin = reader_->effective_sin();
    if (tile.effective_cos != nullptr) return tile;
    effective_.fill(positions_, effective_cos_.data(), effective_sin_.data());
    for (std::size_t k = 0; k < left_out.size(); ++k)
        if (left_out[k] != 0) {
            effective_cos_[k] = true_cos_[k];
            effective_sin_[k] = true_sin_[k];
        }
    tile.effective_cos = effective_cos_.data();
    tile.effective_sin = effective_sin_.data();
    return tile;
}

// Sets undetermined values to the exact ones.
void Sweep::pass_over_gaps() {
    const std::span<const std::uint8_t> left_out = reader_->left_out();
    for (std::size_t k = 0; k < left_out.size(); ++k)
        if (left_out[k] != 0) {
            cos_[k] = comparison_.plan.attention_factor * true_cos_[k];
            sin_[k] = comparison_.plan.attention_factor * true_sin_[k];
        }
}

void Sweep::run(RowRange rows, const std::function<void(const Tile&)>& observe) {
    for (std::uint64_t begin = rows.begin; begin < rows.end; begin += tile_rows)
        observe(read(begin, std::min(rows.end, begin + tile_rows)));
}

}  // namespace rope
