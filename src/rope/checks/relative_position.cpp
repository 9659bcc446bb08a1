#include "rope/checks/relative_position.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "rope/checks/checks.hpp"
#include "rope/columns/pair_columns.hpp"
#include "rope/comparison/sweep.hpp"
#include "rope/kernels/checks.hpp"
#include "rope/kernels/kernels.hpp"

namespace rope {
namespace {

constexpr std::uint32_t searched_together = 8;  // pairs of one vector register

// Every pair of a column whose |w|² is at most `square` and whose |v|² is at most `norm`, our own
// doubles' 2^-46 included.
double bound_of(double square, double norm) {
    const double r = std::sqrt(square);
    return std::min(2 * r + r * r, norm + 1) * (1 + 0x1p-40) + 0x1p-46;
}

double allowance(double epsilon) { return 2 * epsilon + epsilon * epsilon; }

}  // namespace

RelativePosition::RelativePosition(const Comparison& comparison, PairRange pairs)
    : comparison_(comparison),
      blocks_(1),
      common_turn_(comparison, pairs),
      columns_(std::make_unique<PairColumns>(comparison, pairs)) {
    blocks_[0].pairs = pairs;
    blocks_[0].prefixes.resize(pairs.count);
    blocks_[0].whole.resize(pairs.count);
}
RelativePosition::~RelativePosition() = default;

void RelativePosition::observe(const Tile& observed) {
    const Tile tile = common_turn_.turned(observed);
    PairBlock& block = blocks_.back();
    const std::size_t rows = tile.positions.size(), stride = tile.pairs.count;
    samples_ += rows * stride;
    if (std::abs(tile.positions[0]) < near_positions) columns_->observe(tile);
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
    block.prefixes = columns_->worst_by_prefix(largest_norms(block));
    for (auto& prefixes : block.prefixes)  // a tile that reaches beyond
        std::erase_if(prefixes, [](const PrefixWorst& prefix) {
            return std::abs(prefix.last_position) >= near_positions;
        });
    columns_.reset();
}

void RelativePosition::merge(RowCheck& other) {
    finish();
    auto& next = static_cast<RelativePosition&>(other);
    next.finish();
    samples_ += next.samples_;
    PairBlock& block = blocks_.back();
    for (PairBlock& later : next.blocks_) {
        if (later.pairs.first != block.pairs.first) {
            blocks_.push_back(std::move(later));
            continue;
        }
        block.octaves.resize(std::max(block.octaves.size(), later.octaves.size()));
        for (std::size_t j = 0; j < later.octaves.size(); ++j) {
            if (later.octaves[j].square.empty()) continue;
            Octave& octave = block.octaves[j];
            octave.last_position = later.octaves[j].last_position;
            octave.square.resize(block.pairs.count);
            octave.norm.resize(block.pairs.count);
            for (std::uint32_t i = 0; i < block.pairs.count; ++i) {
                octave.square[i] = std::max(octave.square[i], later.octaves[j].square[i]);
                octave.norm[i] = std::max(octave.norm[i], later.octaves[j].norm[i]);
            }
        }
    }
}

std::vector<double> RelativePosition::largest_norms(const PairBlock& block) {
    std::vector<double> norms(block.pairs.count);
    for (const Octave& octave : block.octaves)
        for (std::size_t i = 0; i < octave.norm.size(); ++i)
            norms[i] = std::max(norms[i], octave.norm[i]);
    return norms;
}

// Per pair its most suspicious prefix, the most suspicious first.
std::vector<RelativePosition::Candidate> RelativePosition::candidates() const {
    std::vector<Candidate> found;
    for (std::size_t p = 0; p < blocks_.size(); ++p)
        for (std::uint32_t i = 0; i < blocks_[p].pairs.count; ++i) {
            Candidate worst{0, 1, p, i};
            double square = 0, norm = 0;
            for (const Octave& octave : blocks_[p].octaves) {
                if (octave.square.empty()) continue;
                square = std::max(square, octave.square[i]);
                norm = std::max(norm, octave.norm[i]);
                if (std::abs(octave.last_position) < near_positions) continue;
                const double bound = bound_of(square, norm);
                const double allowed = allowance(comparison_.effective_allowance(
                    octave.last_position, blocks_[p].pairs.first + i));
                if (bound * worst.allowed >= worst.bound * allowed) {
                    worst.bound = bound;
                    worst.allowed = allowed;
                }
            }
            if (worst.bound > 0) found.push_back(worst);
        }
    std::sort(found.begin(), found.end(), [](const Candidate& a, const Candidate& b) {
        return a.bound * b.allowed > b.bound * a.allowed;
    });
    return found;
}

// Every prefix of a pair and of those beside it.
void RelativePosition::search(PairBlock& block, std::uint32_t i) {
    const std::uint32_t first = i / searched_together * searched_together;
    const std::uint32_t count = std::min(searched_together, block.pairs.count - first);
    PairColumns columns(comparison_, {block.pairs.first + first, count});
    columns.read_all();
    const std::vector<double> norms = largest_norms(block);
    auto worst = columns.worst_by_prefix(std::span(norms).subspan(first, count));
    for (std::uint32_t j = 0; j < count; ++j) {
        block.prefixes[first + j] = std::move(worst[j]);
        block.whole[first + j] = true;
    }
}

void RelativePosition::add(WorstCase& worst_case, const PairBlock& block, std::uint32_t i) const {
    const std::uint32_t pair = block.pairs.first + i;
    for (const PrefixWorst& prefix : block.prefixes[i]) {
        const WorstPair& worst = prefix.worst;
        const double allowed =
            allowance(comparison_.effective_allowance(prefix.last_position, pair));
        worst_case.add(worst.error, allowed,
                       [&] { return Witness{{worst.m, worst.n}, pair, worst.error, 0}; });
    }
}

void RelativePosition::add_all(WorstCase& worst_case) const {
    for (const PairBlock& block : blocks_)
        for (std::uint32_t i = 0; i < block.pairs.count; ++i) add(worst_case, block, i);
}

std::vector<WorstPair> RelativePosition::worst_pairs() {
    finish();
    std::vector<WorstPair> worst(comparison_.spec.pairs());
    for (PairBlock& block : blocks_)
        for (std::uint32_t i = 0; i < block.pairs.count; ++i) {
            if (!block.whole[i]) search(block, i);
            worst[block.pairs.first + i] = block.prefixes[i].back().worst;
        }
    return worst;
}

void RelativePosition::report_to(Finding& finding) {
    finish();
    WorstCase found;
    add_all(found);
    for (const Candidate& candidate : candidates()) {
        if (!found.is_worse(candidate.bound, candidate.allowed)) break;
        PairBlock& block = blocks_[candidate.block];
        if (block.whole[candidate.pair]) continue;
        search(block, candidate.pair);
        for (std::uint32_t i = 0; i < block.pairs.count; ++i)
            if (block.whole[i]) add(found, block, i);
    }
    WorstCase in_order;  // of pairs and prefixes, whichever was searched first
    in_order.add_samples(samples_);
    add_all(in_order);
    in_order.report_to(finding);
    const std::uint64_t rows = comparison_.subject.rows();
    finding.fields.push_back({"position_pairs", rows * rows});
}

std::unique_ptr<RowCheck> make_relative_position(const Comparison& comparison, PairRange pairs) {
    return std::make_unique<RelativePosition>(comparison, pairs);
}

}  // namespace rope
