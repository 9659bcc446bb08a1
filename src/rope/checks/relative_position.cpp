#include "rope/checks/relative_position.hpp"

#include <algorithm>
#include <cmath>

#include "rope/checks/checks.hpp"
#include "rope/checks/column_searches.hpp"
#include "rope/columns/pair_columns.hpp"
#include "rope/comparison/sweep.hpp"
#include "rope/kernels/checks.hpp"
#include "rope/kernels/kernels.hpp"

namespace rope {

RelativePosition::RelativePosition(const Comparison& comparison, PairRange pairs)
    : comparison_(comparison), blocks_(1) {
    blocks_[0].pairs = pairs;
    blocks_[0].prefixes.resize(pairs.count);
    blocks_[0].whole.resize(pairs.count);
}
RelativePosition::~RelativePosition() = default;

void RelativePosition::observe(const Tile& observed) {
    PairBlock& block = blocks_.back();
    if (!common_turn_) common_turn_.emplace(comparison_, block.pairs);
    const Tile tile = common_turn_->turned(observed);
    const std::size_t rows = tile.positions.size(), stride = tile.pairs.count;
    samples_ += rows * stride;
    if (std::abs(tile.positions[0]) < near_positions) {
        if (!columns_) columns_ = std::make_unique<PairColumns>(comparison_, block.pairs);
        columns_->observe(tile);
    }
    for (std::size_t begin = 0, end = 0; begin < rows; begin = end) {
        const std::size_t octave = octave_of(tile.positions[begin]);
        while (end < rows && octave_of(tile.positions[end]) == octave) ++end;
        if (block.octaves.size() <= octave) block.octaves.resize(octave + 1);
        block.octaves[octave].last_position = tile.positions[end - 1];
        block.octaves[octave].square.resize(stride);
        block.octaves[octave].norm.resize(stride);
        const std::size_t k = begin * stride;
        kernels().checks->radii({end - begin,
                                 stride,
                                 {tile.cos + k, tile.sin + k},
                                 {tile.effective_cos + k, tile.effective_sin + k}},
                                1 / comparison_.effective_amplitude,
                                block.octaves[octave].square.data(),
                                block.octaves[octave].norm.data());
    }
}

void RelativePosition::finish() {
    if (!columns_) return;
    PairBlock& block = blocks_.back();
    block.prefixes = columns_->worst_by_prefix(block.largest_norms());
    for (auto& prefixes : block.prefixes)  // a tile that reaches beyond
        std::erase_if(prefixes, [](const PrefixWorst& prefix) {
            return std::abs(prefix.last_position) >= near_positions;
        });
    columns_.reset();
}

void RelativePosition::exchange(Archive& archive) { archive(samples_, blocks_); }

void RelativePosition::merge(RowCheck& other) {
    finish();
    auto& next = static_cast<RelativePosition&>(other);
    next.finish();
    samples_ += next.samples_;
    for (PairBlock& later : next.blocks_)
        if (later.pairs.first == blocks_.back().pairs.first)
            blocks_.back().merge(later);
        else
            blocks_.push_back(std::move(later));
}

std::vector<WorstPair> RelativePosition::worst_pairs() {
    finish();
    std::vector<WorstPair> worst(comparison_.spec.pairs());
    for (PairBlock& block : blocks_)
        for (std::uint32_t i = 0; i < block.pairs.count; ++i) {
            const std::uint32_t first = i / searched_together * searched_together;
            if (block.whole[i] == 0) keep(block, first, search_prefixes(comparison_, block, first));
            worst[block.pairs.first + i] = block.prefixes[i].back().worst;
        }
    return worst;
}

// One search at a time: columns that leave the half plane take 24 MiB.
void RelativePosition::report_to(Finding& finding) {
    finish();
    ColumnSearches searches(comparison_, blocks_);
    perform_all(searches, 1);
    WorstCase in_order;  // of pairs and prefixes, whichever was searched first
    in_order.add_samples(samples_);
    for (const PairBlock& block : blocks_)
        for (std::uint32_t i = 0; i < block.pairs.count; ++i)
            add_to(in_order, comparison_, block, i);
    in_order.report_to(finding);
    const std::uint64_t rows = comparison_.subject.rows();
    finding.fields.push_back({"position_pairs", rows * rows});
    // several rows are for one position where there are heads
    if (const std::uint64_t positions = comparison_.subject.distinct_positions(); positions < rows)
        finding.fields.push_back({"distinct_positions", positions, FieldRole::place});
}

std::unique_ptr<RowCheck> make_relative_position(const Comparison& comparison, PairRange pairs) {
    return std::make_unique<RelativePosition>(comparison, pairs);
}

}  // namespace rope
