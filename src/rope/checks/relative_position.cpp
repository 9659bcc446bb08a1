#include "rope/checks/relative_position.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "rope/checks/check.hpp"
#include "rope/checks/columns.hpp"
#include "rope/checks/sweep.hpp"
#include "rope/kernels/checks.hpp"
#include "rope/kernels/kernels.hpp"

namespace rope {
namespace {

// Every pair of a column whose |w|² is at most `square` and whose |v|² is at most `norm`, our own
// doubles' 2^-46 included.
double bound_of(double square, double norm) {
    const double r = std::sqrt(square);
    return std::min(2 * r + r * r, norm + 1) * (1 + 0x1p-40) + 0x1p-46;
}

}  // namespace

ColumnSearches::ColumnSearches(const Comparison& comparison, std::vector<PairBlock>& blocks)
    : comparison_(comparison), blocks_(blocks) {
    for (std::size_t p = 0; p < blocks.size(); ++p)
        for (std::uint32_t i = 0; i < blocks[p].pairs.count; ++i) {
            add_to(found_, comparison, blocks[p], i);
            if (const auto candidate = most_suspicious_prefix(p, i))
                candidates_.push_back(*candidate);
        }
    std::sort(candidates_.begin(), candidates_.end(), [](const Candidate& a, const Candidate& b) {
        return a.bound * b.allowed > b.bound * a.allowed;
    });
    count_found();
}

std::optional<ColumnSearches::Candidate> ColumnSearches::most_suspicious_prefix(
    std::size_t block, std::uint32_t i) const {
    Candidate worst{0, 1, block, i};
    double square = 0, norm = 0;
    for (const Octave& octave : blocks_[block].octaves) {
        if (octave.square.empty()) continue;
        square = std::max(square, octave.square[i]);
        norm = std::max(norm, octave.norm[i]);
        if (std::abs(octave.last_position) < near_positions) continue;
        const double bound = bound_of(square, norm);
        const double allowed =
            pair_allowance(comparison_, octave.last_position, blocks_[block].pairs.first + i);
        if (bound * worst.allowed >= worst.bound * allowed) {
            worst.bound = bound;
            worst.allowed = allowed;
        }
    }
    return worst.bound > 0 ? std::optional(worst) : std::nullopt;
}

ColumnSearches::Search ColumnSearches::search_of(const Candidate& candidate) {
    return {candidate.block, candidate.pair - candidate.pair % searched_together};
}

bool ColumnSearches::matters(const Candidate& candidate) const {
    return found_.is_worse(candidate.bound, candidate.allowed);
}

bool ColumnSearches::is_whole(const Candidate& candidate) const {
    return blocks_[candidate.block].whole[candidate.pair] != 0;
}

std::optional<Bytes> ColumnSearches::next() {
    for (std::size_t k = counted_; k < candidates_.size() && matters(candidates_[k]); ++k) {
        const Search search = search_of(candidates_[k]);
        if (is_whole(candidates_[k]) || !searches_.try_emplace(search).second) continue;
        return to_bytes(search);
    }
    return std::nullopt;
}

Bytes ColumnSearches::perform(const Bytes& task) const {
    const auto [block, first] = value_of<Search>(task);
    return archived(
        search_prefixes(comparison_, blocks_[block], static_cast<std::uint32_t>(first)));
}

void ColumnSearches::take(const Bytes& task, const Bytes& result) {
    searches_[value_of<Search>(task)] = read_archived<Prefixes>(result);
    count_found();
}

void ColumnSearches::count_found() {
    for (; counted_ < candidates_.size() && matters(candidates_[counted_]); ++counted_) {
        const Candidate& candidate = candidates_[counted_];
        if (is_whole(candidate)) continue;
        const Search search = search_of(candidate);
        const auto known = searches_.find(search);
        if (known == searches_.end() || !known->second) return;
        PairBlock& block = blocks_[candidate.block];
        keep(block, static_cast<std::uint32_t>(search[1]), std::move(*known->second));
        for (std::uint32_t i = 0; i < block.pairs.count; ++i)
            if (block.whole[i] != 0) add_to(found_, comparison_, block, i);
    }
}

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

std::vector<double> PairBlock::largest_norms() const {
    std::vector<double> norms(pairs.count);
    for (const Octave& octave : octaves)
        for (std::size_t i = 0; i < octave.norm.size(); ++i)
            norms[i] = std::max(norms[i], octave.norm[i]);
    return norms;
}

void PairBlock::merge(const PairBlock& later) {
    octaves.resize(std::max(octaves.size(), later.octaves.size()));
    for (std::size_t j = 0; j < later.octaves.size(); ++j) {
        if (later.octaves[j].square.empty()) continue;
        Octave& octave = octaves[j];
        octave.last_position = later.octaves[j].last_position;
        octave.square.resize(pairs.count);
        octave.norm.resize(pairs.count);
        for (std::uint32_t i = 0; i < pairs.count; ++i) {
            octave.square[i] = std::max(octave.square[i], later.octaves[j].square[i]);
            octave.norm[i] = std::max(octave.norm[i], later.octaves[j].norm[i]);
        }
    }
}

void exchange(Archive& archive, Octave& octave) {
    archive(octave.last_position, octave.square, octave.norm);
}

void exchange(Archive& archive, PairBlock& block) {
    archive(block.pairs.first, block.pairs.count, block.octaves, block.prefixes, block.whole);
}

Prefixes search_prefixes(const Comparison& comparison, const PairBlock& block,
                         std::uint32_t first) {
    const std::uint32_t count = std::min(searched_together, block.pairs.count - first);
    PairColumns columns(comparison, {block.pairs.first + first, count});
    columns.read_all();
    const std::vector<double> norms = block.largest_norms();
    return columns.worst_by_prefix(std::span(norms).subspan(first, count));
}

void keep(PairBlock& block, std::uint32_t first, Prefixes found) {
    for (std::size_t j = 0; j < found.size(); ++j) {
        block.prefixes[first + j] = std::move(found[j]);
        block.whole[first + j] = 1;
    }
}

double pair_allowance(const Comparison& comparison, double position, std::uint32_t pair) {
    const double epsilon = comparison.effective_allowance(position, pair);
    return 2 * epsilon + epsilon * epsilon;
}

void add_to(WorstCase& worst_case, const Comparison& comparison, const PairBlock& block,
            std::uint32_t i) {
    const std::uint32_t pair = block.pairs.first + i;
    for (const PrefixWorst& prefix : block.prefixes[i]) {
        const WorstPair& worst = prefix.worst;
        worst_case.add(worst.error, pair_allowance(comparison, prefix.last_position, pair),
                       [&] { return Witness{{worst.m, worst.n}, pair, worst.error, 0}; });
    }
}

}  // namespace rope
